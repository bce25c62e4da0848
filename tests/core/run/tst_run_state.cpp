// SPDX-License-Identifier: GPL-3.0-or-later
// The state machine of a run: sequences of requests, commands and events, and the state after them.
#include "core/base/text.h"
#include "core/run/run_state.h"
#include "core/session/run_record.h"
#include "tests/support/test_program.h"

namespace fx::run_state_test {

namespace {

Paused pausedBefore(int node, Paused::Reason reason = Paused::Reason::Step) {
    Paused out;
    out.reason = reason;
    out.frames = {{{ModuleId{0}, NodeId{node}}, ""}};
    return out;
}

/// Applies one word of a sequence: "start", "pause?" (request), "<resume" (command), "paused" (event).
RunState applied(RunState state, std::string_view word) {
    if (word == "start")
        return startedRun(state.run + 1, true);
    if (word == "attach")
        return attachedRun(7);
    if (word == "pause?")
        return wished(std::move(state), RunState::Wish::Pause);
    if (word == "stop?")
        return wished(std::move(state), RunState::Wish::Stop);
    if (word == "edit")
        return edited(std::move(state));
    if (word == "release")
        return released(std::move(state));
    if (word == "<continue")
        return next(std::move(state), DebugCommand(Resume{Resume::Mode::Continue, {}}));
    if (word == "<step")
        return next(std::move(state), DebugCommand(Resume{Resume::Mode::Step, {}}));
    if (word == "<jump")
        return next(std::move(state), DebugCommand(Jump{5, NodeId{1}}));
    if (word == "<back")
        return next(std::move(state), DebugCommand(GoBack{5, false}));
    if (word == "<back-to-stop")
        return next(std::move(state), DebugCommand(GoBack{5, true}));
    if (word == "<evaluate")
        return next(std::move(state), DebugCommand(Evaluate{5, "x"}));
    const auto event = [&]() -> DebugEvent {
        if (word == "paused")
            return pausedBefore(3);
        if (word == "paused2")
            return pausedBefore(4);
        if (word == "resumed")
            return Resumed{};
        if (word == "executed")
            return Executed{{NodeRecord{}, NodeRecord{}}};
        if (word == "recalled")
            return Executed{{NodeRecord{}, NodeRecord{}}, true};
        if (word == "finished")
            return Finished{"1", 2.5};
        if (word == "failed")
            return Failed{{ModuleId{0}, NodeId{3}}, "relu", "no", ErrorCode::None, pausedBefore(3).frames};
        if (word == "stopped")
            return Stopped{};
        if (word == "gone")
            return ValuesGone{"no"};
        if (word == "keeps")
            return GoesOn{3, ""};
        if (word == "refused")
            return Answer{5, "no such node", true};
        if (word == "refused-other")
            return Answer{4, "no such name", true};
        return MemoryReport{};
    }();
    return next(std::move(state), event);
}

RunState after(const QString& sequence) {
    RunState state;
    const std::string words = sequence.toStdString();
    for (const std::string_view word : split(words, ' '))
        if (!word.empty())
            state = applied(std::move(state), word);
    return state;
}

std::string text(const RunState& state) {
    static constexpr const char* kPhases[] = {"idle", "running", "paused", "over"};
    static constexpr const char* kWishes[] = {"", " wants-pause", " wants-stop", " wants-stop-now"};
    static constexpr const char* kEnds[] = {"", " finished", " failed", " stopped"};
    std::string out = "run " + std::to_string(state.run) + ' ' + kPhases[static_cast<int>(state.phase)];
    if (state.at().node)
        out += " at " + std::to_string(state.at().node.value);
    else if (!state.stop.frames.empty())
        out += " frames";
    out += kEnds[state.end.index()];
    out += kWishes[static_cast<int>(state.wish)];
    if (state.isResuming)
        out += " resuming";
    if (state.isStepping)
        out += " stepping";
    if (state.isCut)
        out += " cut";
    if (state.hasGoneOn)
        out += " gone-on";
    if (!state.whyGone.empty())
        out += " gone";
    if (state.ranCount != 0)
        out += " ran " + std::to_string(state.ranCount);
    return out;
}

} // namespace

class TestRunState : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void followsASequence_data() {
        QTest::addColumn<QString>("sequence");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* sequence, const char* expected) {
            QTest::newRow(sequence) << sequence << expected;
        };
        row("", "run 0 idle");
        row("start", "run 1 running stepping");
        row("start paused", "run 1 paused at 3");
        row("start executed paused <step", "run 1 paused at 3 resuming stepping ran 2");
        row("start paused <step resumed", "run 1 running stepping");
        row("start paused <continue resumed", "run 1 running");
        row("start paused <continue resumed executed memory finished", "run 1 over finished ran 2");
        row("start paused <evaluate refused", "run 1 paused at 3");
        // A refused jump leaves the run where it was; another answer does not end the wait.
        row("start paused <jump", "run 1 paused at 3 resuming stepping");
        row("start paused <jump refused-other", "run 1 paused at 3 resuming stepping");
        row("start paused <jump refused", "run 1 paused at 3");
        row("start paused <jump resumed paused2", "run 1 paused at 4");
        row("start paused <back", "run 1 paused at 3 resuming stepping");
        row("start paused <back refused", "run 1 paused at 3");
        row("start paused <back-to-stop resumed", "run 1 running");
        // A session can report a second pause without Resumed.
        row("start paused paused2", "run 1 paused at 4");
        // A finished session drops a Resume.
        row("start finished <continue", "run 1 over finished");
        row("start failed", "run 1 over frames failed");
        row("start failed start", "run 2 running stepping");
        row("start pause?", "run 1 running wants-pause stepping");
        row("start pause? paused", "run 1 paused at 3");
        row("start paused pause?", "run 1 paused at 3");
        row("start stop?", "run 1 running wants-stop stepping");
        row("start stop? stop?", "run 1 running wants-stop-now stepping");
        row("start pause? stop?", "run 1 running wants-stop stepping");
        row("start stop? paused", "run 1 paused at 3 wants-stop");
        row("start stop? paused stopped", "run 1 over stopped");
        row("start stop? finished", "run 1 over finished");
        row("finished stop?", "run 0 over finished");
        row("stop?", "run 0 idle");
        // An edit ends the run at once; late events of the debuggee do not revive it and do not tell how it
        // ended.
        row("edit", "run 0 idle");
        row("start paused edit", "run 1 over cut");
        row("start paused edit resumed paused2 failed", "run 1 over cut");
        row("start stop? edit", "run 1 over wants-stop cut");
        row("start stop? edit stopped", "run 1 over cut");
        row("start finished edit", "run 1 over finished cut");
        row("start failed edit", "run 1 over cut");
        row("start failed edit paused", "run 1 over cut");
        row("start paused edit start paused", "run 2 paused at 3");
        // The process can die after the end of the run, and a live run fails before its values are lost.
        row("start finished gone", "run 1 over finished gone");
        row("start failed gone", "run 1 over frames failed gone");
        row("start paused edit gone", "run 1 over cut gone");
        row("start paused gone", "run 1 paused at 3");
        row("start finished gone start", "run 2 running stepping");
        row("start finished gone paused", "run 1 paused at 3");
        row("start keeps executed finished", "run 1 over finished gone-on ran 2");
        // A lost connection fails the run of its client; it comes back with the connection.
        row("start paused failed paused", "run 1 paused at 3");
        row("start failed resumed", "run 1 running");
        row("attach", "run 7 running");
        row("attach recalled paused", "run 7 paused at 3");
        row("attach paused release", "run 7 idle");
        row("attach release start", "run 8 running stepping");
    }
    void followsASequence() {
        QFETCH(QString, sequence);
        QFETCH(QString, expected);
        QCOMPARE(QString::fromStdString(text(after(sequence))), expected);
    }

    void tellsWhichEventsConcernIt() {
        const RunState state = startedRun(2, false);
        QVERIFY(concerns(state, 2, Resumed{}));
        QVERIFY(!concerns(state, 1, Resumed{}));
        QVERIFY(!concerns(state, 1, Stopped{}));
        QVERIFY(concerns(state, 1, Inspection{}));
    }

    void isToldByOneEvent_data() {
        QTest::addColumn<QString>("sequence");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* sequence, const char* expected) {
            QTest::newRow(sequence) << sequence << expected;
        };
        row("start", "run 7 running");
        row("start paused", "run 7 paused at 3");
        row("start paused <step resumed", "run 7 running");
        row("start finished", "run 7 over finished");
        row("start failed", "run 7 over frames failed");
        row("start stopped", "run 7 over stopped");
    }
    void isToldByOneEvent() {
        QFETCH(QString, sequence);
        QFETCH(QString, expected);
        const std::optional<DebugEvent> event = stateEvent(after(sequence));
        QVERIFY(event);
        QCOMPARE(QString::fromStdString(text(next(attachedRun(7), *event))), expected);
        QVERIFY(!stateEvent({}));
        QVERIFY(!stateEvent(after("start paused edit")));
    }

    void aRecordRepeatsThatTheRunIsRunning() {
        RunRecord record;
        record.start(3, RunRequest());
        record.take(3, Executed{{NodeRecord{}}});
        const std::vector<DebugEvent> events = record.events();
        QVERIFY(std::get<Executed>(events.at(1)).isRecalled);
        QVERIFY(std::get_if<Resumed>(&events.back()));
    }
};

FX_TEST(TestRunState)
} // namespace fx::run_state_test
#include "tst_run_state.moc"
