// SPDX-License-Identifier: GPL-3.0-or-later
// The process that runs a model dies or hangs, or the one that traces a pattern: the window lives, says so
// where it was asked, and has lost nothing of the user's.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/document/graph_intents.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTreeView>

#include <algorithm>
#include <csignal>

namespace fx::ui::deaths_test {

using State = DebugService::State;

class TestDeaths : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_probe = std::make_unique<WindowProbe>(); }
    void cleanup() { m_probe.reset(); }

    void aNodeThatEndsTheProcess_data() {
        QTest::addColumn<QString>("op");
        QTest::addColumn<QString>("why");
        QTest::newRow("abort") << "abort"
                               << "signal 6";
        QTest::newRow("memory") << "fill"
                                << "it took more memory than the ";
    }
    void aNodeThatEndsTheProcess() {
        QFETCH(QString, op);
        QFETCH(QString, why);
        // A hundredth, or the machine would be full first.
        Settings::setWorkerMemoryPercent(7);
        openWith(op);
        edit();
        const NodeRef deadly = m_probe->node(op);
        m_probe->debug().breakpoints().toggle(m_probe->node("neg"));
        m_probe->press(Qt::Key_F5);
        QTRY_COMPARE_WITH_TIMEOUT(m_probe->debug().state(), State::Over, 60000);
        const QString line =
            "the model's process ended in node " + op + " (torch.ops.fxdeadly." + op + "): " + why;
        QVERIFY2(endText(m_probe->debug().run().state()).startsWith(line),
                 qPrintable(endText(m_probe->debug().run().state())));
        QCOMPARE(m_probe->debug().run().state().faultyNode(), deadly);
        QVERIFY2(m_probe->statusText().startsWith("the model's process ended in node " + op),
                 qPrintable(m_probe->statusText()));
        const Picture& picture = *m_probe->canvas().geometry().picture();
        QVERIFY(m_probe->canvas()
                    .states()
                    .of(picture, picture.diagram.boxOf(deadly.node))
                    .fault.startsWith(line));
        QVERIFY(problems().contains(line));
        requireNothingLost();
        QVERIFY(m_probe->debug().breakpoints().has(m_probe->node("neg")));
        // Without the node it runs to its end, in a fresh process.
        m_probe->debug().breakpoints().toggle(m_probe->node("neg"));
        m_probe->debug().breakpoints().toggle(deadly);
        m_probe->press(Qt::Key_F5);
        QTRY_COMPARE_WITH_TIMEOUT(m_probe->debug().state(), State::Paused, 60000);
        QCOMPARE(m_probe->debug().run().state().at(), deadly);
    }

    void aNodeThatNeverReturns() {
        openWith("forever");
        edit();
        const NodeRef deadly = m_probe->node("forever");
        m_probe->debug().breakpoints().toggle(deadly);
        m_probe->press(Qt::Key_F5);
        QTRY_COMPARE_WITH_TIMEOUT(m_probe->debug().state(), State::Paused, 60000);
        const int process = workerOf(QCoreApplication::applicationPid());
        QVERIFY(process > 0);
        m_probe->press(Qt::Key_F5);
        QTRY_COMPARE(m_probe->debug().state(), State::Running);
        // What it is at, and for how long; and what will end after that.
        QTRY_VERIFY2(
            QRegularExpression("^Running forever . [1-9]\\d* s$").match(m_probe->statusText()).hasMatch(),
            qPrintable(m_probe->statusText()));
        m_probe->press(Qt::Key_F5, Qt::ShiftModifier);
        QVERIFY2(m_probe->statusText().startsWith("Stopping after forever"),
                 qPrintable(m_probe->statusText()));
        QVERIFY(m_probe->statusText().endsWith("stop again to end it now"));
        QCOMPARE(m_probe->debug().state(), State::Running);
        m_probe->press(Qt::Key_F5, Qt::ShiftModifier);
        QTRY_COMPARE(m_probe->debug().state(), State::Over);
        QCOMPARE(endText(m_probe->debug().run().state()), "Stopped");
        QTRY_VERIFY(workerOf(QCoreApplication::applicationPid()) != process);
        requireNothingLost();
        // An edit while it hangs ends the run, and the window is there all the time.
        m_probe->press(Qt::Key_F5);
        QTRY_COMPARE_WITH_TIMEOUT(m_probe->debug().state(), State::Paused, 60000);
        m_probe->press(Qt::Key_F5);
        QTRY_COMPARE(m_probe->debug().state(), State::Running);
        const NodeRef neg = m_probe->node("neg");
        QCOMPARE(duplicateNodes(m_probe->workspace().document(), neg.module, {neg.node}), QString());
        QCOMPARE(m_probe->debug().state(), State::Over);
        m_probe->debug().start(true);
        QTRY_COMPARE_WITH_TIMEOUT(m_probe->debug().state(), State::Paused, 60000);
    }

    void killedByHand() {
        openWith("forever");
        edit();
        m_probe->press(Qt::Key_F10);
        QTRY_COMPARE_WITH_TIMEOUT(m_probe->debug().state(), State::Paused, 60000);
        const int process = workerOf(QCoreApplication::applicationPid());
        QVERIFY(process > 0);
        ::kill(process, SIGKILL);
        QTRY_COMPARE(m_probe->debug().state(), State::Over);
        QVERIFY2(endText(m_probe->debug().run().state()).contains("signal 9"),
                 qPrintable(endText(m_probe->debug().run().state())));
        requireNothingLost();
        m_probe->press(Qt::Key_F10);
        QTRY_COMPARE_WITH_TIMEOUT(m_probe->debug().state(), State::Paused, 60000);
        // And while nothing runs: the next run is none the wiser.
        const int fresh = workerOf(QCoreApplication::applicationPid());
        QVERIFY(fresh > 0 && fresh != process);
        m_probe->debug().stop();
        QTRY_COMPARE(m_probe->debug().state(), State::Over);
        ::kill(fresh, SIGKILL);
        QTRY_COMPARE(m_probe->statusText(), "Stopped · the values are lost");
        m_probe->press(Qt::Key_F10);
        QTRY_COMPARE_WITH_TIMEOUT(m_probe->debug().state(), State::Paused, 60000);
    }

    void aPatternThatEndsItsProcess() {
        openWith("forever");
        edit();
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            const auto isTold = [&dialog](const QString& words) {
                const QList<QLabel*> labels = dialog.findChildren<QLabel*>();
                return std::any_of(labels.begin(), labels.end(),
                                   [&](const QLabel* label) { return label->text().contains(words); });
            };
            auto& pattern = findIn<QPlainTextEdit>(dialog, "Pattern");
            pattern.setPlainText("lambda x: torch._stack([])");
            QTRY_VERIFY_WITH_TIMEOUT(isTold("its code crashed in torch._stack (signal 11)"), 30000);
            // What never ends is given up when one goes on typing.
            pattern.setPlainText("def pattern(x):\n    while True:\n        torch.ones(9).sum()\n");
            pattern.setPlainText("lambda x: x.relu()");
            QTRY_COMPARE_WITH_TIMEOUT(findIn<QListWidget>(dialog, "Matches").count(), 1, 30000);
            QVERIFY(isTold("1 place fits."));
            dialog.reject();
        });
        m_probe->window().actions().pass("replace")->trigger();
        requireNothingLost();
    }

    void theProcessGoesWithTheDocument() {
        openWith("forever");
        const int process = workerOf(QCoreApplication::applicationPid());
        QVERIFY(process > 0);
        m_probe.reset();
        QTRY_VERIFY(!QFile::exists("/proc/" + QString::number(process)));
    }

