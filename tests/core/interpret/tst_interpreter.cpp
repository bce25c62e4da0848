// SPDX-License-Identifier: GPL-3.0-or-later
// The interpreter's loop: what it says of failures, what can be overridden and watched, when values are
// released. That it computes what torch.fx computes is asked in tests/oracle.
#include "core/base/error.h"
#include "core/interpret/shape_prop.h"
#include "core/torch/values/value_text.h"
#include "tests/support/model_state.h"
#include "tests/support/oracle.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

namespace fx::interpreter_test {

namespace {

Values ones() {
    return {Value(c10::IValue(at::ones({2})))};
}

/// The message of the error that the run ends in.
std::string failureOf(const Model& model, Values inputs) {
    try {
        Interpreter(model).run(std::move(inputs));
    } catch (const Error& error) {
        return error.place() + " | " + error.message();
    }
    return "no error";
}

std::string executing(const std::string& message, const std::string& node) {
    return message + "\n\nWhile executing " + node + "\nOriginal traceback:\nNone";
}

class Negating : public Interpreter {
public:
    using Interpreter::Interpreter;
    int functionCount = 0;

protected:
    Value callFunction(const Call& call) override {
        ++functionCount;
        return call.target() == Target("torch.relu") ? Value(c10::IValue(-call.args()[0].data().toTensor()))
                                                     : Interpreter::callFunction(call);
    }
    Value output(const Call& call) override {
        return makeSequence({Interpreter::output(call), Value(c10::IValue("seen"))}, false);
    }
};

struct Counter : Observer {
    std::vector<std::string> before, after;
    void beforeNode(Interpreter& interpreter, const Node& node) override {
        before.push_back(std::to_string(interpreter.module().value) + node.name);
    }
    void afterNode(const Interpreter& interpreter, const Node& node, const Value&) override {
        after.push_back(std::to_string(interpreter.module().value) + node.name);
    }
};

} // namespace

class TestInterpreter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void runs() {
        SmallModel m;
        QCOMPARE(valueText(Interpreter(m.model).run(ones())), std::string("tensor([3., 3.])"));
    }

    void saysWhatFailed() {
        SmallModel m;
        const Values wrong{Value(c10::IValue(at::ones({3})))};
        const std::string said = failureOf(m.model, wrong);
        const std::string expected = executing(
            "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 0",
            "%add : [num_users=1] = call_function[target=torch.add](args = (%relu, %w), kwargs = {alpha: "
            "2})");
        QCOMPARE(said, "node 'add' | " + expected);
    }

    void quotesTheSource() {
        SmallModel m;
        Edit edit(m.model);
        edit.setMeta(m.add, meta::kStackTrace,
                     MetaValue(std::string("  File \"net.py\", line 7, in forward\n    y")));
        edit.setMeta(m.add, meta::kModuleStack, MetaValue(ModuleStack{{"k", "layer1", "Layer"}}));
        edit.finish();
        const std::string said = failureOf(m.model, {Value(c10::IValue(at::ones({3})))});
        QVERIFY2(said.starts_with("node 'add' (layer1, net.py:7) | The size"), said.c_str());
        QVERIFY2(said.find("Original traceback:\n  File \"net.py\", line 7, in forward\n    y") !=
                     std::string::npos,
                 said.c_str());
    }

    void saysWhatIsMissing_data() {
        QTest::addColumn<int>("which");
        QTest::addColumn<QString>("message");
        QTest::newRow("input") << 0
                               << "Expected positional argument for parameter x, but one was not passed in!";
        QTest::newRow("attribute") << 1 << "Node referenced nonexistent target sub.gone";
        QTest::newRow("module") << 2 << "Node referenced nonexistent target gone";
        QTest::newRow("value")
            << 3 << "Node referenced nonexistent value add! Run Graph.lint() to diagnose such issues";
        QTest::newRow("method") << 4 << "'Tensor' object has no attribute 'no_such_method'";
    }
    void saysWhatIsMissing() {
        QFETCH(int, which);
        QFETCH(QString, message);
        SmallModel m;
        Edit edit(m.model);
        if (which == 1)
            edit.setTarget(m.w, "sub.gone.deep");
        else if (which == 2)
            edit.setCallee(m.relu, Opcode::CallModule, "gone");
        else if (which == 3)
            edit.moveAfter(m.add, m.output);
        else if (which == 4)
            edit.setCallee(m.relu, Opcode::CallMethod, "no_such_method");
        edit.finish();
        const std::string said = failureOf(m.model, which == 0 ? Values() : ones());
        QVERIFY2(said.find("| " + message.toStdString() + "\n") != std::string::npos, said.c_str());
    }

    void unknownOperatorFailsOnlyWhenRun() {
        SmallModel m;
        Edit edit(m.model);
        edit.setTarget(m.relu, "torch.ops.mine.op.default");
        edit.finish();
        const std::string said = failureOf(m.model, ones());
        QVERIFY2(said.find("torch.ops.mine.op.default") != std::string::npos, said.c_str());
    }

