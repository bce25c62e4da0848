// SPDX-License-Identifier: GPL-3.0-or-later
// The pass lower over linear layers whose weights alone are small numbers: which become calls of kernels that
// read those as they are, and why others do not. Whole models: tests/oracle/check_lowered_weights.py.
#include "core/base/error.h"
#include "core/passes/quantize/sqnr.h"
#include "tests/core/passes/quantized_graphs.h"
#include "tests/support/test_program.h"

#include <ATen/Parallel.h>

namespace fx::lower_weights_test {

namespace {

PassReport lowered(QuantizedGraphs& g, const std::string& always = "true") {
    Progress progress;
    PassContext context{progress};
    context.inputs = [&](const Model&) { return g.inputs; };
    const Pass& pass = findPass("lower");
    return runPass(g.model, g.model.root(), pass, PassOptions(pass, {{"always", always}}), context);
}

/// linear(x, w, b) with weights of that form.
struct SmallWeightGraph : QuantizedGraphs {
    explicit SmallWeightGraph(Texts texts, at::Tensor x = at::randn({3, 64}),
                              at::Tensor w = at::randn({32, 64})) {
        const NodeId input = this->input("x", x);
        give(call("torch._C._nn.linear",
                  {input, weight("w", w), weight("b", at::randn({w.size(0)}).to(w.dtype()))}));
        texts["mode"] = "weight-only";
        quantize(texts);
    }

    PassReport lower(const std::string& always = "true") { return lowered(*this, always); }
};

/// An LSTM of one layer, with weights of that form.
struct LstmGraph : QuantizedGraphs {
    explicit LstmGraph(Texts texts) {
        const NodeId x = input("x", at::randn({3, 2, 8}));
        const NodeId h = weight("h", at::zeros({1, 2, 4}));
        const ListValue weights{{weight("w", at::randn({16, 8})), weight("u", at::randn({16, 4})),
                                 weight("b", at::randn({16})), weight("d", at::randn({16}))}};
        const NodeId out =
            call("torch.lstm", {x, TupleValue{{h, h}}, weights, true, 1, 0.0, false, false, false});
        give(call("operator.getitem", {out, 0}));
        quantize(texts);
    }
};

/// What the calls that lay out weights have given.
struct PackedValues : Observer {
    void afterNode(const Interpreter&, const Node& node, const Value& value) override {
        if (node.target.name() == "torch.ops.aten._convert_weight_to_int4pack_for_cpu.default" ||
            node.target.name().starts_with("torch.ops.mkldnn._reorder_"))
            values.push_back(value.data().toTensor());
        if (node.target.name().starts_with("torch.ops.quantized.make_quantized_cell_params"))
            objects.push_back(value.data());
    }
    std::vector<at::Tensor> values;
    std::vector<c10::IValue> objects;
};

/// Two runs of a graph, and more.
struct Runs {
    explicit Runs(const QuantizedGraphs& graph)
        : g(graph), context(std::make_shared<RunContext>(g.model)), interpreter(context, g.model.root()) {
        context->observers = {&packed};
        first = run();
        run();
    }
    at::Tensor run() { return interpreter.run(g.inputs).data().toTensor(); }
    at::Tensor tensor(const char* path, TensorRole role) const {
        return context->state.tensor(g.model.resolve(g.model.root(), path).tensor, role);
    }
    void zero(const char* path) { tensor(path, TensorRole::Buffer).zero_(); }

    const QuantizedGraphs& g;
    PackedValues packed;
    std::shared_ptr<RunContext> context;
    Interpreter interpreter;
    at::Tensor first;
};

} // namespace

class TestLowerWeights : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { at::set_num_threads(1); } // two that wait for a busy processor measure nothing

    void kernelReadsTheNumbers_data() {
        QTest::addColumn<QString>("weights");
        QTest::addColumn<QString>("kernel");
        QTest::newRow("int8") << "int8"
                              << "_weight_int8pack_mm";
        QTest::newRow("int4") << "int4"
                              << "_weight_int4pack_mm_for_cpu";
        QTest::newRow("float16") << "float16"
                                 << "linear_dynamic_fp16";
    }
    void kernelReadsTheNumbers() {
        QFETCH(QString, weights);
        QFETCH(QString, kernel);
        SmallWeightGraph g({{"weights", weights.toStdString()}});
        const at::Tensor before = g.run();
        const std::string code = g.code();
        const PassReport report = g.lower();
        QCOMPARE(linesOf(report), "1 layer over small weights as they are");
        QCOMPARE(countOf(g.code(), kernel.toStdString() + ".default("), size_t(1));
        QCOMPARE(countOf(g.code(), "dequantize"), size_t(0));
        QVERIFY(at::allclose(g.run(), before, 1e-4, 1e-4));
        undo(g.model, report.changes);
        QCOMPARE(g.code(), code);
    }

