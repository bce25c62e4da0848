// SPDX-License-Identifier: GPL-3.0-or-later
// Traces that fail: what was recorded before is kept, and its last node stands for what failed.
#include "core/trace/trace_source.h"
#include "tests/support/test_program.h"

namespace fx::partial_traces_test {

namespace {

const char* const kSource = R"py(
import torch
from torch import nn

class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)

    def forward(self, x):
        y = self.lin(x)
        if y.sum() > 0:
            y = y * 2
        return y

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(nn.ReLU(), Inner())

    def forward(self, x):
        return self.blocks(torch.relu(x))

def loop(x):
    return [torch.sin(row) for row in x.cos()]

def attribute(x):
    if x.is_cuda:
        return x + 1

def raises(x):
    y = x + 1
    raise ValueError("no such size: 3")

def caught(x):
    try:
        bool(x > 0)
    except torch.fx.proxy.TraceError:
        pass
    return {1: x, x.size: 2}[object()]

def counts(x):
    return len(x)

def before():
    raise ValueError("at once")

def good(x):
    return x + 1
)py";

Traced traced(const char* expression, bool keepsPartial = true) {
    SourceRequest request;
    request.path = "net.py";
    request.text = kSource;
    request.expression = expression;
    request.keepsPartial = keepsPartial;
    return traceSource(request);
}

} // namespace

class PartialTracesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void endAtTheCallThatFailed_data() {
        QTest::addColumn<QString>("names");
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("fault");
        QTest::addColumn<QString>("advice");
        const QString branch = "symbolically traced variables cannot be used as inputs to control flow";
        QTest::newRow("Net()") << "x relu blocks_0 blocks_1_lin sum_1 gt trace_ends"
                               << "torch.fx.proxy.TraceError"
                               << "net.py:12:12: " + branch
                               << "in module blocks.1 (__main__.Inner)\n--leaf __main__.Inner records";
        QTest::newRow("loop") << "x cos trace_ends"
                              << "torch.fx.proxy.TraceError"
                              << "net.py:25:39: Proxy object cannot be iterated."
                              << "--concrete-args";
        QTest::newRow("attribute") << "x getattr_1 trace_ends"
                                   << "torch.fx.proxy.TraceError"
                                   << "net.py:28:8: " + branch << "--tracer meta";
        QTest::newRow("raises") << "x add trace_ends"
                                << "ValueError"
                                << "net.py:33:5: no such size: 3"
                                << "";
        QTest::newRow("caught") << "x gt trace_ends"
                                << "KeyError"
                                << "net.py:40:"
                                << "";
        QTest::newRow("counts") << "x trace_ends"
                                << "RuntimeError"
                                << "net.py:43:12: 'len' is not supported"
                                << "--wrap";
    }
    void endAtTheCallThatFailed() {
        QFETCH(QString, names);
        QFETCH(QString, target);
        QFETCH(QString, fault);
        QFETCH(QString, advice);
        const Traced out = traced(QTest::currentDataTag());
        QStringList found;
        const Node* last = nullptr;
        for (const Node& node : out.model.graph()) {
            found << QString::fromStdString(node.name);
            last = &node;
        }
        QCOMPARE(found.join(' '), names);
        QCOMPARE(QString::fromStdString(last->target.name()), target);
        QVERIFY(out.fault.has_value());
        const std::string* told = last->meta.find<std::string>(meta::kFault);
        QVERIFY(told);
        QVERIFY2(QString::fromStdString(*told).startsWith(fault), told->c_str());
        QVERIFY2(std::string(out.fault->what()).find(told->substr(told->find(' '))) != std::string::npos,
                 out.fault->what());
        QVERIFY2(QString::fromStdString(out.fault->advice()).contains(advice), out.fault->what());
        const std::string* trace = last->meta.find<std::string>(meta::kStackTrace);
        QVERIFY(trace && trace->find("net.py\", line " + told->substr(7, told->find(':', 7) - 7)) !=
                             std::string::npos);
    }

    void takeWhatCouldNotBeDecided() {
        const Traced out = traced("Net()");
        const Graph& graph = out.model.graph();
        const Node& gt = graph.node(graph.find("gt"));
        QCOMPARE(gt.users.size(), size_t(1));
        const Node& last = graph.node(*gt.users.begin());
        const auto* scope = last.meta.find<ModuleStack>(meta::kModuleStack);
        QVERIFY(scope);
        QCOMPARE(scope->back().path, std::string("blocks.1"));
        // The modules that were called are there, with their weights.
        QVERIFY(out.model.resolve(out.model.root(), "blocks.1.lin.weight"));
    }

    void areThrownWhereNobodyAsksForThem() { QVERIFY_THROWS_EXCEPTION(Error, traced("Net()", false)); }

    void areNoneBeforeTheFirstNode() { QVERIFY_THROWS_EXCEPTION(Error, traced("before")); }

    void areNoneOfWhatIsTracedWhole() { QVERIFY(!traced("good").fault); }
};

FX_TEST(PartialTracesTest)
} // namespace fx::partial_traces_test

#include "tst_partial_traces.moc"
