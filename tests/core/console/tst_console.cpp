// SPDX-License-Identifier: GPL-3.0-or-later
// The console's words, each with what it says on the small model. The session behind it is tested for itself.
#include "core/base/text.h"
#include "core/module/edit.h"
#include "tests/core/console/talk.h"
#include "tests/support/model_state.h"
#include "tests/support/oracle.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

namespace fx::console_test {

namespace {

const Dialogue kDialogues[] = {
    {"steps", {{"s", "> add"}, {"", "> output"}, {"n", "finished: tensor([3., 3.])"}}},
    {"goes on", {{"c", "finished: tensor([3., 3.])"}, {"c", "*** the run is over; 'run' starts it anew"}}},
    {"breaks",
     {{"b add", "breakpoint 1: node add"},
      {"c", "stopped at breakpoint 1: add"},
      {"b", "1  node add  hit 1 time"}}},
    {"breaks once",
     {{"tbreak add", "breakpoint 1: node add"},
      {"c", "stopped at breakpoint 1: add"},
      {"b", "there are no breakpoints"}}},
    {"breaks on a target",
     {{"b torch.add, relu.sum() > 1", "breakpoint 1: target torch.add"},
      {"c", "stopped at breakpoint 1: add"}}},
    {"breaks on an opcode",
     {{"b op=output", "breakpoint 1: op output"}, {"c", "stopped at breakpoint 1: output"}}},
    {"breaks nowhere",
     {{"b gone", "*** there is no node named 'gone' here"},
      {"b op=call", "*** there is no opcode 'call'"},
      {"b op=torch.add", "*** there is no opcode 'torch.add'; `b target=torch.add` stops at its calls"}}},
    {"sets conditions",
     {{"b add", "breakpoint 1: node add"},
      {"condition 1 False", "breakpoint 1: stops only if False"},
      {"c", "finished: tensor([3., 3.])"},
      {"condition 1 x >", "*** condition:1:4: SyntaxError: invalid syntax\n    x >\n       ^"},
      {"condition 7 x", "*** there is no breakpoint number '7'"}}},
    {"ignores hits",
     {{"b op=call_function", "breakpoint 1: op call_function"},
      {"ignore 1 1", "breakpoint 1 ignores the next 1 hit"},
      {"c", "finished: tensor([3., 3.])"},
      {"b", "1  op call_function  hit 1 time"}}},
    {"switches off",
     {{"b add", "breakpoint 1: node add"},
      {"disable 1", "breakpoint 1 disabled"},
      {"c", "finished: tensor([3., 3.])"},
      {"enable 1", "breakpoint 1 enabled"},
      {"run", "paused at the first node: relu"},
      {"c", "stopped at breakpoint 1: add"}}},
    {"clears",
     {{"b add", "breakpoint 1: node add"},
      {"cl 1", "removed 1 breakpoint"},
      {"cl add", "*** there is no breakpoint 'add'"},
      {"cl", "removed 0 breakpoints"}}},
    {"runs until", {{"until output", "> output"}, {"until gone", "*** there is no node named 'gone' here"}}},
    {"runs until no node that does not come any more",
     {{"until relu", "> relu\nrelu is the node that runs next, and it does not run again after that"},
      {"s", "> add"},
      {"until relu", "> add\nrelu does not run any more; 'jump relu' goes back to it"},
      {"c", "finished: tensor([3., 3.])"}}},
    {"jumps back", {{"until output", "> output"}, {"j relu", "> relu"}, {"s", "> add"}}},
    {"steps back",
     {{"until output", "> output"},
      {"rs", "> add"},
      {"rs", "> relu"},
      {"rs", "*** this is the first node of its graph; 'run' starts the run anew"},
      {"c", "finished: tensor([3., 3.])"},
      {"rs", "*** the run is over; 'run' starts it anew"}}},
    {"goes back to a breakpoint",
     {{"b relu", "breakpoint 1: node relu"},
      {"until output", "> output"},
      {"rc", "stopped at breakpoint 1: relu"},
      {"s", "> add"},
      {"disable 1", "breakpoint 1 disabled"},
      {"s", "> output"},
      {"rc", "> relu"}}},
    {"goes back to where a value was made",
     {{"until output", "> output"},
      {"display relu.sum()", "display relu.sum(): tensor(2.)"},
      {"display x.sum()", "display x.sum(): tensor(2.)"},
      {"rc", "relu.sum() changes here:\n> relu"}}},
    {"jumps back to an input",
     {{"until output", "> output"}, {"j x", "> relu"}, {"c", "finished: tensor([3., 3.])"}}},
    {"prints",
     {{"s", "> add"},
      {"p relu + 1", "tensor([2., 2.])"},
      {"relu.shape", "torch.Size([2])"},
      {"!relu.dtype", "torch.float32"}}},
    {"finds where a value comes from",
     {{"s", "> add"},
      {"why relu", "*** relu holds no NaN and no Inf; why NODE zero, why NODE > 1e4"},
      {"why add", "*** add has no value yet: it has not run"},
      {"why relu > 0.5", "a magnitude above 0.5 comes first out of x at [0] (2 of 2 elements)\n"
                         "  from there: x -> relu"},
      {"why gone", "*** there is no node named 'gone' here"},
      {"why relu big", "*** 'big' is nothing to look for; nan, inf, zero, or a limit such as > 1e4"}}},
    {"prints nothing that is not there",
     {{"p add", "*** add has no value yet: it has not run\n    add\n    ^"},
      {"p", "*** an expression is expected"},
      {"details", "*** an expression is expected"}}},
    {"has no details of nothing", {{"details", "nothing has failed"}}},
    {"displays",
     {{"display relu.sum()", "display relu.sum(): *** relu has no value yet: it has not run"},
      {"s", "> add\ndisplay relu.sum(): tensor(2.)  [old: *** relu has no value yet: it has not run]"},
      {"display", "displayed:\nrelu.sum(): tensor(2.)"},
      {"s", "> output"},
      {"undisplay relu", "*** 'relu' is not displayed"},
      {"undisplay", ""},
      {"display", "nothing is displayed"}}},
    {"displays what has changed",
     {{"s", "> add"},
      {"display relu.sum()", "display relu.sum(): tensor(2.)"},
      {"display torch.cat([torch.ones(1500), relu, torch.ones(1500)])",
       "display torch.cat([torch.ones(1500), relu, torch.ones(1500)]): tensor([1., 1., 1.,  ..., 1., 1., "
       "1.])"},
      {"relu = relu + 1", "relu is now f32[2]"},
      {"s",
       "> output\ndisplay relu.sum(): tensor(4.)  [old: tensor(2.)]\n"
       "display torch.cat([torch.ones(1500), relu, torch.ones(1500)]): tensor([1., 1., 1.,  ..., 1., 1., 1.])"
       "  [old: tensor([1., 1., 1.,  ..., 1., 1., 1.])]"},
      {"undisplay torch.cat([torch.ones(1500), relu, torch.ones(1500)])", ""},
      {"j add", "> add"},
      {"run",
       "paused at the first node: relu\ndisplay relu.sum(): *** relu has no value yet: it has not run"}}},
    {"puts another value in place",
     {{"s", "> add"},
      {"relu = relu * 0", "relu is now f32[2]"},
      {"relu == 0", "tensor([True, True])"},
      {"!relu = relu - 1", "relu is now f32[2]"},
      {"c", "finished: tensor([1., 1.])"},
      {"relu = relu", "*** the run is over, so nobody would read the new value of relu; start it again and "
                      "stop before a node that reads it"},
      {"run", "paused at the first node: relu"},
      {"c", "finished: tensor([3., 3.])"}}},
    {"gives a node that runs again its own value",
     {{"s", "> add"},
      {"relu = relu * 0", "relu is now f32[2]"},
      {"j relu", "> relu"},
      {"s", "> add"},
      {"c", "finished: tensor([3., 3.])"}}},
    {"says what is different of another value",
     {{"s", "> add"},
      {"relu = relu[:1].double()", "relu is now f64[1]; shape [1] instead of [2], f64 instead of f32"},
      {"x = x + 1", "x is now f32[2]; no node that is still to run reads it"},
      {"c",
       "finished: tensor([3., 3.], dtype=torch.float64)\nwarning: the value that was set for x (x + 1) took "
       "no effect: no node has read it"}}},
    {"refuses values that cannot stand there",
     {{"s", "> add"},
      {"relu = 3",
       "*** relu is a 'Tensor', and what reads it cannot take 'int'; torch.full_like(relu, number) "
       "makes a tensor of a number"},
      {"relu = (relu, relu)", "*** relu is a 'Tensor', and what reads it cannot take 'tuple'"},
      {"add = relu", "*** add has no value yet: it has not run"},
      {"gone = 1", "*** there is no node named 'gone' here"},
      {"relu = relu +", nullptr},
      {"c", "finished: tensor([3., 3.])"}}},
    {"shows arguments",
     {{"s", "> add"},
      {"args",
       "%add : [num_users=1] = call_function[target=torch.add](args = (%relu, %w), kwargs = {alpha: 2})\n"
       "argument 0 = relu   f32[2]\nargument 1 = w   f32[2]\nalpha = 2"}}},
    {"tells types",
     {{"whatis", "*** relu: has not run, and no value is recorded with it"},
      {"s", "> add"},
      {"whatis relu", "relu: f32[2]"},
      {"whatis gone", "*** there is no node named 'gone' here"}}},
    {"lists",
     {{"l", "   1     def forward(self, x):\n   2         w = self.w\n   3  ->     relu = torch.relu(x);  x "
            "= None\n"
            "   4         add = torch.add(relu, w, alpha = 2);  relu = w = None\n   5         return add\n   "
            "6         "}}},
    {"knows no other words",
     {{"nonsense", "*** name 'nonsense' is not defined\n    nonsense\n    ^"}, {"help nonsense", nullptr}}},
};

/// x -> relu -> inner -> add(inner, relu) -> output, where inner is x -> mul(x, 2) -> neg -> output.
Model nested() {
    Model model("GraphModule");
    Edit edit(model);
    const ModuleId inner = edit.createModule("GraphModule", true);
    edit.addSubmodule("inner", inner);
    edit.enter(inner);
    edit.output(edit.callMethod("neg", {edit.callFunction("operator.mul", {edit.placeholder("x"), 2})}));
    edit.enter(model.root());
    const NodeId relu = edit.callFunction("torch.relu", {edit.placeholder("x")});
    edit.output(edit.callFunction("operator.add", {edit.callModule("inner", {relu}), relu}));
    edit.finish();
    return model;
}

const Dialogue kNestedDialogues[] = {
    {"evaluates in the graph chosen",
     {{"s", "> inner"},
      {"s", "> inner.mul"},
      {"p relu", "<function torch.relu>"},
      {"d", "*** this is the innermost module"},
      {"u", "> graph of the model, at inner"},
      {"p relu + x", "tensor([2., 2.])"},
      {"u", "*** this is the outermost module"},
      {"args", "%inner : [num_users=1] = call_module[target=inner](args = (%relu,), kwargs = {})\n"
               "argument 0 = relu   f32[2]"},
      {"j relu", "*** a jump needs a paused run and a node of its innermost graph"},
      {"d", "> graph inner, at mul"},
      {"p mul", "*** mul has no value yet: it has not run\n    mul\n    ^"},
      {"s", "> inner.neg"},
      {"p mul", "tensor([2., 2.])"}}},
    {"puts values in place in the graph chosen",
     {{"until inner.neg", "> inner.neg"},
      {"u", "> graph of the model, at inner"},
      {"relu = relu * 3 + x", "relu is now f32[2]"},
      {"x = x + 1", "x is now f32[2]; no node that is still to run reads it"},
      {"p relu", "tensor([4., 4.])"},
      {"mul = mul + 1", "mul is now f32[2]"}, // only the inner graph has one
      {"d", "> graph inner, at neg"},
      {"p x", "tensor([1., 1.])"},
      {"c",
       "finished: tensor([1., 1.])\nwarning: the value that was set for x (x + 1) took no effect: no node "
       "has read it"}}},
    {"looks around where it has failed",
     {{"until inner.neg", "> inner.neg"},
      {"mul = torch.ones(2, dtype=torch.bool)", nullptr},
      {"c", nullptr},
      {"p mul", "tensor([True, True])"},
      {"args", "%neg : [num_users=1] = call_method[target=neg](args = (%mul,), kwargs = {})\n"
               "argument 0 = mul   b8[2]"},
      {"w", "graph of the model\n  %inner : [num_users=1] = call_module[target=inner](args = (%relu,), "
            "kwargs = {})\n"
            "> graph inner\n  %neg : [num_users=1] = call_method[target=neg](args = (%mul,), kwargs = {})"},
      {"u", "> graph of the model, at inner"},
      {"p relu + x", "tensor([2., 2.])"},
      {"relu = relu + 1",
       "*** the run is over, so nobody would read the new value of relu; start it again and stop "
       "before a node that reads it"},
      {"n", "*** the run is over; 'run' starts it anew"},
      {"j relu", "*** a jump needs a paused run and a node of its innermost graph"},
      {"run", "paused at the first node: relu"},
      {"s", "> inner"}}},
    {"displays where it was asked",
     {{"display x", "display x: tensor([1., 1.])"},
      {"s", "> inner"},
      {"s", "> inner.mul"},
      {"display x * 5", "display x * 5: tensor([5., 5.])"},
      {"x = x + 1", "x is now f32[2]"},
      {"s", "> inner.neg\ndisplay x * 5: tensor([10., 10.])  [old: tensor([5., 5.])]"},
      {"r", "> add"},
      {"c", "finished: tensor([-3., -3.])"}}},
    {"shows where it stands",
     {{"until inner.neg", "> inner.neg"},
      {"w", "graph of the model\n  %inner : [num_users=1] = call_module[target=inner](args = (%relu,), "
            "kwargs = {})\n"
            "> graph inner\n  %neg : [num_users=1] = call_method[target=neg](args = (%mul,), kwargs = {})"},
      {"u", nullptr},
      {"w", "> graph of the model\n  %inner : [num_users=1] = call_module[target=inner](args = (%relu,), "
            "kwargs = {})\n"
            "graph inner\n  %neg : [num_users=1] = call_method[target=neg](args = (%mul,), kwargs = {})"}}},
};

} // namespace

class TestConsole : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void completesTheLastWord_data() {
        QTest::addColumn<std::string>("line");
        QTest::addColumn<std::string>("found"); ///< with | between
        QTest::newRow("a word") << std::string("unt") << std::string("unt|until");
        QTest::newRow("a node") << std::string("p re") << std::string("p relu");
        QTest::newRow("inside an expression") << std::string("p (relu + ad") << std::string("p (relu + add");
        QTest::newRow("an opcode") << std::string("b op=ou") << std::string("b op=output");
        QTest::newRow("a target") << std::string("b target=torch.a") << std::string("b target=torch.add");
        QTest::newRow("nothing") << std::string("p zzz") << std::string();
    }
    void completesTheLastWord() {
        QFETCH(std::string, line);
        QFETCH(std::string, found);
        SmallModel m;
        Talk talk(m.model);
        QCOMPARE(join(talk.console().completions(line), "|"), found);
    }

