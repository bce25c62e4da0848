// SPDX-License-Identifier: GPL-3.0-or-later
// The worker of a document has the model as it is, whatever was done to it.
#include "core/base/error.h"
#include "core/session/cost_job.h"
#include "core/session/pass_job.h"
#include "tests/support/test_program.h"
#include "widgets/document/graph_document.h"
#include "widgets/document/graph_intents.h"
#include "widgets/session/document_host.h"

#include <ATen/ATen.h>

namespace fx::ui::document_host_test {

namespace {

/// linear(x, w) -> relu -> output
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

class Host {
public:
    Host() : document(layer()), host(document) {}

    /// The worker's costs are those of the model here.
    bool fits() {
        Progress progress;
        CostRequest request;
        request.run.inputs["x"] = "torch.ones(2, 3)";
        const ModelSnapshot snapshot = host.snapshot();
        const GraphCosts there = snapshot.ask(kCostService, request, progress);
        const Message here = kCostService.serve({*snapshot.opened}, kCostService.question(request), progress);
        return kCostService.reply(there).body == here.body;
    }

    GraphDocument document;
    DocumentHost host;
};

} // namespace

class TestDocumentHost : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void editsUndoneAndDoneAgainAreFollowed() {
        Host host;
        QVERIFY(host.fits());
        const ModuleId root = host.document.model().root();
        QCOMPARE(bypassNodes(host.document, root, {host.document.model().graph().find("relu")}), QString());
        QVERIFY(host.fits());
        host.document.undoStack().undo();
        QVERIFY(host.fits());
        host.document.undoStack().redo();
        host.document.undoStack().undo();
        QVERIFY(host.fits());
    }

    void whoAsksDuringAnEditHasTheModelAfterIt() {
        Host host;
        QVERIFY(host.fits());
        bool isFitting = false;
        connect(&host.document, &GraphDocument::changed, this, [&] { isFitting = host.fits(); });
        const ModuleId root = host.document.model().root();
        QCOMPARE(bypassNodes(host.document, root, {host.document.model().graph().find("relu")}), QString());
        QVERIFY(isFitting);
        QVERIFY(host.fits());
    }

    void aRefusedEditLeavesNoOtherIds() {
        Host host;
        QVERIFY(host.fits());
        // What a refused edit has made stays in the model, and nobody is told of it.
        const QString reason = host.document.perform("Refused", host.document.model().root(), [](Edit& edit) {
            edit.createTensor(TensorSlot(at::zeros({7})));
            throw Error("", "no");
        });
        QCOMPARE(reason, QString("no"));
        QVERIFY(host.fits());
        Progress progress;
        const ModelSnapshot snapshot = host.host.snapshot();
        const PassAnswer answer = snapshot.ask(kPassService,
                                               {"set-tensor",
                                                {{"tensor", "w"}, {"value", "torch.full((4, 3), 2.0)"}},
                                                host.document.model().root(),
                                                {}},
                                               progress);
        QCOMPARE(answer.fault, std::string());
        QCOMPARE(host.document.follow("Set tensor", answer.update), QString());
        const Model& model = host.document.model();
        const at::Tensor w = model.tensor(model.resolve(model.root(), "w").tensor).value();
        QVERIFY(at::equal(w, at::full({4, 3}, 2)));
        QVERIFY(host.fits());
    }

    void aSavedModelIsSentAnew() {
        Host host;
        QVERIFY(host.fits());
        const uint64_t before = host.host.snapshot().version;
        host.document.setSaved("elsewhere.fxg", "fxg", host.document.state());
        QVERIFY(host.host.snapshot().version != before);
        QVERIFY(host.fits());
    }
};

FX_TEST(TestDocumentHost)
} // namespace fx::ui::document_host_test
#include "tst_document_host.moc"
