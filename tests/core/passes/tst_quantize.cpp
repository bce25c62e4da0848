// SPDX-License-Identifier: GPL-3.0-or-later
// What the pass quantize does to small graphs, what it leaves alone and says of it. Whole
// models are compared with torch.ao's by tests/oracle/check_quantize.py.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/passes/quantize/quantize_pass.h"
#include "core/passes/quantize/sqnr.h"
#include "tests/core/passes/quantized_graphs.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

namespace fx::quantize_test {

class TestQuantize : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void valuesAndWeightsAreIntegers() {
        QuantizedGraphs g;
        const NodeId y = g.linear(g.input("x"), g.weight("w"));
        g.give(g.call("torch.nn.functional.relu", {y}));
        const at::Tensor before = g.run();
        g.quantize();
        // The relu is part of the layer: x and its result become integers, and the weight.
        QCOMPARE(countOf(g.code(), "quantized_decomposed.quantize_per_tensor"), size_t(2));
        QCOMPARE(countOf(g.code(), "quantized_decomposed.dequantize_per_channel"), size_t(1));
        QCOMPARE(g.model.tensor(g.model.resolve(g.model.root(), "w").tensor).meta().dtype, c10::kChar);
        const double sqnr = tensorError(before, g.run()).sqnr;
        QVERIFY2(sqnr > 25 && sqnr < 60, std::to_string(sqnr).c_str());
        const auto* note = g.model.graph().node(g.model.graph().find("relu")).meta.find(meta::kQuantization);
        QVERIFY(note);
    }

    /// Of two layers in a row, of which the first has a weight with one number far from all others, where
    /// one scale stands for all of it.
    void figuresTellWhereTheErrorIsMade() {
        QuantizedGraphs g;
        at::Tensor w = at::randn({16, 16});
        w[3][4] = 60;
        const NodeId first = g.linear(g.input("x", at::randn({256, 16})), g.weight("w", w));
        g.give(g.linear(first, g.weight("v", at::randn({16, 16}))));
        const QString lines = linesOf(g.quantize({{"granularity", "per-tensor"}, {"observer", "min-max"}}));
        const auto figure = [&](const char* layer, const char* name) { return g.figure(layer, name); };
        const double wide = figure("linear", "sqnr_of_weights"),
                     narrow = figure("linear_1", "sqnr_of_weights");
        QVERIFY2(wide < 32 && narrow > 38, qPrintable(lines));
        // With exact values around it a layer loses what its weights lose.
        QVERIFY2(std::abs(figure("linear_1", "sqnr_by_weights") - narrow) < 5, qPrintable(lines));
        QVERIFY2(figure("linear_1", "sqnr") > figure("linear_1", "sqnr_accumulated") + 0.5,
                 qPrintable(lines));
        for (const char* layer : {"linear", "linear_1"})
            QVERIFY2(figure(layer, "cosine") > 0.99 && figure(layer, "cosine") < 1 &&
                         figure(layer, "max_error") > 0 && figure(layer, "clipped") < 0.01,
                     qPrintable(lines));
        for (const char* part : {"; by its weights alone ", ", weights ", "; with what came before ",
                                 " % clipped", " dB, cosine "})
            QVERIFY2(lines.contains(part), part);
    }

    void whatIsCutIsTold() {
        QuantizedGraphs g;
        g.give(g.linear(g.input("x", at::randn({256, 16})), g.weight("w", at::randn({16, 16}))));
        g.quantize({{"observer", "percentile"}, {"percentile", "90"}});
        const double clipped = g.figure("linear", "clipped");
        QVERIFY2(clipped > 0.01 && clipped < 0.2, std::to_string(clipped).c_str());
        QVERIFY(g.figure("linear", "observed_max") > g.figure("linear", "range_max"));
        QVERIFY(g.figure("linear", "observed_min") < g.figure("linear", "range_min"));
    }

