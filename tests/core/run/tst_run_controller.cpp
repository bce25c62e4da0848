// SPDX-License-Identifier: GPL-3.0-or-later
// One run in the hands of its controller: stepping, edits and going on after them.
#include "core/module/edit.h"
#include "core/run/event_queue.h"
#include "core/run/run_controller.h"
#include "core/session/debuggee.h"
#include "tests/support/test_program.h"

namespace fx::run_controller_test {

namespace {

using Phase = RunState::Phase;
using Mode = Resume::Mode;

/// x -> relu -> add(1) -> neg -> output, of x = ones(2), run in this process.
class Controlled {
public:
    Controlled() {
        Edit edit(opened->model);
        relu = edit.callFunction("torch.relu", {edit.placeholder("x")});
        add = edit.callFunction("torch.add", {relu, int64_t(1)});
        neg = edit.callFunction("torch.neg", {add});
        edit.output(neg);
        edit.finish();
        request.inputs["x"] = "torch.ones(2)";
        run.setDebuggee(std::make_unique<LocalDebuggee>(m_events.listener()));
        run.debuggee().setModel(std::make_shared<const OpenedModel>(*opened));
    }

    NodeRef at(NodeId node) const { return {opened->model.root(), node}; }
    /// Passes events to the controller until the run is in that phase, and no command is under way.
    void wait(Phase phase) {
        while (run.state().phase != phase || run.state().isBusy())
            takeOne();
    }
    void takeOne() {
        const auto reported = m_events.take(std::chrono::seconds(60));
        if (!reported)
            throw std::runtime_error("no event arrives");
        const auto& [number, event] = *reported;
        if (!run.take(number, event))
            return;
        if (const auto* finished = std::get_if<Finished>(&event))
            result = finished->result;
        if (std::get_if<Paused>(&event))
            run.resumeWaiting();
    }
    void resume(Mode mode) {
        run.resume({mode, {}}, [this] { return request; });
    }
    Changes setAddend(int64_t value) {
        Edit edit(opened->model);
        edit.setArgs(add, {relu, value});
        const Changes changes = edit.finish();
        run.follow(updateOf(opened->model, changes, false, ModelExtent(opened->model)));
        return changes;
    }
    void takeBack(const Changes& changes) {
        undo(opened->model, changes);
        run.follow(updateOf(opened->model, changes, true, ModelExtent(opened->model)));
    }

    const std::shared_ptr<OpenedModel> opened = std::make_shared<OpenedModel>();
    NodeId relu, add, neg;
    RunRequest request;
    std::string result; ///< of the last run that finished

private:
    EventQueue m_events;

public:
    RunController run{[this]() -> const Model& { return opened->model; }};
};

} // namespace

class TestRunController : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void runsAndForgets() {
        Controlled c;
        c.request.pausesAtEntry = false;
        c.run.start(c.request);
        c.wait(Phase::Over);
        QCOMPARE(c.result, std::string("tensor([-2., -2.])"));
        QCOMPARE(c.run.values().order().size(), size_t(5));
        c.request.pausesAtEntry = true;
        c.run.start(c.request);
        QVERIFY(c.run.values().isEmpty());
        c.wait(Phase::Paused);
        QCOMPARE(c.run.state().at(), c.at(c.relu));
    }

    void stepsWaitForEachOther() {
        Controlled c;
        for (int i = 0; i < 3; ++i) // the first one starts the run
            c.resume(Mode::Next);
        while (c.run.state().at() != c.at(c.neg))
            c.takeOne();
        c.wait(Phase::Paused);
        QCOMPARE(c.run.state().at(), c.at(c.neg));
    }

    void goesOnAfterAnEdit() {
        Controlled c;
        c.resume(Mode::Continue);
        c.wait(Phase::Over);
        c.setAddend(5);
        QVERIFY(c.run.isOutdated());
        QVERIFY(c.run.values().stale().contains(c.at(c.neg)) &&
                !c.run.values().stale().contains(c.at(c.relu)));
        c.resume(Mode::Continue);
        c.wait(Phase::Over);
        QCOMPARE(c.result, std::string("tensor([-6., -6.])"));
        QVERIFY(c.run.state().hasGoneOn && !c.run.isOutdated());
        QCOMPARE(c.run.state().ranCount, size_t(4)); // all but relu
        // Other inputs make all nodes run.
        c.setAddend(6);
        c.request.inputs["x"] = "torch.zeros(2)";
        c.resume(Mode::Continue);
        c.wait(Phase::Over);
        QVERIFY(!c.run.state().hasGoneOn);
        QCOMPARE(c.result, std::string("tensor([-6., -6.])"));
    }

