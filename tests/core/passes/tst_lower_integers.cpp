// SPDX-License-Identifier: GPL-3.0-or-later
// The pass lower over a quantized graph: which layers become oneDNN's calls over integers, and when one is
// left alone. That the results are right for whole models is asked in tests/oracle
// (check_lowered_integers.py).
#include "core/interpret/interpreter.h"
#include "core/ir/graph_text.h"
#include "core/passes/pass_runner.h"
#include "core/passes/registry.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

namespace fx::lower_integers_test {

namespace {

const std::string kQuantized = "torch.ops.quantized_decomposed.", kOnednn = "torch.ops.onednn.";
const std::string kQuantize = kQuantized + "quantize_per_tensor.default",
                  kRestore = kQuantized + "dequantize_per_tensor.default",
                  kPack = kOnednn + "qconv_prepack.default", kConv = kOnednn + "qconv_pointwise.default",
                  kConvSum = kOnednn + "qconv2d_pointwise.binary",
                  kPackLinear = kOnednn + "qlinear_prepack.default",
                  kLinear = kOnednn + "qlinear_pointwise.default";
constexpr double kScale = 1.0 / 32;

/// Builds a quantized graph over x, of shape [1, 2, 4, 4].
class QuantizedGraphBuilder {
public:
    QuantizedGraphBuilder() { x = integers(edit.placeholder("x")); }

    NodeId integers(NodeId value) {
        return edit.callFunction(kQuantize, {value, kScale, 50, 0, 127, at::kByte});
    }
    NodeId restored(NodeId value) {
        return edit.callFunction(kRestore, {value, kScale, 50, 0, 127, at::kByte});
    }
    NodeId conv(NodeId value) {
        if (!m_weight)
            m_weight = weight(at::arange(-18, 18, at::kChar).view({2, 2, 3, 3}));
        return edit.callFunction("torch.conv2d", {value, m_weight, Argument(), 1, 1});
    }
    /// Over the last dimension.
    NodeId linear(NodeId value) {
        if (!m_weight)
            m_weight = weight(at::arange(-8, 8, at::kChar).view({4, 4}));
        return edit.callFunction("torch._C._nn.linear", {value, m_weight});
    }
    /// Over a weight that is restored for it alone.
    NodeId ownLinear(NodeId value) {
        m_weight = {};
        return linear(value);
    }
    NodeId call(const char* function, Arguments args) { return edit.callFunction(function, std::move(args)); }
    Model finished(NodeId result) {
        edit.output(result);
        edit.finish();
        return model;
    }

    Model model;
    Edit edit{model};
    NodeId x; ///< the integers of the input

private:
    NodeId weight(const at::Tensor& numbers) {
        const auto tensor = [&](const char* name, const at::Tensor& value) {
            edit.setTensor(name, edit.createTensor(TensorSlot(value)), TensorRole::Buffer);
            return edit.getAttr(name);
        };
        const NodeId integers = tensor("w", numbers), scale = tensor("s", at::full({numbers.size(0)}, 0.002)),
                     zero = tensor("z", at::zeros({numbers.size(0)}, at::kLong));
        return edit.callFunction(kQuantized + "dequantize_per_channel.default",
                                 {integers, scale, zero, 0, -128, 127, at::kChar});
    }

    NodeId m_weight;
};

GraphInputs inputFor(const Model&) {
    return {Value(c10::IValue(at::arange(32, at::kFloat).view({1, 2, 4, 4}) / 32 - 0.5))};
}

at::Tensor resultOf(const Model& model) {
    return Interpreter(model).run(inputFor(model)).data().toTensor();
}

/// What is told by the pass; the model computes the same but for `steps` of the scale.
std::vector<std::string> lowered(Model& model, double steps = 1, const std::string& always = "true") {
    Progress progress;
    PassContext context{progress};
    context.inputs = inputFor;
    const at::Tensor before = resultOf(model);
    const std::string text = graphText(model.graph());
    const Pass& pass = findPass("lower");
    const PassReport report =
        runPass(model, model.root(), pass, PassOptions(pass, {{"always", always}}), context);
    if (!at::allclose(resultOf(model), before, 0, kScale * steps + 1e-5))
        qWarning("computes something else");
    Model again = model;
    undo(again, report.changes);
    if (graphText(again.graph()) != text)
        qWarning("undoing gives something else");
    return report.results;
}

std::vector<std::string> targets(const Model& model) {
    std::vector<std::string> out;
    for (const Node& node : model.graph())
        if (node.opcode == Opcode::CallFunction)
            out.push_back(node.target.name());
    return out;
}

size_t countOf(const Model& model, const std::string& target) {
    return static_cast<size_t>(std::ranges::count(targets(model), target));
}

} // namespace

class TestLowerIntegers : public QObject {
    Q_OBJECT

private:
    /// x + conv(relu(conv(x))), restored.
    static NodeId residual(QuantizedGraphBuilder& b) {
        const NodeId first = b.integers(b.call("torch.relu", {b.conv(b.restored(b.x))}));
        const NodeId second = b.restored(b.integers(b.conv(b.restored(first))));
        return b.restored(b.integers(b.call("torch.add", {b.restored(b.x), second})));
    }
    /// The same over conv(x), which lies as oneDNN wants it.
    static NodeId deepResidual(QuantizedGraphBuilder& b) {
        b.x = b.integers(b.conv(b.restored(b.x)));
        return residual(b);
    }

private Q_SLOTS:
    void initTestCase() { at::set_num_threads(1); } // two that wait for a busy processor measure nothing
    void init() { QTest::failOnWarning(QRegularExpression("something else")); }

