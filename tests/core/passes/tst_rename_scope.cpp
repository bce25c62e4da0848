// SPDX-License-Identifier: GPL-3.0-or-later
// Modules of the hierarchy under another name: the module, its tensors, and what is recorded of calls.
#include "core/module/scopes.h"
#include "tests/core/passes/split_graphs.h"
#include "tests/support/test_program.h"

namespace fx::rename_scope_test {

namespace {

std::vector<std::string> childrenOf(const Model& model, const char* path) {
    std::vector<std::string> out;
    for (const NamedModule& child : model.module(model.resolve(model.root(), path).module).children)
        out.push_back(child.name);
    return out;
}

} // namespace

class TestRenameScope : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theModuleIsRenamedWithWhatNamesIt() {
        Calls c;
        Model& model = blocks(c);
        const QString before = bodyOf(model);
        Model other = model;
        const PassReport report = applied(model, "rename-scope", {{"scope", "a"}, {"name", "block"}});
        QCOMPARE(report.results.back(),
                 std::string("a is block: 3 nodes, and the module with what it holds"));
        QCOMPARE(bodyOf(model), QString("def forward(self, x): ; a_w = self.block.w ; "
                                        "a_one = self.block.one(x) ; relu = torch.relu(a_one) ; "
                                        "mul = torch.mul(relu, a_w) ; a_two = self.block.two(mul) ; "
                                        "b = self.b(a_two) ; return b"));
        QCOMPARE(childrenOf(model, ""), (std::vector<std::string>{"block", "b"})); // in its place
        QVERIFY(ScopeTree(model.graph()).find("block") > 0);
        applied(model, "rename-scope", {{"scope", "block"}, {"name", "a"}});
        QCOMPARE(bodyOf(model), before);
        applied(other, "rename-scope", {{"scope", "a.one"}, {"name", "0"}});
        QCOMPARE(childrenOf(other, "a"), (std::vector<std::string>{"0", "two"}));
    }

    void stacksOfAllCallsFollow() {
        Calls c;
        const NodeId x = c.input("x"), first = c.call("relu", {x}), second = c.call("neg", {first}),
                     beside = c.call("exp", {second});
        const auto at = [&](NodeId node, const char* key, const char* path) {
            c.edit.setMeta(
                node, meta::kModuleStack,
                MetaValue(ModuleStack{{"", "", "Net"}, {"layer", "layer", "L"}, {key, path, "Act"}}));
        };
        at(first, "layer.act", "layer.act");
        at(second, "layer.act@1", "layer.act");
        at(beside, "layer.action", "layer.action");
        Model& model = c.give(beside);
        // Of the second call, as it is seen on the canvas.
        const PassReport report =
            applied(model, "rename-scope", {{"scope", "layer.act@1"}, {"name", "gate"}});
        QCOMPARE(report.results.back(), std::string("layer.act is layer.gate: 2 nodes"));
        const ScopeTree scopes(model.graph());
        QVERIFY(scopes.scopeOf(first) == scopes.find("layer.gate"));
        QVERIFY(scopes.scopeOf(second) == scopes.find("layer.gate@1"));
        QVERIFY(scopes.scopeOf(beside) == scopes.find("layer.action"));
    }

    void isRefusedWithTheReason_data() {
        QTest::addColumn<QString>("scope");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("reason");
        QTest::newRow("none") << "c"
                              << "d"
                              << "there is no scope 'c' in this graph";
        QTest::newRow("taken") << "a"
                               << "b"
                               << "there is 'b' already";
        QTest::newRow("a tensor's") << "a.one"
                                    << "w"
                                    << "there is 'a.w' already";
        QTest::newRow("no name") << "a"
                                 << "b c"
                                 << "'b c' is no name of a module";
        QTest::newRow("a path") << "a"
                                << "x.y"
                                << "'x.y' is no name of a module";
    }
    void isRefusedWithTheReason() {
        QFETCH(QString, scope);
        QFETCH(QString, name);
        QFETCH(QString, reason);
        Calls c;
        const std::string fault = faultOf(blocks(c), "rename-scope",
                                          {{"scope", scope.toStdString()}, {"name", name.toStdString()}});
        QVERIFY2(QString::fromStdString(fault).contains(reason), fault.c_str());
    }
};

FX_TEST(TestRenameScope)
} // namespace fx::rename_scope_test
#include "tst_rename_scope.moc"
