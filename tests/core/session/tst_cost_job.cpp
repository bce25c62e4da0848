// SPDX-License-Identifier: GPL-3.0-or-later
// Costs counted by a worker: the same as here, and nothing is believed of what comes back.
#include "core/base/error.h"
#include "core/module/edit.h"
#include "core/session/cost_job.h"
#include "core/session/service_host.h"
#include "tests/core/session/worker_probe.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

namespace fx::cost_job_test {

namespace {

/// linear(x, w) -> relu
OpenedModel layer() {
    OpenedModel out;
    Edit edit(out.model);
    edit.setTensor("w", edit.createTensor(TensorSlot(at::ones({4, 3}))), TensorRole::Parameter);
    const NodeId x = edit.placeholder("x");
    const NodeId linear = edit.callFunction("torch.nn.functional.linear", {x, edit.getAttr("w")});
    edit.output(edit.callFunction("torch.relu", {linear}));
    edit.finish();
    return out;
}

CostRequest onOnes() {
    CostRequest out;
    out.run.inputs["x"] = "torch.ones(2, 3)";
    return out;
}

} // namespace

class TestCostJob : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aWorkerCountsTheSame() {
        const OpenedModel model = layer();
        Progress progress;
        const Message here = kCostService.serve({model}, kCostService.question(onOnes()), progress);
        const GraphCosts there = askApart(kCostService, {model}, onOnes(), progress, builtWorker());
        QCOMPARE(there.total().flops, uint64_t(2 * 2 * 3 * 4));
        QCOMPARE(kCostService.reply(there).body, here.body);
        QCOMPARE(there.parameterCount, uint64_t(12));
    }

    void aFaultIsTold() {
        const OpenedModel model = layer();
        Progress progress;
        CostRequest wrong = onOnes();
        wrong.run.inputs["x"] = "torch.ones(2, 5)";
        QVERIFY_THROWS_EXCEPTION(Error, askApart(kCostService, {model}, wrong, progress, builtWorker()));
    }

    void whatIsNoAnswerIsRefused() {
        const OpenedModel model = layer();
        Progress progress;
        Message told = kCostService.serve({model}, kCostService.question(onOnes()), progress);
        GraphCosts costs = kCostService.answerFrom(told);
        kCostService.check(model, costs);
        QCOMPARE(kCostService.reply(costs).body, told.body);
        told.body.erase(0, 1);
        QVERIFY_THROWS_EXCEPTION(Error, kCostService.answerFrom(told));
        costs.parameterSizes.clear(); // which nodes name
        QVERIFY_THROWS_EXCEPTION(Error, kCostService.check(model, costs));
    }
};

FX_TEST(TestCostJob)
} // namespace fx::cost_job_test

#include "tst_cost_job.moc"
