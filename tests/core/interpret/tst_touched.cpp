// SPDX-License-Identifier: GPL-3.0-or-later
// Which values an edit makes other ones.
#include "core/interpret/touched.h"
#include "core/module/edit.h"
#include "tests/support/model_state.h"
#include "tests/support/test_program.h"

namespace fx::touched_test {

namespace {

Touched touchedBy(Model& model, const std::function<void(Edit&)>& work) {
    Edit edit(model);
    work(edit);
    const Changes changes = edit.finish();
    return fx::touchedBy(changes, model);
}

} // namespace

class TestTouched : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatReadsSomethingElse() {
        SmallModel m;
        const Touched found = touchedBy(m.model, [&](Edit& edit) { edit.updateArg(m.relu, 0, m.w); });
        QVERIFY(!found.isAll);
        QCOMPARE(found.nodes, (std::set<NodeRef>{{m.model.root(), m.relu}}));
        QCOMPARE(dependentsOf(m.model, found.nodes),
                 (std::set<NodeRef>{
                     {m.model.root(), m.relu}, {m.model.root(), m.add}, {m.model.root(), m.output}}));
    }

    void namesAndNewModulesChangeNoValue() {
        SmallModel m;
        const Touched found = touchedBy(m.model, [&](Edit& edit) {
            edit.rename(m.relu, "bent");
            edit.setMeta(m.relu, "tag", std::string("a"));
            edit.addSubmodule("fresh", edit.createModule("torch.nn.modules.activation.ReLU"));
        });
        QVERIFY(!found.isAll);
        QVERIFY(found.nodes.empty());
    }

    void aReplacedWeightChangesItsReaders() {
        SmallModel m;
        const Touched found = touchedBy(m.model, [&](Edit& edit) {
            edit.setTensor("w", m.model.resolve(m.model.root(), "b").tensor, TensorRole::Parameter);
        });
        QVERIFY(!found.isAll);
        QCOMPARE(found.nodes, (std::set<NodeRef>{{m.model.root(), m.w}}));
    }

    void trainingChangesAll() {
        SmallModel m;
        QVERIFY(touchedBy(m.model, [&](Edit& edit) { edit.setTraining(true); }).isAll);
    }

    void whatWritesIsFeltByAll_data() {
        QTest::addColumn<QString>("target");
        QTest::addColumn<bool>("isMethod");
        QTest::newRow("operator") << "torch.ops.aten.add_.Tensor" << false;
        QTest::newRow("function") << "torch.relu_" << false;
        QTest::newRow("augmented") << "operator.iadd" << false;
        QTest::newRow("method") << "relu_" << true;
    }
    /// Where it comes, and where it goes again.
    void whatWritesIsFeltByAll() {
        QFETCH(QString, target);
        QFETCH(bool, isMethod);
        SmallModel m;
        NodeId writer;
        QVERIFY(touchedBy(m.model, [&](Edit& edit) {
                    const auto point = edit.insertingAfter(m.relu);
                    writer = edit.createNode(isMethod ? Opcode::CallMethod : Opcode::CallFunction,
                                             target.toStdString(), {m.relu, m.w});
                }).isAll);
        QVERIFY(touchedBy(m.model, [&](Edit& edit) { edit.eraseNode(writer); }).isAll);
    }

    void whatOnlyComputesIsNot() {
        SmallModel m;
        NodeId fresh;
        QVERIFY(!touchedBy(m.model, [&](Edit& edit) {
                     const auto point = edit.insertingAfter(m.relu);
                     fresh = edit.callFunction("torch.exp", {m.relu});
                 }).isAll);
        const Touched gone = touchedBy(m.model, [&](Edit& edit) { edit.eraseNode(fresh); });
        QVERIFY(!gone.isAll);
        QVERIFY(gone.nodes.empty());
    }
};

FX_TEST(TestTouched)
} // namespace fx::touched_test
#include "tst_touched.moc"
