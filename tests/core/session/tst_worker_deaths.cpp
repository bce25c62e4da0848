// SPDX-License-Identifier: GPL-3.0-or-later
// When the process of a model dies, however it does, the run has failed at its node and the next one works.
#include "tests/core/session/worker_probe.h"
#include "tests/support/test_program.h"

#include <csignal>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fx::worker_deaths_test {

namespace {

/// kill() of what is no process would be everybody.
void killIt(int process) {
    if (process <= 0)
        throw std::runtime_error("there is no process to kill");
    ::kill(process, SIGKILL);
}

WorkerOptions noPatience() {
    WorkerOptions options;
    options.patience = std::chrono::milliseconds(1);
    return options;
}

RunRequest onLargeOnes() {
    RunRequest request = onOnes();
    request.inputs["x"] = "torch.ones(2500, 2500)";
    return request;
}

/// Gives the debuggee x -> matmul -> matmul -> output, and returns the first product.
NodeId setProducts(Heard& heard) {
    OpenedModel model;
    Edit edit(model.model);
    const NodeId x = edit.placeholder("x");
    const NodeId product = edit.callFunction("torch.matmul", {x, x});
    edit.output(edit.callFunction("torch.matmul", {product, x}));
    edit.finish();
    heard.debuggee->setModel(std::make_shared<const OpenedModel>(std::move(model)));
    return product;
}

} // namespace