    void infinitiesThatStayAreNoError() {
        const double infinity = std::numeric_limits<double>::infinity();
        const at::Tensor was = at::tensor({1.0, -infinity, std::nan(""), 2.0}),
                         is = at::tensor({1.0, -infinity, std::nan(""), 2.5});
        QCOMPARE(tensorError(was, was).sqnr, infinity);
        QCOMPARE(tensorError(was, is).sqnr, 10 * std::log10(5 / 0.25));
        QCOMPARE(tensorError(was, at::tensor({1.0, infinity, std::nan(""), 2.0})).sqnr, -infinity);
    }

    void eachPartInItsOwnWay() {
        QuantizedGraphs g;
        const NodeId y = g.linear(g.input("x"), g.weight("w"));
        g.give(g.linear(y, g.weight("v")));
        g.quantize({{"skip", "linear_1"}});
        g.quantize({{"only", "linear_1"}, {"granularity", "per-tensor"}});
        QCOMPARE(countOf(g.code(), "dequantize_per_channel.default("), size_t(1));
        QCOMPARE(countOf(g.code(), "dequantize_per_tensor.tensor("), size_t(1));
        // What lies between becomes integers once, and so do the input and the result.
        QCOMPARE(countOf(g.code(), ".quantize_per_tensor.default("), size_t(3));
    }

    void callsAreMeantByTheirModules_data() {
        QTest::addColumn<QString>("words");
        QTest::newRow("path") << "head.second";
        QTest::newRow("scope") << "head";
        QTest::newRow("class") << "Head";
        QTest::newRow("whole class") << "my.models.Head";
    }
    void callsAreMeantByTheirModules() {
        QFETCH(QString, words);
        QuantizedGraphs g;
        const NodeId y = g.linear(g.input("x"), g.weight("w")), z = g.linear(y, g.weight("v"));
        g.edit.setMeta(z, meta::kModuleStack,
                       MetaValue(ModuleStack{{"head", "head", "my.models.Head"},
                                             {"head.second", "head.second", "torch.nn.modules.Linear"}}));
        g.give(z);
        const PassReport report = g.quantize({{"skip", words.toStdString()}, {"mode", "weight-only"}});
        QCOMPARE(countOf(g.code(), "dequantize_per_channel.default("), size_t(1));
        QVERIFY(report.warnings.empty());
        QVERIFY(linesOf(report).contains("1 left alone, as asked for by --skip: linear_1"));
    }

    void normsInTrainingStay() {
        QuantizedGraphs g;
        const NodeId x = g.input("x", at::randn({2, 4, 3, 3}));
        const NodeId mean = g.weight("mean", at::zeros({4})), variance = g.weight("variance", at::ones({4}));
        g.give(g.call("torch.nn.functional.batch_norm", {x, mean, variance}, {{"training", true}}));
        QVERIFY(linesOf(g.quantize()).contains("1 left alone, in training mode: batch_norm"));
    }

    void undoneInOneStep() {
        QuantizedGraphs g;
        g.give(g.linear(g.input("x"), g.weight("w")));
        const std::string code = g.code();
        const at::Tensor before = g.run();
        const PassReport report = g.quantize();
        QVERIFY(g.code() != code);
        undo(g.model, report.changes);
        QCOMPARE(g.code(), code);
        QVERIFY(at::equal(g.run(), before));
        redo(g.model, report.changes);
        QVERIFY(!at::equal(g.run(), before));
    }

    void quantizedOnce() {
        QuantizedGraphs g;
        const NodeId y = g.linear(g.input("x"), g.weight("w"));
        g.give(g.call("torch.add", {y, y}));
        g.quantize();
        const PassReport again = g.quantize();
        QVERIFY(!again.hasChanged());
        QCOMPARE(linesOf(again), "nothing quantized\n"
                                 "1 left alone, as they are quantized: add");
    }

