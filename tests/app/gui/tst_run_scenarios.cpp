// SPDX-License-Identifier: GPL-3.0-or-later
// What the window does with a run, fxscope debug does, too: each scenario is a list of commands of the
// debugger with the action of the window that does the same, and both consoles report the same.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/document/graph_intents.h"
#include "widgets/support/qt_text.h"

#include <QProcess>
#include <QRegularExpression>

namespace fx::ui::run_scenarios_test {

namespace {

constexpr char kNet[] = R"(import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(1))
        self.first = torch.nn.Sequential(torch.nn.ReLU(), torch.nn.Sigmoid())

    def forward(self, x):
        x = self.first(x)
        self.calls.add_(1)
        y = x * 2
        z = torch.log(y - y.max())
        return (y @ z.new_ones(4, 4)).sum() + self.calls
)";

/// The same, but a node fails.
constexpr char kFaulty[] = R"(import torch

class Net(torch.nn.Module):
    def forward(self, x):
        return torch.relu(x) @ torch.ones(3, 3)
)";

struct Step {
    const char* command; ///< for fxscope debug
    std::function<void(WindowProbe&)> action;
};

Step key(const char* command, int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    return {command, [=](WindowProbe& probe) { probe.press(key, modifiers); }};
}

Step at(const char* command, const char* node, int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    return {command, [=](WindowProbe& probe) {
                probe.select(node);
                probe.press(key, modifiers);
            }};
}

Step typed(const char* command) {
    return {command, [=](WindowProbe& probe) { probe.say(command); }};
}

struct Scenario {
    const char* name;
    const char* source;
    std::vector<Step> steps; ///< after the pause at the first node
};

const std::vector<Scenario>& scenarios() {
    using namespace Qt;
    static const auto kMul = "mul";
    static const std::vector<Scenario> kAll = {
        {"steps", kNet, {key("n", Key_F10), key("s", Key_F11), key("ns", Key_F11, ControlModifier)}},
        {"runs to a node and goes back",
         kNet,
         {at("until output", "output", Key_F10, ControlModifier), key("rs", Key_F10, ShiftModifier),
          key("rs", Key_F10, ShiftModifier), key("rc", Key_F6, ShiftModifier),
          key("rc", Key_F6, ShiftModifier)}},
        {"goes back to a breakpoint and to a change",
         kNet,
         {at("until output", "output", Key_F10, ControlModifier),
          at("b sub", "sub", Key_F9),
          key("rc", Key_F6, ShiftModifier),
          {"display calls.item()",
           [](WindowProbe& probe) { probe.workspace().watches().add("calls.item()"); }},
          key("rc", Key_F6, ShiftModifier),
          key("c", Key_F5),
          key("c", Key_F5)}},
        {"goes on after an edit",
         kNet,
         {at("b sub", "sub", Key_F9),
          key("c", Key_F5),
          {"nodes['mul'].args = (nodes['mul'].args[0], 3)",
           [](WindowProbe& probe) {
               QCOMPARE(setArgument(probe.workspace().document(), probe.node(kMul), 1, {}, "3"), QString());
           }},
          key("c", Key_F5),
          key("c", Key_F5),
          at("rerun mul", "mul", Key_F10, ControlModifier | ShiftModifier),
          key("c", Key_F5)}},
        {"replaces a value",
         kNet,
         {at("until sub", "sub", Key_F10, ControlModifier),
          {"mul = mul * 0 + 5",
           [](WindowProbe& probe) { probe.debug().values().set(probe.node(kMul), "mul * 0 + 5"); }},
          typed("p mul.sum().item()"),
          key("c", Key_F5)}},
        {"stops at NaN and Inf, and finds where they come from",
         kNet,
         {{"b nan", [](WindowProbe& probe) { probe.debug().breakpoints().toggleNonFinite(); }},
          key("c", Key_F5),
          at("why log", "log", Key_N, ControlModifier | ShiftModifier),
          key("c", Key_F5)}},
        {"looks at a run that failed",
         kFaulty,
         {key("c", Key_F5),
          typed("p relu.sum()"),
          typed("w"),
          typed("why relu > 0.5"),
          {"nodes['matmul'].args = (nodes['relu'], nodes['relu'])",
           [](WindowProbe& probe) {
               QCOMPARE(setArgument(probe.workspace().document(), probe.node("matmul"), 1, {}, "relu"),
                        QString());
           }},
          key("c", Key_F5)}},
    };
    return kAll;
}

/// The lines that both report: not what only the command line echoes, as the window shows it in its panes.
QString story(const QString& text) {
    static const QRegularExpression kOnlyHere(
        "^(\\(fx\\)|breakpoint \\d+:|display |\\w+ is now |the graph has changed|the run has ended|\\w+ = )");
    QStringList out;
    for (const QString& line : text.split('\n', Qt::SkipEmptyParts))
        if (!line.contains(kOnlyHere))
            out << line;
    return out.join('\n');
}

} // namespace

class TestRunScenarios : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void windowAndCommandLineReportTheSame_data() {
        QTest::addColumn<int>("row");
        for (size_t i = 0; i < scenarios().size(); ++i)
            QTest::newRow(scenarios()[i].name) << static_cast<int>(i);
    }

    void windowAndCommandLineReportTheSame() {
        QFETCH(int, row);
        const Scenario& scenario = scenarios()[static_cast<size_t>(row)];
        WindowProbe probe;
        probe.openNet(scenario.source, "torch.ones(2, 4)");

        QString script;
        for (const Step& step : scenario.steps)
            script += QString(step.command) + '\n';
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(QCoreApplication::applicationDirPath() + "/fxscope",
                      {"debug", probe.settings().path("net.py:Net()"), "--input", "x=torch.ones(2, 4)"});
        process.write(script.toUtf8());
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(60000));
        const QStringList blocks = QString::fromUtf8(process.readAll()).split("(fx) ");
        QCOMPARE(blocks.size(), static_cast<qsizetype>(scenario.steps.size()) + 1);

        const auto settled = [&] {
            const Console& console = probe.debug().console();
            return console.isIdle() && !probe.workspace().passes().isWorking();
        };
        QString before;
        const auto news = [&] {
            const QString all = probe.consoleText(), fresh = all.mid(before.size());
            before = all;
            return story(fresh);
        };
        probe.selection().expandAll(); // a step over a closed scope would be one
        QVERIFY(probe.waitForLayout());
        probe.press(Qt::Key_F10);
        QTRY_VERIFY_WITH_TIMEOUT(probe.debug().state() == DebugService::State::Paused, 30000);
        QCOMPARE(news(), story(blocks[0]));
        for (size_t i = 0; i < scenario.steps.size(); ++i) {
            scenario.steps[i].action(probe);
            QTRY_VERIFY_WITH_TIMEOUT(settled(), 30000);
            QTRY_COMPARE(story(probe.consoleText().mid(before.size())),
                         story(blocks[static_cast<qsizetype>(i) + 1].section(QChar(10), 1)));
            news();
        }
        QTest::qWait(50); // nothing more is reported
        QCOMPARE(news(), QString());
    }
};

FX_TEST(TestRunScenarios)
} // namespace fx::ui::run_scenarios_test
#include "tst_run_scenarios.moc"
