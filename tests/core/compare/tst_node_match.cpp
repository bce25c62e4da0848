// SPDX-License-Identifier: GPL-3.0-or-later
// Which nodes are pairs, on graphs that a person can read. What compilers make of graphs, with provenance, is
// in tests/oracle/check_compare.py.
#include "core/base/error.h"
#include "core/compare/node_match.h"
#include "core/module/edit.h"
#include "core/trace/proxy.h"
#include "tests/support/test_program.h"

namespace fx::node_match_test {

namespace {

using Callable = std::function<ProxyArgument(const Proxy&)>;

Model traced(const Callable& callable) {
    return traceCallable({"x"}, [&](const std::vector<Proxy>& in) { return callable(in[0]); }).model;
}

Proxy call(const char* name, const ProxyArgument& x) {
    return callFunction(name, {x});
}

/// "a=b (by name)" for each pair of calls, then "-a" and "+b" for what has none.
QString lines(const Model& a, const Model& b, const PairingOptions& options = {}) {
    const NodeMatch match = matchNodes(a.graph(), b.graph(), options);
    QStringList out;
    for (const NodePair& pair : match.pairs)
        if (const Node& node = b.graph().node(pair.b);
            node.opcode != Opcode::Placeholder && node.opcode != Opcode::Output)
            out += QString::fromStdString(a.graph().node(pair.a).name + '=' + node.name + ' ' +
                                          std::string(matchKindText(pair.kind)));
    for (const NodeId id : match.onlyA)
        out += '-' + QString::fromStdString(a.graph().node(id).name);
    for (const NodeId id : match.onlyB)
        out += '+' + QString::fromStdString(b.graph().node(id).name);
    return out.join("; ");
}

} // namespace

class NodeMatchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void emptyGraphsHaveNoPairs() {
        QCOMPARE(lines(Model(), Model()), "");
        QCOMPARE(lines(Model(), traced([](const Proxy& x) { return call("torch.relu", x); })),
                 "+x; +relu; +output");
    }

    void sameGraphByName() {
        const Model model = traced([](const Proxy& x) { return call("torch.relu", call("torch.tanh", x)); });
        QCOMPARE(lines(model, model), "tanh=tanh by name; relu=relu by name");
    }

    /// Without the first relu the second takes its name.
    void numbersThatShiftMisleadNobody() {
        const Model a = traced([](const Proxy& x) {
            return call("torch.relu", call("torch.tanh", call("torch.relu", call("torch.sin", x))));
        });
        const Model b = traced(
            [](const Proxy& x) { return call("torch.relu", call("torch.tanh", call("torch.sin", x))); });
        QCOMPARE(lines(a, b), "sin=sin by name; tanh=tanh by name; relu_1=relu by structure; -relu");
    }

    void whatTakesThePlaceOfACallIsItsPair() {
        const Model a = traced(
            [](const Proxy& x) { return call("torch.sin", call("torch.relu", call("torch.tanh", x))); });
        const Model b = traced([](const Proxy& x) {
            return call("torch.sin", callFunction("torch.clamp", {call("torch.tanh", x), 0}));
        });
        QCOMPARE(lines(a, b), "tanh=tanh by name; relu=clamp by structure; sin=sin by name");
    }

    void equalCallsInOrder() {
        const Model a = traced([](const Proxy& x) { return call("torch.relu", x) + call("torch.relu", x); });
        const Model b = traced([](const Proxy& x) { return call("torch.relu", x) + call("torch.relu", x); });
        QCOMPARE(lines(a, b), "relu=relu by name; relu_1=relu_1 by name; add=add by name");
    }

    void stateOfOneModelById() {
        const Model a = traced([](const Proxy& x) { return call("torch.relu", call("torch.tanh", x)); });
        Model b = a;
        Edit edit(b);
        edit.setTarget(b.graph().find("tanh"), "torch.sin");
        edit.rename(b.graph().find("tanh"), "other");
        edit.finish();
        QCOMPARE(lines(a, b, {true, {}}), "tanh=other by id; relu=relu by id");
        QCOMPARE(lines(a, b), "tanh=other by structure; relu=relu by name");
    }

    void aWeightOfARenamedModuleIsKnownByItsReader() {
        const auto model = [](const std::string& scope) {
            Model out;
            Edit edit(out);
            const NodeId x = edit.placeholder("x");
            const NodeId first = edit.createNode(Opcode::GetAttr, Target(scope + ".weight"), {}, {});
            const NodeId second = edit.createNode(Opcode::GetAttr, Target(scope + ".bias"), {}, {});
            edit.rename(edit.createNode(Opcode::GetAttr, Target(scope + ".count"), {}, {}), "unread");
            edit.output(edit.callFunction("torch.add", {edit.callFunction("torch.mul", {x, first}), second}));
            edit.finish();
            return out;
        };
        QCOMPARE(lines(model("conv"), model("first")),
                 "conv_weight=first_weight by structure; conv_bias=first_bias by structure; unread=unread by "
                 "name; "
                 "mul=mul by name; add=add by name");
    }

    void handMadePairsWin() {
        const Model a = traced([](const Proxy& x) { return call("torch.relu", call("torch.tanh", x)); });
        QCOMPARE(lines(a, a, {false, {{"tanh", "relu"}, {"relu", ""}}}), "tanh=relu by hand; -relu; +tanh");
        QVERIFY_THROWS_EXCEPTION(Error, matchNodes(a.graph(), a.graph(), {false, {{"nothing", "relu"}}}));
    }

    void inputsOfOtherNamesByTheirPlace() {
        const Model a = traced([](const Proxy& x) { return call("torch.relu", x); });
        const Model b = traceCallable({"y"}, [](const std::vector<Proxy>& in) -> ProxyArgument {
                            return call("torch.relu", in[0]);
                        }).model;
        QCOMPARE(lines(a, b), "relu=relu by name");
    }

    void longChainsAreQuick() {
        const auto chain = [](int length) {
            return traced([length](const Proxy& x) -> ProxyArgument {
                Proxy y = x;
                for (int i = 0; i < length; ++i)
                    y = call(i % 2 ? "torch.sin" : "torch.cos", y);
                return y;
            });
        };
        const NodeMatch match = matchNodes(chain(10000).graph(), chain(9998).graph());
        QCOMPARE(match.pairs.size(), size_t(10000)); // with input and output
        QCOMPARE(match.onlyA.size(), size_t(2));
    }
};

FX_TEST(NodeMatchTest)
} // namespace fx::node_match_test

#include "tst_node_match.moc"
