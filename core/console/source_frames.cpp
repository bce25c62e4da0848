// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/console/source_frames.h"

#include "core/base/text.h"
#include "core/module/scopes.h"

#include <cstdlib>

namespace fx {

std::vector<SourceFrame> sourceFrames(const Node& node) {
    std::vector<SourceFrame> frames;
    const auto* trace = node.meta.find<std::string>(meta::kStackTrace);
    if (!trace)
        return frames;
    for (std::string_view line : split(*trace, '\n')) {
        const std::string_view text = trim(line);
        const size_t quote = text.starts_with("File \"") ? text.find('"', 6) : std::string_view::npos;
        if (quote != std::string_view::npos) {
            SourceFrame& frame = frames.emplace_back();
            frame.file = text.substr(6, quote - 6);
            const size_t number = text.find("line ", quote);
            if (number != std::string_view::npos)
                frame.line = std::atoi(text.data() + number + 5);
            if (const size_t in = text.find(", in ", quote); in != std::string_view::npos)
                frame.function = text.substr(in + 5);
        } else if (!frames.empty() && frames.back().code.empty() &&
                   text.find_first_not_of("^~ ") != std::string_view::npos) {
            frames.back().code = text;
        }
    }
    return frames;
}

std::vector<ModuleFrame> moduleFrames(const Node& node) {
    const auto* stack = node.meta.find<ModuleStack>(meta::kModuleStack);
    return stack ? *stack : ModuleStack();
}

std::string sourceText(const Node& node) {
    const std::vector<SourceFrame> frames = sourceFrames(node);
    if (frames.empty())
        return {};
    const SourceFrame& frame = frames.back();
    const std::vector<ModuleFrame> modules = moduleFrames(node);
    std::string out = frame.file.substr(frame.file.rfind('/') + 1) + ':' + std::to_string(frame.line);
    if (frame.function.empty())
        return out;
    const bool isMethod = frame.function == "forward" && !modules.empty() && !modules.back().type.empty();
    return out + ", in " + (isMethod ? shortTypeName(modules.back().type) + '.' : "") + frame.function;
}

} // namespace fx
