// SPDX-License-Identifier: GPL-3.0-or-later
// What the comparison with torch.fx (tests/oracle/tst_replaces.cpp) cannot show: where this one does better,
// and that neither depth nor number of matches is a danger.
#include "core/base/error.h"
#include "core/codegen/python_code.h"
#include "core/module/lint.h"
#include "core/rewrite/pattern_source.h"
#include "core/rewrite/replace_pattern.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

namespace fx::replace_pattern_test {

namespace {

Model traced(const std::string& text) {
    return tracePatternText(text, "test");
}

std::string codeOf(const Model& model) {
    return PythonCode(model, model.root()).text();
}

/// x -> relu -> relu -> ... -> neg -> output.
Model chainOf(int calls) {
    Model model;
    Edit edit(model);
    NodeId last = edit.placeholder("x");
    for (int i = 0; i < calls; ++i)
        last = edit.callFunction("torch.relu", {last});
    edit.output(edit.callFunction("torch.neg", {last}));
    edit.finish();
    return model;
}

} // namespace

class TestReplacePattern : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void placesErrorsInTheTextThatWasGiven_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("place");
        QTest::newRow("a function") << "def f(x):\n    y = x\n    return torch.nosuch(y)"
                                    << "test:3:12";
        QTest::newRow("a function's syntax") << "def f(x):\n    return (x"
                                             << "test:2:12";
        QTest::newRow("a lambda") << "lambda x: torch.nosuch(x)"
                                  << "test:1:11";
    }
    void placesErrorsInTheTextThatWasGiven() {
        QFETCH(QString, text);
        QFETCH(QString, place);
        try {
            traced(text.toStdString());
            QFAIL("is traced");
        } catch (const Error& error) {
            QCOMPARE(QString::fromStdString(error.place()), place);
        }
    }

    /// A match in one scope stays there; one over two belongs where both are.
    void newNodesBelongWhereTheMatchWas_data() {
        QTest::addColumn<QString>("second");
        QTest::addColumn<QString>("scope");
        QTest::newRow("one scope") << "block.a"
                                   << "block.a";
        QTest::newRow("two scopes") << "block.b"
                                    << "block";
    }
    void newNodesBelongWhereTheMatchWas() {
        QFETCH(QString, second);
        QFETCH(QString, scope);
        Model model = traced("lambda x: torch.relu(torch.neg(x))");
        Edit edit(model);
        const auto put = [&](const char* node, const std::string& path) {
            const NodeId id = edit.graph().find(node);
            edit.setMeta(id, meta::kModuleStack,
                         MetaValue(ModuleStack{{"block", "block", "Block"}, {path, path, "Part"}}));
            edit.setMeta(id, meta::kStackTrace, MetaValue(Argument("line of " + std::string(node))));
        };
        put("neg", "block.a");
        put("relu", second.toStdString());
        ReplaceOptions options;
        options.keepsScope = true;
        const auto done = replacePattern(edit, traced("lambda x: torch.relu(torch.neg(x))"),
                                         traced("lambda x: torch.exp(torch.sin(x))"), options);
        edit.finish();
        QCOMPARE(done.size(), size_t(1));
        QCOMPARE(done[0].replacements.size(), size_t(2));
        for (const NodeId fresh : done[0].replacements) {
            const auto* stack = model.graph().node(fresh).meta.find<ModuleStack>(meta::kModuleStack);
            QVERIFY(stack);
            QCOMPARE(QString::fromStdString(stack->back().path), scope);
            const auto* trace = model.graph().node(fresh).meta.find<Argument>(meta::kStackTrace);
            QVERIFY(trace && *trace == Argument("line of relu"));
        }
    }

    /// torch.fx leaves the erased relu in the list.
    void followsReplacedNodesIntoLists() {
        Model model = traced("lambda x, y: torch.cat([torch.cat([x, y]), x])");
        Edit edit(model);
        replacePattern(edit, traced("lambda many: torch.cat(many)"), traced("lambda many: torch.stack(many)"),
                       {});
        edit.finish();
        requireSound(model, model.root());
        QVERIFY(codeOf(model).find("torch.stack([stack, x])") != std::string::npos);
    }

    void takesAFailedReplacementBack() {
        Model model = traced("lambda x: torch.relu(x) + torch.relu(x)");
        const std::string before = codeOf(model);
        {
            Edit edit(model);
            QVERIFY_THROWS_EXCEPTION(
                Error, replacePattern(edit, traced("lambda x: torch.relu(x)"), traced("lambda x: 3"), {}));
        }
        QCOMPARE(codeOf(model), before);
    }

    void copiesTheConstantsOfAFunction() {
        Model model = traced("lambda x: torch.relu(x)");
        Edit edit(model);
        ReplaceOptions options;
        options.isModule = false;
        replacePattern(edit, traced("lambda x: torch.relu(x)"), traced("lambda x: x * torch.ones(2)"),
                       options);
        edit.finish();
        const NodeId constant = model.graph().findNodes(Opcode::GetAttr).at(0);
        const Attribute found = model.resolve(model.root(), model.graph().node(constant).target.name());
        QVERIFY(found.tensor);
        QVERIFY(at::equal(model.tensor(found.tensor).value(), at::ones({2})));
    }

    void copiesModulesWithWhatTheyShare() {
        Model replacement;
        {
            Edit edit(replacement);
            const ModuleId block = edit.createModule("torch.nn.modules.module.Module");
            edit.addSubmodule("block", block);
            edit.addSubmodule("block.inner", edit.createModule("torch.nn.modules.linear.Linear"));
            const TensorId tied = edit.createTensor(TensorSlot(at::ones({2})));
            edit.setTensor("block.weight", tied, TensorRole::Parameter);
            edit.setTensor("block.inner.weight", tied, TensorRole::Parameter);
            edit.setTensor("block.inner.bias", TensorId(), TensorRole::Parameter);
            const NodeId x = edit.placeholder("x");
            edit.output(edit.callModule("block", {x}));
            edit.finish();
        }
        QVERIFY(holdsState(replacement));
        Model model = traced("lambda x: torch.relu(x)");
        Edit edit(model);
        replacePattern(edit, traced("lambda x: torch.relu(x)"), replacement, {});
        const Changes changes = edit.finish();
        const Attribute outer = model.resolve(model.root(), "block.weight"),
                        inner = model.resolve(model.root(), "block.inner.weight");
        QVERIFY(outer.tensor);
        QCOMPARE(outer.tensor, inner.tensor);
        QVERIFY(model.module(model.resolve(model.root(), "block.inner").module).tensor("bias"));
        // A deep copy: what is written into it does not reach the replacement.
        model.tensor(outer.tensor).value().zero_();
        const Attribute original = replacement.resolve(replacement.root(), "block.weight");
        QVERIFY(at::equal(replacement.tensor(original.tensor).value(), at::ones({2})));
        undo(model, changes);
        QVERIFY(!model.resolve(model.root(), "block"));
    }

    void standsADeepPattern() {
        constexpr int kDepth = 100'000;
        Model model = chainOf(kDepth);
        Edit edit(model);
        const auto done = replacePattern(edit, chainOf(kDepth), traced("lambda x: torch.tanh(x)"), {});
        QCOMPARE(done.size(), size_t(1));
        QCOMPARE(edit.graph().size(), size_t(3));
    }

    void findsManyPairsOfUnconnectedResults() {
        constexpr int kPairs = 20'000;
        Model model;
        Edit edit(model);
        const NodeId x = edit.placeholder("x");
        Arguments results;
        for (int i = 0; i < kPairs; ++i)
            results.push_back(edit.callFunction("torch.relu", {x}));
        for (int i = 0; i < kPairs; ++i)
            results.push_back(edit.callFunction("torch.neg", {x}));
        edit.output(TupleValue{std::move(results)});
        edit.finish();
        const Model pattern = traced("def p(x):\n    return torch.relu(x), torch.neg(x)");
        const SubgraphMatcher matcher({&pattern, pattern.root()});
        QCOMPARE(matcher.match({&model, model.root()}).size(), size_t(kPairs));
    }

    void namesThePlaceOfFaultyText() {
        try {
            traced("lambda x: torch.relu(x");
            QFAIL("the text is no Python");
        } catch (const Error& error) {
            QCOMPARE(error.kind(), std::string("SyntaxError"));
            QVERIFY(std::string(error.what()).find("/tmp") == std::string::npos);
        }
    }
};

FX_TEST(TestReplacePattern)
} // namespace fx::replace_pattern_test
#include "tst_replace_pattern.moc"
