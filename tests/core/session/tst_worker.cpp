// SPDX-License-Identifier: GPL-3.0-or-later
// A model that runs in a process of its own tells what it would tell here, and when that process dies,
// however it does, the run has failed at its node and the next one works.
#include "core/base/error.h"
#include "core/module/edit.h"
#include "core/session/worker_jobs.h"
#include "tests/support/debuggee_probe.h"
#include "tests/support/opened_case.h"
#include "tests/support/oracle.h"

#include <ATen/ATen.h>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>
#include <future>

using namespace fx;

namespace {

/// Here, or in a process of its own.
class Heard : public DebuggeeProbe {
public:
    explicit Heard(bool isApart, WorkerOptions options = {})
        : DebuggeeProbe([&](Debuggee::Listener listen) -> std::unique_ptr<Debuggee> {
              if (!isApart)
                  return std::make_unique<LocalDebuggee>(std::move(listen));
              options.program = FXSCOPE_BUILD "/bin/fxscope-worker";
              return std::make_unique<WorkerDebuggee>(options, std::move(listen));
          }),
          worker(dynamic_cast<WorkerDebuggee*>(debuggee.get())) {}

    WorkerDebuggee* const worker;
};

/// x -> relu -> OPERATOR -> neg -> output
std::shared_ptr<const OpenedModel> deadly(const std::string& op, Arguments more = {}) {
    OpenedModel out;
    Edit edit(out.model);
    const NodeId x = edit.placeholder("x");
    Arguments args{edit.callFunction("torch.relu", {x})};
    args.insert(args.end(), more.begin(), more.end());
    edit.output(edit.callMethod("neg", {edit.callFunction("torch.ops.fxdeadly." + op + ".default", args)}));
    edit.finish();
    return std::make_shared<const OpenedModel>(std::move(out));
}

RunRequest onOnes(bool pauses = false) {
    RunRequest out;
    out.inputs["x"] = "torch.ones(3)";
    out.pausesAtEntry = pauses;
    out.libraries = {FXSCOPE_DEADLY_OPERATORS};
    return out;
}

NodeRef nodeNamed(const OpenedModel& opened, const std::string& name) {
    return {opened.model.root(), opened.model.graph().find(name)};
}

/// kill() of what is no process would be everybody.
void killIt(int process) {
    if (process <= 0)
        throw std::runtime_error("there is no process to kill");
    ::kill(process, SIGKILL);
}

/// That the debuggee works, with a model that does nothing deadly.
bool works(Heard& heard) {
    OpenedModel tame;
    Edit edit(tame.model);
    edit.output(edit.callMethod("neg", {edit.placeholder("x")}));
    edit.finish();
    heard.debuggee->setModel(std::make_shared<const OpenedModel>(std::move(tame)));
    heard.start(onOnes());
    return heard.wait<Finished>().result == "tensor([-1., -1., -1.])";
}

} // namespace