    void bfloat16Stays() {
        SmallWeightGraph g({}, at::randn({3, 64}).to(at::kBFloat16), at::randn({32, 64}).to(at::kBFloat16));
        QCOMPARE(countOf(g.code(), "out_dtype = "), size_t(1));
        const at::Tensor before = g.run();
        g.lower();
        QCOMPARE(countOf(g.code(), "_weight_int8pack_mm.default("), size_t(1));
        QCOMPARE(g.run().scalar_type(), at::kBFloat16);
        QVERIFY(at::allclose(g.run(), before, 2e-2, 0.2));
    }

    /// The sizes before the last are those of the run, not those of the model that was lowered.
    void rowsOfMoreDimensionsKeepTheirs() {
        SmallWeightGraph g({}, at::randn({2, 3, 4, 64}));
        g.lower();
        QCOMPARE(countOf(g.code(), "_weight_int8pack_mm.default("), size_t(1));
        QCOMPARE(g.run().sizes().vec(), (std::vector<int64_t>{2, 3, 4, 32}));
        g.inputs.values = {Value(c10::IValue(at::randn({5, 2, 3, 64})))};
        QCOMPARE(g.run().sizes().vec(), (std::vector<int64_t>{5, 2, 3, 32}));
    }

    void layersInARow() {
        QuantizedGraphs g;
        const NodeId first = g.linear(g.input("x", at::randn({3, 64})), g.weight("w", at::randn({64, 64})));
        g.give(
            g.linear(g.linear(first, g.weight("v", at::randn({32, 64}))), g.weight("u", at::randn({5, 32}))));
        g.quantize({{"mode", "weight-only"}});
        const at::Tensor before = g.run();
        lowered(g);
        QCOMPARE(countOf(g.code(), "_weight_int8pack_mm.default("), size_t(3));
        QVERIFY(at::allclose(g.run(), before, 1e-4, 1e-3));
    }

    void inputThatLiesOtherwiseIsLaidOut() {
        SmallWeightGraph g({}, at::randn({64, 3}).t());
        const at::Tensor before = g.run();
        g.lower();
        QCOMPARE(countOf(g.code(), "contiguous.default("), size_t(1));
        QVERIFY(at::allclose(g.run(), before, 1e-4, 1e-4));
    }

    void whatNoKernelTakesIsLeftAlone() {
        SmallWeightGraph channels({{"weights", "int4"}}, at::randn({3, 64}), at::randn({7, 64})),
            groups({{"weights", "int4"}, {"group-size", "16"}}), whole({{"granularity", "per-tensor"}}),
            vector({}, at::randn({64}));
        const auto told = [](SmallWeightGraph& g) { return g.lower().results.front(); };
        QCOMPARE(told(channels),
                 "1 by no kernel over small weights, as the kernel takes int4 by 16 channels: linear");
        QCOMPARE(told(groups), "1 by no kernel over small weights, as the kernel takes int4 in groups of 32, "
                               "64, 128 or 256: linear");
        QCOMPARE(told(whole),
                 "1 by no kernel over small weights, as the kernel wants a scale for each channel: linear");
        QCOMPARE(told(vector), "1 by no kernel over small weights, as they take a vector: linear");
    }

    void slowerKernelIsNotTaken() {
        // Of many rows of float32 the kernel is slower by far than a product with the restored weight.
        SmallWeightGraph g({}, at::randn({512, 64}), at::randn({128, 64}));
        const QString told = linesOf(g.lower("false"));
        QVERIFY2(told.startsWith("1 by no kernel over small weights, as the kernel for their weights "
                                 "measured no faster: linear"),
                 qPrintable(told));
        QCOMPARE(countOf(g.code(), "_weight_int8pack_mm"), size_t(0));
    }

    void weightsThatNoKernelReadsAreRestoredOnce_data() {
        QTest::addColumn<QString>("weights");
        QTest::addColumn<QString>("granularity");
        QTest::addColumn<int>("channels");
        QTest::newRow("int4") << "int4"
                              << "per-channel" << 7;
        QTest::newRow("one scale") << "int8"
                                   << "per-tensor" << 8;
    }
    void weightsThatNoKernelReadsAreRestoredOnce() {
        QFETCH(QString, weights);
        QFETCH(QString, granularity);
        QFETCH(int, channels);
        SmallWeightGraph g({{"weights", weights.toStdString()}, {"granularity", granularity.toStdString()}},
                           at::randn({3, 64}), at::randn({channels, 64}));
        const std::string code = g.code();
        const at::Tensor before = g.run();
        const PassReport report = g.lower();
        QVERIFY2(linesOf(report).endsWith("1 call of oneDNN, of 1 that there could be, 1 over small weights "
                                          "that a run restores once"),
                 qPrintable(linesOf(report)));
        QVERIFY(at::allclose(g.run(), before, 1e-4, 1e-4));
        Runs runs(g);
        QVERIFY(runs.packed.values[0].is_same(runs.packed.values[1]));
        runs.zero("w");
        QVERIFY(at::allclose(runs.run(), runs.tensor("b", TensorRole::Parameter).expand({3, channels})));
        QVERIFY(!runs.packed.values[0].is_same(runs.packed.values[2]));
        undo(g.model, report.changes);
        QCOMPARE(g.code(), code);
    }

