// SPDX-License-Identifier: GPL-3.0-or-later
// Which calls TorchScript and AOTInductor refuse, and why. tests/oracle/check_backend_parts.py holds both
// against PyTorch.
#include "core/rewrite/excerpt.h"
#include "tests/core/passes/split_graphs.h"
#include "tests/support/test_program.h"

namespace fx::backend_support_test {

class TestBackendSupport : public QObject {
    Q_OBJECT

    static QString whyNot(const Refusals& refusals, NodeId node) {
        const auto found = refusals.find(node);
        return found == refusals.end() ? QString() : QString::fromStdString(found->second);
    }

private Q_SLOTS:
    void aCallWithoutAFormIsRefusedAlone() {
        Calls c;
        const NodeId x = c.input("x"), before = c.call("sigmoid", {x});
        const NodeId odd = c.recorded(c.edit.callFunction("helpers.twice", {before}));
        const NodeId after = c.call("tanh", {c.call("relu", {odd})});
        Model& model = c.give(after);
        const Refusals refusals = refusalsBy("torchscript", model, model.root());
        QCOMPARE(refusals.size(), size_t(1));
        QVERIFY2(whyNot(refusals, odd).startsWith("calls helpers.twice, which TorchScript does not have"),
                 qPrintable(whyNot(refusals, odd)));
        const PassReport report = applied(
            model, "split",
            {{"by", "support"}, {"support", "torchscript"}, {"allows-single-node-partition", "true"}});
        QCOMPARE(bodyOf(model).count("self.fused_"), 2);
        QVERIFY(join(report.results, "\n").find("calls helpers.twice") != std::string::npos);
    }

    void likeCallsAreRefusedForTheSameReason() {
        Calls c;
        const NodeId x = c.input("x"), one = c.recorded(c.edit.callFunction("helpers.twice", {x}));
        const NodeId other = c.recorded(c.edit.callFunction("helpers.twice", {one}));
        Model& model = c.give(other);
        const Refusals refusals = refusalsBy("torchscript", model, model.root());
        QVERIFY(!whyNot(refusals, one).isEmpty());
        QCOMPARE(whyNot(refusals, one), whyNot(refusals, other));
    }

    void whoReadsWhatIsNotThereIsRefused() {
        Calls c;
        const NodeId x = c.input("x"), missing = c.recorded(c.edit.getAttr("gone"));
        const NodeId reader = c.call("add", {x, missing}), other = c.call("relu", {reader});
        Model& model = c.give(other);
        const Refusals refusals = refusalsBy("torchscript", model, model.root());
        QCOMPARE(refusals.size(), size_t(1));
        QVERIFY(whyNot(refusals, reader).startsWith("gone "));
    }

    void inductorIsAskedOfEachOperator() {
        Calls c;
        const NodeId x = c.input("x"), sigmoid = c.call("sigmoid", {x});
        const NodeId relu = c.recorded(c.edit.callFunction("torch.ops.aten.relu_.default", {sigmoid}));
        const NodeId loss = c.call("equal", {relu, relu}); // no lowering
        const NodeId aten = c.recorded(c.edit.callFunction("torch.ops.aten.masked_select.default", {x, x}));
        const NodeId odd = c.recorded(c.edit.callFunction("helpers.twice", {x}));
        Model& model = c.give(TupleValue{{loss, aten, odd}});
        const Refusals refusals = refusalsBy("aotinductor", model, model.root());
        QCOMPARE(refusals.size(), size_t(3));
        QCOMPARE(whyNot(refusals, loss), QString("Inductor has nothing for aten::equal"));
        QCOMPARE(whyNot(refusals, aten), QString("Inductor has nothing for aten::masked_select"));
        QVERIFY(whyNot(refusals, odd)
                    .startsWith("it is not known which operators it calls: calls helpers.twice"));
    }

    void quantizedTensorsAreRefused() {
        Calls c;
        const NodeId x = c.input("x"), relu = c.call("relu", {x});
        TensorMeta meta = describe(at::ones({2, 2}));
        meta.dtype = at::kQUInt8;
        c.edit.setMeta(relu, meta::kValue, ValueMeta{meta});
        Model& model = c.give(relu);
        QVERIFY(whyNot(refusalsBy("aotinductor", model, model.root()), relu).contains("quantized dtype"));
        QVERIFY(refusalsBy("torchscript", model, model.root()).empty());
    }

    void aPartIsAModel() {
        Calls c;
        Model& model = blocks(c);
        applied(model, "split", {{"by", "size"}, {"parts", "2"}});
        const ModuleId part = model.resolve(model.root(), "submod_0").module;
        const Model alone = modelOf(model, part);
        QCOMPARE(bodyOf(alone), bodyOf(model, "submod_0"));
        QVERIFY(!alone.graph().findNodes(Opcode::CallModule).empty());
        for (const NodeId call : alone.graph().findNodes(Opcode::CallModule))
            QVERIFY(alone.resolve(alone.root(), alone.graph().node(call).target.name()).module);
        QVERIFY(alone.moduleCount() < model.moduleCount());
    }
};

FX_TEST(TestBackendSupport)
} // namespace fx::backend_support_test
#include "tst_backend_support.moc"
