// SPDX-License-Identifier: GPL-3.0-or-later
// Going back puts back what was written over: tensors of the graph, buffers of the modules that were called.
// Values and random numbers are the matter of tst_going_back.cpp.
#include "core/module/edit.h"
#include "tests/support/debug_probe.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

namespace fx::undone_writes_test {

using Mode = Resume::Mode;

namespace {

/// A normalisation in training, beside reads of what it counts.
Model normalising() {
    Model model("GraphModule");
    Edit edit(model);
    const ModuleId bn = edit.createModule("torch.nn.modules.batchnorm.BatchNorm1d");
    edit.addSubmodule("bn", bn);
    for (const auto& [name, start] : {std::pair("weight", 1.0), {"bias", 0.0}})
        edit.setTensor(std::string("bn.") + name, edit.createTensor(TensorSlot(at::full({2}, start))),
                       TensorRole::Parameter);
    for (const auto& [name, start] : {std::pair("running_mean", 0.0), {"running_var", 1.0}})
        edit.setTensor(std::string("bn.") + name, edit.createTensor(TensorSlot(at::full({2}, start))),
                       TensorRole::Buffer);
    edit.setTensor("bn.num_batches_tracked", edit.createTensor(TensorSlot(at::zeros({}, at::kLong))),
                   TensorRole::Buffer);
    edit.setValue("bn.num_features", Argument(2));
    edit.setValue("bn.eps", Argument(1e-5));
    edit.setValue("bn.momentum", Argument(0.1));
    edit.setValue("bn.affine", Argument(true));
    edit.setValue("bn.track_running_stats", Argument(true));
    const NodeId x = edit.placeholder("x");
    const NodeId mean = edit.getAttr("bn.running_mean");
    const NodeId count = edit.getAttr("bn.num_batches_tracked");
    edit.setName(mean, "mean");
    edit.setName(count, "count");
    const NodeId norm = edit.callModule("bn", {x});
    edit.setName(norm, "norm");
    edit.output({Argument(ListValue{{norm, mean, count}})});
    edit.enter(bn);
    edit.setTraining(true);
    edit.finish();
    return model;
}

} // namespace

class TestUndoneWrites : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void putsBackWhatWasWritten() {
        Model model("GraphModule");
        Edit edit(model);
        edit.setTensor("calls", edit.createTensor(TensorSlot(at::zeros({2}))), TensorRole::Buffer);
        const NodeId calls = edit.getAttr("calls");
        const NodeId one = edit.callMethod("add_", {calls, 1});
        const NodeId two = edit.callMethod("mul_", {edit.callMethod("view", {calls, -1}), 3});
        edit.output(edit.callFunction("torch.neg", {two}));
        edit.finish();
        DebugProbe probe(model, {});
        const NodeId end = model.graph().outputNode();
        probe.stop();
        for (int round = 0; round < 2; ++round) {
            probe.resume(Mode::Until, {model.root(), end});
            QCOMPARE(probe.evaluate("calls").text, std::string("tensor([3., 3.])"));
            probe.session().send(Jump{3, round == 0 ? two : one});
            const Answer answer = probe.wait<Answer>();
            QCOMPARE(answer.text, std::string()); // nothing that was not undone
            probe.stop();
            QCOMPARE(probe.evaluate("calls").text,
                     std::string(round == 0 ? "tensor([1., 1.])" : "tensor([0., 0.])"));
        }
        probe.resume(Mode::Until, {model.root(), end});
        QCOMPARE(probe.evaluate("calls").text, std::string("tensor([3., 3.])"));
    }

