// SPDX-License-Identifier: GPL-3.0-or-later
// Linear layers that round by the range of each run, by LibTorch's kernel for those.
#include "core/interpret/shape_prop.h"
#include "core/passes/lower/integer_lowering.h"
#include "core/passes/lower/reduced_ranges.h"
#include "tests/core/passes/quantized_graphs.h"

#include <ATen/Parallel.h>
#include <QtTest>

using namespace fx;

class TestLowerDynamic : public QObject {
    Q_OBJECT

private:
    /// The layers as the kernel for dynamic ranges, where that takes them.
    static IntegerCalls lowered(QuantizedGraphs& graph) {
        Edit edit(graph.model);
        propagateShapes(edit, graph.inputs);
        if (areSumsCutOff()) // as the pass does
            reduceRanges(edit);
        const IntegerCalls calls = lowerIntegers(edit, [](const IntegerLayer& layer) {
            return layer.roundsItself ? LayerKernel::Dynamic : LayerKernel::Onednn;
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
        QCOMPARE(calls.dynamic, size_t(2));
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
        QCOMPARE(lowered(graph).dynamic, size_t(2));
        QCOMPARE(countOf(graph.code(), "quantize_per_tensor"), size_t(0));
        QVERIFY(isNear(graph.run(), reference));
    }

    /// A scale for the whole weight, a vector, a result that is rounded: as before.
    void whatTheKernelDoesNotTake() {
        QuantizedGraphs vector;
        vector.give(vector.linear(vector.input("x", at::randn({4})), vector.weight("w")));
        vector.quantize({{"mode", "dynamic"}});
        QCOMPARE(lowered(vector).dynamic, size_t(0));

        QuantizedGraphs fixed;
        fixed.give(fixed.linear(fixed.input("x"), fixed.weight("w")));
        fixed.quantize({{"mode", "static"}});
        QCOMPARE(lowered(fixed).dynamic, size_t(0));
    }
};

QTEST_GUILESS_MAIN(TestLowerDynamic)
#include "tst_lower_dynamic.moc"
