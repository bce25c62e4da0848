// SPDX-License-Identifier: GPL-3.0-or-later
// One graph of what is different between two.
#include "core/compare/change_graph.h"
#include "core/ir/graph_text.h"
#include "core/module/edit.h"
#include "tests/support/test_program.h"

namespace fx::change_graph_test {

class TestChangeGraph : public QObject {
    Q_OBJECT

private:
    /// sum(relu(x) + x, dim=1)
    static Model base() {
        Model model;
        Edit edit(model);
        const NodeId x = edit.placeholder("x");
        const NodeId relu = edit.callFunction("torch.relu", {x});
        const NodeId add = edit.callFunction("operator.add", {relu, x});
        edit.output(edit.callFunction("torch.sum", {add}, {{"dim", 1}}));
        edit.finish();
        return model;
    }
    static ChangeGraph changes(const Model& a, const Model& b, bool areIdsShared = true) {
        PairingOptions options;
        options.areIdsShared = areIdsShared;
        return changeGraph(a, b, diffModels(a, b, options));
    }
    static std::map<std::string, std::string> named(const ChangeGraph& graph) {
        std::map<std::string, std::string> out;
        for (const auto& [node, change] : graph.changes)
            out[graph.model.graph().node(node).name] = nodeChangeText(change);
        return out;
    }
    static std::vector<std::string> names(const Model& model) {
        std::vector<std::string> out;
        for (const Node& node : model.graph())
            out.push_back(node.name);
        return out;
    }

private Q_SLOTS:
    void theSameHasNoChanges() {
        const ChangeGraph graph = changes(base(), base());
        QVERIFY(graph.changes.empty());
        QCOMPARE(graphText(graph.model.graph()), graphText(base().graph()));
    }

    /// relu is gone, neg is new, sum has another argument, add reads something else.
    void whatWentStandsWhereItWas() {
        const Model a = base();
        Model b = a;
        Edit edit(b);
        const NodeId x = b.graph().find("x"), relu = b.graph().find("relu"), sum = b.graph().find("sum_1");
        {
            const Edit::InsertPoint point = edit.insertingBefore(sum);
            const NodeId neg = edit.callFunction("torch.neg", {b.graph().find("add")});
            edit.setArgs(sum, {neg});
        }
        edit.replaceAllUsesWith(relu, x);
        edit.eraseNode(relu);
        edit.updateKwarg(sum, "dim", 0);
        edit.finish();
        for (const bool areIdsShared : {true, false}) {
            const ChangeGraph graph = changes(a, b, areIdsShared);
            QCOMPARE(names(graph.model),
                     (std::vector<std::string>{"x", "relu", "add", "neg", "sum_1", "output"}));
            const std::map<std::string, std::string> found = named(graph);
            QCOMPARE(found.at("relu"), std::string("removed"));
            QCOMPARE(found.at("neg"), std::string("added"));
            QCOMPARE(found.at("add"), std::string("rewired"));
            QCOMPARE(found.at("sum_1"), std::string("rewired"));
            QCOMPARE(found.size(), size_t(4));
            QVERIFY(graph.model.graph().node(graph.model.graph().find("relu")).users.empty());
        }
        // And back: what came has gone then.
        const std::map<std::string, std::string> back = named(changes(b, a));
        QCOMPARE(back.at("relu"), std::string("added"));
        QCOMPARE(back.at("neg"), std::string("removed"));
    }

    void everythingElse() {
        const Model a = base();
        Model b;
        Edit edit(b);
        edit.output(edit.callFunction("torch.cos", {edit.placeholder("other")}));
        edit.finish();
        const ChangeGraph graph = changes(a, b, false);
        QCOMPARE(graph.model.graph().findNodes(Opcode::Output).size(), size_t(1));
        QCOMPARE(graph.model.graph().outputNode(), graph.model.graph().last());
    }

    void theStrongestIsSaid() {
        const Model a = base();
        Model b = a;
        Edit edit(b);
        edit.rename(b.graph().find("relu"), "other");
        edit.setTarget(b.graph().find("add"), "operator.sub");
        edit.updateKwarg(b.graph().find("sum_1"), "dim", 0);
        edit.finish();
        const std::map<std::string, std::string> found = named(changes(a, b));
        QCOMPARE(found, (std::map<std::string, std::string>{
                            {"other", "renamed"}, {"add", "another call"}, {"sum_1", "other arguments"}}));
    }
};

FX_TEST(TestChangeGraph)
} // namespace fx::change_graph_test
#include "tst_change_graph.moc"
