// SPDX-License-Identifier: GPL-3.0-or-later
// Costs counted by a worker: the same as here, and nothing is believed of what comes back.
#include "core/base/error.h"
#include "core/module/edit.h"
#include "core/session/cost_job.h"
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

WorkerOptions worker() {
    WorkerOptions out;
    out.program = FXSCOPE_BUILD "/bin/fxscope-worker";
    return out;
}

} // namespace

class TestCostJob : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aWorkerCountsTheSame() {
        const OpenedModel model = layer();
        Progress progress;
        const GraphCosts here = countCosts(model, onOnes(), progress);
        const GraphCosts there = countCostsApart(model, onOnes(), progress, worker());
        QCOMPARE(there.total().flops, uint64_t(2 * 2 * 3 * 4));
        QCOMPARE(costsMessage(there).body, costsMessage(here).body);
        QCOMPARE(there.parameterCount, uint64_t(12));
    }

    void aFaultIsTold() {
        const OpenedModel model = layer();
        Progress progress;
        CostRequest wrong = onOnes();
        wrong.run.inputs["x"] = "torch.ones(2, 5)";
        QVERIFY_THROWS_EXCEPTION(Error, countCostsApart(model, wrong, progress, worker()));
    }

    void whatIsNoAnswerIsRefused() {
        Progress progress;
        const Message told = costsMessage(countCosts(layer(), onOnes(), progress));
        QCOMPARE(costsMessage(costsFrom(told.body)).body, told.body);
        QVERIFY_THROWS_EXCEPTION(Error, costsFrom(std::string_view(told.body).substr(1)));
        GraphCosts costs = costsFrom(told.body);
        costs.parameterSizes.clear(); // which nodes name
        QVERIFY_THROWS_EXCEPTION(Error, costsFrom(costsMessage(costs).body));
    }
};

FX_TEST(TestCostJob)
} // namespace fx::cost_job_test

#include "tst_cost_job.moc"