    void answers_data() {
        QTest::addColumn<size_t>("index");
        for (size_t i = 0; i < std::size(kDialogues); ++i)
            QTest::newRow(kDialogues[i].name) << i;
    }
    void answers() {
        QFETCH(size_t, index);
        SmallModel m;
        hold(m.model, kDialogues[index]);
    }

    void answersInNestedGraphs_data() {
        QTest::addColumn<size_t>("index");
        for (size_t i = 0; i < std::size(kNestedDialogues); ++i)
            QTest::newRow(kNestedDialogues[i].name) << i;
    }
    void answersInNestedGraphs() {
        QFETCH(size_t, index);
        hold(nested(), kNestedDialogues[index]);
    }

    void knowsOperatorsByTheirShorterNames() {
        for (const std::string name :
             {"torch.ops.aten.tanh.default", "aten.tanh.default", "aten.tanh", "tanh"}) {
            SmallModel m;
            Edit edit(m.model);
            const auto point = edit.insertingBefore(m.output);
            edit.callFunction("torch.ops.aten.tanh.default", {m.x});
            edit.finish();
            Talk talk(m.model);
            QCOMPARE(talk.say("b target=" + name), "breakpoint 1: target " + name);
            QCOMPARE(talk.say("c"), std::string("stopped at breakpoint 1: tanh_default"));
            QCOMPARE(talk.say("b target=aten.tan"), std::string("*** no node of the model calls 'aten.tan'"));
        }
    }