    void anEditWhilePausedEndsTheRunAndKeepsItsValues() {
        Controlled c;
        c.run.start(c.request);
        c.wait(Phase::Paused);
        c.run.runTo(c.at(c.neg), c.request);
        c.wait(Phase::Paused);
        c.setAddend(2);
        QVERIFY(c.run.state().isOver() && c.run.state().isCut);
        c.resume(Mode::Continue);
        c.wait(Phase::Over);
        QCOMPARE(c.result, std::string("tensor([-3., -3.])"));
        QCOMPARE(c.run.state().ranCount, size_t(4));
    }

    /// Both edits were made before the run, so the graph is another one after each of the two steps back.
    void undoingEditsFromBeforeTheRunLeavesStaleValues() {
        Controlled c;
        const Changes first = c.setAddend(2), second = c.setAddend(3);
        c.resume(Mode::Continue);
        c.wait(Phase::Over);
        QCOMPARE(c.result, std::string("tensor([-4., -4.])"));
        for (const Changes* changes : {&second, &first}) {
            c.takeBack(*changes);
            QVERIFY(c.run.isOutdated());
            QCOMPARE(c.run.values().stale().count(c.at(c.add)), size_t(1));
        }
        c.resume(Mode::Continue);
        c.wait(Phase::Over);
        QCOMPARE(c.result, std::string("tensor([-2., -2.])"));
        // An edit that is taken back leaves the values fresh.
        c.takeBack(c.setAddend(7));
        QVERIFY(!c.run.isOutdated() && c.run.values().stale().empty());
    }

    /// Views look up the nodes that ran again.
    void aRemovedNodeThatRanAgainIsNotReported() {
        Model model;
        Edit edit(model);
        edit.placeholder("x");
        const NodeRef relu{model.root(), edit.callFunction("torch.relu", {})};
        RunValues values;
        const Executed executed{{NodeRecord{relu, {}, {}, 1}}};
        QVERIFY(values.take(executed, model, false).empty());
        QCOMPARE(values.take(executed, model, false), (std::set<NodeRef>{relu}));
        edit.eraseNode(relu.node);
        QVERIFY(values.take(executed, model, true).empty());
    }

    void repliesReachWhoAsked() {
        Controlled c;
        std::vector<std::string> answers;
        const auto keep = [&](const Answer& answer) { answers.push_back(answer.text); };
        QCOMPARE(c.run.ask(Evaluate{0, "1"}, keep), 0); // nothing runs that could answer
        c.run.start(c.request);
        c.wait(Phase::Paused);
        c.run.ask(Evaluate{0, "1 + 1"}, keep);
        c.run.ask(Evaluate{0, "x"}, keep);
        while (c.run.isAsking())
            c.takeOne();
        QCOMPARE(answers, (std::vector<std::string>{"2", "tensor([1., 1.])"}));
        // Another run drops what is not answered yet.
        c.run.ask(Evaluate{0, "3"}, keep);
        c.run.start(c.request);
        QVERIFY(!c.run.isAsking());
        c.wait(Phase::Paused);
        QCOMPARE(answers.size(), size_t(2));
    }

    void aNodeRunsAgain() {
        Controlled c;
        c.resume(Mode::Continue);
        c.wait(Phase::Over);
        c.run.restartFrom(c.at(c.neg), c.request);
        c.wait(Phase::Paused);
        QCOMPARE(c.run.state().at(), c.at(c.neg));
        QCOMPARE(c.run.state().ranCount, size_t(1)); // the input
        c.resume(Mode::Continue);
        c.wait(Phase::Over);
        QCOMPARE(c.run.state().ranCount, size_t(3));
    }
};

FX_TEST(TestRunController)
} // namespace fx::run_controller_test
#include "tst_run_controller.moc"
