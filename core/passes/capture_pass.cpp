// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/capture_pass.h"

#include "core/base/error.h"
#include "core/module/become.h"
#include "core/passes/dead_code.h"
#include "core/passes/graph_capture.h"
#include "core/passes/pass_options.h"

namespace fx {

namespace {

void replaceGraph(Edit& edit, const GraphCapture& capture) {
    const Graph& graph = edit.graph();
    const NodeId output = graph.outputNode();
    edit.setArgs(output, {NoneValue()});
    for (NodeId at = graph.node(output).previous; at;) {
        const NodeId before = graph.node(at).previous;
        if (!graph.node(at).isErased && graph.node(at).opcode != Opcode::Placeholder)
            edit.eraseNode(at);
        at = before;
    }
    for (const auto& [path, tensor] : capture.constants())
        edit.setTensor(path, edit.createTensor(TensorSlot(tensor)), TensorRole::Constant);
    NodeMap nodes = capture.placeholders();
    for (const auto& [recorded, own] : nodes)
        replaceMeta(edit, own, capture.model().graph().node(recorded).meta);
    const Edit::InsertPoint point = edit.insertingBefore(output);
    const std::optional<Argument> result = edit.graphCopy(capture.model().graph(), nodes);
    edit.setArgs(output, {*result});
    // The names of the nodes that were there before are free again.
    for (const auto& [recorded, own] : nodes)
        if (const std::string& name = capture.model().graph().node(recorded).name;
            edit.node(own).name != name)
            edit.setName(own, name);
}

} // namespace

void captureOperators(Edit& edit, const std::map<std::string, std::string>& options, PassContext& context) {
    const Pass capture{.name = "capture", .options = captureOptions()};
    runCapture(edit, PassOptions(capture, options), context);
}

void runCapture(Edit& edit, const PassOptions& options, PassContext& context) {
    if (!context.inputs)
        throw Error("", "this pass runs the model, and there are no inputs for it here");
    if (!edit.graph().outputNode())
        throw Error("", "the graph has no output, so it cannot run");
    GraphCapture capture(edit, options, context);
    capture.run(context.inputs(edit.model()));
    replaceGraph(edit, capture);
    if (options.flag("backward"))
        edit.setSignature(std::nullopt);
}

void runToAten(Edit& edit, const PassOptions& options, PassContext& context) {
    const std::map<std::string, std::string> chosen = {
        {"level", options.flag("core") ? "core-aten" : "aten"},
        {"functional", options.flag("in-place") ? "false" : "true"}};
    captureOperators(edit, chosen, context);
    removeDeadCode(edit);
}

std::vector<PassOption> captureOptions() {
    using enum OptionType;
    return {{.name = "level",
             .type = Choice,
             .help =
                 "composite: operators as they are called; aten: what autograd leaves of them; core-aten: "
                 "those in smaller ones, the set that backends implement",
             .byDefault = "aten",
             .choices = {"composite", "aten", "core-aten"}},
            {"backward", Bool, "also what works out the gradients, which become results"},
            {.name = "gradients-of",
             .type = Choice,
             .help = "with --backward: what the gradients are of",
             .byDefault = "parameters",
             .choices = {"parameters", "inputs", "both"}},
            {"functional", Bool,
             "without operators that write into a tensor: others in their place, and at the end a copy into "
             "each "
             "input and buffer that was written"},
            {"keep-aliases", Bool, "keep calls of detach and alias, which change no value"}};
}

} // namespace fx