    void goesBackToWhereAValueWasWritten() {
        SmallModel m;
        Edit edit(m.model);
        {
            const auto point = edit.insertingBefore(m.output);
            for (int i = 0; i < 5; ++i) {
                edit.callFunction("torch.neg", {m.relu});
                if (i == 2)
                    edit.callMethod("add_", {m.w, m.relu});
            }
        }
        edit.finish();
        Talk talk(m.model);
        talk.say("until output");
        talk.say("display w.sum()");
        const std::string said = talk.say("rc");
        QVERIFY2(said.starts_with("w.sum() changes here:\n> add_"), said.c_str());
        // Before it nothing else changes it, so that it is the first node of all.
        const std::string first = talk.say("rc");
        QVERIFY2(first.starts_with("> relu"), first.c_str());
    }

    void listsOn() {
        SmallModel m;
        Edit edit(m.model);
        const auto point = edit.insertingBefore(m.output);
        for (int i = 0; i < 40; ++i)
            edit.callFunction("torch.relu", {m.x});
        edit.finish();
        Talk talk(m.model);
        const auto linesOf = [&](const std::string& line) {
            std::vector<int> numbers;
            const std::string said = talk.say(line);
            for (std::string_view row : split(said, '\n'))
                numbers.push_back(std::atoi(std::string(row).c_str()));
            return numbers;
        };
        QCOMPARE(linesOf("l").back(), 8);
        const std::vector<int> on{9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
        QCOMPARE(linesOf("l"), on);
        QCOMPARE(linesOf("").front(), 20);
        talk.say("args");
        QCOMPARE(linesOf("l").back(), 8);
    }

    void helpsWithEveryWord() {
        SmallModel m;
        Talk talk(m.model);
        for (const Console::Word& word : Console::words())
            for (std::string_view name : split(word.names, ' '))
                QVERIFY(talk.say("help " + std::string(name)).find(word.help) != std::string::npos);
        for (const char* word :
             {"s",      "n",         "c",      "u",  "d", "l", "p",    "pp",      "w",  "b",
              "tbreak", "condition", "ignore", "cl", "j", "q", "args", "display", "up", "down"})
            QVERIFY2(!talk.say(std::string("help ") + word).starts_with("***"), word);
    }

    void quits() {
        SmallModel m;
        Talk talk(m.model);
        talk.say("q");
        QVERIFY(talk.hasQuit());
    }
};

FX_TEST(TestConsole)
} // namespace fx::console_test
#include "tst_console.moc"