    void namedCallsStay_data() {
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("words");
        QTest::addColumn<int>("layers");
        QTest::newRow("none") << "skip"
                              << "" << 2;
        QTest::newRow("name") << "skip"
                              << "linear_1" << 1;
        QTest::newRow("all of a kind") << "skip"
                                       << "linear" << 0;
        QTest::newRow("pattern") << "skip"
                                 << "*_1" << 1;
        QTest::newRow("only") << "only"
                              << "linear_1" << 1;
        QTest::newRow("several") << "skip"
                                 << "linear_1, nothing" << 1;
    }
    void namedCallsStay() {
        QFETCH(QString, option);
        QFETCH(QString, words);
        QFETCH(int, layers);
        QuantizedGraphs g;
        const NodeId y = g.linear(g.input("x"), g.weight("w"));
        g.give(g.linear(y, g.weight("v")));
        const Texts texts = words.isEmpty() ? Texts{} : Texts{{option.toStdString(), words.toStdString()}};
        const PassReport report = g.quantize(texts);
        QCOMPARE(static_cast<int>(countOf(g.code(), "quantized_decomposed.dequantize_per_channel")), layers);
        QCOMPARE(static_cast<int>(report.warnings.size()), words.contains("nothing") ? 1 : 0);
    }

    void valuesThatOthersWriteStay() {
        QuantizedGraphs g;
        const NodeId y = g.linear(g.input("x"), g.weight("w"));
        g.edit.callMethod("mul_", {y, 2});
        g.give(y); // twice what the layer gave: a copy of it would not be
        const PassReport report = g.quantize();
        QVERIFY(!report.hasChanged());
        QVERIFY2(linesOf(report).contains("2 left alone, as their values are written in place: linear, mul_"),
                 qPrintable(linesOf(report)));
    }

    void integersAndInfiniteValuesStay() {
        QuantizedGraphs g;
        const NodeId ids = g.input("ids", at::ones({2}, at::kLong));
        const NodeId large = g.input("large", at::full({2}, std::numeric_limits<float>::infinity()));
        const NodeId a = g.call("torch.add", {ids, ids}), b = g.call("torch.mul", {large, 2});
        g.give(TupleValue{{a, b}});
        const PassReport report = g.quantize({{"observer", "min-max"}});
        QVERIFY(!report.hasChanged());
        QVERIFY(linesOf(report).contains("1 left alone, as they compute in torch.int64: add"));
        QVERIFY(linesOf(report).contains("1 left alone, as their values are not finite: mul"));
    }

    void weightsThatOthersReadStay() {
        QuantizedGraphs g;
        const NodeId w = g.weight("w"), x = g.input("x");
        g.give(g.call("torch.sub", {g.linear(x, w), g.call("torch.sin", {w})}));
        const at::Tensor before = g.run();
        g.quantize({{"mode", "weight-only"}});
        const auto typeOf = [&](const char* path) {
            return g.model.tensor(g.model.resolve(g.model.root(), path).tensor).meta().dtype;
        };
        QCOMPARE(typeOf("w"), c10::kFloat);
        QCOMPARE(typeOf("w_quantized"), c10::kChar);
        QVERIFY(tensorError(before, g.run()).sqnr > 30);
    }

    void eachFormOfWeights_data() {
        QTest::addColumn<QString>("form");
        QTest::addColumn<double>("least");
        QTest::newRow("int8") << "int8" << 38.0;
        QTest::newRow("int4") << "int4" << 14.0;
        QTest::newRow("float16") << "float16" << 65.0;
    }
    void eachFormOfWeights() {
        QFETCH(QString, form);
        QFETCH(double, least);
        QuantizedGraphs g;
        g.give(g.linear(g.input("x", at::randn({3, 64})), g.weight("w", at::randn({8, 64}))));
        const at::Tensor before = g.run();
        g.quantize({{"mode", "weight-only"}, {"weights", form.toStdString()}});
        const double sqnr = tensorError(before, g.run()).sqnr;
        QVERIFY2(sqnr > least, std::to_string(sqnr).c_str());
    }

