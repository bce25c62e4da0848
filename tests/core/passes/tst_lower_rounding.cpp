// SPDX-License-Identifier: GPL-3.0-or-later
// Linear layers by LibTorch's kernels that round what they read.
#include "core/interpret/shape_prop.h"
#include "core/passes/lower/integer_lowering.h"
#include "core/passes/lower/reduced_ranges.h"
#include "tests/core/passes/quantized_graphs.h"
#include "tests/support/test_program.h"

#include <ATen/Parallel.h>

namespace fx::lower_rounding_test {

class TestLowerRounding : public QObject {
    Q_OBJECT

private:
    /// The layers by those kernels, where they take them.
    static IntegerCalls lowered(QuantizedGraphs& graph) {
        Edit edit(graph.model);
        propagateShapes(edit, graph.inputs);
        if (areSumsCutOff()) // as the pass does
            reduceRanges(edit);
        const IntegerCalls calls = lowerIntegers(edit, [](const IntegerLayer& layer) {
            return layer.roundsItself ? LayerKernel::Rounding : LayerKernel::Onednn;
        });
        edit.finish();
        return calls;
    }

    /// 7 bits of the range of what goes in, over a row of weights.
    static bool isNear(const at::Tensor& value, const at::Tensor& wanted) {
        return value.sizes() == wanted.sizes() && at::allclose(value, wanted, 0.05, 0.25);
    }

private Q_SLOTS:
    void initTestCase() { at::set_num_threads(1); }

    /// What LibTorch's own kernel computes, relu and bias with it, and packed once.
    void layersRoundThemselves() {
        QuantizedGraphs graph;
        const NodeId x = graph.input("x", at::randn({3, 5, 4}));
        const at::Tensor weight = at::randn({6, 4}), bias = at::randn({6});
        const NodeId first =
            graph.call("torch._C._nn.linear", {x, graph.weight("w", weight), graph.weight("b", bias)});
        graph.give(graph.call("torch._C._nn.linear",
                              {graph.call("torch.relu", {first}), graph.weight("v", at::randn({2, 6}))}));
        const at::Tensor wanted = graph.run();
        graph.quantize({{"mode", "dynamic"}});
        const at::Tensor reference = graph.run();
        const IntegerCalls calls = lowered(graph);
        QCOMPARE(calls.layers, size_t(2));
        QCOMPARE(calls.rounding, size_t(2));
        const std::string code = graph.code();
        QCOMPARE(countOf(code, "torch.ops.quantized.linear_relu_dynamic.default("), size_t(1));
        QCOMPARE(countOf(code, "torch.ops.quantized.linear_dynamic.default("), size_t(1));
        QCOMPARE(countOf(code, "quantize_per_tensor"), size_t(0));
        QCOMPARE(countOf(code, "choose_qparams"), size_t(0));
        QVERIFY(isNear(graph.run(), reference));
        QVERIFY(isNear(graph.run(), wanted));
    }

    /// Whoever else reads the rounded value reads what it was rounded from, as nothing in integers is left.
    void othersReadTheRoundedValue() {
        QuantizedGraphs graph;
        const NodeId x = graph.input("x");
        const NodeId one = graph.linear(x, graph.weight("w")), other = graph.linear(x, graph.weight("v"));
        graph.give(graph.call("torch.add", {one, other}));
        graph.quantize({{"mode", "dynamic"}});
        Edit edit(graph.model);
        const NodeId restored = graph.model.graph().node(graph.model.graph().find("linear")).args[0].node();
        const NodeId sum = edit.graph().outputNode();
        {
            const Edit::InsertPoint point = edit.insertingBefore(sum);
            const NodeId more = edit.callFunction("torch.add", {edit.node(sum).args[0], restored});
            edit.setArgs(sum, {more});
        }
        edit.finish();
        const at::Tensor reference = graph.run();
        QCOMPARE(lowered(graph).rounding, size_t(2));
        QCOMPARE(countOf(graph.code(), "quantize_per_tensor"), size_t(0));
        QVERIFY(isNear(graph.run(), reference));
    }

