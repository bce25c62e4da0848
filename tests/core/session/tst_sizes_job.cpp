// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes as formulas, found by a worker.
#include "core/base/error.h"
#include "core/module/edit.h"
#include "core/session/service_host.h"
#include "core/session/sizes_job.h"
#include "tests/core/session/worker_probe.h"
#include "tests/support/test_program.h"

namespace fx::sizes_job_test {

namespace {

/// view(x, -1, 2) -> relu
OpenedModel pairs() {
    OpenedModel out;
    Edit edit(out.model);
    const NodeId view = edit.callMethod("view", {edit.placeholder("x"), -1, 2});
    edit.output(edit.callFunction("torch.relu", {view}));
    edit.finish();
    return out;
}

} // namespace

class TestSizesJob : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aWorkerFindsFormulasAndWhoAsks() {
        const OpenedModel model = pairs();
        Progress progress;
        const SizesAnswer found =
            askApart(kSizesService, {model}, {{}, "x=[N]", {}}, progress, builtWorker());
        const NodeRef relu{model.model.root(), model.model.graph().find("relu")};
        QCOMPARE(valueMetaText(found.values.at(relu)), std::string("f32[(N//2), 2]"));
        QCOMPARE(found.symbols, std::vector<std::string>{"N"});
        QCOMPARE(found.asked.size(), size_t(1));
        QCOMPARE(found.asked[0].text, std::string("N % 2 == 0"));
        QCOMPARE(found.asked[0].node.node, model.model.graph().find("view"));
        const Message question = kSizesService.question({{}, "x=[N]", {}});
        QCOMPARE(kSizesService.reply(found).body, kSizesService.serve({model}, question, progress).body);
    }

    void rangesOfTheFileAreKept() {
        OpenedModel model = pairs();
        model.symbols["N"] = {4, 64};
        Progress progress;
        const SizesAnswer found =
            askApart(kSizesService, {model}, {{}, "x=[N]", rangesOf(model)}, progress, builtWorker());
        QVERIFY(!found.values.empty());
    }

    void aFaultIsTold() {
        Progress progress;
        QVERIFY_THROWS_EXCEPTION(
            Error, askApart(kSizesService, {pairs()}, {{}, "y=[N]", {}}, progress, builtWorker()));
    }
};

FX_TEST(TestSizesJob)
} // namespace fx::sizes_job_test

#include "tst_sizes_job.moc"