private:
    /// x -> relu -> OPERATOR -> neg, with an input and the library that has the operator.
    void openWith(const QString& op) {
        const QString path = m_folder.filePath(op + ".py");
        QFile file(path);
        QVERIFY(file.open(QFile::WriteOnly));
        file.write("import torch\n\n\ndef model(x):\n    return torch.ops.fxdeadly." + op.toUtf8() +
                   "(x.relu()).neg()\n");
        file.close();
        DebugMemory memory;
        memory.libraries = QStringList{FXSCOPE_DEADLY_OPERATORS};
        memory.inputs["x"] = "torch.ones(4)";
        Settings::saveDebugMemory(path, memory);
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            QTRY_COMPARE_WITH_TIMEOUT(findIn<QComboBox>(dialog, "Model").count(), 1, 60000);
            auto* trace = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
            QTRY_VERIFY_WITH_TIMEOUT(trace->isEnabled(), 60000);
            QTest::mouseClick(trace, Qt::LeftButton);
        });
        m_probe->open(path);
    }
    void edit() {
        QCOMPARE(renameNode(m_probe->workspace().document(), m_probe->node("relu"), "rectified"), QString());
        m_code = m_probe->code().text();
        QVERIFY(m_code.contains("rectified"));
    }
    void requireNothingLost() {
        QCOMPARE(m_probe->code().text(), m_code);
        QVERIFY(m_probe->workspace().document().undoStack().canUndo());
        QVERIFY(!m_probe->workspace().document().undoStack().isClean());
        QCOMPARE(m_probe->debug().inputs().memory().inputs.value("x"), "torch.ones(4)");
    }
    QString problems() {
        QString out;
        const QAbstractItemModel& rows = *m_probe->find<QTreeView>("Problems").model();
        for (int row = 0; row < rows.rowCount(); ++row)
            for (int column = 0; column < rows.columnCount(); ++column)
                out += rows.index(row, column).data().toString() + '\n';
        return out;
    }

    QTemporaryDir m_folder;
    QString m_code;
    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestDeaths)
} // namespace fx::ui::deaths_test
#include "tst_deaths.moc"
