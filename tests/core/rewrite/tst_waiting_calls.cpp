// SPDX-License-Identifier: GPL-3.0-or-later
// Which calls lack an argument that they must have: none of those in graphs that run.
#include "core/module/edit.h"
#include "core/module/known_faults.h"
#include "core/rewrite/argument_places.h"
#include "core/rewrite/waiting_calls.h"
#include "tests/support/oracle.h"
#include "tests/support/source_models.h"
#include "tests/support/test_program.h"

namespace fx::waiting_calls_test {

namespace {

std::string textOf(const Model& model) {
    std::string out;
    for (const ModuleId module : graphsOf(model))
        for (const LintFault& fault : waitingCalls(model, module))
            out += model.graph(module).node(fault.node).name + ' ' + fault.message + '\n';
    return out;
}

} // namespace

class TestWaitingCalls : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsMissing_data() {
        using Make = std::function<NodeId(Edit&, NodeId)>;
        QTest::addColumn<Make>("make");
        QTest::addColumn<QString>("missing");
        const auto row = [](const char* name, const char* missing, const Make& make) {
            QTest::newRow(name) << make << missing;
        };
        row("operator", "waits for self, other",
            [](Edit& e, NodeId) { return e.callFunction("torch.ops.aten.add.Tensor", {}); });
        row("operator with its second", "waits for self", [](Edit& e, NodeId x) {
            return e.callFunction("torch.ops.aten.add.Tensor", {}, {{"other", x}});
        });
        row("whole operator", "", [](Edit& e, NodeId x) {
            return e.callFunction("torch.ops.aten.add.Tensor", {x, x});
        });
        row("function", "waits for other",
            [](Edit& e, NodeId x) { return e.callFunction("torch.matmul", {x}); });
        row("function with a choice of overloads", "",
            [](Edit& e, NodeId x) { return e.callFunction("torch.max", {x}); });
        row("functional", "waits for weight",
            [](Edit& e, NodeId x) { return e.callFunction("torch.nn.functional.linear", {x}); });
        row("method", "waits for other", [](Edit& e, NodeId x) { return e.callMethod("mul", {x}); });
        row("method that takes any number", "", [](Edit& e, NodeId x) {
            return e.callMethod("permute", {x, 1, 0});
        });
        row("module", "waits for input", [](Edit& e, NodeId) { return e.callModule("bent", {}); });
        row("whole module", "", [](Edit& e, NodeId x) { return e.callModule("bent", {x}); });
        row("unknown function", "", [](Edit& e, NodeId) { return e.callFunction("elsewhere.anything", {}); });
    }
    void whatIsMissing() {
        QFETCH(std::function<NodeId(Edit&, NodeId)>, make);
        QFETCH(QString, missing);
        Model model;
        Edit edit(model);
        edit.addSubmodule("bent", edit.createModule("torch.nn.modules.activation.ReLU"));
        const NodeId x = edit.placeholder("x");
        const NodeId call = make(edit, x);
        edit.output(call);
        edit.finish();
        const std::vector<LintFault> faults = waitingCalls(model, model.root());
        QCOMPARE(faults.empty() ? "" : faults[0].message, missing.toStdString());
        if (faults.empty())
            return;
        QCOMPARE(faults[0].node, call);
        // Wires given to what is missing: then it waits no more.
        Edit next(model);
        for (bool isWhole = false; !isWhole;) {
            isWhole = true;
            for (const ArgumentPlace& place : argumentPlaces(model, model.root(), model.graph().node(call)))
                if (!place.value && place.parameter.defaultText.empty() && isWhole) {
                    readAt(next, call, place, x);
                    isWhole = false;
                }
        }
        next.finish();
        QCOMPARE(textOf(model), "");
    }

    void noneInGraphsThatRun_data() { addOracleRows(); }
    void noneInGraphsThatRun() {
        QFETCH(QString, name);
        QCOMPARE(textOf(openOracle(name.toStdString()).model), "");
    }
    void noneInTracedSources_data() {
        QTest::addColumn<QString>("name");
        for (const std::string& name : sourceModels())
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    void noneInTracedSources() {
        QFETCH(QString, name);
        QCOMPARE(textOf(openSource(name.toStdString()).model), "");
    }
};

FX_TEST(TestWaitingCalls)
} // namespace fx::waiting_calls_test
#include "tst_waiting_calls.moc"
