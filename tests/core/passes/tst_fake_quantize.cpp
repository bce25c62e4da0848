// SPDX-License-Identifier: GPL-3.0-or-later
// Fake quantization of small graphs, and integers made of it. Whole models are trained beside torch.ao's by
// tests/oracle/check_quantized_training.py.
#include "core/base/error.h"
#include "core/passes/quantize/sqnr.h"
#include "tests/core/passes/quantized_graphs.h"
#include "tests/support/test_program.h"

namespace fx::fake_quantize_test {

namespace {

const Texts kRounded = {{"qat", "true"}};

std::string messageOf(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

void setTensor(QuantizedGraphs& g, const char* path, float value) {
    Edit edit(g.model);
    edit.setTensor(path, edit.createTensor(TensorSlot(at::tensor(value))), TensorRole::Buffer);
    edit.finish();
}

float valueAt(const QuantizedGraphs& g, const char* path) {
    return g.model.tensor(g.model.resolve(g.model.root(), path).tensor).value().item<float>();
}

} // namespace

class TestFakeQuantize : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void computesAsIntegersDo() {
        QuantizedGraphs g;
        g.give(g.call("torch.relu", {g.linear(g.input("x"), g.weight("w"))}));
        QuantizedGraphs other;
        other.give(other.call("torch.relu", {other.linear(other.input("x"), other.weight("w"))}));
        const PassReport report = g.quantize({{"qat", "true"}, {"observer", "min-max"}});
        QCOMPARE(
            linesOf(report).split('\n').last(),
            "1 call with fake quantization of 2 values and 1 weight: train the model, then quantize what "
            "came of it");
        other.quantize({{"observer", "min-max"}});
        QVERIFY(tensorError(other.run(), g.run()).sqnr > 35);
        QCOMPARE(g.model.tensor(g.model.resolve(g.model.root(), "w").tensor).meta().dtype, c10::kFloat);
    }

    /// The model computes what it did; integers have the ranges that runs have left in the modules.
    void observersRoundNothing() {
        QuantizedGraphs g;
        const NodeId y = g.call("torch.sigmoid", {g.linear(g.input("x"), g.weight("w"))});
        g.give(g.linear(y, g.weight("v")));
        const at::Tensor before = g.run();
        const PassReport observing = g.quantize({{"observe", "true"}, {"observer", "min-max"}});
        QVERIFY2(linesOf(observing).endsWith(" with observers of 4 values and 2 weights: run the model, then "
                                             "quantize what came of it"),
                 qPrintable(linesOf(observing)));
        QVERIFY(at::equal(g.run(), before));
        QVERIFY(!g.quantize({{"observe", "true"}}).hasChanged());
        QCOMPARE(valueAt(g, "fake_quantization.x.min_val"), std::numeric_limits<float>::infinity());
        QCOMPARE(valueAt(g, "fake_quantization.linear_1.max_val"), -std::numeric_limits<float>::infinity());
        QCOMPARE(valueAt(g, "fake_quantization.w.observer_enabled"), 0.0F); // which runs do not change
        QuantizedGraphs direct;
        const NodeId z = direct.call("torch.sigmoid", {direct.linear(direct.input("x"), direct.weight("w"))});
        direct.give(direct.linear(z, direct.weight("v")));
        direct.quantize({{"observer", "min-max"}});
        setTensor(g, "fake_quantization.x.min_val", -28);
        setTensor(g, "fake_quantization.x.max_val", 99);
        for (const char* path : {"fake_quantization.linear", "fake_quantization.linear_1"}) {
            setTensor(g, (std::string(path) + ".min_val").c_str(), -4);
            setTensor(g, (std::string(path) + ".max_val").c_str(), 4);
        }
        g.quantize();
        const std::string code = g.code();
        QCOMPARE(countOf(code, "quantize_per_tensor.default(x, 1.0, 28, 0, 127, torch.uint8)"), size_t(1));
        // What is known of a sigmoid is what it would be without them.
        for (const std::string& text : {code, direct.code()})
            QCOMPARE(
                countOf(text, "quantize_per_tensor.default(sigmoid, 0.00390625, 0, 0, 255, torch.uint8)"),
                size_t(1));
    }

    /// As torch.ao's prepare does: what the inputs of a run are like says nothing of the data to come.
    void observersNeedNoData() {
        QuantizedGraphs g;
        g.give(g.linear(g.call("torch.relu", {g.input("x", at::full({4, 4}, NAN))}), g.weight("w")));
        QCOMPARE(linesOf(g.quantize({{"observe", "true"}})).split('\n').last(),
                 "2 calls with observers of 3 values and 1 weight: run the model, then quantize what came of "
                 "it");
    }

    /// It is not run where the shapes of its values are known.
    void observersOfWhatIsRecorded() {
        QuantizedGraphs g;
        const NodeId x = g.input("x"), whole = g.input("whole", at::ones({4, 4}, at::kLong));
        g.give(g.linear(g.call("torch.add", {x, g.call("torch.add", {whole, whole})}), g.weight("w")));
        g.apply("shape-prop");
        g.inputs = {};
        const PassReport report = g.quantize({{"observe", "true"}});
        QVERIFY2(linesOf(report).contains("1 call with observers of 2 values and 1 weight"),
                 qPrintable(linesOf(report)));
        QVERIFY2(linesOf(report).contains("compute in torch.int64: add, add_1"), qPrintable(linesOf(report)));
    }

    /// It is run as it is, where it cannot run without data.
    void observersOfWhatDependsOnData() {
        QuantizedGraphs g;
        const NodeId x = g.input("x"), size = g.input("size", at::tensor(4));
        const NodeId number = g.edit.callMethod("item", {size});
        g.give(g.linear(g.call("torch.reshape", {x, ListValue{{number, number}}}), g.weight("w")));
        QVERIFY(linesOf(g.quantize({{"observe", "true"}})).contains(" with observers of "));
        QCOMPARE(valueAt(g, "fake_quantization.linear.min_val"), std::numeric_limits<float>::infinity());
    }

