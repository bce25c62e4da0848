// SPDX-License-Identifier: GPL-3.0-or-later
// The process that waits for the next job: who takes it, and who does not.
#include "core/session/cost_job.h"
#include "core/session/spare_worker.h"
#include "tests/core/session/worker_probe.h"
#include "tests/support/test_program.h"

#include <csignal>

namespace fx::spare_worker_test {

namespace {

const std::string kProgram = FXSCOPE_BUILD "/bin/fxscope-worker";
const std::vector<std::string> kRun{"run"}, kWithFiles{"run", "--files"};

/// A job with an answer that is known.
int64_t countedNodes() {
    OpenedModel opened;
    Edit edit(opened.model);
    edit.output(edit.callFunction("torch.relu", {edit.placeholder("x")}));
    edit.finish();
    CostRequest request;
    request.run.inputs["x"] = "torch.ones(2, 3)";
    WorkerOptions options;
    options.program = kProgram;
    Progress progress;
    return static_cast<int64_t>(countCostsApart(opened, request, progress, options).nodes.size());
}

} // namespace

class TestSpareWorker : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { keepSpareWorker(true); }
    void cleanup() {
        keepSpareWorker(false);
        QCOMPARE(workers(), std::set<int>());
    }

    void noneIsStartedUnlessItIsWanted() {
        keepSpareWorker(false);
        prepareSpareWorker(kProgram, kRun);
        QCOMPARE(workers(), std::set<int>());
    }

    void isTakenByWhoHasItsArguments() {
        prepareSpareWorker(kProgram, kRun);
        prepareSpareWorker(kProgram, kRun);
        const std::set<int> waiting = workers();
        QCOMPARE(waiting.size(), size_t(1));
        const auto other = startWorker(kProgram, kWithFiles);
        QVERIFY(!waiting.contains(other->id()));
        const auto taken = startWorker(kProgram, kRun);
        QVERIFY(waiting.contains(taken->id()));
        QVERIFY(!waiting.contains(startWorker(kProgram, kRun)->id()));
    }

    void oneThatHasEndedIsNotTaken() {
        prepareSpareWorker(kProgram, kRun);
        const int ended = *workers().begin();
        ::kill(ended, SIGKILL);
        QTRY_VERIFY(startWorker(kProgram, kRun)->id() != ended);
    }

    void aJobLeavesOneAndTakesOne() {
        const int64_t nodes = countedNodes();
        QVERIFY(nodes > 0);
        const std::set<int> waiting = workers();
        QCOMPARE(waiting.size(), size_t(1));
        QCOMPARE(countedNodes(), nodes);
        QVERIFY(workers().size() == 1 && workers() != waiting);
    }
};

FX_TEST(TestSpareWorker)
} // namespace fx::spare_worker_test
#include "tst_spare_worker.moc"