    void layerTakesTheRoundingWithIt() {
        QuantizedGraphBuilder b;
        Model model = b.finished(b.restored(b.integers(b.call("torch.relu", {b.conv(b.restored(b.x))}))));
        lowered(model);
        // And nothing is rounded that is restored at once.
        QCOMPARE(targets(model), (std::vector<std::string>{kQuantize, kPack, kConv}));
    }

    /// Else oneDNN lays out a weight for an input that it makes up, and each run reorders the weight again.
    void weightsAreLaidOutForTheInput() {
        QuantizedGraphBuilder b;
        const NodeId conv = b.conv(b.restored(b.x));
        Model model = b.finished(b.restored(b.integers(b.call("torch.relu", {conv}))));
        lowered(model);
        int count = 0;
        for (const Node& node : model.graph())
            if (node.target.name() == kPack) {
                QVERIFY(node.args.back().as<ListValue>());
                QCOMPARE(*node.args.back().as<ListValue>(), ListValue({1, 2, 4, 4}));
                ++count;
            }
        QCOMPARE(count, 1);
    }

    /// sin and cos compute in float32, a layer after them in integers.
    void roundingsBetweenCallsInFloatAreLeftOut() {
        QuantizedGraphBuilder b;
        const NodeId first = b.restored(b.integers(b.linear(b.restored(b.x))));
        const NodeId second = b.restored(b.integers(b.call("torch.sin", {first})));
        const NodeId third = b.integers(b.call("torch.cos", {second}));
        const NodeId last = b.linear(b.restored(third));
        Model model = b.finished(b.call("torch.sub", {last, b.restored(third)}));
        const std::vector<std::string> told = lowered(model, 4);
        QCOMPARE(told.front(),
                 std::string("2 layers in integers; 3 roundings left out that nothing in integers reads"));
        QCOMPARE(targets(model),
                 (std::vector<std::string>{kQuantize, kPackLinear, kLinear, "torch.sin", "torch.cos",
                                           kQuantize, kPackLinear, kLinear, "torch.sub"}));
    }

    /// The rounded value is a copy, which stays what it was.
    void roundingsOfWhatIsWrittenAreKept() {
        QuantizedGraphBuilder b;
        const NodeId last = b.linear(b.restored(b.x));
        const NodeId wave = b.call("torch.sin", {last}), rounded = b.restored(b.integers(wave));
        b.edit.callMethod("mul_", {wave, 2.0});
        const NodeId other = b.restored(b.integers(b.call("torch.cos", {last})));
        b.edit.callMethod("mul_", {other, 2.0});
        Model model = b.finished(b.call("torch.sub", {b.call("torch.sub", {wave, rounded}), other}));
        lowered(model);
        QCOMPARE(countOf(model, kLinear), size_t(1));
        QCOMPARE(countOf(model, kRestore), size_t(2));
    }

    void resultThatOthersReadStaysInFloat() {
        QuantizedGraphBuilder b;
        const NodeId conv = b.conv(b.restored(b.x));
        Model model = b.finished(b.call("torch.sub", {b.restored(b.integers(conv)), conv}));
        lowered(model);
        QCOMPARE(countOf(model, kConv), size_t(1));
        QCOMPARE(countOf(model, kQuantize), size_t(1)); // of the input
    }

