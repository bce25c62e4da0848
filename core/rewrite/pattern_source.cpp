// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rewrite/pattern_source.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/trace/trace_source.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace fx {

namespace {

constexpr const char* kNames = "import math, operator, torch\n"
                               "import torch.nn.functional as F\n"
                               "aten = torch.ops.aten\n";

/// A folder of our own that goes when it is no longer needed: sources are traced from files.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "fxscope-XXXXXX").string();
        if (!::mkdtemp(pattern.data()))
            throw Error(pattern, "cannot be made");
        m_path = pattern;
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
    std::filesystem::path path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

} // namespace

Model tracePatternText(const std::string& text, const std::string& place) {
    const TemporaryFolder folder;
    SourceRequest request;
    request.path = (folder.path() / "pattern.py").string();
    const bool isDefinition = trim(text).starts_with("def ");
    std::ofstream file(request.path);
    file << kNames;
    if (isDefinition)
        file << text << '\n';
    else
        request.expression = std::string(trim(text));
    file.close();
    if (!file)
        throw Error(request.path, "cannot be written");
    try {
        return traceSource(request).model;
    } catch (Error& error) {
        const std::string at = replaceAll(error.place(), request.path, place);
        Error told(at.empty() ? place : at, error.message());
        throw std::move(told).kind(error.kind()).hint(error.advice());
    }
}

} // namespace fx
