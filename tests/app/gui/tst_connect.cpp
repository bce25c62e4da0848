// SPDX-License-Identifier: GPL-3.0-or-later
// A model of another machine in the window: opened, run, edited and saved here, through lost connections and
// processes that die there.
#include "core/session/remote_client.h"
#include "tests/app/gui/window_probe.h"
#include "tests/support/debuggee_probe.h"
#include "tests/support/served_net.h"
#include "tests/support/slow_line.h"
#include "tests/support/test_program.h"
#include "widgets/document/graph_intents.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTreeView>

#include <csignal>

namespace fx::ui::connect_test {

using State = DebugService::State;

namespace {

constexpr int kLong = 60000;
enum What { FileThere, SessionThere, FileHere };

/// `fxscope serve`, at a socket in the folder.
class ServeProcess {
public:
    ServeProcess(const QTemporaryDir& folder, const QString& name)
        : m_address("unix:" + folder.filePath(name)) {
        m_process.start(FXSCOPE_BUILD "/bin/fxscope",
                        {"serve", "--listen", m_address, "--token-file", folder.filePath("token")});
        while (!m_process.canReadLine() && m_process.waitForReadyRead(kLong)) {
        }
        m_line = QString::fromUtf8(m_process.readLine());
    }
    ~ServeProcess() {
        m_process.terminate();
        m_process.waitForFinished();
    }
    bool isListening() const { return m_line.startsWith("listening at " + m_address); }
    const QString& address() const { return m_address; }
    qint64 processId() const { return m_process.processId(); }

private:
    const QString m_address;
    QProcess m_process;
    QString m_line;
};

void fill(QDialog& dialog, const QString& address, const QString& token, const QString& name,
          What what = FileThere) {
    findIn<QComboBox>(dialog, "Address").setEditText(address);
    findIn<QLineEdit>(dialog, "Token").setText(token);
    findIn<QComboBox>(dialog, "What to open").setCurrentIndex(what);
    findIn<QLineEdit>(dialog, "File or session").setText(name);
}

QPushButton& okOf(QDialog& dialog) {
    return *dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
}

QString faultIn(QDialog& dialog) {
    const auto& fault = findIn<QPlainTextEdit>(dialog, "What went wrong");
    return fault.isVisible() ? fault.toPlainText() : QString();
}

} // namespace

class TestConnect : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        QFile file(m_folder->filePath("net.py"));
        QVERIFY(file.open(QFile::WriteOnly));
        file.write(kNet);
        file.close();
        m_server = std::make_unique<ServeProcess>(*m_folder, "first");
        QVERIFY(m_server->isListening());
        QFile token(m_folder->filePath("token"));
        QVERIFY(token.open(QFile::ReadOnly));
        m_token = QString::fromUtf8(token.readAll()).trimmed();
        m_probe = std::make_unique<WindowProbe>();
    }
    void cleanup() {
        m_probe.reset();
        m_server.reset();
        m_folder.reset();
    }

    void opensRunsEditsAndSaves() {
        connectTo(m_server->address());
        QString title = m_probe->window().windowTitle();
        QVERIFY2(title.contains(": " + m_folder->filePath("net.py") + "[*]"), qPrintable(title));
        QVERIFY(!m_probe->window().actions()["reload"]->isEnabled());
        QVERIFY(m_probe->window().devices().contains("cpu"));
        m_probe->press(Qt::Key_F10);
        QVERIFY(waitForState(State::Paused));
        m_probe->press(Qt::Key_F10);
        QTRY_VERIFY_WITH_TIMEOUT(m_probe->debug().run().values().record(m_probe->node("x")), kLong);
        m_probe->say("p float(x.sum())");
        QTRY_VERIFY_WITH_TIMEOUT(m_probe->consoleText().contains("16.0"), kLong);
        rename();
        QCOMPARE(m_probe->debug().state(), State::Paused); // names end no run, and are known there
        m_probe->press(Qt::Key_F5);
        QTRY_COMPARE_WITH_TIMEOUT(m_probe->debug().state(), State::Over, kLong);
        m_probe->say("p bent.shape");
        QTRY_VERIFY_WITH_TIMEOUT(m_probe->consoleText().contains("torch.Size("), kLong);
        QVERIFY(m_probe->debug().run().values().record(m_probe->node("bent")));

        const QString path = m_folder->filePath("here.fxg");
        answerFileDialog(path);
        m_probe->press(Qt::Key_S, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(m_probe->toast(), "Saved here.fxg", kLong);
        QVERIFY(m_probe->window().windowTitle().startsWith("here.fxg[*]"));
        QVERIFY(!m_probe->window().isWindowModified());
        runToTheEnd();
        QCOMPARE(Settings::remoteAddresses(), QStringList{m_server->address()});
        QFile settings(Settings::path());
        QVERIFY(settings.open(QFile::ReadOnly));
        const QByteArray kept = settings.readAll();
        QVERIFY(kept.contains(m_server->address().toUtf8()) && !kept.contains(m_token.toUtf8()));
        m_probe->open(path);
        QVERIFY(m_probe->node("bent").node && !m_probe->debug().place().host());
    }

    void theProcessThereDies() {
        connectTo(m_server->address());
        m_probe->press(Qt::Key_F10);
        QVERIFY(waitForState(State::Paused));
        const int process = workerOf(m_server->processId());
        QVERIFY(process > 0);
        ::kill(process, SIGKILL);
        QVERIFY(waitForState(State::Over));
        QVERIFY2(endText(m_probe->debug().run().state()).contains("signal 9"),
                 qPrintable(endText(m_probe->debug().run().state())));
        m_probe->press(Qt::Key_F10);
        QVERIFY(waitForState(State::Paused));
    }

    void aLostConnectionIsMadeAgain() {
        SlowLine line(utf8(m_server->address()));
        connectTo(qt(line.address()));
        m_probe->press(Qt::Key_F10);
        QVERIFY(waitForState(State::Paused));
        const NodeRef first = m_probe->debug().run().state().at();
        m_probe->press(Qt::Key_F10);
        QTRY_VERIFY_WITH_TIMEOUT(
            m_probe->debug().state() == State::Paused && m_probe->debug().run().state().at() != first, kLong);
        const NodeRef at = m_probe->debug().run().state().at();
        line.setClosed(true);
        QTRY_VERIFY(m_probe->debug().place().fault().endsWith("is lost; trying again"));
        QVERIFY(m_probe->statusText().startsWith("the connection to "));
        QVERIFY(problems().contains("is lost; trying again"));
        line.setClosed(false);
        QTRY_COMPARE_WITH_TIMEOUT(m_probe->debug().place().fault(), "", kLong);
        QVERIFY(waitForState(State::Paused));
        QCOMPARE(m_probe->debug().run().state().at(), at);
        QVERIFY(!problems().contains("is lost"));
        runToTheEnd();
    }

    /// What was edited is done again there, in a fresh session.
    void aServerIsStartedAnew() {
        const QString way = m_folder->filePath("way");
        QVERIFY(QFile::link(m_folder->filePath("first"), way));
        SlowLine line("unix:" + utf8(way));
        connectTo(qt(line.address()));
        rename();
        m_probe->press(Qt::Key_F10);
        QVERIFY(waitForState(State::Paused));
        const ServeProcess second(*m_folder, "second");
        QVERIFY(second.isListening());
        line.setClosed(true);
        QVERIFY(QFile::remove(way) && QFile::link(m_folder->filePath("second"), way));
        line.setClosed(false);
        QVERIFY(waitForState(State::Over));
        QVERIFY2(endText(m_probe->debug().run().state()).contains("the run is gone with it"),
                 qPrintable(endText(m_probe->debug().run().state())));
        QTRY_COMPARE_WITH_TIMEOUT(m_probe->debug().place().fault(), "", kLong);
        runToTheEnd();
        QVERIFY(m_probe->debug().run().values().record(m_probe->node("bent")));
    }

    void takesUpASession() {
        std::string session;
        NodeRef at;
        {
            const auto host = RemoteHost::connect(utf8(m_server->address()), utf8(m_token));
            host->open({utf8(net()), {}, {}});
            DebuggeeProbe client([&](Debuggee::Listener listen) {
                return std::make_unique<RemoteDebuggee>(host, RemoteOptions(), std::move(listen));
            });
            RunRequest request;
            request.inputs["x"] = "torch.ones(2, 8)";
            client.start(request);
            client.wait<Paused>();
            at = client.step();
            session = host->session();
            host->keepSession();
        }
        requireClosed();
        m_probe->window().connectToHost({utf8(m_server->address()), utf8(m_token), session, {}, false});
        QVERIFY(m_probe->window().workspace());
        QVERIFY(waitForState(State::Paused));
        QCOMPARE(m_probe->debug().run().state().at(), at);
        runToTheEnd();
    }

    void sendsAFileOfThisMachine() {
        connectTo(m_server->address(), FileHere);
        QVERIFY(m_probe->window().windowTitle().contains("fxscope-uploaded"));
        runToTheEnd();
    }

    void leavesWhatIsBeingOpened() {
        m_probe->window().openFile(samplePath("resnet"));
        requireClosed();
        m_probe->window().connectToHost(
            {utf8(m_server->address()), utf8(m_token), {}, {utf8(net()), {}, {}}, false});
        const auto& tabs = m_probe->find<QTabBar>("Models");
        const auto has = [&](const QString& words) {
            for (int i = 0; i < tabs.count(); ++i)
                if (tabs.tabText(i).contains(words))
                    return true;
            return false;
        };
        QTRY_VERIFY_WITH_TIMEOUT(has("resnet.pt2") && has("net.py"), kLong);
    }

    void saysWhatIsWrong() {
        withDialog([this](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog), again = closingIfFailed(dialog);
            const auto tell = [&](const QString& address, const QString& token, const QString& name) {
                fill(dialog, address, token, name);
                QTest::mouseClick(&okOf(dialog), Qt::LeftButton);
                return QTest::qWaitFor([&] { return okOf(dialog).isEnabled(); }, kLong) ? faultIn(dialog)
                                                                                        : QString();
            };
            const QString address = m_server->address();
            QVERIFY(tell(address, "", net()).contains("The token is missing"));
            QVERIFY2(tell(address, "wrong", net()).contains("the token is wrong"),
                     qPrintable(faultIn(dialog)));
            QVERIFY2(tell("unix:" + m_folder->filePath("nobody"), m_token, net())
                         .contains("cannot be connected to"),
                     qPrintable(faultIn(dialog)));
            QVERIFY2(tell("nonsense", m_token, net()).contains("is no address"), qPrintable(faultIn(dialog)));
            QVERIFY2(tell(address, m_token, "/nowhere/net.pt2").contains("/nowhere/net.pt2"),
                     qPrintable(faultIn(dialog)));
            dialog.reject();
        });
        m_probe->window().actions()["connectToHost"]->trigger();
        QVERIFY(!m_probe->window().workspace());
        QVERIFY(Settings::remoteAddresses().isEmpty());
    }

    void isCancelledWhileNobodyAnswers() {
        const ListeningSocket silent("127.0.0.1:0");
        withDialog([&](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog), again = closingIfFailed(dialog);
            fill(dialog, qt(silent.address()), m_token, net());
            QTest::mouseClick(&okOf(dialog), Qt::LeftButton);
            QVERIFY(!okOf(dialog).isEnabled());
            dialog.reject();
            QVERIFY(dialog.isVisible() && okOf(dialog).isEnabled());
            QCOMPARE(faultIn(dialog), "");
            dialog.reject();
        });
        m_probe->window().actions()["connectToHost"]->trigger();
        QVERIFY(!m_probe->window().workspace());
    }

