// SPDX-License-Identifier: GPL-3.0-or-later
// A muted call passes its input on, in a run as in the text, and calls again as it was, whatever was edited
// meanwhile.
#include "core/codegen/python_code.h"
#include "core/interpret/interpreter.h"
#include "core/io/fxg/fxg.h"
#include "core/module/lint.h"
#include "core/module/muted.h"
#include "core/open/open.h"
#include "core/rewrite/code_edit.h"
#include "tests/support/model_state.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

namespace fx::muted_test {

namespace {

void edited(Model& model, const std::function<void(Edit&)>& work) {
    Edit edit(model);
    work(edit);
    edit.finish();
}

std::string textOf(const Model& model) {
    return PythonCode(model, model.root()).text();
}

at::Tensor runOf(const Model& model, const at::Tensor& x) {
    Interpreter interpreter(model);
    return interpreter.run({Value(c10::IValue(x))}).data().toTensor();
}

std::string reasonAgainst(Model& model, NodeId node) {
    try {
        edited(model, [&](Edit& edit) { mute(edit, node); });
    } catch (const Error& error) {
        return error.message();
    }
    return {};
}

} // namespace

class TestMuted : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void callsAgainAsItWas() {
        SmallModel m;
        const std::string before = textOf(m.model);
        edited(m.model, [&](Edit& edit) { mute(edit, m.add); });
        QVERIFY(mutedCall(m.model.graph().node(m.add)));
        QVERIFY(lint(m.model, m.model.root()).empty());
        edited(m.model, [&](Edit& edit) { unmute(edit, m.add); });
        QVERIFY(!mutedCall(m.model.graph().node(m.add)));
        QCOMPARE(textOf(m.model), before);
    }

    void passesItsInputOnInARun() {
        SmallModel m;
        const at::Tensor x = at::tensor({-1.0f, 3.0f});
        edited(m.model, [&](Edit& edit) { mute(edit, m.add); });
        QVERIFY(at::equal(runOf(m.model, x), at::relu(x)));
        edited(m.model, [&](Edit& edit) { mute(edit, m.relu); });
        QVERIFY(at::equal(runOf(m.model, x), x));
        edited(m.model, [&](Edit& edit) { unmute(edit, m.add); });
        QVERIFY(at::equal(runOf(m.model, x), x + 2));
    }

    void isOneStepOfUndo() {
        SmallModel m;
        const std::string before = textOf(m.model);
        Edit edit(m.model);
        mute(edit, m.relu);
        const Changes changes = edit.finish();
        undo(m.model, changes);
        QCOMPARE(textOf(m.model), before);
        redo(m.model, changes);
        QVERIFY(mutedCall(m.model.graph().node(m.relu)));
    }

    void keepsUpWithEdits() {
        SmallModel m;
        NodeId fresh;
        edited(m.model, [&](Edit& edit) { mute(edit, m.add); });
        edited(m.model, [&](Edit& edit) {
            edit.rename(m.relu, "bent");
            const auto point = edit.insertingAfter(m.relu);
            fresh = edit.callFunction(Target("torch.neg"), {m.relu});
            edit.replaceAllUsesWith(m.relu, fresh, [&](NodeId user) { return user != fresh; });
        });
        edited(m.model, [&](Edit& edit) { unmute(edit, m.add); });
        QCOMPARE(m.model.graph().node(m.add).args[0].node(), fresh);
        // What it read before cannot be taken from under it.
        edited(m.model, [&](Edit& edit) { mute(edit, m.add); });
        QVERIFY_THROWS_EXCEPTION(Error, edited(m.model, [&](Edit& edit) { edit.eraseNode(m.w); }));
    }

    void isKeptInAnFxg() {
        SmallModel m;
        edited(m.model, [&](Edit& edit) { mute(edit, m.add); });
        QTemporaryDir folder;
        const std::string path = folder.filePath("muted.fxg").toStdString();
        OpenedModel saved;
        saved.model = m.model;
        Progress progress;
        writeFxg(saved, path, progress);
        Model again = openModel(path, {}, progress).model;
        const NodeId add = again.graph().find("add");
        QVERIFY(mutedCall(again.graph().node(add)));
        edited(again, [&](Edit& edit) { unmute(edit, add); });
        QCOMPARE(textOf(again), textOf(SmallModel().model));
    }

    void theCodeReadBackKeepsIt() {
        SmallModel m;
        edited(m.model, [&](Edit& edit) { mute(edit, m.add); });
        const std::string text = textOf(m.model);
        edited(m.model, [&](Edit& edit) { QVERIFY2(!applyCode(edit, text).hasChanged, text.c_str()); });
        std::string other = text;
        other.replace(other.find("torch.relu"), 10, "torch.tanh");
        edited(m.model, [&](Edit& edit) { QVERIFY(applyCode(edit, other).hasChanged); });
        QVERIFY(mutedCall(m.model.graph().node(m.add)));
    }

    void isGoneFromWhatIsWritten() {
        SmallModel m;
        edited(m.model, [&](Edit& edit) { mute(edit, m.add); });
        const PythonCode muted(m.model, m.model.root());
        QVERIFY2(muted.text().find("torch.add") == std::string::npos, muted.text().c_str());
        takeOutMuted(m.model);
        QVERIFY(m.model.graph().node(m.add).isErased);
        QCOMPARE(m.model.graph().node(m.output).args[0].node(), m.relu);
    }

    void whatIsNoCallIsRefused() {
        SmallModel m;
        QVERIFY(reasonAgainst(m.model, m.x).find("no call") != std::string::npos);
        QVERIFY(reasonAgainst(m.model, m.output).find("no call") != std::string::npos);
    }

    void whatGivesNoTensorIsRefused() {
        SmallModel m;
        edited(m.model, [&](Edit& edit) {
            edit.setMeta(m.relu, meta::kTensorMeta, ValueMeta{std::vector<ValueMeta>{}});
        });
        const std::string why = reasonAgainst(m.model, m.relu);
        QVERIFY2(why.find("does not give one tensor") != std::string::npos, why.c_str());
    }

    void aModuleThatIsGoneIsTold() {
        SmallModel m;
        NodeId call;
        edited(m.model, [&](Edit& edit) {
            edit.addSubmodule("act", edit.createModule("torch.nn.modules.activation.ReLU"));
            const auto point = edit.insertingBefore(m.output);
            call = edit.callModule("act", {m.add});
            mute(edit, call);
            edit.deleteSubmodule("act");
        });
        QVERIFY_THROWS_EXCEPTION(Error, edited(m.model, [&](Edit& edit) { unmute(edit, call); }));
    }
};

FX_TEST(TestMuted)
} // namespace fx::muted_test
#include "tst_muted.moc"