    /// Statistics that a module of torch.nn counts, and its number of batches.
    void putsBackTheBuffersOfCalledModules() {
        Model model = normalising();
        DebugProbe probe(model, {Value(c10::IValue(at::arange(6, at::kFloat).view({3, 2})))});
        const Graph& graph = model.graph();
        const NodeRef end{model.root(), graph.outputNode()};
        probe.stop();
        for (int round = 0; round < 3; ++round) {
            probe.resume(Mode::Until, end);
            QCOMPARE(probe.evaluate("mean").text, std::string("tensor([0.2000, 0.3000])"));
            QCOMPARE(probe.evaluate("count").text, std::string("tensor(1)"));
            probe.session().send(Jump{3, graph.find("norm")});
            QCOMPARE(probe.wait<Answer>().text, std::string());
            probe.stop();
            QCOMPARE(probe.evaluate("mean").text, std::string("tensor([0., 0.])"));
            QCOMPARE(probe.evaluate("count").text, std::string("tensor(0)"));
        }
    }

    void putsBackWhatAModuleWroteInPlace() {
        Model model("GraphModule");
        Edit edit(model);
        edit.addSubmodule("relu", edit.createModule("torch.nn.modules.activation.ReLU"));
        edit.setValue("relu.inplace", Argument(true));
        const NodeId x = edit.callMethod("neg", {edit.placeholder("x")});
        const NodeId relu = edit.callModule("relu", {x});
        edit.output(edit.callFunction("torch.neg", {relu}));
        edit.finish();
        DebugProbe probe(model, {Value(c10::IValue(at::ones({2})))});
        probe.stop();
        probe.resume(Mode::Until, {model.root(), model.graph().outputNode()});
        QCOMPARE(probe.evaluate("neg").text, std::string("tensor([0., 0.])"));
        probe.session().send(Jump{3, relu});
        QCOMPARE(probe.wait<Answer>().text, std::string());
        probe.stop();
        QCOMPARE(probe.evaluate("neg").text, std::string("tensor([-1., -1.])"));
    }

    /// A class that nobody here knows may hold more than tensors.
    void saysWhatItDoesNotUndo() {
        Model model("GraphModule");
        Edit edit(model);
        model.setSources({{"counting", "counting.py",
                           "import torch\n"
                           "class Count(torch.nn.Module):\n"
                           "    def forward(self, x):\n"
                           "        self.seen += x\n"
                           "        self.calls = 1\n"
                           "        return x + self.seen\n"}});
        edit.addSubmodule("count", edit.createModule("counting.Count"));
        edit.setTensor("count.seen", edit.createTensor(TensorSlot(at::zeros({2}))), TensorRole::Buffer);
        const NodeId x = edit.placeholder("x");
        edit.output(edit.callModule("count", {x}));
        edit.finish();
        DebugProbe probe(model, {Value(c10::IValue(at::ones({2})))});
        probe.stop();
        probe.resume(Mode::Until, {model.root(), model.graph().outputNode()});
        probe.session().send(Jump{3, model.graph().find("count")});
        QCOMPARE(probe.wait<Answer>().text,
                 std::string("count changes state of its own, which going back does not undo"));
        probe.stop();
    }

    void forgetsWhoWroteLater() {
        Model model("GraphModule");
        Edit edit(model);
        const NodeId x = edit.callMethod("clone", {edit.placeholder("x")});
        const NodeId one = edit.callFunction("torch.ops.aten.add_.Tensor", {x, 1});
        const NodeId two = edit.callFunction("torch.ops.aten.mul_.Tensor", {x, 3});
        edit.output(edit.callFunction("torch.neg", {x}));
        edit.finish();
        DebugProbe probe(model, {Value(c10::IValue(at::ones({2})))});
        probe.stop();
        const auto writer = [&] {
            probe.session().send(Inspect{.request = 4, .node = {model.root(), x}});
            return probe.wait<Inspection>().changedBy;
        };
        probe.resume(Mode::Until, {model.root(), model.graph().outputNode()});
        QCOMPARE(writer(), std::string("mul__tensor"));
        for (const auto& [node, expected] : {std::pair(two, "add__tensor"), std::pair(one, "")}) {
            probe.session().send(Jump{3, node});
            QCOMPARE(probe.wait<Answer>().text, std::string());
            probe.stop();
            QCOMPARE(writer(), std::string(expected));
        }
    }
};

FX_TEST(TestUndoneWrites)
} // namespace fx::undone_writes_test
#include "tst_undone_writes.moc"