private:
    QString net() const { return m_folder->filePath("net.py") + ":Net(8)"; }
    /// The next dialog must go by itself.
    void requireClosed() {
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog), again = closingIfFailed(dialog);
            QTRY_VERIFY2_WITH_TIMEOUT(!dialog.isVisible(), qPrintable(faultIn(dialog)), kLong);
        });
    }
    /// As a user does.
    void connectTo(const QString& address, What what = FileThere) {
        withDialog([&](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog), again = closingIfFailed(dialog);
            fill(dialog, address, m_token, net(), what);
            QTest::mouseClick(&okOf(dialog), Qt::LeftButton);
            QTRY_VERIFY2_WITH_TIMEOUT(!dialog.isVisible(), qPrintable(faultIn(dialog)), kLong);
        });
        m_probe->window().actions()["connectToHost"]->trigger();
        QVERIFY(m_probe->window().workspace());
        QVERIFY(m_probe->waitForLayout());
        DebugMemory memory = m_probe->debug().inputs().memory();
        memory.inputs["x"] = "torch.ones(2, 8)";
        m_probe->debug().inputs().set(memory);
    }
    void rename() {
        QCOMPARE(renameNode(m_probe->workspace().document(), m_probe->node("relu"), "bent"), QString());
    }
    bool waitForState(State state) {
        return QTest::qWaitFor([&] { return m_probe->debug().state() == state; }, kLong);
    }
    void runToTheEnd() {
        m_probe->press(Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(runText(m_probe->debug()).startsWith("Finished"), kLong);
    }
    QString problems() {
        QString out;
        const QAbstractItemModel& rows = *m_probe->find<QTreeView>("Problems").model();
        for (int row = 0; row < rows.rowCount(); ++row)
            for (int column = 0; column < rows.columnCount(); ++column)
                out += rows.index(row, column).data().toString() + '\n';
        return out;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<ServeProcess> m_server;
    std::unique_ptr<WindowProbe> m_probe;
    QString m_token;
};

FX_TEST(TestConnect)
} // namespace fx::ui::connect_test
#include "tst_connect.moc"
