// SPDX-License-Identifier: GPL-3.0-or-later
// Models of strangers in the window: their code may crash or fill the memory while they are opened, and
// nobody's work is lost; what touches files is asked about before it runs, once.
#include "core/base/text.h"
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTabBar>
#include <QTemporaryDir>

namespace fx::ui::strangers_test {

using State = DebugService::State;

namespace {

constexpr const char* kLongNet = R"(
import torch

NAME = 'n' * 300_000

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.add_module(NAME, torch.nn.Linear(4, 4))
        setattr(self, 'b' * 300_000, torch.nn.Parameter(torch.ones(4)))

    def forward(self, x):
        y = getattr(self, NAME)(x) + getattr(self, 'b' * 300_000)
        return torch.einsum('ij,ij->' + ' ' * 300_000, y, y)
)";

/// The texts that an item view shows, with those of its tool tips.
void collectTexts(const QAbstractItemModel& model, const QModelIndex& parent, QStringList& out) {
    for (int row = 0; row < model.rowCount(parent); ++row)
        for (int column = 0; column < model.columnCount(parent); ++column) {
            const QModelIndex index = model.index(row, column, parent);
            out << index.data(Qt::DisplayRole).toString() << index.data(Qt::ToolTipRole).toString();
            if (column == 0)
                collectTexts(model, index, out);
        }
}

/// All that the program shows: titles, labels, buttons, tabs, lists, tables, tool tips; but no code and no
/// fields.
QStringList shownTexts() {
    QStringList out;
    for (QWidget* each : QApplication::allWidgets()) {
        out << each->windowTitle() << each->toolTip() << each->statusTip() << each->accessibleName();
        for (const QAction* action : each->actions())
            out << action->text() << action->toolTip() << action->statusTip();
        if (const auto* label = qobject_cast<QLabel*>(each))
            out << label->text();
        if (const auto* button = qobject_cast<QAbstractButton*>(each))
            out << button->text();
        if (const auto* line = qobject_cast<QLineEdit*>(each))
            out << line->text();
        if (const auto* tabs = qobject_cast<QTabBar*>(each))
            for (int i = 0; i < tabs->count(); ++i)
                out << tabs->tabText(i) << tabs->tabToolTip(i);
        if (const auto* view = qobject_cast<QAbstractItemView*>(each); view && view->model())
            collectTexts(*view->model(), {}, out);
    }
    return out;
}

/// The beginning of the longest of them, and its length.
std::pair<QString, qsizetype> longest(const QStringList& texts) {
    const auto found = std::ranges::max_element(texts, {}, [](const QString& text) { return text.size(); });
    return {found->left(60), found->size()};
}

} // namespace

