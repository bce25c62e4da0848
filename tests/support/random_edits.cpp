// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/random_edits.h"

#include <ATen/ATen.h>

#include <cmath>

namespace fx {

Changes RandomEdits::edit() {
    Edit edit(m_model);
    for (size_t count = 1 + below(3); count > 0; --count)
        verb(edit);
    return edit.finish();
}

Changes RandomEdits::wideEdit() {
    Edit edit(m_model);
    for (size_t count = 1 + below(3); count > 0; --count)
        below(3) == 0 ? moduleVerb(edit) : verb(edit);
    return edit.finish();
}

void RandomEdits::failedEdit() {
    Edit edit(m_model);
    for (size_t count = 1 + below(5); count > 0; --count)
        below(3) == 0 ? moduleVerb(edit) : verb(edit);
}

NodeId RandomEdits::pick(const Graph& graph) {
    NodeId id = graph.first();
    for (size_t steps = below(graph.size()); steps > 0; --steps)
        id = graph.node(id).next;
    return id;
}

void RandomEdits::verb(Edit& edit) {
    static const char* kFunctions[] = {"torch.ops.aten.relu.default", "operator.add", "math.trunc",
                                       "operator.abs", "sum"};
    static const char* kNames[] = {"x",   "linear",      "add_1", "math_trunc", "_operator_abs",
                                   "sum", "p_fc_weight", "view"};
    const NodeId a = pick(edit.graph()), b = pick(edit.graph());
    switch (below(9)) {
    case 0: {
        const auto point = edit.insertingBefore(a);
        edit.callFunction(kFunctions[below(std::size(kFunctions))], {b, b});
        break;
    }
    case 1:
        for (const Node& node : edit.graph())
            if (node.users.empty()) {
                edit.eraseNode(node.id);
                break;
            }
        if (edit.graph().size() == 0)
            edit.placeholder("x");
        break;
    case 2:
        edit.moveBefore(a, b);
        break;
    case 3:
        edit.moveAfter(a, b);
        break;
    case 4:
        edit.replaceAllUsesWith(a, b);
        break;
    case 5:
        edit.rename(a, kNames[below(std::size(kNames))]);
        break;
    case 6:
        edit.updateKwarg(a, "extra", b);
        break;
    case 7:
        edit.setMeta(a, meta::kCustom, MetaValue(std::string("mark")));
        break;
    default:
        edit.insertArg(a, 0, b);
    }
}

void RandomEdits::moduleVerb(Edit& edit) {
    const NodeId a = pick(edit.graph());
    const std::string path = "made" + std::to_string(below(3)) + (below(2) ? ".inner" : "");
    switch (below(11)) {
    case 0:
        edit.addSubmodule(path, edit.createModule("torch.nn.modules.activation.ReLU"));
        break;
    case 1: { // a graph of its own, filled by recorded changes
        const ModuleId made = edit.createModule("GraphModule", true);
        edit.addSubmodule(path, made);
        const ModuleId outer = edit.module();
        edit.enter(made);
        edit.output(edit.callFunction("torch.relu", {edit.placeholder("add_01")}));
        edit.setTraining(true);
        edit.enter(outer);
        break;
    }
    case 2: {
        Module contents;
        contents.type = "strange\xff.Type";
        contents.values.push_back({"scale", Argument(std::nan(""))});
        const ModuleId made = edit.createModule({});
        contents.tensors.push_back(
            {"w", edit.createTensor(TensorSlot(at::ones({3}))), TensorRole::Parameter});
        edit.fillModule(made, std::move(contents));
        edit.addSubmodule(path, made);
        break;
    }
    case 3:
        edit.deleteSubmodule(path);
        break;
    case 4:
        edit.setTensor("t" + std::to_string(below(2)), edit.createTensor(TensorSlot(at::full({2}, 0.5))),
                       static_cast<TensorRole>(below(4)));
        break;
    case 5:
        edit.deleteTensor("t0");
        break;
    case 6: {
        const Argument values[] = {Argument(),
                                   Argument(INFINITY),
                                   Argument(std::string("\xc3\x28")),
                                   Argument(c10::kHalf),
                                   Argument(TupleValue{{1, ListValue{{true}}}}),
                                   Argument(std::complex<double>(1, -0.0))};
        edit.setValue("v", values[below(std::size(values))]);
        break;
    }
    case 7:
        edit.setTraining(below(2));
        break;
    case 8:
        edit.setType(a, below(2) ? std::optional<std::string>("List[int]") : std::nullopt);
        edit.setCallee(a, Opcode::CallFunction, "torch.neg");
        break;
    case 9: {
        std::optional<Signature> signature;
        if (below(2)) {
            signature.emplace();
            signature->argumentNames = {"a"};
            signature->inputs = {TreeSpec::Kind::Tuple, "builtins.tuple", {}, {TreeSpec()}};
            signature->namedTuples = {{"Pair", {"x", "y"}}};
        }
        edit.setSignature(signature);
        break;
    }
    default:
        edit.setName(a, "same");
        edit.setMeta(a, meta::kModuleStack, MetaValue(ModuleStack{{"k", "layer\x80", "T"}}));
        edit.setMeta(a, meta::kValue, MetaValue(ValueMeta{describe(at::ones({2, 3}))}));
    }
}

} // namespace fx
