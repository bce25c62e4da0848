// SPDX-License-Identifier: GPL-3.0-or-later
// The gradients of a session's run: what is told of them, what can be asked for, where a run fails for one
// that is not finite. That they are Python's, tests/oracle/check_gradients.py shows.
#include "core/base/error.h"
#include "core/interpret/gradients.h"
#include "core/interpret/structure.h"
#include "core/module/edit.h"
#include "tests/support/debug_probe.h"
#include "tests/support/model_state.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

namespace fx::gradients_test {

using Mode = Resume::Mode;

namespace {

/// x -> mul(x, weight) -> relu -> output.
struct Weighted {
    Model model{"GraphModule"};
    NodeId x, weight, mul, relu, output;
    TensorId tensor;
    Weighted() {
        Edit edit(model);
        tensor = edit.createTensor(TensorSlot(at::tensor({2.0f, -1.0f}).requires_grad_()));
        edit.setTensor("weight", tensor, TensorRole::Parameter);
        x = edit.placeholder("x");
        weight = edit.getAttr("weight");
        mul = edit.callFunction("operator.mul", {x, weight});
        relu = edit.callFunction("torch.relu", {mul});
        output = edit.output(relu);
        edit.finish();
    }
    NodeRef at(NodeId node) const { return {model.root(), node}; }
};

Values inputs(std::initializer_list<float> items) {
    return {Value(c10::IValue(at::tensor(std::vector<float>(items))))};
}

DebugOptions differentiating(const std::string& loss = {}, bool pauses = false) {
    DebugOptions options;
    options.loss = loss;
    options.pausesAtEntry = pauses;
    return options;
}

const GradientRecord* recordOf(const Differentiated& done, NodeRef node) {
    for (const GradientRecord& record : done.records)
        if (record.node == node)
            return &record;
    return nullptr;
}

} // namespace

class TestGradients : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void areToldWhenTheRunIsOver() {
        const Weighted m;
        DebugProbe probe(m.model, inputs({3, 4}), {}, differentiating());
        const auto done = probe.wait<Differentiated>();
        QCOMPARE(done.loss, std::string("the sum of output = 6.0"));
        QCOMPARE(valueMetaText(recordOf(done, m.at(m.mul))->value), std::string("f32[2]"));
        QVERIFY(!recordOf(done, m.at(m.mul))->health.isZero());
        QCOMPARE(done.records.back().tensor, m.tensor);
        QCOMPARE(probe.wait<Finished>().result, std::string("tensor([6., 0.], grad_fn=<ReluBackward0>)"));
        QCOMPARE(probe.evaluate("grad('mul')").text, std::string("tensor([1., 0.])"));
        QCOMPARE(probe.evaluate("grad('x')").text, std::string("tensor([2., -0.])"));
        QCOMPARE(probe.evaluate("grad('weight') + 1").text, std::string("tensor([4., 1.])"));
        QVERIFY(probe.evaluate("grad('nothing')").isError);
        probe.session().send(Inspect{2, m.at(m.relu), {}, {}, true});
        QCOMPARE(*probe.wait<Inspection>().statistics->mean, 1.0);
        probe.session().send(Inspect{3, {}, {}, m.tensor, true});
        QCOMPARE(*probe.wait<Inspection>().statistics->maximum, 3.0);
    }

    void aLossIsAnExpression() {
        const Weighted m;
        DebugProbe probe(m.model, inputs({3, 4}), {}, differentiating("mul[1] * 10 + output[0] * 0"));
        const auto done = probe.wait<Differentiated>();
        QCOMPARE(done.loss, std::string("mul[1] * 10 + output[0] * 0 = -40.0"));
        QVERIFY(recordOf(done, m.at(m.relu))->health.isZero());
        probe.wait<Finished>();
        QCOMPARE(probe.evaluate("grad('weight')").text, std::string("tensor([ 0., 40.])"));
    }

    void oneErrorWhereThereIsNoLoss() {
        const Weighted m;
        DebugProbe probe(m.model, inputs({3, 4}), {}, differentiating("x.argmax()"));
        const auto failed = probe.wait<Failed>();
        QVERIFY2(failed.message.starts_with("there is nothing to differentiate: x.argmax() holds no"),
                 failed.message.c_str());
        QCOMPARE(probe.evaluate("relu").text, std::string("tensor([6., 0.], grad_fn=<ReluBackward0>)"));
        QVERIFY(probe.evaluate("grad('relu')").isError);
    }

    void aRunWithoutThemSaysSo() {
        const Weighted m;
        DebugOptions options;
        options.pausesAtEntry = false;
        DebugProbe probe(m.model, inputs({3, 4}), {}, options);
        probe.wait<Finished>();
        const Answer answer = probe.evaluate("grad('relu')");
        QVERIFY2(answer.text.starts_with("relu has no gradient: this run is without gradients"),
                 answer.text.c_str());
    }

    void areOfWhatRanLast() {
        const Weighted m;
        DebugProbe probe(m.model, inputs({3, 4}), {}, differentiating({}, true));
        probe.stop();
        probe.resume(Mode::Until, m.at(m.output));
        QVERIFY(probe.evaluate("grad('x')").text.find("when the run is over") != std::string::npos);
        probe.session().send(Jump{1, m.mul});
        QCOMPARE(probe.stop(), std::string("mul"));
        probe.session().send(SetValue{2, m.at(m.x), "x * 10"});
        QVERIFY(!probe.wait<Answer>().isError);
        probe.session().send(Resume{Mode::Continue, {}});
        QCOMPARE(probe.wait<Differentiated>().loss, std::string("the sum of output = 60.0"));
        probe.wait<Finished>();
        QCOMPARE(probe.evaluate("grad('x')").text, std::string("tensor([2., -0.])")); // of what was set
        QCOMPARE(probe.evaluate("grad('weight')").text, std::string("tensor([30.,  0.])"));
    }