class TestWorkerDeaths : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void failsAtTheNodeThatKilledIt_data() {
        QTest::addColumn<QString>("op");
        QTest::addColumn<int>("argument");
        QTest::addColumn<QString>("why");
        QTest::newRow("abort") << "abort" << -1 << "signal 6";
        QTest::newRow("segmentation fault") << "signal" << SIGSEGV << "signal 11";
        QTest::newRow("division") << "signal" << SIGFPE << "signal 8";
        QTest::newRow("killed") << "signal" << SIGKILL << "signal 9, as when it is killed or memory runs out";
        QTest::newRow("terminated") << "signal" << SIGTERM << "signal 15";
        QTest::newRow("left") << "leave" << 3 << "exit status 3";
        QTest::newRow("stack") << "overflow" << -1 << "signal 11";
        QTest::newRow("memory") << "fill" << -1 << "it took more memory than the 1.50 GB that it may";
    }
    void failsAtTheNodeThatKilledIt() {
        QFETCH(QString, op);
        QFETCH(int, argument);
        QFETCH(QString, why);
        Heard heard(true);
        const auto opened =
            deadly(op.toStdString(), argument < 0 ? Arguments() : Arguments{int64_t(argument)});
        heard.debuggee->setModel(opened);
        RunRequest request = onOnes();
        request.memoryLimitBytes = 1'500'000'000;
        heard.start(request);
        const auto failed = heard.wait<Failed>();
        const std::string name = opened->model.graph().outputNode() ? op.toStdString() + "_default" : "";
        QCOMPARE(QString::fromStdString(failed.message),
                 "the model's process ended in node " + QString::fromStdString(name) +
                     " (torch.ops.fxdeadly." + op + ".default): " + why);
        QCOMPARE(failed.node, nodeNamed(*opened, name));
        // What the run left went with the process, and whoever asks is told.
        const auto inspection = std::get<Inspection>(heard.ask(Inspect{1, nodeNamed(*opened, "relu")}));
        QCOMPARE(inspection.absence, failed.message);
        QVERIFY(std::get<Answer>(heard.ask(Evaluate{2, "relu"})).isError);
        QVERIFY(works(heard));
    }

    void aLibraryThatKillsItIsNamed() {
        Heard heard(true);
        heard.debuggee->setModel(deadly("abort"));
        RunRequest request = onOnes();
        request.libraries = {FXSCOPE_DEADLY_LIBRARY};
        heard.start(request);
        QCOMPARE(heard.wait<Failed>().message,
                 std::string("the model's process ended in " FXSCOPE_DEADLY_LIBRARY ": signal 6"));
        QVERIFY(works(heard));
    }

    void whatNeverReturnsIsStopped() {
        Heard heard(true);
        const auto opened = deadly("forever");
        heard.debuggee->setModel(opened);
        heard.start(onOnes(true));
        heard.wait<Paused>();
        heard.debuggee->send(Resume{Resume::Mode::Step, {}});
        heard.wait<Paused>();
        const int process = heard.worker->processId();
        heard.debuggee->send(Resume{Resume::Mode::Continue, {}});
        heard.waitForResumed();
        QTRY_VERIFY(heard.debuggee->running().node);
        heard.debuggee->stop(); // which waits for the node
        heard.debuggee->stop();
        heard.wait<Stopped>();
        QVERIFY(works(heard));
        QVERIFY(heard.worker->processId() != process);
    }

    /// Longer than anything else is waited for.
    void aStopWaitsForTheNode() {
        Heard heard(true, noPatience());
        const NodeId product = setProducts(heard);
        heard.start(onLargeOnes());
        QTRY_VERIFY_WITH_TIMEOUT(heard.debuggee->running().node == product, 60000);
        const int process = heard.worker->processId();
        heard.debuggee->stop();
        heard.wait<Stopped>();
        QCOMPARE(heard.worker->processId(), process);
        // What it gave is there.
        const auto answer = std::get<Answer>(heard.ask(Evaluate{1, "matmul.shape"}));
        QCOMPARE(answer.text, std::string("torch.Size([2500, 2500])"));
    }
    /// The stop is sent before the worker reports that the run was resumed.
    void aStopRightAfterAResumeWaitsForTheNode() {
        Heard heard(true, noPatience());
        setProducts(heard);
        RunRequest request = onLargeOnes();
        request.pausesAtEntry = true;
        heard.start(request);
        heard.wait<Paused>();
        const int process = heard.worker->processId();
        heard.debuggee->send(Resume{Resume::Mode::Continue, {}});
        heard.debuggee->stop();
        heard.wait<Stopped>();
        QCOMPARE(heard.worker->processId(), process);
    }

    void whatNeverReturnsGivesWayToTheNextRun() {
        Heard heard(true);
        heard.debuggee->setModel(deadly("forever"));
        heard.start(onOnes());
        QVERIFY(works(heard));
    }
    void nobodyWaitsForItAtTheEnd() {
        auto heard = std::make_unique<Heard>(true);
        heard->debuggee->setModel(deadly("forever"));
        heard->start(onOnes(true));
        heard->wait<Paused>();
        const int process = heard->worker->processId();
        heard->debuggee->send(Resume{Resume::Mode::Continue, {}});
        heard.reset();
        QVERIFY(process > 0);
        QCOMPARE(::kill(process, 0), -1);
    }

    /// Also when it is in the middle of a node that never returns.
    void itEndsWithItsProgram() {
        QCOMPARE(::prctl(PR_SET_CHILD_SUBREAPER, 1), 0); // what the program leaves is waited for here
        int ends[2];
        QCOMPARE(::pipe(ends), 0);
        const pid_t program = ::fork();
        if (program == 0) {
            Heard heard(true);
            heard.debuggee->setModel(deadly("forever"));
            heard.start(onOnes(true));
            heard.wait<Paused>();
            const int process = heard.worker->processId();
            heard.debuggee->send(Resume{Resume::Mode::Continue, {}});
            heard.waitForResumed();
            while (!heard.debuggee->running().node)
                ::sched_yield();
            const bool isTold = ::write(ends[1], &process, sizeof process) == sizeof process;
            ::kill(::getpid(), isTold ? SIGKILL : SIGTERM);
        }
        ::close(ends[1]);
        int process = -1, status = 0;
        QCOMPARE(::read(ends[0], &process, sizeof process), ssize_t(sizeof process));
        ::close(ends[0]);
        QCOMPARE(::waitpid(program, &status, 0), program);
        QCOMPARE(WTERMSIG(status), SIGKILL);
        bool isGone = false;
        const auto cleanUp = qScopeGuard([&] {
            if (!isGone)
                ::kill(process, SIGKILL);
        });
        QTRY_VERIFY(isGone = isGone || ::waitpid(process, &status, WNOHANG) == process);
    }

    /// The program reads it at any time, and a page that is cut off would end it with SIGBUS.
    void thePageCannotBeCut() {
        Heard heard(true);
        heard.debuggee->setModel(deadly("cut"));
        heard.start(onOnes());
        QCOMPARE(heard.wait<Finished>().result, std::string("tensor([-1., -1., -1.])"));
        QVERIFY(!heard.debuggee->running().node);
        QVERIFY(works(heard));
    }

    void killedByHand_data() {
        QTest::addColumn<QString>("when");
        for (const char* when : {"before", "paused", "evaluating", "setting", "over"})
            QTest::newRow(when) << QString(when);
    }
    void killedByHand() {
        QFETCH(QString, when);
        Heard heard(true);
        const auto opened = deadly("forever");
        heard.debuggee->setModel(opened);
        const auto kill = [&] { killIt(heard.worker->processId()); };
        if (when == "before") {
            QTRY_VERIFY(heard.worker->processId() > 0);
            kill();
        } else if (when == "over") {
            QVERIFY(works(heard));
            kill();
            const std::string why = heard.hear<ValuesGone>().why;
            QVERIFY2(why.starts_with("the model's process ended: signal 9"), why.c_str());
            QCOMPARE(std::get<Inspection>(heard.ask(Inspect{1, nodeNamed(*opened, "x")})).absence, why);
        } else {
            heard.start(onOnes(true));
            heard.wait<Paused>();
            heard.debuggee->send(Resume{Resume::Mode::Step, {}});
            heard.wait<Paused>();
            const int process = heard.worker->processId();
            if (when == "evaluating")
                heard.debuggee->send(Evaluate{1, "torch.ops.fxdeadly.signal(relu, 9)"});
            else if (when == "setting")
                heard.debuggee->send(
                    SetValue{1, nodeNamed(*opened, "relu"), "torch.ops.fxdeadly.signal(relu, 9)"});
            else
                killIt(process);
            const auto failed = heard.wait<Failed>();
            const QString message = QString::fromStdString(failed.message);
            QVERIFY2(message.endsWith(when == "paused"
                                          ? "while it stood before forever_default: signal 9, as when it is "
                                            "killed or memory runs out"
                                          : "while it evaluated torch.ops.fxdeadly.signal(relu, 9): signal "
                                            "9, as when it is killed or memory runs out"),
                     failed.message.c_str());
            QCOMPARE(failed.node, nodeNamed(*opened, "forever_default"));
            if (when != "paused")
                QCOMPARE(heard.wait<Answer>().text, failed.message);
        }
        QVERIFY(works(heard));
    }

    void aRunThatWaitsForADeadProcessIsStartedOnce() {
        Heard heard(true);
        QTRY_VERIFY(heard.worker->processId() > 0);
        OpenedModel large; // what keeps the run waiting while the death is noticed
        Edit edit(large.model);
        NodeId last = edit.placeholder("x");
        for (int i = 0; i < 50'000; ++i)
            last = edit.callFunction("torch.relu", {last});
        edit.output(last);
        edit.finish();
        heard.debuggee->setModel(std::make_shared<const OpenedModel>(std::move(large)));
        heard.debuggee->setModel(deadly("signal", {int64_t(0)}));
        killIt(heard.worker->processId());
        heard.start(onOnes(true));
        heard.wait<Paused>();
        heard.debuggee->send(Resume{Resume::Mode::Continue, {}});
        heard.wait<Finished>();
    }
};

FX_TEST(TestWorkerDeaths)
} // namespace fx::worker_deaths_test
#include "tst_worker_deaths.moc"
