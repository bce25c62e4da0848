// SPDX-License-Identifier: GPL-3.0-or-later
// The worker that is kept between requests: what is sent to it, and when it is another one.
#include "core/base/error.h"
#include "core/session/cost_job.h"
#include "core/session/service_host.h"
#include "tests/core/session/worker_probe.h"
#include "tests/support/test_program.h"

#include <csignal>
#include <sys/wait.h>

namespace fx::service_host_test {

namespace {

/// x -> relu -> output
OpenedModel one() {
    OpenedModel out;
    Edit edit(out.model);
    edit.output(edit.callFunction("torch.relu", {edit.placeholder("x")}));
    edit.finish();
    return out;
}

/// Puts a node in front of the output.
ModelUpdate grow(Model& model) {
    const ModelExtent before(model);
    Edit edit(model);
    const NodeId last = edit.graph().find("relu");
    const auto point = edit.insertingAfter(last);
    const NodeId fresh = edit.callMethod("neg", {last});
    edit.replaceAllUsesWith(last, fresh, [&](NodeId user) { return user != fresh; });
    return updateOf(model, edit.finish(), false, before);
}

CostRequest onTwo() {
    CostRequest out;
    out.run.inputs["x"] = "torch.ones(2, 3)";
    return out;
}

size_t counted(ServiceHost& host, const OpenedModel& model) {
    Progress progress;
    return host.ask(kCostService, {model, nullptr, host.version()}, onTwo(), progress).nodes.size();
}

} // namespace

class TestServiceHost : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QCOMPARE(workers(), std::set<int>()); }

    void theNextRequestHasTheSameWorker() {
        ServiceHost host(builtWorker());
        const OpenedModel model = one();
        const size_t nodes = counted(host, model);
        const std::set<int> kept = workers();
        QCOMPARE(kept.size(), size_t(1));
        QCOMPARE(counted(host, model), nodes);
        QCOMPARE(workers(), kept);
    }

    void editsAreSentInThePlaceOfTheModel() {
        ServiceHost host(builtWorker());
        OpenedModel model = one();
        const size_t nodes = counted(host, model);
        const std::set<int> kept = workers();
        host.follow(grow(model.model));
        host.follow(grow(model.model));
        QCOMPARE(counted(host, model), nodes + 2);
        QCOMPARE(workers(), kept);
        // The worker answers for the replica that it has: were a model sent, it would be this one.
        OpenedModel larger = model;
        grow(larger.model);
        Progress progress;
        const GraphCosts costs = kCostService.answerFrom(
            kCostService.reply(host.ask(kCostService, {larger, nullptr, host.version()}, onTwo(), progress)));
        QCOMPARE(costs.nodes.size(), nodes + 2);
    }

    void theModelIsSentWhereTheEditsAreNotKnown() {
        ServiceHost host(builtWorker());
        OpenedModel model = one();
        const size_t nodes = counted(host, model);
        grow(model.model); // of which the host is not told
        host.forgetReplica();
        QCOMPARE(counted(host, model), nodes + 1);
        for (int i = 0; i < 300; ++i) // more than it keeps
            host.follow(grow(model.model));
        QCOMPARE(counted(host, model), nodes + 301);
    }

    void anOlderStateIsSentAsAWhole() {
        ServiceHost host(builtWorker());
        OpenedModel model = one();
        const OpenedModel before = model;
        const uint64_t version = host.version();
        host.follow(grow(model.model));
        const size_t nodes = counted(host, model);
        Progress progress;
        QCOMPARE(host.ask(kCostService, {before, nullptr, version}, onTwo(), progress).nodes.size(),
                 nodes - 1);
        QCOMPARE(counted(host, model), nodes);
    }

    void aModelOfNobodyIsNotKept() {
        ServiceHost host(builtWorker());
        const OpenedModel model = one();
        Progress progress;
        host.ask(kCostService, {model}, onTwo(), progress);
        QCOMPARE(workers(), std::set<int>());
    }

    void aWorkerThatRefusesIsKept() {
        ServiceHost host(builtWorker());
        const OpenedModel model = one();
        const size_t nodes = counted(host, model);
        const std::set<int> kept = workers();
        Progress progress;
        CostRequest wrong = onTwo();
        wrong.run.inputs["x"] = "torch.ones(";
        QVERIFY_THROWS_EXCEPTION(Error,
                                 host.ask(kCostService, {model, nullptr, host.version()}, wrong, progress));
        QCOMPARE(workers(), kept);
        QCOMPARE(counted(host, model), nodes);
    }

    void aWorkerThatLostItsModelIsReplaced() {
        ServiceHost host(builtWorker());
        OpenedModel model = one();
        const size_t nodes = counted(host, model);
        const std::set<int> kept = workers();
        const ModelUpdate update = grow(model.model);
        host.follow(update);
        host.follow(update); // which does not fit any more
        QVERIFY_THROWS_EXCEPTION(Error, counted(host, model));
        QCOMPARE(workers(), std::set<int>());
        QCOMPARE(counted(host, model), nodes + 1);
        QVERIFY(workers() != kept);
    }

    void oneThatHasDiedIsReplaced() {
        ServiceHost host(builtWorker());
        const OpenedModel model = one();
        const size_t nodes = counted(host, model);
        const int ended = *workers().begin();
        ::kill(ended, SIGKILL);
        siginfo_t end;
        QCOMPARE(::waitid(P_PID, static_cast<id_t>(ended), &end, WEXITED | WNOWAIT), 0);
        QCOMPARE(counted(host, model), nodes);
    }

    void whoCancelsEndsTheWorker() {
        ServiceHost host(builtWorker());
        const OpenedModel model = one();
        counted(host, model);
        Progress progress;
        progress.cancel();
        QVERIFY_THROWS_EXCEPTION(Cancelled,
                                 host.ask(kCostService, {model, nullptr, host.version()}, onTwo(), progress));
        QCOMPARE(workers(), std::set<int>());
        host.prepare();
        QCOMPARE(workers().size(), size_t(1));
        QVERIFY_THROWS_EXCEPTION(Cancelled,
                                 host.ask(kCostService, {model, nullptr, host.version()}, onTwo(), progress));
        QCOMPARE(workers().size(), size_t(1)); // the next one
    }

    void aRequestWithOtherRightsHasAWorkerOfItsOwn() {
        ServiceHost host(builtWorker());
        const OpenedModel model = one();
        const size_t nodes = counted(host, model);
        const std::set<int> kept = workers();
        CostRequest open = onTwo();
        open.run.isOutsideAllowed = true;
        Progress progress;
        QCOMPARE(host.ask(kCostService, {model, nullptr, host.version()}, open, progress).nodes.size(),
                 nodes);
        QCOMPARE(workers(), kept);
    }

    void aRequestBesideAnotherHasAWorkerOfItsOwn() {
        ServiceHost host(builtWorker());
        const OpenedModel model = one();
        const size_t nodes = counted(host, model);
        /// Counts once more while the first request is being answered.
        struct Beside : Progress {
            Beside(ServiceHost& host, const OpenedModel& model) : host(host), model(model) {}
            void report(double, const std::string&) override {
                if (found == 0)
                    found = counted(host, model);
            }
            ServiceHost& host;
            const OpenedModel& model;
            size_t found = 0;
        } beside(host, model);
        QCOMPARE(host.ask(kCostService, {model, nullptr, host.version()}, onTwo(), beside).nodes.size(),
                 nodes);
        QCOMPARE(beside.found, nodes);
    }

    void aWorkerIsStartedBeforeItIsAsked() {
        ServiceHost host(builtWorker());
        host.prepare();
        const std::set<int> ready = workers();
        QCOMPARE(ready.size(), size_t(1));
        const OpenedModel model = one();
        QVERIFY(counted(host, model) > 0);
        QCOMPARE(workers(), ready);
    }
};

FX_TEST(TestServiceHost)
} // namespace fx::service_host_test
#include "tst_service_host.moc"
