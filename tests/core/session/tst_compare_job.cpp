// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons and the search for a change, made by a worker: what comes back is what the window shows.
#include "core/base/error.h"
#include "core/module/edit.h"
#include "core/session/compare_job.h"
#include "core/session/service_host.h"
#include "core/session/verify_job.h"
#include "tests/core/session/worker_probe.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>

#include <algorithm>

namespace fx::compare_job_test {

namespace {

/// x -> tanh -> relu -> output
OpenedModel chain() {
    OpenedModel out;
    Edit edit(out.model);
    edit.output(edit.callFunction("torch.relu", {edit.callFunction("torch.tanh", {edit.placeholder("x")})}));
    edit.finish();
    return out;
}

Changes putBehind(Model& model, const char* node, const char* function) {
    Edit edit(model);
    const NodeId at = edit.graph().find(node);
    const auto point = edit.insertingAfter(at);
    const NodeId fresh = edit.callFunction(function, {at});
    edit.replaceAllUsesWith(at, fresh, [&](NodeId user) { return user != fresh; });
    return edit.finish();
}

RunRequest onHalves() {
    RunRequest out;
    out.inputs["x"] = "torch.full((2, 3), 0.5)";
    return out;
}

class Told : public Progress {
public:
    void report(double, const std::string& what) override { lines.push_back(what); }
    std::vector<std::string> lines;
};

const CompareRow& rowOf(const CompareAnswer& answer, NodeId b) {
    return *std::ranges::find(answer.rows, b, &CompareRow::b);
}

} // namespace

class TestCompareJob : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aModelIsHeldAgainstAnEarlierState() {
        const OpenedModel before = chain();
        OpenedModel after = before;
        putBehind(after.model, "tanh", "torch.neg");
        CompareRequest request;
        request.run = onHalves();
        request.areIdsShared = true;
        Told told;
        const CompareAnswer answer =
            askApart(kCompareService, {after, &before}, request, told, builtWorker());
        QCOMPARE(answer.state, VerifyAnswer::State::Different);
        QCOMPARE(answer.inputs, "x f32[2, 3]");
        QVERIFY2(answer.detail.starts_with("first at node 'relu'"), answer.detail.c_str());
        QVERIFY(!told.lines.empty());
        const Graph& graph = after.model.graph();
        QCOMPARE(rowOf(answer, graph.find("tanh")).state, CompareRow::State::Equal);
        QCOMPARE(rowOf(answer, graph.find("relu")).state, CompareRow::State::Beyond);
        QCOMPARE(rowOf(answer, graph.find("relu")).a, before.model.graph().find("relu"));
        QCOMPARE(rowOf(answer, graph.find("neg")).state, CompareRow::State::OnlySecond);
        // The worst pair comes before those that are equal.
        QVERIFY(&rowOf(answer, graph.find("relu")) < &rowOf(answer, graph.find("tanh")));
        // No node says where it is: all of them are in one.
        QCOMPARE(answer.modules.size(), size_t(1));
        const CompareRow& all = answer.modules[0];
        QCOMPARE(all.name, std::string("all of the model"));
        QCOMPARE(all.state, CompareRow::State::Beyond);
        QVERIFY2(all.figures.starts_with("worst ") && all.figures.find(", mean ") != std::string::npos,
                 all.figures.c_str());
        QVERIFY(all.needed > 0 && all.scope.empty());
    }

    void anEarlierStateIsSentAsEdits() {
        const OpenedModel before = chain();
        OpenedModel after = before;
        const Changes changes = putBehind(after.model, "tanh", "torch.neg");
        CompareRequest request;
        request.run = onHalves();
        request.areIdsShared = true;
        request.toReference = {updateOf(after.model, changes, true, ModelExtent(after.model))};
        Told told;
        const CompareAnswer answer = askApart(kCompareService, {after}, request, told, builtWorker());
        request.toReference.reset();
        QCOMPARE(
            kCompareService.reply(answer).body,
            kCompareService.reply(askApart(kCompareService, {after, &before}, request, told, builtWorker()))
                .body);
        QCOMPARE(answer.state, VerifyAnswer::State::Different);
    }

    void aPairIsMadeAndBrokenByHand() {
        const OpenedModel before = chain();
        OpenedModel after = before;
        putBehind(after.model, "tanh", "torch.neg");
        CompareRequest request;
        request.run = onHalves();
        request.areIdsShared = true;
        request.byHand = {{"tanh", "neg"}};
        Told told;
        const CompareAnswer answer =
            askApart(kCompareService, {after, &before}, request, told, builtWorker());
        const CompareRow& pair = rowOf(answer, after.model.graph().find("neg"));
        QCOMPARE(pair.a, before.model.graph().find("tanh"));
        QCOMPARE(pair.match, "by hand");
        QCOMPARE(rowOf(answer, after.model.graph().find("tanh")).state, CompareRow::State::OnlySecond);
    }

    void aRunIsKeptAndComparedWith() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("run.pt").toStdString();
        OpenedModel model = chain();
        Told told;
        QVERIFY(askApart(kKeepReferenceService, {model}, {path, onHalves()}, told, builtWorker()).empty());
        CompareRequest request;
        request.referenceFile = path; // which has the inputs, too
        QCOMPARE(askApart(kCompareService, {model}, request, told, builtWorker()).state,
                 VerifyAnswer::State::Equal);
        putBehind(model.model, "tanh", "torch.neg");
        const CompareAnswer answer = askApart(kCompareService, {model}, request, told, builtWorker());
        QCOMPARE(answer.state, VerifyAnswer::State::Different);
        QCOMPARE(rowOf(answer, model.model.graph().find("relu")).a, NodeId());
        request.referenceFile = folder.filePath("none.pt").toStdString();
        QVERIFY_THROWS_EXCEPTION(Error, askApart(kCompareService, {model}, request, told, builtWorker()));
    }

    void theChangeThatMadeResultsDifferIsFound() {
        OpenedModel model = chain();
        Changes all = putBehind(model.model, "relu", "torch.relu"); // which changes nothing
        const size_t harmless = all.size();
        for (const Change& change : putBehind(model.model, "tanh", "torch.neg"))
            all.emplace_back(change);
        const VerifyRequest request{updateOf(model.model, all, true, ModelExtent(model.model)), onHalves()};
        Told told;
        const BisectAnswer answer = askApart(kBisectService, {model}, request, told, builtWorker());
        QCOMPARE(answer.changes, all.size());
        QVERIFY(answer.good >= harmless);
        QVERIFY(answer.bad > answer.good);
        QVERIFY(std::ranges::find(answer.nodes, "relu") != answer.nodes.end());
        OpenedModel same = chain();
        const VerifyRequest nothing{
            updateOf(same.model, putBehind(same.model, "relu", "torch.relu"), true, ModelExtent(same.model)),
            onHalves()};
        QVERIFY_THROWS_EXCEPTION(Error, askApart(kBisectService, {same}, nothing, told, builtWorker()));
    }
};

FX_TEST(TestCompareJob)
} // namespace fx::compare_job_test

#include "tst_compare_job.moc"
