// SPDX-License-Identifier: GPL-3.0-or-later
// Sources are made again as they were made before: among the recent files, from the disk, in the dialog.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTemporaryDir>

namespace fx::ui::made_again_test {

class TestMadeAgain : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        QFile source(m_folder->filePath("net.py"));
        QVERIFY(source.open(QFile::WriteOnly));
        source.write("import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n"
                     "    def __init__(self, depth=2):\n        super().__init__()\n"
                     "        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(depth)])\n\n"
                     "    def forward(self, x, flag=False):\n        for layer in self.layers:\n"
                     "            x = torch.relu(layer(x))\n        return x * 2 if flag else x\n\n\n"
                     "def double(x):\n    return x * 2\n");
        source.close();
        m_probe = std::make_unique<WindowProbe>();
    }
    void cleanup() { m_probe.reset(); }

    void howAModelWasMadeIsKept() {
        open("Net(depth=3)", "flag=True");
        const QString code = m_probe->code().text(), path = m_folder->filePath("net.py");
        // Among the recent files, and from the disk again: without a question.
        m_probe->window().actions()["closeModel"]->trigger();
        recent(path + ":Net(depth=3)")->trigger();
        QTRY_VERIFY(m_probe->window().workspace());
        QCOMPARE(m_probe->code().text(), code);
        Workspace* before = &m_probe->workspace();
        m_probe->window().actions()["reload"]->trigger();
        QTRY_VERIFY(&m_probe->workspace() != before);
        QCOMPARE(m_probe->code().text(), code);
        // Asked anew, it is what one finds in the dialog.
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            auto& model = findIn<QComboBox>(dialog, "Model");
            QTRY_COMPARE_WITH_TIMEOUT(model.count(), 2, 30000);
            QCOMPARE(model.currentText(), "Net(depth=3)");
            QCOMPARE(findIn<QPlainTextEdit>(dialog, "Fixed arguments").toPlainText(), "flag=True");
            dialog.reject();
        });
        m_probe->window().actions()["trace"]->trigger();
    }

    void whatCannotBeMadeAsBeforeIsAskedFor() {
        open("Net(depth=1)", "flag=False");
        const QString path = m_folder->filePath("net.py");
        QFile source(path);
        QVERIFY(source.open(QFile::WriteOnly));
        source.write("def double(x):\n    return x * 2\n");
        source.close();
        QString fault;
        withDialog([&](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            fault = findIn<QPlainTextEdit>(dialog, "What went wrong").toPlainText();
            QTRY_COMPARE_WITH_TIMEOUT(findIn<QComboBox>(dialog, "Model").count(), 1, 30000);
            findIn<QComboBox>(dialog, "Model").setEditText("double");
            pressTrace(dialog);
        });
        m_probe->window().actions()["reload"]->trigger();
        QTRY_VERIFY(m_probe->code().text().contains("x * 2"));
        QVERIFY2(fault.contains("Net"), qPrintable(fault));
    }

private:
    void open(const QString& expression, const QString& concrete) {
        withDialog([&](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            auto& model = findIn<QComboBox>(dialog, "Model");
            QTRY_COMPARE_WITH_TIMEOUT(model.count(), 2, 30000); // Net() and double
            model.setEditText(expression);
            findIn<QPlainTextEdit>(dialog, "Fixed arguments").setPlainText(concrete);
            pressTrace(dialog);
        });
        m_probe->open(m_folder->filePath("net.py"));
    }

    /// A row of the menu of recent files.
    QAction* recent(const QString& text) {
        for (QMenu* menu : m_probe->window().findChildren<QMenu*>())
            if (menu->title() == "Open recent") {
                Q_EMIT menu->aboutToShow();
                for (QAction* action : menu->actions())
                    if (action->text() == text)
                        return action;
            }
        qFatal("no recent file %s", qPrintable(text));
    }

    static void pressTrace(QDialog& dialog) {
        auto* trace = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
        QTRY_VERIFY_WITH_TIMEOUT(trace->isEnabled(), 30000);
        QTest::mouseClick(trace, Qt::LeftButton);
    }
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestMadeAgain)
} // namespace fx::ui::made_again_test
#include "tst_made_again.moc"