class TestWorker : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tellsWhatASessionHereTells_data() { addOracleRows(); }
    void tellsWhatASessionHereTells() {
        QFETCH(QString, name);
        if (name.startsWith("dtypes"))
            QSKIP("shows memory that nobody has written to (empty_like)");
        const auto opened = std::make_shared<const OpenedModel>(openOracle(name.toStdString()));
        Heard here(false), there(true);
        here.debuggee->setModel(opened);
        there.debuggee->setModel(opened);
        RunRequest request;
        request.seed = 7;
        const std::string expected = storyOf(here, *opened, request);
        QVERIFY(expected.find("finished") != std::string::npos ||
                expected.find("failed") != std::string::npos);
        FX_SAME(textDifference(storyOf(there, *opened, request), expected));
    }

    void aTensorOfTheModelIsSavedWithoutARun() {
        const QTemporaryDir folder;
        OpenedModel model;
        Edit edit(model.model);
        edit.placeholder("x");
        const TensorId w = edit.createTensor(TensorSlot(at::arange(3.0)));
        edit.setTensor("w", w, TensorRole::Parameter);
        edit.output(edit.getAttr("w"));
        edit.finish();
        for (const bool isApart : {false, true}) {
            Heard heard(isApart);
            heard.debuggee->setModel(std::make_shared<const OpenedModel>(model));
            const std::string path = folder.filePath(isApart ? "a.npy" : "b.npy").toStdString();
            const auto saved = std::get<Answer>(heard.ask(SaveValue{1, {}, path, false, w}));
            QVERIFY2(!saved.isError, saved.text.c_str());
            QFile file(QString::fromStdString(path));
            QVERIFY(file.open(QFile::ReadOnly));
            const float last = 2;
            QVERIFY(file.readAll().endsWith(QByteArray(reinterpret_cast<const char*>(&last), sizeof last)));
            const auto none = std::get<Answer>(heard.ask(SaveValue{2, {}, path, false, TensorId{99}}));
            QCOMPARE(none.text, std::string("it is not in the model"));
            QVERIFY(none.isError);
        }
    }

    void smallPicturesComeWithAValue() {
        Heard heard(true);
        const auto opened = deadly("abort");
        heard.debuggee->setModel(opened);
        heard.start(onOnes(true));
        heard.wait<Paused>();
        heard.debuggee->send(Resume{Resume::Mode::Until, nodeNamed(*opened, "abort_default")});
        heard.wait<Paused>();
        // Of those that have a tensor by now; the node itself need not have one.
        const NodeRef x = nodeNamed(*opened, "x"), relu = nodeNamed(*opened, "relu"),
                      neg = nodeNamed(*opened, "neg");
        const auto found =
            std::get<Inspection>(heard.ask(Inspect{1, neg, {}, {}, false, {x, relu, neg, NodeRef()}}));
        QVERIFY(!found.absence.empty());
        QCOMPARE(found.beside.size(), size_t(2));
        QVERIFY(found.beside[0].node == x && found.beside[1].node == relu);
        QCOMPARE(found.beside[1].picture.columns, int64_t(3));
        QCOMPARE(found.beside[1].picture.cell(0, 2), 1.0);
    }

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
        heard.debuggee->stop();
        heard.wait<Stopped>();
        QVERIFY(works(heard));
        QVERIFY(heard.worker->processId() != process);
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
            const auto gone = [&] {
                return !std::get<Inspection>(heard.ask(Inspect{1, nodeNamed(*opened, "x")})).absence.empty();
            };
            QTRY_VERIFY(gone());
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

    void aValueIsReadFromAFile() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("relu.npy").toStdString();
        Heard heard(true);
        const auto opened = deadly("signal", {int64_t(0)});
        heard.debuggee->setModel(opened);
        heard.start(onOnes(true));
        heard.wait<Paused>();
        heard.debuggee->send(Resume{Resume::Mode::Step, {}});
        heard.wait<Paused>();
        const NodeRef relu = nodeNamed(*opened, "relu");
        heard.debuggee->send(SaveValue{1, relu, path});
        QVERIFY(!heard.wait<Answer>().isError);
        heard.debuggee->send(SetValue{2, relu, "relu * 0"});
        QVERIFY(!heard.wait<Answer>().isError);
        heard.debuggee->send(SetValue{3, relu, '@' + path});
        const auto set = heard.wait<Answer>();
        QVERIFY2(!set.isError, set.text.c_str());
        heard.debuggee->send(Evaluate{4, "relu.tolist()"});
        QVERIFY(heard.wait<Answer>().text.find("1.0") != std::string::npos);
        heard.debuggee->send(SetValue{5, relu, "@/gone.npy"});
        QVERIFY(heard.wait<Answer>().isError);
    }

    void aRunKeepsTheModelThatItBeganWith() {
        for (const bool isApart : {false, true}) {
            Heard heard(isApart);
            const auto opened = deadly("signal", {int64_t(0)}); // signal 0 is none
            heard.debuggee->setModel(opened);
            heard.start(onOnes(true));
            heard.wait<Paused>();
            heard.debuggee->setModel(std::make_shared<const OpenedModel>());
            heard.debuggee->send(Resume{Resume::Mode::Continue, {}});
            QCOMPARE(heard.wait<Finished>().result, std::string("tensor([-1., -1., -1.])"));
        }
    }

    void whatIsWrongWithARequestIsTold() {
        for (const bool isApart : {false, true}) {
            Heard heard(isApart);
            heard.debuggee->setModel(deadly("abort"));
            RunRequest request = onOnes();
            request.device = "moon";
            heard.start(request);
            const auto failed = heard.wait<Failed>();
            QVERIFY2((failed.place + failed.message).find("moon") != std::string::npos,
                     failed.message.c_str());
            request = onOnes();
            request.libraries = {"/nowhere/operators.so"};
            heard.start(request);
            QVERIFY(heard.wait<Failed>().place.find("/nowhere/operators.so") != std::string::npos);
            request = onOnes();
            request.inputs["x"] = "torch.ones(";
            heard.start(request);
            heard.wait<Failed>();
            QVERIFY(works(heard));
        }
    }

    void whatALibraryMayMendIsToldApart() {
        for (const bool isApart : {false, true}) {
            Heard heard(isApart);
            for (const auto& [op, code] :
                 {std::pair{"torch.ops.fxnowhere.act.default", ErrorCode::NeedsLibrary},
                  std::pair{"torch.det", ErrorCode::None}}) {
                OpenedModel out;
                Edit edit(out.model);
                edit.output(edit.callFunction(op, {edit.placeholder("x")}));
                edit.finish();
                heard.debuggee->setModel(std::make_shared<const OpenedModel>(std::move(out)));
                heard.start(onOnes());
                QVERIFY(heard.wait<Failed>().code == code);
            }
        }
    }

    void inputsAreTriedWithoutARun() {
        WorkerOptions options;
        options.program = FXSCOPE_BUILD "/bin/fxscope-worker";
        const auto opened = deadly("abort");
        Progress progress;
        tryInputs(opened, onOnes(), progress, options); // the graph is not run
        RunRequest wrong = onOnes();
        wrong.inputs["x"] = "torch.ones(";
        QVERIFY_THROWS_EXCEPTION(Error, tryInputs(opened, wrong, progress, options));
        wrong.inputs["x"] = "torch.ops.fxdeadly.signal(torch.ones(3), 11)";
        try {
            tryInputs(opened, wrong, progress, options);
            QFAIL("it has died");
        } catch (const Error& error) {
            QVERIFY2(std::string(error.what()).find("signal 11") != std::string::npos, error.what());
        }
        wrong.inputs["x"] = "torch.ops.fxdeadly.forever(torch.ones(3))";
        progress.cancel();
        QVERIFY_THROWS_EXCEPTION(Cancelled, tryInputs(opened, wrong, progress, options));
    }

    void aMissingProgramIsTold() {
        WorkerOptions options;
        options.program = "/nowhere/fxscope-worker";
        std::promise<std::string> told;
        WorkerDebuggee debuggee(options, [&](int run, const DebugEvent& event) {
            if (run == 1)
                told.set_value(std::get<Failed>(event).message);
        });
        debuggee.setModel(deadly("abort"));
        debuggee.start(1, onOnes());
        const std::string message = told.get_future().get();
        QVERIFY2(message.find("cannot be started: /nowhere/fxscope-worker") != std::string::npos,
                 message.c_str());
    }
};

QTEST_GUILESS_MAIN(TestWorker)
#include "tst_worker.moc"