    void whatHasNoIntegersHereIsTold() {
        QuantizedGraphs g;
        const NodeId ids = g.input("ids", at::randint(0, 4, {4})), x = g.input("x");
        const NodeId rows = g.call("torch.nn.functional.embedding", {ids, g.weight("table")});
        const NodeId cut =
            g.call("torch.nn.functional.embedding", {ids, g.weight("cut")}, {{"max_norm", 1.0}});
        const NodeId seen = g.call("torch.nn.functional.scaled_dot_product_attention", {x, rows, cut});
        g.give(g.linear(seen, g.weight("w")));
        const QString lines = linesOf(g.quantize({{"mode", "dynamic"}}));
        for (const char* line :
             {"1 left alone, as tables of embeddings are for --mode weight-only: embedding",
              "1 left alone, as embedding has no integer form here: embedding_1",
              "1 left alone, as scaled_dot_product_attention has no integer form here"})
            QVERIFY2(lines.contains(line), qPrintable(lines));
    }

    void emptyGraphsAreLeft() {
        QuantizedGraphs g;
        g.give(NoneValue());
        QVERIFY(!g.quantize().hasChanged());
    }

    void withoutInputsItSaysSo() {
        QuantizedGraphs g;
        g.give(g.linear(g.input("x"), g.weight("w")));
        Progress progress;
        PassContext context{progress};
        const Pass& pass = findPass("quantize");
        const auto run = [&](const Texts& texts) {
            return runPass(g.model, g.model.root(), pass, PassOptions(pass, texts), context);
        };
        QVERIFY_THROWS_EXCEPTION(Error, run({}));
        const PassReport report = run({{"mode", "weight-only"}}); // needs none
        QVERIFY(report.hasChanged());
        QVERIFY(linesOf(report).contains("errors of layers are not measured"));
    }

    void wrongOptionsAreRefused_data() {
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("text");
        QTest::newRow("budget") << "budget"
                                << "sqnr > 30";
        QTest::newRow("budget of the other side") << "budget"
                                                  << "max >= 3";
        QTest::newRow("percentile") << "percentile"
                                    << "0";
        QTest::newRow("group") << "group-size"
                               << "1";
        QTest::newRow("weights") << "weights"
                                 << "int4"; // with values in integers
    }
    void wrongOptionsAreRefused() {
        QFETCH(QString, option);
        QFETCH(QString, text);
        QuantizedGraphs g;
        g.give(g.linear(g.input("x"), g.weight("w")));
        const std::string code = g.code();
        QVERIFY_THROWS_EXCEPTION(Error, g.quantize({{option.toStdString(), text.toStdString()}}));
        QCOMPARE(g.code(), code);
    }

    void runsDrawTheSameNumbers() {
        QuantizedGraphs g;
        const NodeId y = g.linear(g.input("x"), g.weight("w"));
        g.give(g.call("torch.nn.functional.dropout", {y, 0.5, true}));
        const PassReport report = g.quantize();
        const auto result = std::ranges::find_if(
            report.results, [](const std::string& line) { return line.starts_with("result: "); });
        QVERIFY(result != report.results.end());
        // Of other draws it were a few.
        QVERIFY2(std::stod(result->substr(8)) > 20, result->c_str());
    }

    void sweepTellsEachCall() {
        QuantizedGraphs g;
        const NodeId y = g.linear(g.input("x"), g.weight("w"));
        g.give(g.linear(g.call("torch.sin", {y}), g.weight("v")));
        const auto rows = [&](const char* kind) {
            const PassReport report = g.quantize({{"sweep", kind}, {"mode", "weight-only"}});
            undo(g.model, report.changes);
            QStringList out;
            for (const std::string& line : report.results)
                if (line.starts_with("  linear") && !contains(line, "cosine"))
                    out.push_back(QString::fromStdString(line));
            return out;
        };
        const QStringList alone = rows("one"), others = rows("all-but-one");
        QCOMPARE(alone.size(), 2);
        // Of two, one alone is all but the other: the worse alone leaves the better where it stays.
        const auto figure = [](const QString& line) { return line.section(": ", 1); };
        QCOMPARE(figure(alone[0]), figure(others[1]));
        QCOMPARE(figure(alone[1]), figure(others[0]));
        QCOMPARE(alone[0].section(':', 0, 0), others[0].section(':', 0, 0));
        QVERIFY(rows("none").isEmpty());
    }
};

FX_TEST(TestQuantize)
} // namespace fx::quantize_test
#include "tst_quantize.moc"