    void convolutionsOverSmallWeights_data() {
        QTest::addColumn<QString>("weights");
        QTest::newRow("int8") << "int8";
        QTest::newRow("float16") << "float16";
    }
    /// What follows them goes into the call, as of any other.
    void convolutionsOverSmallWeights() {
        QFETCH(QString, weights);
        QuantizedGraphs g;
        const NodeId x = g.input("x", at::randn({2, 4, 8, 8})), w = g.weight("w", at::randn({6, 4, 3, 3}));
        const NodeId conv = g.call("torch.conv2d", {x, w, g.weight("b", at::randn({6})), 1, 1});
        g.give(g.call("torch.relu", {conv}));
        g.quantize({{"mode", "weight-only"}, {"weights", weights.toStdString()}});
        const at::Tensor before = g.run();
        lowered(g);
        QCOMPARE(countOf(g.code(), "_convolution_pointwise.default("), size_t(1));
        QCOMPARE(countOf(g.code(), "relu("), size_t(0));
        QVERIFY(at::allclose(g.run(), before, 1e-4, 1e-4));
        Runs runs(g);
        QVERIFY(runs.packed.values[0].is_same(runs.packed.values[1]));
    }

    void weightThatIsReadElsewhereIsRestoredOnce() {
        QuantizedGraphs g;
        const NodeId x = g.input("x", at::randn({3, 8})), w = g.weight("w", at::randn({8, 8}));
        g.give(g.call("torch.mm", {g.linear(x, w), w}));
        g.quantize({{"mode", "weight-only"}, {"granularity", "per-tensor"}});
        const at::Tensor before = g.run();
        lowered(g);
        QCOMPARE(countOf(g.code(), "_linear_pointwise.default("), size_t(1));
        QCOMPARE(countOf(g.code(), "torch.mm("), size_t(1));
        QVERIFY(at::allclose(g.run(), before, 1e-4, 1e-4));
        Runs runs(g);
        QVERIFY(runs.packed.values[0].is_same(runs.packed.values[1]));
    }

    /// The integers of a layer that is written into are another weight for the layers behind it.
    void restoredWeightThatIsWrittenIntoStays() {
        QuantizedGraphs g;
        const NodeId x = g.input("x", at::randn({3, 8})), w = g.weight("w", at::randn({8, 8}));
        const NodeId first = g.linear(x, w);
        g.call("operator.imul", {w, 2});
        g.give(g.linear(first, w));
        g.quantize({{"mode", "weight-only"}});
        const at::Tensor before = g.run();
        lowered(g);
        QVERIFY(at::allclose(g.run(), before, 1e-4, 1e-4));
    }

    /// What is laid out of the weights is laid out again where they change, and not else.
    void numbersThatChangeAreSeen() {
        SmallWeightGraph g({{"weights", "int4"}});
        g.lower();
        Runs runs(g);
        QCOMPARE(runs.packed.values.size(), size_t(2));
        QVERIFY(runs.packed.values[0].is_same(runs.packed.values[1]));
        runs.zero("w");
        QVERIFY(at::allclose(runs.run(), runs.tensor("b", TensorRole::Parameter).expand({3, 32})));
    }

    /// Greatest values by greatest weights, whose sums some processors cut off.
    void sumsAreNotCutOff_data() {
        QTest::addColumn<QString>("mode");
        QTest::addColumn<QString>("isReduced");
        QTest::newRow("dynamic") << "dynamic"
                                 << "true";
        QTest::newRow("7 bits") << "static"
                                << "true";
        QTest::newRow("8 bits") << "static"
                                << "false";
    }
    void sumsAreNotCutOff() {
        QFETCH(QString, mode);
        QFETCH(QString, isReduced);
        QuantizedGraphs g;
        g.give(g.linear(g.input("x", at::ones({2, 64})), g.weight("w", at::ones({8, 64}))));
        g.quantize({{"mode", mode.toStdString()},
                    {"reduce-range", isReduced.toStdString()},
                    {"observer", "min-max"}});
        const at::Tensor before = g.run();
        const QString told = linesOf(lowered(g));
        const bool isLeft = told.contains("as this processor cuts off sums over all 8 bits of their input");
        QCOMPARE(countOf(g.code(), "qlinear_pointwise."), size_t(isLeft ? 0 : 1));
        QVERIFY(!isLeft || isReduced == "false");
        QVERIFY2(at::allclose(g.run(), before, 0.02, 0), qPrintable(told));
    }