    void takesDefaults() {
        SmallModel m;
        Edit edit(m.model);
        const auto point = edit.insertingBefore(m.w);
        const NodeId y = edit.placeholder("y", Argument(5));
        edit.setKwargs(m.add, {{"alpha", y}});
        edit.finish();
        QCOMPARE(valueText(Interpreter(m.model).run(ones())), std::string("tensor([6., 6.])"));
    }

    void canBeOverridden() {
        SmallModel m;
        Negating interpreter(m.model);
        QCOMPARE(valueText(interpreter.run(ones())), std::string("(tensor([1., 1.]), 'seen')"));
        QCOMPARE(interpreter.functionCount, 2);
    }

    void showsObserversEachNodeOnce() {
        SmallModel m;
        Counter counter;
        const auto context = std::make_shared<RunContext>(m.model);
        context->observers.push_back(&counter);
        Interpreter(context, m.model.root()).run(ones());
        QCOMPARE(counter.before, (std::vector<std::string>{"0x", "0w", "0relu", "0add", "0output"}));
        QCOMPARE(counter.after, counter.before);
    }

    void showsObserversNestedGraphs_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"cond", "map", "while_loop", "scan", "no_grad"})
            QTest::newRow(name) << name;
    }
    void showsObserversNestedGraphs() {
        QFETCH(QString, name);
        const OpenedModel opened = openOracle(name.toStdString());
        Counter counter;
        const auto context = std::make_shared<RunContext>(opened.model);
        context->observers.push_back(&counter);
        Interpreter(context, opened.model.root()).run(oracleInputs(opened, name.toStdString()));
        QVERIFY(counter.before.size() > opened.model.graph().size());
        std::sort(counter.before.begin(), counter.before.end());
        std::sort(counter.after.begin(), counter.after.end());
        QCOMPARE(counter.before, counter.after);
    }

    void releasesValuesAfterTheirLastUse() {
        SmallModel m;
        Interpreter interpreter(m.model);
        interpreter.begin(ones());
        while (interpreter.nextNode() != m.add)
            QVERIFY(interpreter.step());
        QVERIFY(interpreter.value(m.relu) && interpreter.value(m.w));
        QVERIFY(!interpreter.value(m.x));
        interpreter.step();
        QVERIFY(!interpreter.value(m.relu) && !interpreter.value(m.w));
        QVERIFY(interpreter.value(m.add));
        QVERIFY(!interpreter.step());
        QVERIFY(!interpreter.nextNode());
    }

    void freesTheMemoryToo() {
        SmallModel m;
        const at::Tensor input = at::ones({2});
        Interpreter interpreter(m.model);
        interpreter.begin({Value(c10::IValue(input))});
        while (interpreter.nextNode() != m.add)
            interpreter.step();
        QCOMPARE(input.use_count(), 1);
    }

    void keepsValuesOnDemand() {
        SmallModel m;
        Interpreter interpreter(m.model);
        interpreter.keepValues();
        interpreter.run(ones());
        for (NodeId node : {m.x, m.w, m.relu, m.add})
            QVERIFY(interpreter.value(node));
    }

    void steers() {
        SmallModel m;
        Interpreter interpreter(m.model);
        interpreter.keepValues();
        interpreter.begin(ones());
        while (interpreter.nextNode() != m.add)
            interpreter.step();
        interpreter.setValue(m.relu, c10::IValue(at::full({2}, 10)));
        while (interpreter.step())
            ;
        QCOMPARE(valueText(interpreter.result()), std::string("tensor([12., 12.])"));
    }

    void leavesTheModelAsItWas() {
        const OpenedModel opened = openOracle("mutated_buffers");
        const TensorId count = opened.model.resolve(opened.model.root(), "count").tensor;
        Interpreter(opened.model).run(oracleInputs(opened, "mutated_buffers"));
        QCOMPARE(valueText(c10::IValue(opened.model.tensor(count).value())), std::string("tensor(0.)"));
    }

    /// A damaged file had it.
    void aModuleWithoutAGraphIsNoneToCall() {
        Model model;
        Edit edit(model);
        const NodeId x = edit.placeholder("x");
        edit.addSubmodule("inner", edit.createModule("Inner"));
        const NodeId inner = edit.getAttr("inner");
        edit.output(edit.callFunction("torch.ops.higher_order.wrap_with_set_grad_enabled", {true, inner, x}));
        edit.finish();
        try {
            Interpreter(model).run(ones());
            QFAIL("ran");
        } catch (const Error& error) {
            QVERIFY(QString(error.what()).contains("is given a module that has no graph"));
        }
    }

    void propagatesShapesIntoNestedGraphs() {
        OpenedModel opened = openOracle("cond");
        Edit edit(opened.model);
        propagateShapes(edit, oracleInputs(opened, "cond"));
        edit.finish();
        int known = 0;
        for (const char* branch : {"true_graph_0", "false_graph_0"}) {
            const ModuleId module = opened.model.resolve(opened.model.root(), branch).module;
            known += opened.model.graph(module)
                         .node(opened.model.graph(module).last())
                         .meta.find(meta::kTensorMeta) != nullptr;
        }
        QCOMPARE(known, 1); // the branch that was taken
    }
};

FX_TEST(TestInterpreter)
} // namespace fx::interpreter_test
#include "tst_interpreter.moc"