class TestStrangers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        write("plain.py", "def plain(x):\n    return x * 2\n");
        write("crash.py", "import torch\n\n\ndef crash(x):\n    torch._stack([])\n    return x\n");
        write("top.py", "import torch\n\ntorch._stack([])\n");
        write("memory.py", "import torch\n\n\ndef memory(x):\n    torch.zeros(50000, 50000)\n    return x\n");
        write("long.py", "def long(x):\n    raise Exception('x' * 1000000)\n");
        // The path is an argument, so that the call becomes a node.
        write("reads.py", "import torch\n\n\ndef reads(x):\n    n = x.numel()\n"
                          "    return torch.from_file('" +
                              victim() + "', True, n, dtype=torch.uint8).fill_(88)\n");
    }
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        write("victim.txt", "AAAA");
    }
    void cleanup() { m_probe.reset(); }

    void crashOfItsCodeLeavesTheWindow_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("words");
        QTest::newRow("crash") << "crash.py"
                               << "its code crashed in torch._stack (signal 11)";
        QTest::newRow("top level") << "top.py"
                                   << "its code crashed in torch._stack (signal 11)";
        QTest::newRow("long error") << "long.py"
                                    << "x... 998.0 KB more";
        QTest::newRow("memory") << "memory.py"
                                << "its tensors would take 10.0 GB";
    }
    void crashOfItsCodeLeavesTheWindow() {
        QFETCH(QString, file);
        QFETCH(QString, words);
        trace("plain.py");
        const QString before = m_probe->code().text();
        QString said;
        withDialog([&](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            if (file != "top.py") // which cannot even be listed
                press(dialog);
            auto& fault = findIn<QPlainTextEdit>(dialog, "What went wrong");
            QTRY_VERIFY_WITH_TIMEOUT(fault.isVisible(), 30000);
            said = fault.toPlainText();
            dialog.reject();
        });
        m_probe->window().openFile(m_folder.filePath(file));
        QVERIFY2(said.contains(words), qPrintable(said));
        QCOMPARE(m_probe->code().text(), before);
    }

    void longTextsAreCutWhereTheyAreShown() {
        constexpr qsizetype kMost = 50'000;
        m_probe->openNet(kLongNet, "torch.ones(2, 4)");
        m_probe->press(Qt::Key_F5);
        QVERIFY(m_probe->waitForState(State::Over));
        const Graph& graph = m_probe->workspace().document().model().graph();
        for (const Node& node : graph) {
            m_probe->selection().select({m_probe->workspace().document().model().root(), node.id});
            QCoreApplication::processEvents();
            const auto [begin, size] = longest(shownTexts());
            QVERIFY2(size < kMost, qPrintable(QString("%1 letters: %2").arg(size).arg(begin)));
        }
        QVERIFY(m_probe->code().text().contains(QString(300'000, 'n'))); // which is whole
        m_probe->say("p " + QString(3000, 'n'));
        m_probe->say("p 'v' * 3000000");
        QTRY_VERIFY(m_probe->consoleText().contains("MB more"));
        QVERIFY(m_probe->consoleText().size() < 1'500'000);
    }

    void askedBeforeFilesAreTouched() {
        trace("reads.py");
        giveInput();
        // Without leave the run stops at the node.
        answer("Run without");
        m_probe->press(Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(m_probe->debug().state() == State::Over, 30000);
        QVERIFY2(endText(m_probe->debug().run().state()).contains("from_file"),
                 qPrintable(endText(m_probe->debug().run().state())));
        QCOMPARE(content(), QByteArray("AAAA"));
        QVERIFY2(m_asked.contains(victim()), qPrintable(m_asked));
        // Once: the next run does not ask.
        m_probe->press(Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(m_probe->debug().state() == State::Over, 30000);
        QCOMPARE(content(), QByteArray("AAAA"));
    }

    void cancelledQuestionRunsNothing() {
        trace("reads.py");
        giveInput();
        answer("Cancel");
        m_probe->press(Qt::Key_F5);
        QCOMPARE(m_probe->debug().state(), State::Idle);
        QVERIFY(!m_probe->debug().inputs().memory().isOutsideAllowed);
    }

    void allowedModelTouchesItsFile() {
        trace("reads.py");
        giveInput();
        answer("Allow");
        m_probe->press(Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(m_probe->statusText().startsWith("Finished"), 30000);
        QCOMPARE(content(), QByteArray("XXXX"));
    }

private:
    QString victim() const { return m_folder.filePath("victim.txt"); }
    QByteArray content() const {
        QFile file(victim());
        return file.open(QFile::ReadOnly) ? file.readAll() : QByteArray();
    }
    void write(const QString& name, const QString& text) {
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QFile::WriteOnly));
        file.write(text.toUtf8());
    }
    /// Traces the one model that the source has.
    static void press(QDialog& dialog) {
        QTRY_COMPARE_WITH_TIMEOUT(findIn<QComboBox>(dialog, "Model").count(), 1, 30000);
        auto* trace = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
        QTRY_VERIFY_WITH_TIMEOUT(trace->isEnabled(), 30000);
        QTest::mouseClick(trace, Qt::LeftButton);
    }
    void trace(const QString& name) {
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            press(dialog);
        });
        m_probe->open(m_folder.filePath(name));
    }
    void giveInput() {
        DebugMemory memory;
        memory.inputs["x"] = "torch.ones(4)";
        m_probe->debug().inputs().set(memory);
    }
    void answer(const QString& button) {
        withDialog([this, button](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            auto* box = qobject_cast<QMessageBox*>(&dialog);
            QVERIFY(box);
            m_asked = box->informativeText();
            for (QAbstractButton* each : box->buttons())
                if (each->text().remove('&') == button) {
                    each->click();
                    return;
                }
            QFAIL("no such button");
        });
    }

    QTemporaryDir m_folder;
    QString m_asked;
    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestStrangers)
} // namespace fx::ui::strangers_test
#include "tst_strangers.moc"
