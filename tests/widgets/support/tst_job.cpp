// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs: whose result is told, where, in which order, and to whom no longer.
#include "tests/support/test_program.h"
#include "widgets/support/job.h"

#include <QSignalSpy>
#include <QThread>

#include <future>

namespace fx::ui::job_test {

namespace {

/// A job that gives `value` once `gate` is opened, and tells it to `told`.
Job<int> waiting(std::shared_future<void> gate, int value, std::vector<int>& told) {
    return {QString::number(value),
            [gate, value](JobRun<int>&) {
                gate.wait();
                return value;
            },
            [&told](int result) { told.push_back(result); }};
}

Job<int> giving(int value, std::vector<int>& told) {
    return {QString::number(value), [value](JobRun<int>&) { return value; },
            [&told](int result) { told.push_back(result); }};
}

} // namespace

class TestJob : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void resultIsToldOnTheInterfacesThread() {
        JobRunner runner;
        QThread *worked = nullptr, *told = nullptr;
        QString result;
        runner.start(*this, Job<QString>{"Work",
                                         [&](JobRun<QString>&) {
                                             worked = QThread::currentThread();
                                             return QString("done");
                                         },
                                         [&](const QString& text) {
                                             told = QThread::currentThread();
                                             result = text;
                                         }});
        QVERIFY(runner.isWorking());
        QTRY_COMPARE(result, "done");
        QVERIFY(worked && worked != told);
        QCOMPARE(told, QThread::currentThread());
        QVERIFY(!runner.isWorking());
    }

    void jobsHaveTheirTurnAndNoneIsDropped() {
        JobRunner runner;
        QSignalSpy began(&runner, &JobRunner::began), ended(&runner, &JobRunner::ended);
        std::promise<void> gate;
        std::vector<int> told;
        runner.start(*this, waiting(gate.get_future(), 1, told));
        runner.start(*this, giving(2, told));
        runner.start(*this, giving(3, told));
        QCOMPARE(began.count(), 1);
        gate.set_value();
        QTRY_COMPARE(told, (std::vector<int>{1, 2, 3}));
        QCOMPARE(began.count(), 3);
        QCOMPARE(began[1][0].toString(), "2");
        QCOMPARE(ended.count(), 1);
    }

    void theNewestWins() {
        JobRunner runner;
        std::promise<void> gate;
        std::vector<int> told;
        runner.start(*this, waiting(gate.get_future(), 1, told));
        runner.startNewest(*this, giving(2, told));
        runner.startNewest(*this, giving(3, told));
        gate.set_value();
        QTRY_VERIFY(!runner.isWorking());
        QCOMPARE(told, std::vector<int>{3});
    }

    void givenUpInTheLastMoment() {
        JobRunner runner;
        std::promise<void> isDone;
        std::vector<int> told;
        Job<int> job = giving(1, told);
        job.work = [&](JobRun<int>&) {
            isDone.set_value();
            return 1;
        };
        const auto started = runner.start(*this, std::move(job));
        isDone.get_future().wait();
        started->cancel();
        QTRY_VERIFY(!runner.isWorking());
        QVERIFY(told.empty());
    }

    void onlyTheJobThatRunsIsGivenUp() {
        JobRunner runner;
        std::promise<void> gate;
        std::vector<int> told;
        runner.start(*this, waiting(gate.get_future(), 1, told));
        runner.start(*this, giving(2, told));
        runner.cancelCurrent();
        gate.set_value();
        QTRY_COMPARE(told, std::vector<int>{2});
    }

    void nothingIsToldToWhoIsGone() {
        JobRunner runner;
        std::promise<void> gate;
        std::vector<int> told;
        auto owner = std::make_unique<QObject>();
        Job<int> faulty = giving(2, told);
        faulty.work = [](JobRun<int>&) -> int { throw std::runtime_error("no"); };
        faulty.failed = [&told](const Error&) { told.push_back(-1); };
        runner.start(*owner, waiting(gate.get_future(), 1, told));
        runner.start(*owner, std::move(faulty));
        owner.reset();
        gate.set_value();
        QTRY_VERIFY(!runner.isWorking());
        QVERIFY(told.empty());
    }

    void faultIsToldInsteadOfAResult() {
        JobRunner runner;
        std::vector<int> told;
        QString fault;
        Job<int> faulty = giving(1, told), givenUp = giving(2, told);
        faulty.work = [](JobRun<int>&) -> int { throw Error("", "the disk is full"); };
        givenUp.work = [](JobRun<int>&) -> int { throw Cancelled(); };
        for (Job<int>* job : {&faulty, &givenUp})
            job->failed = [&](const Error& why) { fault += why.what(); };
        runner.start(*this, faulty);
        runner.start(*this, givenUp);
        QTRY_VERIFY(!runner.isWorking());
        QCOMPARE(fault, "the disk is full");
        QVERIFY(told.empty());
    }

    void earlyResultsAndProgressComeFirst() {
        JobRunner runner;
        QSignalSpy progress(&runner, &JobRunner::progressed);
        std::vector<int> told;
        Job<int> job = giving(3, told);
        job.work = [](JobRun<int>& run) {
            run.deliver(1);
            run.step(0.5, "half");
            run.deliver(2);
            return 3;
        };
        runner.start(*this, std::move(job));
        QTRY_COMPARE(told, (std::vector<int>{1, 2, 3}));
        QCOMPARE(progress.count(), 1);
        QCOMPARE(progress[0][1].toString(), "half");
    }

    void runnerThatGoesEndsItsJob() {
        std::vector<int> told;
        bool isOver = false;
        std::promise<void> begun;
        {
            JobRunner runner;
            Job<int> job = giving(1, told);
            job.work = [&](JobRun<int>& run) {
                begun.set_value();
                while (!run.isCancelled())
                    std::this_thread::yield();
                isOver = true;
                return 1;
            };
            runner.start(*this, std::move(job));
            begun.get_future().wait();
        }
        QVERIFY(isOver);
        QCoreApplication::processEvents();
        QVERIFY(told.empty());
    }

    /// As a dialog does that closes with what it was told.
    void whoIsToldMayEndTheRunner() {
        auto runner = std::make_unique<JobRunner>();
        std::vector<int> told;
        Job<int> job = giving(1, told);
        job.done = [&](int value) {
            told.push_back(value);
            runner.reset();
        };
        runner->start(*this, std::move(job));
        QTRY_VERIFY(!runner);
        QCOMPARE(told, std::vector<int>{1});
    }
};

FX_TEST(TestJob)
} // namespace fx::ui::job_test
#include "tst_job.moc"
