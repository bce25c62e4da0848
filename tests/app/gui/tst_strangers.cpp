// SPDX-License-Identifier: GPL-3.0-or-later
// Models of strangers in the window: their code may crash or fill the memory while they are opened, and
// nobody's work is lost; what touches files is asked about before it runs, once.
#include "core/base/text.h"
#include "tests/app/gui/window_probe.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QMessageBox>
#include <QPushButton>
#include <QTemporaryDir>

using namespace fx;
using State = DebugService::State;

class TestStrangers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        write("plain.py", "def plain(x):\n    return x * 2\n");
        write("crash.py", "import torch\n\n\ndef crash(x):\n    torch._stack([])\n    return x\n");
        write("top.py", "import torch\n\ntorch._stack([])\n");
        write("memory.py", "import torch\n\n\ndef memory(x):\n    torch.zeros(50000, 50000)\n    return x\n");
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

    void askedBeforeFilesAreTouched() {
        trace("reads.py");
        giveInput();
        // Without leave the run stops at the node.
        answer("Run without");
        m_probe->press(Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(m_probe->debug().state() == State::Over, 30000);
        QVERIFY2(m_probe->debug().lastFault().contains("from_file"),
                 qPrintable(m_probe->debug().lastFault()));
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
        QVERIFY(!m_probe->debug().inputs().isOutsideAllowed);
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
        m_probe->debug().setInputs(memory);
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

QTEST_MAIN(TestStrangers)
#include "tst_strangers.moc"
