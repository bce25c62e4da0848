// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes that are put into a scope without a module, and such scopes taken apart.
#include "core/module/scopes.h"
#include "tests/core/passes/split_graphs.h"
#include "tests/support/test_program.h"

namespace fx::group_scope_test {

namespace {

/// "a(relu mul(b(neg)))": scopes with their nodes, in the order of the tree.
QString treeText(const Model& model) {
    const ScopeTree tree(model.graph());
    const std::function<QStringList(int)> insides = [&](int index) {
        QStringList out;
        for (const NodeId node : tree.scope(index).nodes)
            if (const Node& each = model.graph().node(node);
                each.opcode != Opcode::Placeholder && each.opcode != Opcode::Output)
                out += QString::fromStdString(each.name);
        for (const int child : tree.scope(index).children)
            out += QString::fromStdString(tree.scope(child).path) + '(' + insides(child).join(' ') + ')';
        return out;
    };
    return insides(0).join(' ');
}

ModuleStack stackOf(std::initializer_list<const char*> paths) {
    ModuleStack out{{"", "", "Net"}};
    for (const char* path : paths)
        out.push_back({path, std::string(path).substr(0, std::string(path).find('@')), "Block"});
    return out;
}

/// relu and neg in a, exp in a.b, sin in c.
Model& inScopes(Calls& c) {
    const NodeId x = c.input("x"), relu = c.call("relu", {x}), neg = c.call("neg", {relu}),
                 exp = c.call("exp", {neg}), sin = c.call("sin", {exp});
    for (const auto& [node, stack] : {std::pair(relu, stackOf({"a"})),
                                      {neg, stackOf({"a"})},
                                      {exp, stackOf({"a", "a.b"})},
                                      {sin, stackOf({"c"})}})
        c.edit.setMeta(node, meta::kModuleStack, MetaValue(stack));
    return c.give(sin);
}

} // namespace

class TestGroupScope : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nodesGetAScopeWithinTheirs_data() {
        QTest::addColumn<QString>("nodes");
        QTest::addColumn<QString>("tree");
        QTest::newRow("some") << "neg"
                              << "a(relu a.g(neg) a.b(exp)) c(sin)";
        QTest::newRow("and what is in a scope below") << "neg, exp"
                                                      << "a(relu a.g(neg a.g.b(exp))) c(sin)";
        QTest::newRow("of two scopes") << "exp, sin"
                                       << "a(relu neg) g(g.a(g.a.b(exp)) g.c(sin))";
        QTest::newRow("a whole scope") << "exp"
                                       << "a(relu neg a.b(a.b.g(exp))) c(sin)";
    }
    void nodesGetAScopeWithinTheirs() {
        QFETCH(QString, nodes);
        QFETCH(QString, tree);
        Calls c;
        Model& model = inScopes(c);
        const QString before = treeText(model), body = bodyOf(model);
        const PassReport report = applied(model, "group", {{"nodes", nodes.toStdString()}, {"name", "g"}});
        QCOMPARE(treeText(model), tree);
        QCOMPARE(bodyOf(model), body); // no other graph
        undo(model, report.changes);
        QCOMPARE(treeText(model), before);
        redo(model, report.changes);
        const std::string path = tree.contains("a.b.g(") ? "a.b.g" : tree.contains("a.g(") ? "a.g" : "g";
        applied(model, "ungroup", {{"scope", path}});
        QCOMPARE(treeText(model), before);
    }

    void moreNodesJoinTheScope() {
        Calls c;
        Model& model = inScopes(c);
        applied(model, "group", {{"nodes", "relu"}, {"name", "g"}});
        QCOMPARE(treeText(model), QString("a(neg a.g(relu) a.b(exp)) c(sin)"));
        const PassReport report = applied(model, "group", {{"nodes", "neg"}, {"name", "g"}});
        QCOMPARE(report.results.back(), std::string("a.g: 1 node, beside those that are there"));
        QCOMPARE(treeText(model), QString("a(a.g(relu neg) a.b(exp)) c(sin)"));
        applied(model, "group", {{"nodes", "relu, neg"}, {"name", "b"}}); // a module's scope
        QCOMPARE(treeText(model), QString("a(a.g(a.g.b(relu neg)) a.b(exp)) c(sin)"));
    }

    /// Their scopes are told by what is called, and are still told once one node has a stack.
    void nodesWithoutStacksKeepTheirScopes() {
        Calls c;
        Model& model = blocks(c);
        const QString before = treeText(model);
        applied(model, "group", {{"nodes", "relu, mul"}, {"name", "gate"}});
        QVERIFY2(treeText(model).contains("a.gate(a_w relu mul)"), qPrintable(treeText(model)));
        applied(model, "ungroup", {{"scope", "a.gate"}});
        QCOMPARE(treeText(model), before);
    }

    void aCalledModuleIsNoScopeOfItself() {
        Calls c;
        const NodeId x = c.input("x"), one = c.module("a.one", {x}), two = c.module("a.two", {one});
        c.edit.setMeta(one, meta::kModuleStack, MetaValue(stackOf({"a", "a.one"})));
        c.edit.setMeta(two, meta::kModuleStack, MetaValue(stackOf({"a", "a.two"})));
        Model& model = c.give(two);
        applied(model, "group", {{"nodes", "a_one"}, {"name", "g"}});
        QCOMPARE(treeText(model), QString("a(a_two a.g(a_one))"));
        QCOMPARE(model.graph().node(one).target.name(), std::string("a.one"));
    }

    void whatCannotBeIsRefused() {
        Calls c;
        Model& model = inScopes(c);
        const auto isRefused = [&](const char* pass, const Texts& options) {
            const std::string fault = faultOf(model, pass, options);
            return fault != "none" && fault != "was not taken back";
        };
        QVERIFY(isRefused("group", {{"nodes", "x"}}));
        QVERIFY(isRefused("group", {{"nodes", "relu"}, {"name", "a.b"}}));
        QVERIFY(isRefused("group", {{"nodes", "nothing"}}));
        QVERIFY(isRefused("ungroup", {{"scope", "a"}})); // a module
        QVERIFY(isRefused("ungroup", {{"scope", "g"}}));
    }
};

FX_TEST(TestGroupScope)
} // namespace fx::group_scope_test
#include "tst_group_scope.moc"
