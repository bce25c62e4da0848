// SPDX-License-Identifier: GPL-3.0-or-later
// A model that runs in a process of its own tells what it would tell here.
#include "core/base/error.h"
#include "core/session/inputs_job.h"
#include "core/session/service_host.h"
#include "tests/core/session/worker_probe.h"
#include "tests/support/opened_case.h"
#include "tests/support/oracle.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>
#include <QFile>
#include <QTemporaryDir>

#include <future>

namespace fx::worker_test {

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

    void runsWithoutASeedDrawTheSameNumbers() {
        OpenedModel model;
        Edit edit(model.model);
        edit.output(edit.callFunction("torch.rand_like", {edit.placeholder("x")}));
        edit.finish();
        for (const bool isApart : {false, true}) {
            Heard heard(isApart);
            heard.debuggee->setModel(std::make_shared<const OpenedModel>(model));
            const auto result = [&](std::optional<uint64_t> seed) {
                RunRequest request = onOnes();
                request.seed = seed;
                heard.start(request);
                return heard.wait<Finished>().result;
            };
            const std::string first = result(std::nullopt);
            QCOMPARE(result(std::nullopt), first);
            QVERIFY(result(5) != first);
            QCOMPARE(result(std::nullopt), first);
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
        const WorkerOptions options = builtWorker();
        const auto opened = deadly("abort");
        Progress progress;
        askApart(kInputsService, {*opened}, {onOnes()}, progress, options); // the graph is not run
        RunRequest wrong = onOnes();
        wrong.inputs["x"] = "torch.ones(";
        QVERIFY_THROWS_EXCEPTION(Error, askApart(kInputsService, {*opened}, {wrong}, progress, options));
        wrong.inputs["x"] = "torch.ops.fxdeadly.signal(torch.ones(3), 11)";
        try {
            askApart(kInputsService, {*opened}, {wrong}, progress, options);
            QFAIL("it has died");
        } catch (const Error& error) {
            QVERIFY2(std::string(error.what()).find("signal 11") != std::string::npos, error.what());
        }
        wrong.inputs["x"] = "torch.ops.fxdeadly.forever(torch.ones(3))";
        progress.cancel();
        QVERIFY_THROWS_EXCEPTION(Cancelled, askApart(kInputsService, {*opened}, {wrong}, progress, options));
    }

    void filesAreAllowedToOneRunOfOneModel() {
        Heard heard(true);
        OpenedModel model;
        Edit edit(model.model);
        edit.output(edit.callFunction("torch.relu", {edit.placeholder("x")}));
        edit.finish();
        const auto opened = std::make_shared<const OpenedModel>(model);
        const auto workerOf = [&](bool isAllowed) {
            RunRequest request;
            request.inputs["x"] = "torch.ones(2)";
            request.pausesAtEntry = false;
            request.isOutsideAllowed = isAllowed;
            heard.start(request);
            heard.wait<Finished>();
            return workers();
        };
        heard.debuggee->setModel(opened);
        const std::set<int> plain = workerOf(false), allowed = workerOf(true);
        QCOMPARE(plain.size(), size_t(1));
        QVERIFY(allowed != plain);
        QCOMPARE(workerOf(true), allowed);
        const std::set<int> again = workerOf(false);
        QVERIFY(again != allowed && again.size() == 1);
        QCOMPARE(workerOf(false), again);
        // Another model gets a process that was never allowed anything.
        const std::set<int> before = workerOf(true);
        heard.debuggee->setModel(opened);
        QTRY_VERIFY(workers().size() == 1 && workers() != before);
    }

    void aMissingProgramIsTold() {
        WorkerOptions options;
        options.program = "/nowhere/fxscope-worker";
        std::promise<std::string> told;
        WorkerDebuggee debuggee(options, [&](int run, const DebugEvent& event) {
            if (const auto* failed = std::get_if<Failed>(&event); failed && run == 1)
                told.set_value(failed->message);
        });
        debuggee.setModel(deadly("abort"));
        debuggee.start(1, onOnes());
        const std::string message = told.get_future().get();
        QVERIFY2(message.find("cannot be started: /nowhere/fxscope-worker") != std::string::npos,
                 message.c_str());
    }
};

FX_TEST(TestWorker)
} // namespace fx::worker_test
#include "tst_worker.moc"
