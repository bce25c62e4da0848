// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog of every pass, accepted at its defaults, does what the pass does without options.
#include "core/passes/registry.h"
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/session/pass_service.h"
#include "widgets/support/qt_text.h"

#include <QLineEdit>

#include <algorithm>
#include <set>

namespace fx::ui::pass_defaults_test {

namespace {

const char* const kNet = R"py(
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 8, 3)
        self.bn = torch.nn.BatchNorm2d(8)
        self.drop = torch.nn.Dropout(0.5)
        self.head = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 4))
        self.eval()

    def forward(self, x):
        y = torch.relu(self.bn(self.conv(x)))
        y = self.drop(y.mean((2, 3)))
        return self.head(y) + self.head(y)
)py";

/// Values of the options without which a pass cannot run.
const std::map<std::string, QString> kNeeded = {
    {"call", "nn.ReLU6()"},
    {"module", "head.1"},
    {"scope", "head"},
    {"name", "renamed"},
    {"tensor", "bn.bias"},
    {"value", "ones(8)"},
    {"text", "relu = torch.relu(bn)"},
    {"part", "0"},
    {"rules", "nowhere.py"},
    {"tags", "conv=a"},
};

/// What a pass leaves: the generated code and the reason of a failure.
struct Outcome {
    QString code, fault;
    bool operator==(const Outcome&) const = default;
};

} // namespace

class TestPassDefaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->openNet(kNet, "torch.ones(1, 3, 8, 8)");
        connect(&service(), &PassService::failed, this, [this](const QString& reason) { m_fault = reason; });
    }
    void cleanupTestCase() { m_probe.reset(); }

    void ours_data() {
        QTest::addColumn<QString>("name");
        // These have a window of their own in the place of the dialog.
        const std::set<std::string> others = {"replace", "insert", "lint", "edit-code"};
        for (const Pass& pass : passes())
            if (!pass.options.empty() && !others.contains(pass.name))
                QTest::newRow(pass.name.c_str()) << qt(pass.name);
    }
    void ours() {
        QFETCH(const QString, name);
        const Pass& pass = findPass(utf8(name));
        std::map<std::string, std::string> given;
        const Outcome byDialog =
            after([&] { m_probe->window().actions().pass(pass.name)->trigger(); }, pass.title, &given);
        const auto plainly = [&] {
            return after([&] { service().run(pass, given, m_probe->selection().graph()); }, pass.title,
                         nullptr);
        };
        Outcome plain = plainly();
        // A pass that keeps what it measures to be faster may decide otherwise the next time.
        const bool measures = std::any_of(pass.options.begin(), pass.options.end(),
                                          [](const auto& option) { return option.name == "always"; });
        for (int again = 0; measures && again < 10 && !(byDialog == plain); ++again)
            plain = plainly();
        QCOMPARE(byDialog.fault, plain.fault);
        QCOMPARE(byDialog.code, plain.code);
    }

private:
    PassService& service() { return m_probe->workspace().passes(); }

    /// Starts a pass, accepts the dialog that it may open, and undoes what the pass has done. `given`: where
    /// the options go that the dialog was given, those that the pass needs; null where no dialog opens.
    Outcome after(const std::function<void()>& start, const std::string& title,
                  std::map<std::string, std::string>* given) {
        const Pass& pass = findPassTitled(title);
        const bool needsNodes = std::any_of(pass.options.begin(), pass.options.end(), [](const auto& option) {
            return option.isRequired && option.type == OptionType::Nodes;
        });
        // The selection is the default of a field for nodes.
        if (needsNodes)
            m_probe->select("conv");
        else
            m_probe->selection().clear();
        m_fault.clear();
        if (given)
            withDialog([&](QDialog& dialog) {
                const auto guard = closingIfFailed(dialog);
                QCOMPARE(dialog.windowTitle(), qt(title));
                for (const PassOption& option : pass.options) {
                    if (!option.isRequired)
                        continue;
                    QString label = qt(option.name).replace('-', ' ');
                    label[0] = label[0].toUpper();
                    auto& line = findIn<QLineEdit>(dialog, label);
                    if (line.text().isEmpty() && kNeeded.contains(option.name))
                        line.setText(kNeeded.at(option.name));
                    QVERIFY2(!line.text().isEmpty(), option.name.c_str());
                    given->emplace(option.name, utf8(line.text()));
                }
                dialog.accept();
                QVERIFY2(!dialog.isVisible(), "the dialog refuses its defaults");
            });
        start();
        if (!QTest::qWaitFor([this] { return !service().isWorking(); }, 120000))
            return {"", "still running"};
        QCoreApplication::processEvents(); // the code pane follows
        Outcome outcome{m_probe->code().text(), m_fault};
        QUndoStack& undo = m_probe->workspace().document().undoStack();
        while (undo.canUndo())
            undo.undo();
        return outcome;
    }
    static const Pass& findPassTitled(const std::string& title) {
        for (const Pass& pass : passes())
            if (pass.title == title)
                return pass;
        qFatal("no pass is called %s", title.c_str());
    }

    std::unique_ptr<WindowProbe> m_probe;
    QString m_fault;
};

FX_TEST(TestPassDefaults)
} // namespace fx::ui::pass_defaults_test
#include "tst_pass_defaults.moc"
