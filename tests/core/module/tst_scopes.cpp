// SPDX-License-Identifier: GPL-3.0-or-later
// Scopes of a graph whose nodes do not say which modules they are in: the targets of its calls do.
#include "core/module/edit.h"
#include "core/module/scopes.h"
#include "tests/support/test_program.h"

namespace fx::scopes_test {

class TestScopes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Two residual blocks and a head, as symbolic tracing gives them.
    void comeFromTargets() {
        Model model;
        Edit edit(model);
        NodeId x = edit.placeholder("x");
        const auto module = [&](const std::string& path, NodeId input) {
            return edit.createNode(Opcode::CallModule, path, {input});
        };
        std::map<std::string, NodeId> nodes;
        for (const std::string block : {"layer1.0", "layer1.1"}) {
            const NodeId conv = module(block + ".conv", x);
            const NodeId relu = edit.callFunction(Target("torch.relu"), {conv});
            const NodeId bn = module(block + ".bn", relu);
            x = edit.callFunction(Target("_operator.add"), {bn, x});
            nodes[block + ".relu"] = relu;
            nodes[block + ".add"] = x;
        }
        nodes["pool"] = module("pool", x);
        nodes["flatten"] = edit.callFunction(Target("torch.flatten"), {nodes["pool"], int64_t(1)});
        edit.output(module("fc", nodes["flatten"]));
        const ScopeTree scopes(model.graph());
        QCOMPARE(scopes.scopes().size(), size_t(4));
        QCOMPARE(scopes.scope(scopes.find("layer1.0")).parent, scopes.find("layer1"));
        for (const auto& [name, node] : nodes) {
            const size_t dot = name.rfind('.');
            QCOMPARE(scopes.scope(scopes.scopeOf(node)).path,
                     dot == std::string::npos ? std::string() : name.substr(0, dot));
        }
    }

    /// What a pass puts in has no stack: between two modules it is in neither, beside a weight with its
    /// reader.
    void whatAPassPutsIn() {
        Model model;
        Edit edit(model);
        const auto in = [&](const std::string& path, NodeId node) {
            edit.setMeta(node, meta::kModuleStack,
                         MetaValue(ModuleStack{{"block", "block", "Block"}, {path, path, "Linear"}}));
            return node;
        };
        const auto call = [&](const char* target, std::vector<NodeId> inputs) {
            Arguments args(inputs.begin(), inputs.end());
            return edit.callFunction(Target(target), std::move(args));
        };
        const NodeId first = in("block.a", call("torch.relu", {edit.placeholder("x")}));
        const NodeId on = call("torch.neg", {call("torch.abs", {first})});
        const NodeId weight = edit.createNode(Opcode::GetAttr, "w", {});
        const NodeId turned = call("torch.t", {weight});
        const NodeId last = in("block.b", call("torch.matmul", {on, turned}));
        const NodeId within = call("torch.sin", {last});
        edit.output(in("block.b", call("torch.cos", {within})));
        const ScopeTree scopes(model.graph());
        const auto pathOf = [&](NodeId node) { return scopes.scope(scopes.scopeOf(node)).path; };
        QCOMPARE(pathOf(on), std::string("block"));
        QCOMPARE(pathOf(model.graph().node(on).inputs.front().node), std::string("block"));
        QCOMPARE(pathOf(weight), std::string("block.b"));
        QCOMPARE(pathOf(turned), std::string("block.b"));
        QCOMPARE(pathOf(within), std::string("block.b"));
    }

    void aGraphWithoutModulesHasNone() {
        Model model;
        Edit edit(model);
        edit.output(edit.callFunction(Target("torch.relu"), {edit.placeholder("x")}));
        QCOMPARE(ScopeTree(model.graph()).scopes().size(), size_t(1));
        Model empty;
        QCOMPARE(ScopeTree(empty.graph()).scopes().size(), size_t(1));
    }

    /// One node that says where it is: then those that do not are not guessed.
    void stacksWin() {
        Model model;
        Edit edit(model);
        const NodeId x = edit.placeholder("x");
        const NodeId conv = edit.createNode(Opcode::CallModule, "a.conv", {x});
        const NodeId relu = edit.callFunction(Target("torch.relu"), {conv});
        edit.setMeta(relu, meta::kModuleStack, MetaValue(ModuleStack{{"b", "b", "Block"}}));
        edit.output(relu);
        const ScopeTree scopes(model.graph());
        QCOMPARE(scopes.scope(scopes.scopeOf(relu)).path, std::string("b"));
        QCOMPARE(scopes.find("a"), -1);
    }
};

FX_TEST(TestScopes)
} // namespace fx::scopes_test
#include "tst_scopes.moc"
