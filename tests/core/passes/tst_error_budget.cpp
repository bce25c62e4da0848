// SPDX-License-Identifier: GPL-3.0-or-later
// What the pass quantize leaves in float32 so that a model loses no more than it may, and what is told of the
// ways between all and nothing.
#include "core/base/error.h"
#include "core/io/pass_table_text.h"
#include "core/passes/quantize/error_budget.h"
#include "core/passes/quantize/sqnr.h"
#include "tests/core/passes/quantized_graphs.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>
#include <QRegularExpression>

namespace fx::error_budget_test {

class TestErrorBudget : public QObject {
    Q_OBJECT

    static void theSameIsATable(const std::vector<PassTable>& tables, const QString& worst) {
        QCOMPARE(tables.size(), size_t(1));
        const PassTable& table = tables[0];
        QCOMPARE(table.name, std::string("trade-off"));
        QCOMPARE(table.rows.size(), size_t(5));
        const QStringList csv = QString::fromStdString(tableCsv(table)).split("\r\n");
        QCOMPARE(csv[0], QString("quantized,sqnr,cosine,max_error,bytes,seconds,left_out"));
        QVERIFY2(csv[2].startsWith("4,") && csv[2].endsWith(',' + worst), qPrintable(csv[2]));
        const Json json = Json::parse(tableJson(table));
        QCOMPARE(json.size(), size_t(5));
        QCOMPARE(json[4]["quantized"].get<int>(), 0);
        QVERIFY(json[4]["sqnr"].is_null() &&
                json[4]["seconds"].get<double>() > 0); // of no error there are no dB
        // As it comes from another process.
        const JsonDocument document = JsonDocument::ofCbor(cborBytes(toJson(table)), "table");
        const PassTable again = passTableFrom(document, document.root());
        QVERIFY(again.rows == table.rows && again.columns == table.columns);
    }

private Q_SLOTS:
    void budgetLeavesTheWorst() {
        QuantizedGraphs g;
        // A number that nothing is multiplied with takes the range of a weight that has one scale.
        at::Tensor values = at::randn({4, 4}), uneven = at::randn({4, 4});
        values.select(1, 0).zero_();
        uneven[0][0] = 1000;
        const NodeId x = g.input("x", values), bad = g.linear(x, g.weight("bad", uneven));
        g.give(g.call("torch.sub", {g.linear(x, g.weight("good")), bad}));
        const at::Tensor before = g.run();
        const Texts texts = {{"granularity", "per-tensor"}, {"mode", "weight-only"}};
        Changes changes = g.quantize(texts).changes;
        QVERIFY(tensorError(before, g.run()).sqnr < 20);
        QVERIFY(tensorError(before, g.run()).cosine < 0.9999);
        Texts withBudget = texts;
        for (const std::string budget : {"sqnr >= 30", "cosine >= 0.9999"}) {
            undo(g.model, changes);
            withBudget["budget"] = budget;
            const PassReport report = g.quantize(withBudget);
            const TensorError error = tensorError(before, g.run());
            QVERIFY(error.sqnr >= 30 && error.cosine >= 0.9999);
            const std::string name = g.model.graph().node(bad).name;
            QCOMPARE(report.results.back(), "1 left alone, to keep " + budget + ": " + name);
            changes = report.changes;
        }
        undo(g.model, changes);
        withBudget["budget"] = "max <= 0";
        QVERIFY(!g.quantize(withBudget).hasChanged());
    }

    /// What is put together by cat has one scale.
    void whatHasOneScaleIsLeftTogether() {
        QuantizedGraphs g;
        at::Tensor uneven = at::randn({4, 4});
        uneven[0][0] = 1000;
        const NodeId x = g.input("x"), bad = g.linear(x, g.weight("bad", uneven)),
                     even = g.linear(x, g.weight("even"));
        const NodeId both = g.call("torch.cat", {ListValue{{bad, even}}, 1});
        const NodeId apart = g.linear(x, g.weight("apart"));
        g.give(TupleValue{{both, apart}});
        const PassReport report = g.quantize({{"granularity", "per-tensor"}, {"budget", "sqnr >= 40"}});
        const QString lines = linesOf(report);
        QVERIFY2(lines.contains("3 calls of 4 left in float32 to keep sqnr >= 40"), qPrintable(lines));
        QVERIFY2(lines.contains("3 left alone, to keep sqnr >= 40: linear, linear_1, cat"),
                 qPrintable(lines));
        QCOMPARE(countOf(g.code(), "quantized_decomposed.dequantize_per_channel") +
                     countOf(g.code(), "quantized_decomposed.dequantize_per_tensor"),
                 size_t(3)); // x, the weight and the result of the last
    }

