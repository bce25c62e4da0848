// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rewrite/made_module.h"

#include "core/base/text.h"
#include "core/python/parse_expression.h"
#include "core/rewrite/argument_reader.h"
#include "core/rewrite/replacement_attributes.h"
#include "core/trace/trace_source.h"

#include <cctype>

namespace fx {

ModuleId makeModule(Edit& edit, const std::string& constructor, const std::string& type, bool isTraining) {
    SourceRequest request;
    request.path = "the call";
    request.prelude = "import math, torch\nfrom torch import nn\n";
    request.text = "class Holder(nn.Module):\n    def __init__(self):\n        super().__init__()\n        "
                   "self.made = " +
                   constructor + "\n    def forward(self, x):\n        return self.made(x)\n";
    request.expression = "Holder()";
    request.leaves = {type.substr(type.rfind('.') + 1)}; // torch.fx would trace through a Sequential
    request.isTraining = isTraining;
    const Model source = traceSource(request).model;
    const ModuleId home = edit.module();
    const ModuleId fresh = copyModule(edit, source, source.resolve(source.root(), "made").module);
    edit.enter(home);
    return fresh;
}

std::string constructedClass(const std::string& constructor) {
    const Expression call = parseExpression(constructor, "the call");
    if (call.kind != Expression::Kind::Call)
        return {};
    const std::string name = dottedName(call.children[0]);
    const std::string full = name.starts_with("nn.") ? "torch." + name : name;
    const std::string_view type = std::string_view(full).substr(full.rfind('.') + 1);
    return full.starts_with("torch.nn.") && !type.empty() && std::isupper(static_cast<unsigned char>(type[0]))
               ? full
               : std::string();
}

} // namespace fx
