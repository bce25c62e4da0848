// SPDX-License-Identifier: GPL-3.0-or-later
// Why a pattern is not found: one graph, one pattern, the nearest misses in words. Patterns are written as
// Python.
#include "core/rewrite/explain.h"
#include "core/rewrite/pattern_source.h"
#include "tests/support/test_program.h"

namespace fx::explain_test {

namespace {

struct Row {
    const char *name, *model, *pattern, *misses;
};

const Row kRows[] = {
    {"other target", "lambda x, y: x + y", "lambda x, y: torch.add(x, y)",
     "add for 'add': 0 of 1 nodes fit; 'add' has another target: operator.add, not torch.add"},
    {"method", "lambda x: torch.neg(x.relu())", "lambda x: torch.neg(torch.relu(x))",
     "neg for 'neg': 1 of 2 nodes fit; 'relu' has another target: the method relu, not torch.relu"},
    {"in place", "lambda x: x.relu_()", "lambda x: x.relu()",
     "relu_ for 'relu': 0 of 1 nodes fit; 'relu_' has another target: the method relu_, not the method relu"},
    {"literal", "lambda x: torch.neg(x * 3.0)", "lambda x: torch.neg(x * 3)",
     "neg for 'neg': 1 of 2 nodes fit; argument 1 of 'mul' is 3.0, the pattern has 3"},
    {"keyword's literal", "lambda x: torch.sum(x, dim=1)", "lambda x: torch.sum(x, dim=2)",
     "sum_1 for 'sum_1': 0 of 1 nodes fit; argument 'dim' of 'sum_1' is 1, the pattern has 2"},
    {"node for literal", "lambda x, y: torch.mul(x, y)", "lambda x: torch.mul(x, 3)",
     "mul for 'mul': 0 of 1 nodes fit; argument 1 of 'mul' is y, the pattern has 3"},
    {"literal for call", "lambda x: torch.mul(x, 3)", "lambda x, y: torch.mul(x, torch.neg(y))",
     "mul for 'mul': 0 of 2 nodes fit; argument 1 of 'mul' is 3, the pattern has neg"},
    {"number of arguments", "lambda x: x.sum(1)", "lambda x: x.sum(1, True)",
     "sum_1 for 'sum_1': 0 of 1 nodes fit; 'sum_1' has 2 positional arguments, the pattern 3"},
    {"keyword order", "lambda x: x.sum(dim=1, keepdim=True)", "lambda x: x.sum(keepdim=True, dim=1)",
     "sum_1 for 'sum_1': 0 of 1 nodes fit; 'sum_1' has its keywords in another order: dim, keepdim; the "
     "pattern has "
     "keepdim, dim"},
    {"other keywords", "lambda x: x.sum(dim=1)", "lambda x: x.sum()",
     "sum_1 for 'sum_1': 0 of 1 nodes fit; 'sum_1' has other keywords: dim; the pattern has none"},
    {"slice with a node", "lambda x, n: x[1:n]", "lambda x, n: x[1:n]",
     "getitem for 'getitem': 0 of 1 nodes fit; argument 1 of 'getitem' is a slice that holds a node, which "
     "never "
     "matches"},
    {"list length", "lambda x: torch.cat([x, x, x])", "lambda x, y: torch.cat([x, y])",
     "cat for 'cat': 0 of 1 nodes fit; argument 0 of 'cat' has 3 items, the pattern 2"},
    {"one for two", "lambda x: torch.mul(x, x)", "lambda x, y: torch.mul(x, y)",
     "mul for 'mul': 0 of 1 nodes fit; 'x' would be both 'x' and 'y' of the pattern"},
    {"two for one", "lambda x, y: torch.mul(x, y)", "lambda x: torch.mul(x, x)",
     "mul for 'mul': 0 of 1 nodes fit; 'x' of the pattern would be both 'x' and 'y'"},
    {"read outside", "def f(x):\n    a = torch.relu(x)\n    return torch.neg(a) + a",
     "lambda x: torch.neg(torch.relu(x))",
     "neg for 'neg': 2 of 2 nodes fit; 'relu' is also read by 'add' outside"},
    {"cycle", "def f(x):\n    a = torch.relu(x)\n    return torch.neg(torch.exp(a)), a",
     "def p(x, y):\n    return torch.relu(x), torch.neg(y)",
     "relu for 'relu': 2 of 2 nodes fit; a value goes out of these nodes and comes back into them\n"
     "neg for 'neg': 1 of 1 nodes fit; no node beside it is what else the pattern returns"},
    {"result apart", "lambda x, y: (torch.relu(x), torch.neg(y))", "lambda x: (torch.relu(x), torch.neg(x))",
     "relu for 'relu': 1 of 1 nodes fit; no node beside it is what else the pattern returns\n"
     "neg for 'neg': 1 of 1 nodes fit; no node beside it is what else the pattern returns"},
    {"nearest first", "lambda x, y: (torch.neg(y * 2), torch.neg(torch.exp(x)))",
     "lambda x: torch.neg(torch.exp(x * 2))",
     "neg_1 for 'neg': 2 of 3 nodes fit; 'x' has another target: an input, not operator.mul\n"
     "neg for 'neg': 1 of 3 nodes fit; 'mul' has another target: operator.mul, not torch.exp"},
    {"nothing alike", "lambda x: torch.exp(x)", "lambda x: torch.relu(x)", ""},
    {"it matches", "lambda x: torch.relu(x)", "lambda x: torch.relu(x)", ""},
};

} // namespace

class TestExplain : public QObject {
    Q_OBJECT

    static std::string missesOf(const std::string& model, const std::string& pattern, size_t limit) {
        const Model target = tracePatternText(model, "model"), wanted = tracePatternText(pattern, "pattern");
        const SubgraphMatcher matcher({&wanted, wanted.root()});
        const OwnedGraph graph{&target, target.root()};
        std::string text;
        for (const NearMiss& miss : explainMisses(matcher, graph, limit))
            text += (text.empty() ? "" : "\n") + nearMissText(miss, matcher, graph);
        return text;
    }

private Q_SLOTS:
    void saysWhatStandsInTheWay_data() {
        QTest::addColumn<size_t>("index");
        for (size_t i = 0; i < std::size(kRows); ++i)
            QTest::newRow(kRows[i].name) << i;
    }
    void saysWhatStandsInTheWay() {
        QFETCH(size_t, index);
        QCOMPARE(QString::fromStdString(missesOf(kRows[index].model, kRows[index].pattern, 10)),
                 QString(kRows[index].misses));
    }

    void keepsToTheLimit() {
        const std::string text =
            missesOf("lambda x: x.sum(1) + x.sum(2) + x.sum(3)", "lambda x: x.sum(4)", 2);
        QCOMPARE(std::count(text.begin(), text.end(), '\n'), 1);
    }
};

FX_TEST(TestExplain)
} // namespace fx::explain_test
#include "tst_explain.moc"
