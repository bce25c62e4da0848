// SPDX-License-Identifier: GPL-3.0-or-later
// info: what a file is and what is in it.
#include "app/cli/commands.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/module/scopes.h"
#include "core/module/summary.h"

#include <iostream>
#include <map>

namespace fx::cli {

namespace {

/// The modules with their tensors, one line each; a module that is there twice is shown once.
class TreePrinter {
public:
    explicit TreePrinter(const Model& model) : m_model(model) {}

    void print(ModuleId id, const std::string& name, const std::string& path, size_t depth) {
        const Module& module = m_model.module(id);
        const std::string indent(2 * depth, ' ');
        const auto [first, isNew] = m_first.try_emplace(id, path);
        std::cout << indent << shownLine(name)
                  << (module.type == "torch.nn.modules.module.Module" ? "" : "  " + shownLine(module.type))
                  << (isNew ? "" : "  the same as " + shownLine(first->second)) << '\n';
        if (!isNew)
            return;
        for (const NamedTensor& entry : module.tensors)
            std::cout << indent << "  " << shownLine(entry.name) << "  "
                      << (entry.tensor ? valueMetaText(ValueMeta{m_model.tensor(entry.tensor).meta()})
                                       : "None")
                      << '\n';
        for (const NamedModule& child : module.children)
            print(child.module, child.name, path.empty() ? child.name : path + '.' + child.name, depth + 1);
    }

private:
    const Model& m_model;
    std::map<ModuleId, std::string> m_first; ///< the path under which a module was shown
};

void printInfo(const OpenedModel& opened) {
    const Model& model = opened.model;
    const ModelSummary summary = summarize(model);
    const auto line = [](const std::string& name, const std::string& value) {
        std::cout << name << std::string(name.size() < 12 ? 12 - name.size() : 1, ' ') << shownLine(value)
                  << '\n';
    };
    line("file", opened.path);
    line("format", opened.format + (opened.writer.empty() ? "" : ", written by " + opened.writer));
    for (const ModelInput& input : inputsOf(model))
        line("input", input.name + (input.value ? "  " + valueMetaText(*input.value) : ""));
    const NodeId output = model.graph().outputNode();
    if (output)
        if (const auto* value = model.graph().node(output).meta.find<ValueMeta>(meta::kValue))
            line("output", valueMetaText(*value));
    for (const auto& [name, range] : opened.symbols)
        line("symbol", name + "  " + (range.least ? std::to_string(*range.least) : "-inf") + " to " +
                           (range.most ? std::to_string(*range.most) : "inf"));
    if (const NoGraph& why = opened.whyNoGraph; !why.reason.empty())
        line("graph", "none: " + why.reason + "; " + why.advice);
    else
        line("nodes", std::to_string(summary.nodeCount) +
                          (summary.graphCount > 1 ? " in " + plural(summary.graphCount, "graph") : ""));
    for (const OpcodeInfo& row : opcodes())
        if (const size_t count = summary.opcodeCounts[static_cast<size_t>(row.opcode)])
            line("  " + std::string(row.name),
                 std::string(row.name.size() > 9 ? "  " : "") + std::to_string(count));
    line("parameters",
         std::to_string(summary.parameterCount) + " (" + byteText(summary.parameterBytes) + ")");
    line("buffers", std::to_string(summary.bufferCount) + " (" + byteText(summary.bufferBytes) + ")");
    if (opened.whyNoGraph.reason.empty())
        line("modules", std::to_string(ScopeTree(model.graph()).scopes().size() - 1) + " in the graph");
    for (const std::string& note : opened.notes)
        line("note", note);
    if (!opened.whyNoGraph.reason.empty())
        TreePrinter(model).print(model.root(), "model", "", 0);
}

} // namespace

void addInfo(CLI::App& app) {
    auto options = std::make_shared<ModelOptions>();
    CLI::App* command =
        app.add_subcommand("info", "format, inputs and outputs, sizes, and what was not understood");
    options->addTo(*command);
    command->footer("Example:\n  fxscope info resnet50.pt2");
    command->callback([options] { printInfo(options->openAny()); });
}

} // namespace fx::cli