    /// x + conv(relu(conv(x))): the second call writes into the integers of x.
    void sumGoesIntoTheCall() {
        QuantizedGraphBuilder b;
        Model model = b.finished(deepResidual(b));
        lowered(model, 2); // what is added is not rounded
        QCOMPARE(targets(model), (std::vector<std::string>{kQuantize, kPack, kConv, kPack, kConv, kPack,
                                                           kConvSum, kRestore}));
    }

    /// gelu(linear(x)), whose rounding before the gelu is left out.
    void geluGoesIntoTheCall() {
        QuantizedGraphBuilder b;
        const NodeId y = b.restored(b.integers(b.linear(b.restored(b.x))));
        Model model = b.finished(b.restored(b.integers(b.call("torch.nn.functional.gelu", {y}))));
        lowered(model, 2);
        QCOMPARE(targets(model), (std::vector<std::string>{kQuantize, kPackLinear, kLinear}));
        const auto calls = model.graph().findNodes(Opcode::CallFunction, Target(kLinear));
        const Arguments& args = model.graph().node(calls.at(0)).args;
        QVERIFY(args[args.size() - 3] == Argument("gelu"));
    }

    void geluOfWhatOthersReadIsACall() {
        QuantizedGraphBuilder b;
        const NodeId y = b.restored(b.integers(b.linear(b.restored(b.x))));
        const NodeId gelu = b.call("torch.nn.functional.gelu", {y});
        Model model = b.finished(b.call("torch.sub", {gelu, y}));
        lowered(model);
        QCOMPARE(countOf(model, "torch.nn.functional.gelu"), size_t(1));
        QCOMPARE(countOf(model, kLinear), size_t(1));
    }

    void operandThatLiesOtherwiseIsNotWrittenOver() {
        QuantizedGraphBuilder b;
        Model model = b.finished(residual(b));
        lowered(model);
        QCOMPARE(countOf(model, kConvSum), size_t(0));
        QCOMPARE(countOf(model, kConv), size_t(2));
    }

    void operandThatIsReadLaterIsNotWrittenOver() {
        QuantizedGraphBuilder b;
        const NodeId sum = deepResidual(b);
        Model model = b.finished(b.call("torch.sub", {sum, b.restored(b.x)}));
        lowered(model);
        QCOMPARE(countOf(model, kConvSum), size_t(0));
        QCOMPARE(countOf(model, kConv), size_t(3));
    }

    /// oneDNN reads the input while it writes the result.
    void inputIsNotWrittenOver() {
        QuantizedGraphBuilder b;
        const NodeId conv = b.restored(b.integers(b.conv(b.restored(b.x))));
        Model model = b.finished(b.restored(b.integers(b.call("torch.add", {b.restored(b.x), conv}))));
        lowered(model);
        QCOMPARE(countOf(model, kConvSum), size_t(0));
        QCOMPARE(countOf(model, kConv), size_t(1));
    }

    /// What reads the integers in the place of a copy of them would come after they were written over.
    void whatWasReadBeforeIsNotReadLater() {
        QuantizedGraphBuilder b;
        b.x = b.integers(b.conv(b.restored(b.x)));
        const NodeId early = b.restored(b.x), sum = residual(b);
        Model model = b.finished(b.call("torch.sub", {sum, b.conv(early)}));
        lowered(model, 2);
        QCOMPARE(countOf(model, kConvSum), size_t(1));
        QCOMPARE(countOf(model, kConv), size_t(2));
        QCOMPARE(countOf(model, "torch.ops.mkldnn._convolution_pointwise.default"), size_t(1)); // in float32
    }

    void integersAreMoved() {
        QuantizedGraphBuilder b;
        const NodeId pooled = b.integers(b.call("torch.nn.functional.max_pool2d", {b.restored(b.x), 2}));
        Model model = b.finished(b.restored(b.integers(b.call("torch.flatten", {b.restored(pooled), 1}))));
        lowered(model, 0);
        QCOMPARE(targets(model),
                 (std::vector<std::string>{kQuantize, "torch.ops.quantized.max_pool2d.default",
                                           "torch.flatten", kRestore}));
    }

    void sizesAreReadFromIntegers() {
        QuantizedGraphBuilder b;
        const NodeId x = b.restored(b.x), rows = b.edit.callMethod("size", {x, 1});
        const NodeId flat = b.integers(b.edit.callMethod("view", {x, 1, rows, -1}));
        const NodeId turned = b.integers(b.call("torch.transpose", {b.restored(flat), 1, 2}));
        Model model = b.finished(b.restored(turned));
        lowered(model, 0);
        QCOMPARE(targets(model), (std::vector<std::string>{kQuantize, "torch.transpose", kRestore}));
    }

