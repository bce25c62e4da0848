// SPDX-License-Identifier: GPL-3.0-or-later
// How far nodes are from others, along the wires.
#include "core/ir/dependents.h"
#include "core/module/edit.h"
#include "tests/support/test_program.h"

namespace fx::dependents_test {

namespace {

/// x -> a -> b -> c, and beside them y = neg(x), c reads y too.
struct Chain {
    Chain() {
        Edit edit(model);
        x = edit.placeholder("x");
        y = edit.callFunction(Target("torch.neg"), {x});
        a = edit.callFunction(Target("torch.relu"), {x});
        b = edit.callFunction(Target("torch.relu"), {a});
        c = edit.callFunction(Target("torch.add"), {b, y});
        edit.output(c);
        edit.finish();
    }
    std::set<NodeId> around(NodeId node, bool up, bool down, size_t most) {
        hops = 0;
        const Neighbourhood found = neighbourhoodOf(model.graph(), {node}, up, down, most);
        hops = found.hops;
        return {found.nodes.begin(), found.nodes.end()};
    }
    Model model;
    NodeId x, y, a, b, c;
    size_t hops = 0;
};

using Nodes = std::set<NodeId>;

} // namespace

class TestDependents : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void asFarAsOneSays() {
        Chain g;
        QCOMPARE(g.around(g.b, true, true, 0), (Nodes{g.b}));
        QCOMPARE(g.around(g.b, true, true, 1), (Nodes{g.a, g.b, g.c}));
        QCOMPARE(g.around(g.b, true, false, 1), (Nodes{g.a, g.b}));
        QCOMPARE(g.around(g.b, true, false, 2), (Nodes{g.x, g.a, g.b}));
        QCOMPARE(g.hops, size_t(2));
    }

    void eachWayByItself() {
        Chain g;
        // y is made of the same x, and b neither reads it nor is read by it.
        QVERIFY(!g.around(g.b, true, true, 9).contains(g.y));
        QCOMPARE(g.around(g.y, false, true, 9), (Nodes{g.y, g.c, g.model.graph().last()}));
    }

    void notFartherThanThereIsSomething() {
        Chain g;
        QCOMPARE(g.around(g.c, true, false, 100), (Nodes{g.x, g.y, g.a, g.b, g.c}));
        QCOMPARE(g.hops, size_t(2)); // x is near by way of y
    }
};

FX_TEST(TestDependents)
} // namespace fx::dependents_test
#include "tst_dependents.moc"
