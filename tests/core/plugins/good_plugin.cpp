// SPDX-License-Identifier: GPL-3.0-or-later
// A plugin of each kind of row, but panes.
#include "core/base/text.h"
#include "core/io/mapped_file.h"
#include "core/passes/pass_options.h"
#include "core/plugins/plugin.h"
#include "core/torch/bind/call.h"

namespace {

using namespace fx;

constexpr std::string_view kMagic = "CALLS\n";

/// A file "CALLS\n" with one function a line, applied one after the other.
OpenedModel readCalls(const std::string& path, Progress&) {
    OpenedModel out;
    Edit edit(out.model);
    NodeId value = edit.placeholder("x");
    const std::string text = readFile(path).substr(kMagic.size());
    for (const std::string_view line : split(text, '\n'))
        if (line == "crash")
            std::abort();
        else if (!line.empty())
            value = edit.callFunction(Target(line), {value});
    edit.output(value);
    edit.finish();
    return out;
}

} // namespace

FXSCOPE_PLUGIN(registry) {
    registry.passes.push_back({"good-pass",
                               "Good pass",
                               "rename the first node",
                               kAnyDialect,
                               {{"name", OptionType::String, "its new name", "fresh"}},
                               [](Edit& edit, const PassOptions& options, PassContext&) {
                                   edit.rename(edit.graph().first(), options.text("name"));
                               }});
    registry.formats.push_back({"calls",
                                {".calls"},
                                [](std::span<const std::byte> content) {
                                    return content.size() >= kMagic.size() &&
                                           std::memcmp(content.data(), kMagic.data(), kMagic.size()) == 0;
                                },
                                readCalls});
    registry.functions.emplace_back("goodlib.twice", [](const Values& args, const NamedValues&) {
        return callFunction("torch.add", {args.at(0), args.at(0)}, {});
    });
}