    /// A rounding to other numbers is none that can be left out.
    void integersOfAnotherScaleAreNot() {
        QuantizedGraphBuilder b;
        const NodeId flat = b.call("torch.flatten", {b.restored(b.x), 1});
        const NodeId other = b.call(kQuantize.c_str(), {flat, kScale / 2, 50, 0, 127, at::kByte});
        Model model = b.finished(b.call(kRestore.c_str(), {other, kScale / 2, 50, 0, 127, at::kByte}));
        const auto before = targets(model);
        lowered(model, 0);
        QCOMPARE(targets(model), before);
    }

    void whatOnednnDoesNotTakeIsLeftAlone() {
        QuantizedGraphBuilder narrow, written;
        const Arguments settings{kScale, 0, -128, 127, at::kChar};
        const auto with = [&](NodeId value) {
            Arguments out{value};
            out.insert(out.end(), settings.begin(), settings.end());
            return out;
        };
        const NodeId integers = narrow.call(kQuantize.c_str(), with(narrow.restored(narrow.x)));
        Model model = narrow.finished(narrow.conv(narrow.call(kRestore.c_str(), with(integers))));
        QCOMPARE(lowered(model).front(),
                 std::string("1 left alone, as their input is no uint8 from 0 on: conv2d"));
        const NodeId value = written.restored(written.x);
        written.edit.callMethod("mul_", {value, 2.0});
        Model other = written.finished(written.conv(value));
        QCOMPARE(lowered(other).front(),
                 std::string("1 left alone, as something writes into what they are given: conv2d"));
    }

    void productsOfTwoValuesStayInFloat() {
        QuantizedGraphBuilder b;
        const NodeId x = b.restored(b.x);
        Model model = b.finished(b.call("torch.matmul", {x, x}));
        QCOMPARE(lowered(model).front(),
                 std::string("1 left alone, as oneDNN has no call over integers for them here: matmul"));
        QCOMPARE(countOf(model, "torch.matmul"), size_t(1));
    }

    /// Products of a few numbers: what rounds and calls oneDNN takes longer than the product.
    void layerThatIsSlowerInIntegersStaysInFloat() {
        QuantizedGraphBuilder b;
        const NodeId x = b.restored(b.x);
        NodeId y = b.linear(x);
        for (int i = 0; i < 20; ++i)
            y = b.call("torch.add", {y, b.ownLinear(x)});
        Model model = b.finished(y);
        const std::vector<std::string> told = lowered(model, 0, "false");
        QVERIFY2(told.front().starts_with("21 left alone, as they measured slower in integers: linear"),
                 told.front().c_str());
        // What is measured as a whole is faster, as the weights are restored once.
        QCOMPARE(countOf(model, kLinear), size_t(0));
        QCOMPARE(countOf(model, kQuantized + "dequantize_per_channel.default"), size_t(0));
    }

    void gradientsAreRefused() {
        QuantizedGraphBuilder b;
        Model model = b.finished(b.conv(b.restored(b.x)));
        lowered(model);
        RunSettings grad;
        grad.gradMode = GradMode::Grad;
        Edit edit(model);
        const at::Tensor trained = at::full({2}, 0.002).set_requires_grad(true);
        edit.setTensor("s", edit.createTensor(TensorSlot(trained)), TensorRole::Parameter);
        edit.finish();
        QVERIFY_THROWS_EXCEPTION(Error, Interpreter(model, grad).run(inputFor(model)));
        QVERIFY(resultOf(model).defined());
    }

    void weightIsPackedAgainForOtherScales() {
        QuantizedGraphBuilder b;
        Model model = b.finished(b.conv(b.restored(b.x)));
        lowered(model);
        const auto context = std::make_shared<RunContext>(model);
        Interpreter interpreter(context, model.root());
        const at::Tensor before = interpreter.run(inputFor(model)).data().toTensor();
        context->state.tensor(model.resolve(model.root(), "s").tensor, TensorRole::Buffer).mul_(2);
        QVERIFY(at::allclose(interpreter.run(inputFor(model)).data().toTensor(), before * 2));
    }
};

FX_TEST(TestLowerIntegers)
} // namespace fx::lower_integers_test
#include "tst_lower_integers.moc"