    /// sqrt's gradient at 0 is Inf, in a graph that another one calls.
    void failsAtTheNodeWhoseFunctionMakesInf() {
        Model model("GraphModule");
        Edit edit(model);
        const ModuleId inner = edit.createModule("GraphModule", true);
        edit.addSubmodule("inner", inner);
        edit.enter(inner);
        const NodeId root = edit.callMethod("sqrt", {edit.placeholder("x")});
        edit.output(edit.callFunction("operator.mul", {root, 2}));
        edit.enter(model.root());
        const NodeId call =
            edit.callModule("inner", {edit.callFunction("torch.relu", {edit.placeholder("x")})});
        edit.output(call);
        edit.finish();
        DebugProbe probe(model, inputs({1, 0}), {}, differentiating());
        const auto done = probe.wait<Differentiated>();
        QVERIFY(recordOf(done, {inner, root})->health.isFinite());
        const auto failed = probe.wait<Failed>();
        QCOMPARE(failed.message,
                 std::string("SqrtBackward0 makes Inf in 1 of 2 elements, first at [1], out of "
                             "finite gradients"));
        QCOMPARE(failed.node.node, root);
        QCOMPARE(failed.frames.size(), size_t(2));
        QCOMPARE(failed.frames[0].node.node, call);
        QCOMPARE(failed.frames[1].graphPath, std::string("inner"));
    }

    void addUpToInf() {
        Model model("GraphModule");
        Edit edit(model);
        const NodeId x = edit.placeholder("x"), big = edit.callFunction("operator.mul", {x, 1});
        edit.output(edit.callFunction("operator.add", {edit.callFunction("operator.mul", {big, 3e38}),
                                                       edit.callFunction("operator.mul", {big, 2e38})}));
        edit.finish();
        DebugProbe probe(model, inputs({0}), {}, differentiating());
        const auto failed = probe.wait<Failed>();
        QCOMPARE(failed.node.node, big);
        QCOMPARE(failed.message, std::string("the finite gradients that come to MulBackward0 add up to Inf "
                                             "in 1 of 1 element, first at [0]"));
    }

    void areDroppedToKeepWithinTheBudget() {
        Model model("GraphModule");
        Edit edit(model);
        NodeId last = edit.placeholder("x");
        for (int i = 0; i < 4; ++i)
            last = edit.callFunction("torch.sin", {last});
        edit.output(last);
        edit.finish();
        DebugOptions options = differentiating();
        options.valueBudgetBytes = 4 << 20; // half of it for gradients, of 1 MB each
        DebugProbe probe(model, {Value(c10::IValue(at::ones({256, 1024})))}, {}, options);
        probe.wait<Finished>();
        QCOMPARE(probe.evaluate("grad('x').shape").text, std::string("torch.Size([256, 1024])"));
        QVERIFY(probe.evaluate("grad('output')").text.find("was dropped") != std::string::npos);
        QVERIFY(probe.report().keptBytes <= options.valueBudgetBytes);
    }

    void canBeBrokenOff() {
        const Weighted m;
        GradientTape tape([](const GradientRecord&, const Value&) {});
        RunSettings settings;
        settings.gradMode = GradMode::Grad;
        Interpreter interpreter(m.model, settings);
        interpreter.context().observers.push_back(&tape);
        const Value result = interpreter.run(tape.track(inputs({3, 4})));
        const Loss loss = lossOf(result, "output");
        QVERIFY_THROWS_EXCEPTION(Cancelled,
                                 tape.differentiate(loss, interpreter.context().state, [] { return true; }));
    }

    /// Nothing of an earlier run can be had again.
    void needAllOfTheRun() {
        const Weighted m;
        DebugProbe first(m.model, inputs({3, 4}), {}, differentiating());
        first.wait<Finished>();
        DebugProbe second(m.model, inputs({3, 4}), {}, differentiating(), first.session().end(),
                          {m.at(m.relu)});
        QCOMPARE(second.wait<GoesOn>().whyAll, std::string("gradients need all of the run"));
        second.wait<Finished>();
        QCOMPARE(second.records().size(), size_t(5));
    }

    void aValueThatWasSetAndNotReadIsToldOf() {
        const Weighted m;
        DebugProbe probe(m.model, inputs({3, 4}));
        probe.stop();
        probe.resume(Mode::Until, m.at(m.relu));
        probe.session().send(SetValue{1, m.at(m.x), "x * 2"});
        probe.wait<Answer>();
        probe.session().send(SetValue{2, m.at(m.mul), "mul * 2"});
        probe.wait<Answer>();
        probe.session().send(Resume{Mode::Continue, {}});
        QCOMPARE(probe.wait<Finished>().notes,
                 std::vector<std::string>{
                     "the value that was set for x (x * 2) took no effect: no node has read it"});
    }
};

FX_TEST(TestGradients)
} // namespace fx::gradients_test
#include "tst_gradients.moc"
