// SPDX-License-Identifier: GPL-3.0-or-later
// Modules made anew by their constructor, with their weights, and tensors of the model by an expression.
#include "tests/core/passes/split_graphs.h"
#include "tests/support/test_program.h"

namespace fx::change_module_test {

namespace {

/// x f32[2, 2] -> first: Linear(2, 2) -> second: Linear(2, 2) -> output, which share nothing; weights of
/// ones.
struct TwoLayers : Calls {
    NodeId x = input("x"), a = module("first", {x}), b = module("second", {a});
    Model& given = give(b);
    at::Tensor weight(const std::string& path) const {
        return model.tensor(model.resolve(model.root(), path).tensor).value();
    }
    TensorId id(const std::string& path) const { return model.resolve(model.root(), path).tensor; }
};

} // namespace

class TestChangeModule : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void weightsAreKeptOrResized() {
        TwoLayers m;
        const TensorId before = m.id("second.weight");
        const PassReport kept = applied(m.model, "change-module",
                                        {{"module", "second"}, {"call", "nn.Linear(2, 2, bias=False)"}});
        QCOMPARE(kept.results.back(), std::string("second: nn.Linear(2, 2, bias=False); kept weight"));
        QVERIFY(m.id("second.weight") == before);
        const PassReport resized =
            applied(m.model, "change-module", {{"module", "second"}, {"call", "torch.nn.Linear(2, 3)"}});
        QCOMPARE(resized.results.back(),
                 std::string("second: torch.nn.Linear(2, 3); new bias; resized weight"));
        QVERIFY(at::equal(m.weight("second.weight").slice(0, 0, 2), at::ones({2, 2})));
        QCOMPARE(m.weight("second.weight").size(0), int64_t(3));
        QVERIFY(m.weight("second.bias").requires_grad());
        const Node& node = m.model.graph().node(m.b);
        QCOMPARE(valueMetaText(*knownValue(node.meta)), std::string("f32[2, 3]"));
    }

    void weightsAreNewOrShared() {
        TwoLayers m;
        applied(m.model, "change-module",
                {{"module", "second"}, {"call", "nn.Linear(2, 2, bias=False)"}, {"weights", "new"}});
        QVERIFY(!at::equal(m.weight("second.weight"), at::ones({2, 2})));
        applied(m.model, "change-module",
                {{"module", "second"}, {"call", "nn.Linear(2, 2, bias=False)"}, {"share", "first"}});
        QVERIFY(m.id("second.weight") == m.id("first.weight"));
        QVERIFY(faultOf(m.model, "change-module",
                        {{"module", "second"}, {"call", "nn.Linear(2, 3, bias=False)"}, {"share", "first"}})
                    .find("'first' has no weight of f32[3, 2]") != std::string::npos);
    }

    void isRefusedWithTheReason_data() {
        QTest::addColumn<QString>("module");
        QTest::addColumn<QString>("call");
        QTest::addColumn<QString>("reason");
        QTest::newRow("no module") << "third"
                                   << "nn.Linear(2, 2)"
                                   << "there is no submodule 'third'";
        QTest::newRow("no class") << "first"
                                  << "torch.relu(3)"
                                  << "is no call of a class of torch.nn";
        QTest::newRow("arguments") << "first"
                                   << "nn.Linear(2)"
                                   << "out_features";
        QTest::newRow("shapes") << "first"
                                << "nn.Linear(2, 3)"
                                << "node 'second': cannot take what it would read";
        QTest::newRow("syntax") << "first"
                                << "nn.Linear(2,"
                                << "the call";
    }
    void isRefusedWithTheReason() {
        QFETCH(QString, module);
        QFETCH(QString, call);
        QFETCH(QString, reason);
        TwoLayers m;
        const std::string fault = faultOf(m.model, "change-module",
                                          {{"module", module.toStdString()}, {"call", call.toStdString()}});
        QVERIFY2(QString::fromStdString(fault).contains(reason), fault.c_str());
    }

    void aTensorIsSetWhereverItIsShared() {
        TwoLayers m;
        applied(m.model, "change-module",
                {{"module", "second"}, {"call", "nn.Linear(2, 2, bias=False)"}, {"share", "first"}});
        const PassReport report = applied(
            m.model, "set-tensor", {{"tensor", "first.weight"}, {"value", "value * 3 + torch.eye(2)"}});
        QCOMPARE(report.results.back(), std::string("first.weight: f32[2, 2], in 2 places"));
        QVERIFY(m.id("second.weight") == m.id("first.weight"));
        QVERIFY(at::equal(m.weight("second.weight"), at::ones({2, 2}) * 3 + at::eye(2)));
        QVERIFY(faultOf(m.model, "set-tensor", {{"tensor", "first.weight"}, {"value", "3"}})
                    .find("gives a int, and no tensor") != std::string::npos);
        QVERIFY(faultOf(m.model, "set-tensor", {{"tensor", "first.weight"}, {"value", "torch.zeros(5, 5)"}})
                    .find("cannot take what it would read") != std::string::npos);
        QVERIFY(faultOf(m.model, "set-tensor", {{"tensor", "none"}, {"value", "value"}})
                    .find("there is no tensor 'none'") != std::string::npos);
    }

    void undoBringsBackWhatWas() {
        TwoLayers m;
        const std::string before = modelState(m.model);
        const PassReport report =
            applied(m.model, "change-module", {{"module", "second"}, {"call", "nn.Linear(2, 3)"}});
        undo(m.model, report.changes);
        QCOMPARE(modelState(m.model), before);
    }
};

FX_TEST(TestChangeModule)
} // namespace fx::change_module_test
#include "tst_change_module.moc"
