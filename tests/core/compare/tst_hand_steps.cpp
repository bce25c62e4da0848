// SPDX-License-Identifier: GPL-3.0-or-later
// Edits by hand as steps of a recipe, and patterns made of nodes: what is written down does the same again.
#include "core/base/error.h"
#include "core/codegen/statement_lines.h"
#include "core/compare/hand_step.h"
#include "core/module/edit.h"
#include "core/module/muted.h"
#include "core/passes/code_pass.h"
#include "core/passes/pass_options.h"
#include "core/passes/registry.h"
#include "core/rewrite/code_patch.h"
#include "core/rewrite/pattern_source.h"
#include "core/rewrite/pattern_text.h"
#include "core/rewrite/subgraph_matcher.h"
#include "tests/support/test_program.h"

namespace fx::hand_steps_test {

namespace {

Model traced(const char* source) {
    return tracePatternText(source, "source");
}

void play(Model& model, const RecipeStep& step) {
    Progress progress;
    PassContext context{progress};
    Edit edit(model);
    runEditCode(edit, PassOptions(findPass(step.pass), step.options), context);
    edit.finish();
}

std::vector<NodeId> nodesOf(const Model& model, const std::vector<std::string>& names) {
    std::vector<NodeId> out;
    for (const std::string& name : names)
        out.push_back(model.graph().find(name));
    return out;
}

using Lines = std::vector<std::string>;

} // namespace

class TestHandSteps : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aPatchFindsItsLinesWhereTheyAre() {
        const std::string patch = "@@ -1,3 +1,3 @@\n b\n-c\n+C\n d\n";
        QCOMPARE(patchedLines({"b", "c", "d"}, patch), (Lines{"b", "C", "d"}));
        QCOMPARE(patchedLines({"x", "y", "b", "c", "d"}, patch), (Lines{"x", "y", "b", "C", "d"}));
        // Of several places the nearest.
        QCOMPARE(patchedLines({"b", "c", "d", "b", "c", "d"}, "@@ -4,3 +4,3 @@\n b\n-c\n+C\n d\n"),
                 (Lines{"b", "c", "d", "b", "C", "d"}));
        QVERIFY_THROWS_EXCEPTION(Error, patchedLines({"b", "d"}, patch));
        QVERIFY_THROWS_EXCEPTION(Error, patchedLines({"b"}, "b\n"));
        QVERIFY_THROWS_EXCEPTION(Error, patchedLines({"b"}, "@@ nowhere @@\n b\n"));
    }

    void anEditByHandIsReplayedOnAnotherModel() {
        const char* source = "lambda x, y: torch.sigmoid(torch.relu(x + y) * 2)";
        const Model before = traced(source);
        Model after = before;
        Edit edit(after);
        edit.rename(edit.graph().find("relu"), "positive");
        const auto point = edit.insertingAfter(edit.graph().find("positive"));
        const NodeId fresh = edit.callFunction("torch.neg", {edit.graph().find("positive")});
        edit.replaceAllUsesWith(edit.graph().find("positive"), fresh,
                                [&](NodeId user) { return user != fresh; });
        edit.finish();
        const std::optional<RecipeStep> step = handStep(before, after);
        QVERIFY(step.has_value());
        QCOMPARE(step->pass, "edit-code");
        // Another model, in which the lines stand further down.
        Model other = traced("lambda x, y: torch.sigmoid(torch.relu(x + y) * 2) + torch.cos(torch.sin(y))");
        play(other, *step);
        const Graph& graph = other.graph();
        QVERIFY(graph.find("positive") && graph.find("neg") && !graph.find("relu"));
        QCOMPARE(graph.node(graph.find("mul")).inputs[0].node, graph.find("neg"));
        // One without such lines is left as it was.
        Model none = traced("lambda x: torch.cos(x)");
        const Lines as = statementLines(none, none.root());
        QVERIFY_THROWS_EXCEPTION(Error, play(none, *step));
        QCOMPARE(statementLines(none, none.root()), as);
    }

    void whatNoRecipeCanSayIsRefused() {
        const Model before = traced("lambda x: torch.relu(x)");
        QVERIFY(!handStep(before, before).has_value());
        Model after = before;
        Edit edit(after);
        edit.addSubmodule("fresh", edit.createModule("torch.nn.ReLU"));
        edit.finish();
        QVERIFY_THROWS_EXCEPTION(Error, handStep(before, after));
    }

    void nodesBecomeAPatternThatFindsThem() {
        const Model model = traced("lambda x, y: torch.sigmoid(torch.relu(x + y) * 2.5)");
        const std::string text =
            patternText(model, model.root(), nodesOf(model, {"x", "relu", "mul"}), "same");
        QCOMPARE(text, "def same(add):\n"
                       "    relu = torch.relu(add)\n"
                       "    mul = relu * 2.5\n"
                       "    return mul");
        const Model pattern = traced(text.c_str());
        const auto found = SubgraphMatcher({&pattern, pattern.root()}).match({&model, model.root()});
        QCOMPARE(found.size(), 1U);
        QCOMPARE(found[0].nodes.find(pattern.graph().find("mul"))->node(), model.graph().find("mul"));
    }

    void aPatternReturnsAllThatIsReadElsewhere() {
        const Model model = traced("lambda x: (torch.relu(x), torch.neg(torch.relu(x)))");
        QCOMPARE(patternText(model, model.root(), nodesOf(model, {"relu", "relu_1", "neg"}), "same"),
                 "def same(x):\n"
                 "    relu = torch.relu(x)\n"
                 "    relu_1 = torch.relu(x)\n"
                 "    neg = torch.neg(relu_1)\n"
                 "    return relu, neg");
        QVERIFY_THROWS_EXCEPTION(Error, patternText(model, model.root(), nodesOf(model, {"x"}), "same"));
    }

    void aMutedCallIsNoPattern() {
        Model model = traced("lambda x: torch.neg(torch.relu(x))");
        const auto text = [&] {
            return patternText(model, model.root(), nodesOf(model, {"relu", "neg"}), "same");
        };
        text();
        Edit edit(model);
        mute(edit, model.graph().find("relu"));
        edit.finish();
        QVERIFY_THROWS_EXCEPTION(Error, text());
    }
};

FX_TEST(TestHandSteps)
} // namespace fx::hand_steps_test

#include "tst_hand_steps.moc"