    /// Inputs that are given to calibrate with are seen.
    void observersBeginWithCalibration() {
        QuantizedGraphs g;
        g.give(g.linear(g.input("x"), g.weight("w")));
        g.quantize({{"observe", "true"}, {"observer", "min-max"}, {"calibration", "data"}});
        QCOMPARE(valueAt(g, "fake_quantization.x.max_val"),
                 g.inputs.values[0].data().toTensor().max().item<float>());
    }

    void takesBackBothWays() {
        QuantizedGraphs g;
        g.give(g.linear(g.input("x"), g.weight("w")));
        const std::string plain = g.code();
        const PassReport rounded = g.quantize(kRounded);
        const std::string between = g.code();
        const PassReport whole = g.quantize();
        QCOMPARE(countOf(g.code(), "fake"), size_t(0));
        QVERIFY(!g.model.resolve(g.model.root(), "fake_quantization"));
        undo(g.model, whole.changes);
        QCOMPARE(g.code(), between);
        undo(g.model, rounded.changes);
        QCOMPARE(g.code(), plain);
    }

    void roundedOnce() {
        QuantizedGraphs g;
        g.give(g.linear(g.input("x"), g.weight("w")));
        g.quantize(kRounded);
        const PassReport again = g.quantize(kRounded);
        QVERIFY(!again.hasChanged());
        QCOMPARE(linesOf(again), "nothing done, as there is fake quantization already");
    }

    void integersHaveTheRangeThatIsLeft() {
        QuantizedGraphs g;
        g.give(g.linear(g.input("x"), g.weight("w")));
        g.quantize(kRounded);
        setTensor(g, "fake_quantization.x.min_val", -28);
        setTensor(g, "fake_quantization.x.max_val", 99);
        g.quantize();
        QCOMPARE(countOf(g.code(), "quantize_per_tensor.default(x, 1.0, 28, 0, 127, torch.uint8)"),
                 size_t(1));
    }

    /// As a trace of an exported folder has them, without modules.
    void readsCallsWithoutModules() {
        QuantizedGraphs g;
        const NodeId x = g.input("x"), w = g.weight("w");
        const auto state = [&](const char* name, const at::Tensor& value) {
            g.edit.setTensor(name, g.edit.createTensor(TensorSlot(value)), TensorRole::Buffer);
            return g.edit.getAttr(name);
        };
        const NodeId on = state("on", at::ones({1}, at::kLong));
        const auto rounded = [&](NodeId value, const std::string& name, bool isWeight) {
            return g.call("torch.fused_moving_avg_obs_fake_quant",
                          {value, on, on, state((name + "_low").c_str(), at::tensor(-2.0F)),
                           state((name + "_high").c_str(), at::tensor(2.0F)),
                           state((name + "_scale").c_str(), at::ones({1})),
                           state((name + "_zero").c_str(), at::zeros({1}, at::kInt)), 0.01,
                           isWeight ? -128 : 0, isWeight ? 127 : 255, -1, false, isWeight});
        };
        g.give(g.linear(rounded(x, "x", false), rounded(w, "w", true)));
        g.quantize();
        const std::string code = g.code();
        QCOMPARE(
            countOf(code, "quantize_per_tensor.default(x, 0.01568627543747425, 127, 0, 255, torch.uint8)"),
            size_t(1));
        // One scale for all of the weight, as it was trained.
        QCOMPARE(
            countOf(code, "dequantize_per_tensor.tensor(w, w_scale_1, w_zero_point, -128, 127, torch.int8)"),
            size_t(1));
        for (const char* gone : {"on", "x_low", "w_high"})
            QVERIFY2(!g.model.resolve(g.model.root(), gone), gone);
    }

    void refuses_data() {
        QTest::addColumn<Texts>("texts");
        QTest::addColumn<QString>("message");
        QTest::newRow("another mode")
            << Texts{{"qat", "true"}, {"mode", "dynamic"}} << "is for --mode static";
        QTest::newRow("observers of weights alone")
            << Texts{{"observe", "true"}, {"mode", "weight-only"}} << "is for --mode static";
        QTest::newRow("rounding and not")
            << Texts{{"observe", "true"}, {"qat", "true"}} << "rounds nothing, and --qat does";
        QTest::newRow("weights of four bits")
            << Texts{{"qat", "true"}, {"weights", "int4"}} << "int4 is for --mode weight-only";
    }
    void refuses() {
        QFETCH(Texts, texts);
        QFETCH(QString, message);
        QuantizedGraphs g;
        g.give(g.linear(g.input("x"), g.weight("w")));
        const std::string before = g.code();
        const std::string said = messageOf([&] { g.quantize(texts); });
        QVERIFY2(QString::fromStdString(said).contains(message), said.c_str());
        QCOMPARE(g.code(), before);
    }

    void saysWhereNothingWasSeen() {
        QuantizedGraphs g;
        g.give(g.linear(g.input("x"), g.weight("w")));
        g.quantize(kRounded);
        setTensor(g, "fake_quantization.x.min_val", std::numeric_limits<float>::infinity());
        const std::string before = g.code();
        const std::string said = messageOf([&] { g.quantize(); });
        QVERIFY2(QString::fromStdString(said).contains("no values were seen"), said.c_str());
        QCOMPARE(g.code(), before);
    }
};

FX_TEST(TestFakeQuantize)
} // namespace fx::fake_quantize_test
#include "tst_fake_quantize.moc"
