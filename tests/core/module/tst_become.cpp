// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/graph_text.h"
#include "core/module/become.h"
#include "tests/support/test_program.h"

namespace fx::become_test {

namespace {

/// %x, %relu, %neg; returns neg.
Model chain() {
    Model model("Chain");
    Edit edit(model, Edit::WithoutHistory());
    const NodeId x = edit.placeholder("x");
    const NodeId relu = edit.callFunction("torch.relu", {x});
    edit.output(edit.callFunction("torch.neg", {relu}));
    edit.finish();
    return model;
}

NodeMap sameNodes(const Graph& graph) {
    NodeMap out;
    for (const Node& node : graph)
        out[node.id] = node.id;
    return out;
}

/// Lets the model become `after`; gives the changes.
Changes become(Model& model, const Model& after, bool areNodesKnown) {
    const Model before = model;
    CopiedModel copied{before, after, {}, {}, [](TensorId was, TensorId is) { return was == is; }};
    copied.modules[after.root()] = {before.root(), model.root()};
    if (areNodesKnown)
        copied.nodes[after.root()] = sameNodes(before.graph());
    Edit edit(model);
    become(edit, copied);
    return edit.finish();
}

} // namespace

class BecomeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void changesNothingWhereNothingChanged() {
        Model model = chain();
        QVERIFY(become(model, Model(model), true).empty());
    }

    void followsWhatWasRewrittenAndComesBack() {
        Model model = chain(), after = model;
        {
            Edit edit(after, Edit::WithoutHistory());
            const NodeId relu = edit.graph().find("relu"), neg = edit.graph().find("neg");
            edit.moveBefore(edit.callFunction("torch.tanh", {edit.graph().find("x")}), relu);
            edit.replaceInputWith(neg, relu, edit.graph().find("tanh"));
            edit.eraseNode(relu);
            edit.setTarget(neg, "torch.abs");
            edit.rename(neg, "abs_1");
            edit.createModule("torch.nn.modules.activation.ReLU");
            edit.addSubmodule("act", edit.createModule("torch.nn.modules.activation.ReLU"));
            edit.finish();
        }
        const NodeId neg = model.graph().find("neg");
        const std::string before = graphText(model.graph());
        const Changes changes = become(model, after, true);
        QCOMPARE(graphText(model.graph()), graphText(after.graph()));
        QCOMPARE(model.graph().node(neg).name, after.graph().node(neg).name);
        QVERIFY(model.resolve(model.root(), "act").module);
        undo(model, changes);
        QCOMPARE(graphText(model.graph()), before);
        QVERIFY(!model.resolve(model.root(), "act"));
    }

    void takesEqualCallsOfAnotherGraphForTheSame() {
        Model model = chain(), after("Other");
        {
            Edit edit(after, Edit::WithoutHistory());
            edit.output(edit.callFunction("torch.neg", {edit.placeholder("x")}));
            edit.finish();
        }
        const NodeId neg = model.graph().find("neg");
        become(model, after, false);
        QCOMPARE(graphText(model.graph()), graphText(after.graph()));
        QCOMPARE(model.graph().find("neg"), neg);
    }
};

FX_TEST(BecomeTest)
} // namespace fx::become_test

#include "tst_become.moc"
