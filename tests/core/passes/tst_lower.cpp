// SPDX-License-Identifier: GPL-3.0-or-later
// The pass lower: what it makes of a graph, when it leaves something alone, and that weights are laid out
// once. That lowered models compute the same is asked in tests/oracle (check_clean_passes.py,
// check_lowered.py).
#include "core/base/error.h"
#include "core/interpret/interpreter.h"
#include "core/ir/graph_text.h"
#include "core/passes/lower/whole_times.h"
#include "core/passes/pass_runner.h"
#include "core/passes/registry.h"
#include "core/torch/values/value_text.h"
#include "tests/support/debug_probe.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

namespace fx::lower_test {

namespace {

GraphInputs imageFor(const Model&) {
    return {Value(c10::IValue(at::full({1, 2, 5, 5}, 0.5)))};
}

PassReport lowered(Model& model, RunSettings settings = {}) {
    Progress progress;
    PassContext context{progress};
    context.inputs = imageFor;
    context.settings = settings;
    const Pass& pass = findPass("lower");
    return runPass(model, model.root(), pass, PassOptions(pass, {{"always", "true"}}), context);
}

/// relu(conv(conv(x)) + -x): `between` may put calls between the second convolution and the sum.
using Between = std::function<void(Edit&, NodeId first)>;
Model residual(const Between& between = nullptr, bool readsLater = false, bool addsInput = false) {
    Model model;
    Edit edit(model);
    const NodeId x = edit.placeholder("x");
    edit.setTensor("w", edit.createTensor(TensorSlot(at::full({2, 2, 3, 3}, 0.1))), TensorRole::Parameter);
    const NodeId w = edit.getAttr("w");
    const Arguments settings{Argument(), 1, 1};
    const auto conv = [&](NodeId input) {
        return edit.callFunction("torch.conv2d", {input, w, settings[0], settings[1], settings[2]});
    };
    const NodeId first = conv(x), other = addsInput ? first : edit.callFunction("torch.neg", {x}),
                 second = conv(first);
    if (between)
        between(edit, first);
    const NodeId sum = edit.callFunction("operator.add", {second, other});
    const NodeId act = edit.callFunction("torch.relu", {sum});
    edit.output(readsLater ? Argument(TupleValue{{act, other}}) : Argument(act));
    edit.finish();
    return model;
}

std::vector<std::string> targets(const Model& model) {
    std::vector<std::string> out;
    for (const Node& node : model.graph())
        if (node.opcode == Opcode::CallFunction)
            out.push_back(node.target.name());
    return out;
}

const std::string kPack = "torch.ops.mkldnn._reorder_convolution_weight.default",
                  kConv = "torch.ops.mkldnn._convolution_pointwise.default",
                  kConvSum = "torch.ops.mkldnn._convolution_pointwise_.binary";

at::Tensor resultOf(const Model& model) {
    const Value out = Interpreter(model).run(imageFor(model));
    return out.isTensor() ? out.data().toTensor() : itemsOf(out)->at(0).data().toTensor();
}

} // namespace

class TestLower : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sumAndActivationGoIntoTheCall() {
        Model model = residual();
        const at::Tensor before = resultOf(model);
        const std::string text = graphText(model.graph());
        const PassReport report = lowered(model);
        QCOMPARE(targets(model), (std::vector<std::string>{kPack, kConv, "torch.neg", kPack, kConvSum}));
        QVERIFY(at::allclose(resultOf(model), before, 1e-5, 1e-6));
        undo(model, report.changes);
        QCOMPARE(graphText(model.graph()), text);
    }