    /// As oneDNN's calls compute it: relu, bias, a gelu that nothing is rounded before, rows of vectors.
    void constantRanges() {
        QuantizedGraphs graph;
        const NodeId x = graph.input("x", at::randn({3, 5, 4}));
        const NodeId first = graph.call("torch._C._nn.linear", {x, graph.weight("w", at::randn({6, 4})),
                                                                graph.weight("b", at::randn({6}))});
        const NodeId second = graph.call(
            "torch._C._nn.linear", {graph.call("torch.relu", {first}), graph.weight("v", at::randn({4, 6}))});
        graph.give(graph.linear(graph.call("torch._C._nn.gelu", {second}), graph.weight("u")));
        const at::Tensor wanted = graph.run();
        graph.quantize();
        const at::Tensor reference = graph.run();
        const IntegerCalls calls = lowered(graph);
        QCOMPARE(calls.layers, size_t(3));
        QCOMPARE(calls.rounding, size_t(3));
        const std::string code = graph.code();
        QCOMPARE(countOf(code, "torch.ops.quantized.linear_with_input_q_dq_qweight_dq_relu_output_fp32."),
                 size_t(1));
        QCOMPARE(countOf(code, "torch.ops.quantized.linear_with_input_q_dq_qweight_dq_output_fp32."),
                 size_t(2));
        QCOMPARE(countOf(code, "quantize_per_tensor"), size_t(0));
        QVERIFY(at::allclose(graph.run(), reference, 0.05, 0.1));
        QVERIFY(isNear(graph.run(), wanted));
    }

    /// The kernels' integers go to 255, where a processor without dot products of bytes cuts off their sums.
    void whatIsBeyondTheRangeIsCutOffAsBefore() {
        QuantizedGraphs graph;
        graph.give(graph.linear(graph.input("x", at::rand({4, 64})), graph.weight("w", at::ones({8, 64}))));
        graph.quantize();
        QCOMPARE(lowered(graph).rounding, size_t(1));
        const auto resultOf = [&](double value) {
            graph.inputs.values[0] = Value(c10::IValue(at::full({4, 64}, value)));
            return graph.run();
        };
        QVERIFY(at::allclose(resultOf(0.5), at::full({4, 8}, 32.0), 0.01));
        QVERIFY(at::allclose(resultOf(1.0), at::full({4, 8}, 64.0), 0.02)); // the end of the range
        QVERIFY(at::equal(resultOf(3.0), resultOf(1.0)));
    }

    /// Between a rounding and the layer somebody writes into what was rounded.
    void whatIsWrittenIntoIsNotReadLater() {
        QuantizedGraphs graph;
        const NodeId x = graph.input("x");
        graph.give(graph.linear(graph.call("torch.sin", {x}), graph.weight("w")));
        graph.quantize();
        Edit edit(graph.model);
        const NodeId layer = graph.model.graph().find("linear");
        {
            const Edit::InsertPoint point = edit.insertingBefore(layer);
            edit.callMethod("add_", {graph.model.graph().find("sin"), 5.0});
        }
        edit.finish();
        const at::Tensor reference = graph.run();
        QCOMPARE(lowered(graph).rounding, size_t(1));
        QVERIFY2(graph.code().find("quantize_per_tensor") != std::string::npos, graph.code().c_str());
        QVERIFY(at::allclose(graph.run(), reference, 0.05, 0.1));
    }

    /// A scale for the whole weight, a vector.
    void whatTheKernelsDoNotTake() {
        for (const char* mode : {"dynamic", "static"}) {
            QuantizedGraphs vector;
            vector.give(vector.linear(vector.input("x", at::randn({4})), vector.weight("w")));
            vector.quantize({{"mode", mode}});
            QCOMPARE(lowered(vector).rounding, size_t(0));

            QuantizedGraphs whole;
            whole.give(whole.linear(whole.input("x"), whole.weight("w")));
            whole.quantize({{"mode", mode}, {"granularity", "per-tensor"}});
            QCOMPARE(lowered(whole).rounding, size_t(0));
        }
    }
};

FX_TEST(TestLowerRounding)
} // namespace fx::lower_rounding_test
#include "tst_lower_rounding.moc"