    void lstmIsPackedOnce_data() {
        QTest::addColumn<QString>("mode");
        QTest::addColumn<QString>("weights");
        QTest::addColumn<double>("decibels");
        QTest::newRow("integers") << "dynamic"
                                  << "int8" << 20.0;
        QTest::newRow("float16") << "weight-only"
                                 << "float16" << 50.0;
    }
    void lstmIsPackedOnce() {
        QFETCH(QString, mode);
        QFETCH(QString, weights);
        QFETCH(double, decibels);
        LstmGraph g({{"mode", mode.toStdString()}, {"weights", weights.toStdString()}});
        const at::Tensor before = g.run();
        lowered(g);
        QCOMPARE(countOf(g.code(), "quantized_lstm.input("), size_t(1));
        QCOMPARE(countOf(g.code(), "quantized_decomposed"), size_t(0));
        Runs runs(g);
        QVERIFY(tensorError(before, runs.first).sqnr > decibels);
        QVERIFY(at::equal(runs.run(), runs.first));
        QCOMPARE(runs.packed.objects.size(), size_t(3));
        QVERIFY(runs.packed.objects[0].is(runs.packed.objects[2]));
        // Another weight is packed anew.
        runs.zero("w");
        QVERIFY(!at::allclose(runs.run(), runs.first, 1e-2, 1e-2));
    }

    void integersOfAnLstmWantRoundedInputs() {
        LstmGraph g({{"mode", "weight-only"}});
        QVERIFY(linesOf(lowered(g)).contains("which quantize --mode dynamic does"));
        QCOMPARE(countOf(g.code(), "quantized_lstm"), size_t(0));
    }

    void rowsOfATableAreRestoredAlone_data() {
        QTest::addColumn<QString>("granularity");
        QTest::addColumn<bool>("isBfloat16");
        QTest::newRow("by row") << "per-channel" << false;
        QTest::newRow("whole") << "per-tensor" << false;
        QTest::newRow("bfloat16") << "per-channel" << true;
    }
    void rowsOfATableAreRestoredAlone() {
        QFETCH(QString, granularity);
        QFETCH(bool, isBfloat16);
        QuantizedGraphs g;
        const at::ScalarType dtype = isBfloat16 ? at::kBFloat16 : at::kFloat;
        const NodeId ids = g.input("ids", at::randint(0, 50, {2, 3}));
        const NodeId table = g.weight("table", at::randn({50, 8}).to(dtype));
        g.give(g.call("torch.nn.functional.embedding", {ids, table}, {{"max_norm", Argument()}}));
        const at::Tensor plain = g.run();
        QVERIFY2(linesOf(g.quantize({{"mode", "weight-only"}, {"granularity", granularity.toStdString()}}))
                     .startsWith("1 call quantized (1 embedding)"),
                 g.code().c_str());
        const at::Tensor before = g.run();
        QVERIFY(tensorError(plain.to(at::kFloat), before.to(at::kFloat)).sqnr > 25);
        QVERIFY(linesOf(lowered(g)).contains("1 embedding by the rows that are read"));
        QVERIFY2(countOf(g.code(), "dequantize") == 0, g.code().c_str());
        QVERIFY(at::equal(g.run(), before) && before.dtype() == plain.dtype());
        // Twice changes nothing.
        QVERIFY(!lowered(g).hasChanged());
    }

    void aTableThatALayerSharesIsRestoredForIt() {
        QuantizedGraphs g;
        const NodeId ids = g.input("ids", at::randint(0, 32, {5})),
                     table = g.weight("table", at::randn({32, 16}));
        const NodeId rows = g.call("torch.nn.functional.embedding", {ids, table});
        g.give(g.call("torch._C._nn.linear", {rows, table}));
        g.quantize({{"mode", "weight-only"}});
        const at::Tensor before = g.run();
        lowered(g);
        QCOMPARE(countOf(g.code(), "aten.embedding.default("), size_t(2));
        QVERIFY(at::allclose(g.run(), before, 1e-4, 1e-4));
    }

    void gradientsAreRefused() {
        SmallWeightGraph g({{"weights", "float16"}});
        g.lower();
        g.inputs.values = {Value(c10::IValue(at::randn({3, 64}).set_requires_grad(true)))};
        RunSettings grad;
        grad.gradMode = GradMode::Grad;
        QVERIFY_THROWS_EXCEPTION(Error, Interpreter(g.model, grad).run(g.inputs));
    }
};

FX_TEST(TestLowerWeights)
} // namespace fx::lower_weights_test
#include "tst_lower_weights.moc"