    void sumGoesIntoALinearLayer_data() {
        QTest::addColumn<QString>("sum");
        QTest::addColumn<bool>("isLayerFirst");
        QTest::addColumn<bool>("isTaken");
        QTest::newRow("sum") << "operator.add" << true << true;
        QTest::newRow("the other way") << "operator.add" << false << true;
        QTest::newRow("into the layer's result") << "operator.iadd" << true << true;
        QTest::newRow("into the other value") << "operator.iadd" << false << false;
    }
    void sumGoesIntoALinearLayer() {
        QFETCH(QString, sum);
        QFETCH(bool, isLayerFirst);
        QFETCH(bool, isTaken);
        Model model;
        Edit edit(model);
        const NodeId x = edit.placeholder("x");
        edit.setTensor("w", edit.createTensor(TensorSlot(at::randn({5, 5}))), TensorRole::Parameter);
        edit.setTensor("b", edit.createTensor(TensorSlot(at::randn({5}))), TensorRole::Parameter);
        const NodeId w = edit.getAttr("w"), b = edit.getAttr("b");
        const NodeId other = edit.callFunction("torch.sin", {x});
        const NodeId layer = edit.callFunction("torch._C._nn.linear", {x, w, b});
        const NodeId both = edit.callFunction(sum.toStdString(),
                                              {isLayerFirst ? layer : other, isLayerFirst ? other : layer});
        edit.output(TupleValue{{edit.callFunction("torch.relu", {both}), other}});
        edit.finish();
        const auto results = [&] {
            const Value out = Interpreter(model).run(imageFor(model));
            return std::pair(itemsOf(out)->at(0).data().toTensor(), itemsOf(out)->at(1).data().toTensor());
        };
        const auto before = results();
        lowered(model);
        const auto after = results();
        QVERIFY(at::allclose(before.first, after.first, 1e-4, 1e-5));
        QVERIFY(at::allclose(before.second, after.second, 1e-4, 1e-5));
        const std::vector<std::string> calls = targets(model);
        QCOMPARE(std::ranges::count(calls, "torch.ops.mkldnn._linear_pointwise.binary"), isTaken ? 1 : 0);
        QCOMPARE(std::ranges::count(calls, sum.toStdString()), isTaken ? 0 : 1);
    }

    /// What oneDNN would write the sum into must not be read afterwards.
    void otherOperandIsKeptForItsReaders() {
        Model model = residual(nullptr, true);
        const at::Tensor before = resultOf(model);
        lowered(model);
        QCOMPARE(targets(model), (std::vector<std::string>{kPack, kConv, "torch.neg", kPack, kConv,
                                                           "operator.add", "torch.relu"}));
        QVERIFY(at::allclose(resultOf(model), before, 1e-5, 1e-6));
    }

    /// oneDNN reads the input while it writes the result.
    void inputIsNotOverwritten() {
        Model model = residual(nullptr, false, true);
        const at::Tensor before = resultOf(model);
        lowered(model);
        const std::vector<std::string> calls = targets(model);
        QVERIFY(std::ranges::find(calls, kConvSum) == calls.end());
        QVERIFY(at::allclose(resultOf(model), before, 1e-5, 1e-6));
    }

    /// The second convolution would come after what writes into its input.
    void layerStaysBeforeWhatWritesIntoItsInput() {
        Model model = residual([](Edit& edit, NodeId first) { edit.callMethod("mul_", {first, 2.0}); });
        const at::Tensor before = resultOf(model);
        lowered(model);
        QVERIFY(at::allclose(resultOf(model), before, 1e-5, 1e-6));
        const std::vector<std::string> calls = targets(model);
        QVERIFY(std::ranges::find(calls, kConvSum) == calls.end());
    }

    void secondTimeChangesNothing() {
        Model model = residual();
        lowered(model);
        const std::string text = graphText(model.graph());
        QVERIFY(lowered(model).changes.empty());
        QCOMPARE(graphText(model.graph()), text);
    }

    void weightIsLaidOutOnce() {
        Model model = residual();
        lowered(model);
        struct Packed : Observer {
            std::vector<at::Tensor> seen;
            void afterNode(const Interpreter&, const Node& node, const Value& value) override {
                if (node.target == Target(kPack))
                    seen.push_back(value.data().toTensor());
            }
        } packed;
        const auto context = std::make_shared<RunContext>(model);
        context->observers.push_back(&packed);
        Interpreter interpreter(context, model.root());
        interpreter.run(imageFor(model));
        interpreter.run(imageFor(model));
        QCOMPARE(packed.seen.size(), size_t(4));
        QVERIFY(packed.seen[0].is_same(packed.seen[2]) && packed.seen[1].is_same(packed.seen[3]));
        QVERIFY(packed.seen[0].is_mkldnn());
        // Of a weight that was written into it is done again.
        context->state.tensor(model.resolve(model.root(), "w").tensor, TensorRole::Parameter).zero_();
        const Value after = interpreter.run(imageFor(model));
        QVERIFY(!packed.seen[4].is_same(packed.seen[0]));
        QCOMPARE(after.data().toTensor().abs().max().item<float>(), 0.f);
    }