    void aMetricOfTheUsersDecides() {
        QuantizedGraphs g;
        const NodeId y = g.linear(g.input("x"), g.weight("w"));
        g.give(g.linear(g.call("torch.sin", {y}), g.weight("v")));
        const auto layers = [](const Model& model) {
            return static_cast<double>(countOf(PythonCode(model, model.root()).text(),
                                               "quantized_decomposed.dequantize_per_channel"));
        };
        std::vector<std::string> asked;
        const auto metric = [&](const std::string& name, const Model& model) {
            asked.push_back(name);
            return layers(model) / 4;
        };
        const Texts weights = {{"mode", "weight-only"}};
        Texts texts = weights;
        texts["budget"] = "dir/m.py:few <= 0.25";
        const QString lines = linesOf(g.quantize(texts, metric));
        QCOMPARE(layers(g.model), 1.0);
        QCOMPARE(asked.front(), std::string("dir/m.py:few"));
        for (const char* line :
             {"dir/m.py:few is 0 in float32", "dir/m.py:few is 0.5 with all quantized",
              "1 call of 2 left in float32 to keep dir/m.py:few <= 0.25", "dir/m.py:few is 0.25 so"})
            QVERIFY2(lines.contains(line), qPrintable(lines));
        QVERIFY_THROWS_EXCEPTION(Error, g.quantize(texts)); // where none can be read
    }

    void budgets_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("isOne");
        for (const char* text :
             {"sqnr >= 30", " cosine>=0.99 ", "max <= 1e-3", "m.py:f >= -2", "a b/m.py:f <= 1"})
            QTest::newRow(text) << text << true;
        for (const char* text : {"", "sqnr", "sqnr <= 3", "max >= 3", "sqnr >= x", "m.py >= 3", "m.py: >= 3",
                                 ".py:f >= 3", "sqnr >= 3 3", "sqnr == 3"})
            QTest::newRow(text) << text << false;
    }
    void budgets() {
        QFETCH(QString, text);
        QFETCH(bool, isOne);
        if (isOne)
            ErrorBudget(text.toStdString());
        else
            QVERIFY_THROWS_EXCEPTION(Error, ErrorBudget(text.toStdString()));
    }

    void tradeOffGoesFromAllToFew() {
        QuantizedGraphs g;
        NodeId y = g.input("x");
        for (const char* path : {"a", "b", "c", "d", "e"})
            y = g.linear(y, g.weight(path));
        g.give(y);
        const PassReport report =
            g.quantize({{"sweep", "trade-off"}, {"mode", "weight-only"}, {"granularity", "per-tensor"}});
        const QStringList lines = linesOf(report).split('\n');
        const auto first = lines.indexOf("the fewer calls are quantized, the worst left out first:");
        QVERIFY2(first >= 0, qPrintable(lines.join('\n')));
        const QRegularExpression row(
            "^  (\\d) quantized: ([0-9.]+|exact)( dB)?, weights of 320 B in (\\d+) B, "
            "[0-9.e-]+ ms a run when lowered");
        QList<double> decibels;
        int at = 0;
        for (const char* count : {"5", "4", "3", "1", "0"}) {
            const QRegularExpressionMatch found = row.match(lines[first + ++at]);
            QVERIFY2(found.hasMatch(), qPrintable(lines[first + at]));
            QCOMPARE(found.captured(1), QString(count));
            // Of 16 numbers, a scale and a zero point, or of the numbers in float32.
            QCOMPARE(found.captured(4).toInt(),
                     28 * found.captured(1).toInt() + 64 * (5 - found.captured(1).toInt()));
            decibels.push_back(found.captured(2) == "exact" ? 999 : found.captured(2).toDouble());
        }
        QVERIFY(decibels[3] > decibels[0] && decibels[4] == 999);
        QVERIFY(lines[first + 2].contains("; without "));
        theSameIsATable(report.tables, lines[first + 2].section("; without ", 1));
    }
};

FX_TEST(TestErrorBudget)
} // namespace fx::error_budget_test
#include "tst_error_budget.moc"
