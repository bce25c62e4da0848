// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rewrite/pattern_source.h"

#include "core/base/text.h"
#include "core/trace/trace_source.h"

namespace fx {

namespace {

constexpr const char* kNames = "import math, operator, torch\n"
                               "import torch.nn.functional as F\n"
                               "aten = torch.ops.aten\n";

} // namespace

Model tracePatternText(const std::string& text, const std::string& place) {
    SourceRequest request;
    request.path = place;
    request.prelude = kNames;
    const std::string_view written = trim(text);
    const bool isDefinition = written.starts_with("def ");
    request.text = isDefinition ? text : std::string();
    request.expression = isDefinition ? std::string_view() : written;
    return traceSource(request).model;
}

} // namespace fx