    /// In the debugger, over weights that are laid out once and sums that are written in place.
    void loweredIsSteppedAndGoesBack_data() {
        QTest::addColumn<bool>("readsLater");
        QTest::addColumn<bool>("addsInput");
        QTest::newRow("written in place") << false << false;
        QTest::newRow("read later") << true << false;
        QTest::newRow("adds what it reads") << false << true;
    }
    void loweredIsSteppedAndGoesBack() {
        QFETCH(bool, readsLater);
        QFETCH(bool, addsInput);
        Model model = residual(nullptr, readsLater, addsInput);
        lowered(model);
        const std::string expected = valueText(Interpreter(model).run(imageFor(model)));
        DebugProbe probe(model, {Value(c10::IValue(at::full({1, 2, 5, 5}, 0.5)))});
        std::vector<NodeId> stops;
        bool hasGoneBack = false;
        auto end = probe.stopOrEnd();
        while (const auto* paused = std::get_if<Paused>(&end)) {
            stops.push_back(paused->frames.back().node.node);
            if (stops.back() == model.graph().outputNode() && !std::exchange(hasGoneBack, true))
                probe.session().send(Jump{1, stops.at(1)});
            else
                probe.session().send(Resume{Resume::Mode::Next, {}});
            end = probe.stopOrEnd();
        }
        QVERIFY(hasGoneBack);
        QCOMPARE(std::get<Finished>(end).result, expected);
    }

    void whatIsNearIsNoFaster() {
        std::vector<std::string> told;
        QVERIFY(!isFaster({1e-3, 0.99e-3}, told));
        QCOMPARE(told.back(),
                 std::string("nothing was changed: it measured no faster, 1 ms before, 0.99 ms after"));
        QVERIFY(isFaster({1e-3, 0.5e-3}, told));
        QCOMPARE(told.back(), std::string("measured: 1 ms before, 0.5 ms after"));
    }

    /// An image of a few numbers, which oneDNN only copies to and fro.
    void whatMeasuresNoFasterIsLeft() {
        at::set_num_threads(1);
        Model model = residual();
        const std::vector<std::string> before = targets(model);
        Progress progress;
        PassContext context{progress};
        context.inputs = imageFor;
        const Pass& pass = findPass("lower");
        const PassReport report = runPass(model, model.root(), pass, PassOptions(pass, {}), context);
        QVERIFY(!report.results.empty());
        const std::string& last = report.results.back();
        if (report.hasChanged()) // this processor likes it
            QVERIFY2(last.find("calls of oneDNN") != std::string::npos, last.c_str());
        else
            QVERIFY2(last.starts_with("nothing was changed: it measured no faster, "), last.c_str());
        QCOMPARE(targets(model) == before, !report.hasChanged());
    }

    void optionsOfAnotherAreRefused() {
        Model model = residual();
        const Pass& pass = findPass("lower");
        for (const std::string option : {"freeze", "optimize", "part"}) {
            Progress progress;
            PassContext context{progress};
            context.inputs = imageFor;
            const PassOptions options(pass, {{"always", "true"}, {option, option == "part" ? "a" : "true"}});
            QVERIFY_THROWS_EXCEPTION(Error, runPass(model, model.root(), pass, options, context));
        }
    }

    void gradientsAreRefused() {
        Model model = residual();
        RunSettings grad;
        grad.gradMode = GradMode::Grad;
        QVERIFY_THROWS_EXCEPTION(Error, lowered(model, grad));
        Edit edit(model);
        const Attribute weight = model.resolve(model.root(), "w");
        at::Tensor trained = model.tensor(weight.tensor).value().clone().set_requires_grad(true);
        edit.setTensor("w", edit.createTensor(TensorSlot(trained)), TensorRole::Parameter);
        edit.finish();
        lowered(model);
        QVERIFY_THROWS_EXCEPTION(Error, Interpreter(model, grad).run(imageFor(model)));
        QVERIFY(resultOf(model).defined()); // without gradients it runs
    }
};

FX_TEST(TestLower)
} // namespace fx::lower_test
#include "tst_lower.moc"
