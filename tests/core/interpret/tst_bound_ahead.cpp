// SPDX-License-Identifier: GPL-3.0-or-later
// Functions and methods in C are bound when a Program is built, and anew for the kinds of values that a run
// meets: with the results and the messages that calls by name have.
#include "core/base/error.h"
#include "core/interpret/interpreter.h"
#include "core/interpret/program.h"
#include "core/module/edit.h"
#include "core/torch/bind/call.h"
#include "core/torch/values/value_text.h"
#include "tests/support/sanitized.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

namespace fx::bound_ahead_test {

namespace {

struct CallModel {
    Model model;
    NodeId call;
    std::vector<NodeId> inputs;

    explicit CallModel(const std::function<NodeId(Edit&, const std::vector<NodeId>&)>& make) {
        Edit edit(model);
        inputs = {edit.placeholder("x"), edit.placeholder("y")};
        call = make(edit, inputs);
        edit.output(call);
        edit.finish();
    }
    const Instruction& instruction() {
        program = std::make_unique<Program>(model, model.root());
        for (const Instruction& each : program->instructions())
            if (each.node == call)
                return each;
        throw std::logic_error("no such node");
    }
    std::string run(const Value& x, const Value& y) {
        try {
            return valueText(Interpreter(model).run({x, y}));
        } catch (const Error& error) {
            return error.message();
        }
    }
    std::unique_ptr<Program> program;
};

Value tensor(std::vector<double> numbers) {
    return c10::IValue(at::tensor(at::ArrayRef<double>(numbers)));
}

Value number(double value) {
    return c10::IValue(at::scalar_tensor(value));
}

using Make = std::function<Value()>;
using MakeCall = NodeId (*)(Edit& edit, const std::vector<NodeId>& in);

/// A value of each kind that calls are bound for, and more; made anew each time, for calls may write to them.
const std::vector<Make> kValues = {
    [] {
        return Value(c10::IValue(at::arange(6, c10::kFloat).reshape({2, 3})));
    },
    [] {
        return Value(c10::IValue(at::arange(6).reshape({2, 3})));
    },
    [] { return Value(c10::IValue(at::ones({1}))); },
    [] { return Value(c10::IValue(at::full({1}, 2, c10::kLong))); },
    [] { return Value(c10::IValue(at::scalar_tensor(2.5))); },
    [] { return Value(c10::IValue(at::scalar_tensor(3, c10::kLong))); },
    [] { return Value(c10::IValue(at::scalar_tensor(true, c10::kBool))); },
    [] { return Value(c10::IValue(at::scalar_tensor(1.5).set_requires_grad(true))); },
    [] { return makeInt(2); },
    [] { return makeInt(-1); },
    [] { return Value(c10::IValue(true)); },
    [] { return Value(c10::IValue(0.5)); },
    [] { return Value(c10::IValue(c10::complex<double>(1, 2))); },
    [] { return Value(); },
    [] { return makeText("cpu"); },
    [] { return Value(Object{Argument(c10::kDouble)}); },
    [] { return Value(Object{Argument(c10::kStrided)}); },
    [] { return Value(Object{Argument(c10::MemoryFormat::Contiguous)}); },
    [] { return Value(c10::IValue(c10::Device(c10::kCPU))); },
    [] {
        return Value(Object{SizeObject{{3, 2}}});
    },
    [] { return Value(Object{SizeObject{{}}}); },
    [] {
        return makeTuple({makeInt(1), makeInt(6)});
    },
    [] {
        return makeList({Value(c10::IValue(at::ones({2, 3}))), Value(c10::IValue(at::ones({2, 3})))});
    },
};

const std::pair<const char*, MakeCall> kCalls[] = {
    {"add",
     [](Edit& e, const auto& in) {
         return e.callFunction("torch.add", {in[0], in[1]});
     }},
    {"add with alpha",
     [](Edit& e, const auto& in) {
         return e.callFunction("torch.add", {in[0], in[0]}, {{"alpha", in[1]}});
     }},
    {"pow",
     [](Edit& e, const auto& in) {
         return e.callFunction("torch.pow", {in[0], in[1]});
     }},
    {"clamp",
     [](Edit& e, const auto& in) {
         return e.callMethod("clamp", {in[0], in[1], 4});
     }},
    {"where",
     [](Edit& e, const auto& in) {
         return e.callFunction("torch.where", {true, in[0], in[1]});
     }},
    {"full_like",
     [](Edit& e, const auto& in) {
         return e.callFunction("torch.full_like", {in[0], in[1]});
     }},
    {"full of sizes",
     [](Edit& e, const auto& in) {
         return e.callFunction("torch.full", {ListValue{{2, in[0]}}, in[1]});
     }},
    {"view of numbers",
     [](Edit& e, const auto& in) {
         return e.callMethod("view", {in[0], in[1], -1});
     }},
    {"view",
     [](Edit& e, const auto& in) {
         return e.callMethod("view", {in[0], in[1]});
     }},
    {"reshape of a tuple",
     [](Edit& e, const auto& in) {
         return e.callMethod("reshape", {in[0], TupleValue{{-1, in[1]}}});
     }},
    {"expand",
     [](Edit& e, const auto& in) {
         return e.callMethod("expand", {in[0], in[1], 2, 3});
     }},
    {"sum",
     [](Edit& e, const auto& in) {
         return e.callMethod("sum", {in[0]}, {{"dim", in[1]}});
     }},
    {"sum as dtype",
     [](Edit& e, const auto& in) {
         return e.callMethod("sum", {in[0]}, {{"dtype", in[1]}});
     }},
    {"max",
     [](Edit& e, const auto& in) {
         return e.callMethod("max", {in[0], in[1]});
     }},
    {"transpose",
     [](Edit& e, const auto& in) {
         return e.callMethod("transpose", {in[0], in[1], 0});
     }},
    {"zeros",
     [](Edit& e, const auto& in) {
         return e.callFunction("torch.zeros", {in[0]}, {{"device", in[1]}});
     }},
    {"arange",
     [](Edit& e, const auto& in) {
         return e.callFunction("torch.arange", {in[0]}, {{"dtype", in[1]}, {"device", "cpu"}});
     }},
    {"cat",
     [](Edit& e, const auto& in) {
         return e.callFunction("torch.cat", {ListValue{{in[0], in[1]}}});
     }},
    {"cat of a list",
     [](Edit& e, const auto& in) {
         return e.callFunction("torch.cat", {in[0], in[1]});
     }},
    {"clone",
     [](Edit& e, const auto& in) {
         return e.callMethod("clone", {in[0]}, {{"memory_format", in[1]}});
     }},
    {"size",
     [](Edit& e, const auto& in) {
         return e.callMethod("size", {in[0], in[1]});
     }},
    {"to",
     [](Edit& e, const auto& in) {
         return e.callMethod("to", {in[0], in[1]});
     }},
    {"to a dtype",
     [](Edit& e, const auto& in) {
         return e.callMethod("to", {in[0]}, {{"dtype", in[1]}});
     }},
    {"contiguous",
     [](Edit& e, const auto& in) {
         return e.callMethod("contiguous", {in[0]}, {{"memory_format", in[1]}});
     }},
    {"float", [](Edit& e, const auto& in) { return e.callMethod("float", {in[0]}); }},
    {"item", [](Edit& e, const auto& in) { return e.callMethod("item", {in[0]}); }},
    {"copy",
     [](Edit& e, const auto& in) {
         return e.callMethod("copy_", {in[0], in[1]});
     }},
    {"tensor",
     [](Edit& e, const auto& in) {
         return e.callFunction("torch.tensor", {in[0]}, {{"dtype", in[1]}});
     }},
    {"a method as a function",
     [](Edit& e, const auto& in) {
         return e.callFunction("torch.Tensor.__radd__", {in[0], in[1]});
     }},
    {"torch.ops view",
     [](Edit& e, const auto& in) {
         return e.callFunction("torch.ops.aten.view.default", {in[0], ListValue{{in[1], -1}}});
     }},
    {"torch.ops transpose",
     [](Edit& e, const auto& in) {
         return e.callFunction("torch.ops.aten.transpose.int", {in[0], in[1], 0});
     }},
    {"torch.ops add",
     [](Edit& e, const auto& in) {
         return e.callFunction("torch.ops.aten.add.Tensor", {in[0], in[1]});
     }},
};

/// Binds nothing ahead.
class ByName : public Interpreter {
public:
    using Interpreter::Interpreter;

protected:
    Value callFunction(const Call& call) override {
        return fx::callFunction(call.target(), call.args(), call.kwargs());
    }
    Value callMethod(const Call& call) override {
        Values rest = call.args();
        const Value self = rest.front();
        rest.erase(rest.begin());
        return fx::callMethod(self, call.target().name(), rest, call.kwargs());
    }
};

QString outcome(Interpreter& interpreter, const Make& x, const Make& y) {
    try {
        return QString::fromStdString(valueText(interpreter.run({x(), y()})));
    } catch (const Error& error) {
        return QString::fromStdString(error.message());
    }
}

/// Runs of one program with values of changing kinds, each as a call by name has it.
void compareWithCallsByName(const Model& model) {
    ByName reference(model);
    const size_t step = isSanitized() ? 3 : 1; // all of them take two minutes then
    for (size_t i = 0; i < kValues.size(); ++i)
        for (size_t j = i % step; j < kValues.size(); j += step) {
            Interpreter interpreter(model);
            const size_t other = (i + j) % kValues.size();
            const std::pair<size_t, size_t> rounds[] = {{i, j}, {i, j}, {i, other}, {other, j}, {i, j}};
            for (const auto& [x, y] : rounds)
                QCOMPARE(outcome(interpreter, kValues[x], kValues[y]),
                         outcome(reference, kValues[x], kValues[y]));
        }
}

} // namespace

class TestBoundAhead : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bindsFunctions() {
        CallModel add([](Edit& e, const auto& in) {
            return e.callFunction("torch.add", {in[0], in[1]}, {{"alpha", 2}});
        });
        QCOMPARE(add.instruction().op->schema->overload_name(), std::string("Tensor"));
        QVERIFY(add.instruction().isPlain);
        QCOMPARE(add.run(tensor({1, 2}), tensor({3, 4})),
                 std::string("tensor([ 7., 10.], dtype=torch.float64)"));
        QCOMPARE(add.run(tensor({1, 2}), number(3)), std::string("tensor([7., 8.], dtype=torch.float64)"));
        QCOMPARE(add.run(tensor({1, 2}), makeInt(3)), std::string("tensor([7., 8.], dtype=torch.float64)"));
    }
    void bindsMethodsAndSizes() {
        CallModel view([](Edit& e, const auto& in) { return e.callMethod("view", {in[0], 1, -1}); });
        QVERIFY(view.instruction().op);
        QCOMPARE(view.run(tensor({1, 2}), {}), std::string("tensor([[1., 2.]], dtype=torch.float64)"));
        QCOMPARE(view.run(number(1), {}), std::string("tensor([[1.]])"));
        QVERIFY(QString::fromStdString(view.run(makeInt(1), {}))
                    .contains("'int' object has no attribute 'view'"));
    }
    void bindsOperators() {
        CallModel product([](Edit& e, const auto& in) {
            return e.callFunction("operator.mul", {in[0], in[1]});
        });
        QVERIFY(product.instruction().op);
        QCOMPARE(product.run(tensor({1, 2}), tensor({3, 4})),
                 std::string("tensor([3., 8.], dtype=torch.float64)"));
        QCOMPARE(product.run(makeInt(3), makeInt(4)), std::string("12"));
        QCOMPARE(product.run(makeInt(3), tensor({1, 2})),
                 std::string("tensor([3., 6.], dtype=torch.float64)"));
    }
    void bindsListsOfTensors() {
        CallModel cat([](Edit& e, const auto& in) {
            return e.callFunction("torch.cat", {ListValue{{in[0], in[1]}}, 0});
        });
        QVERIFY(cat.instruction().op);
        QCOMPARE(cat.run(tensor({1}), tensor({2})), std::string("tensor([1., 2.], dtype=torch.float64)"));
        QVERIFY(QString::fromStdString(cat.run(tensor({1}), makeInt(2)))
                    .contains("expected Tensor as element 1 in argument 0, but got int"));
    }
    void namesResults() {
        CallModel top([](Edit& e, const auto& in) { return e.callFunction("torch.max", {in[0], 0}); });
        QVERIFY(top.instruction().plan);
        QVERIFY(top.instruction().plan->named);
        QVERIFY(!top.instruction().givesOne);
    }
    void leavesToTheRunWhatDependsOnValues() {
        CallModel full([](Edit& e, const auto& in) {
            return e.callFunction("torch.full", {ListValue{{2}}, in[0]});
        });
        QVERIFY(!full.instruction().op);
        QCOMPARE(full.run(makeInt(3), {}), std::string("tensor([3, 3])"));
        CallModel moved([](Edit& e, const auto& in) { return e.callMethod("to", {in[0], "cpu"}); });
        QVERIFY(moved.instruction().hand);
        CallModel wrong([](Edit& e, const auto& in) { return e.callFunction("torch.relu", {in[0], 1, 2}); });
        QVERIFY(!wrong.instruction().op);
        QVERIFY(QString::fromStdString(wrong.run(tensor({1}), {}))
                    .contains("relu() takes 1 positional argument"));
    }
    void bindsForTheKindsThatItMeets() {
        CallModel view([](Edit& e, const auto& in) { return e.callMethod("view", {in[0], in[1], -1}); });
        QVERIFY(!view.instruction().op);
        Program& program = *view.program;
        const auto kinds = [&](ArgumentKind of) {
            return [&, of](NodeId node) { return node == view.inputs[0] ? ArgumentKind::PlainTensor : of; };
        };
        const auto& call = program.instructions()[2];
        QVERIFY(!program.bindAgain(call, kinds(ArgumentKind::Float)));
        QVERIFY(!call.op);
        QVERIFY(program.bindAgain(call, kinds(ArgumentKind::Int)));
        QVERIFY(call.isPlain);
        QCOMPARE(call.guards.size(), size_t(2));
        QVERIFY(call.guards[1].kind == ArgumentKind::Int);
        QVERIFY(program.bindAgain(call, kinds(ArgumentKind::IntTensor)));
        QVERIFY(program.bindAgain(call, kinds(ArgumentKind::Int)));
        QVERIFY(!program.bindAgain(call, kinds(ArgumentKind::Int))); // it was bound often enough
        QVERIFY(call.op);
    }
    void callsAsByName_data() {
        QTest::addColumn<size_t>("index");
        for (size_t i = 0; i < std::size(kCalls); ++i)
            QTest::newRow(kCalls[i].first) << i;
    }
    void callsAsByName() {
        QFETCH(size_t, index);
        compareWithCallsByName(CallModel(kCalls[index].second).model);
    }
    void operatesAsByName_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("isBound");
        for (const char* name :
             {"add",    "sub",    "mul",     "truediv", "floordiv", "mod",  "pow",      "matmul",
              "lshift", "rshift", "and_",    "or_",     "xor",      "lt",   "le",       "gt",
              "ge",     "eq",     "ne",      "iadd",    "isub",     "imul", "itruediv", "ifloordiv",
              "imod",   "ipow",   "imatmul", "ilshift", "irshift",  "iand", "ior",      "ixor"})
            QTest::newRow(name) << name << true;
        for (const char* name : {"is_", "contains", "concat"})
            QTest::newRow(name) << name << false;
    }
    void operatesAsByName() {
        QFETCH(QString, name);
        QFETCH(bool, isBound);
        CallModel operation([&](Edit& e, const auto& in) {
            return e.callFunction("operator." + name.toStdString(), {in[0], in[1]});
        });
        QCOMPARE(operation.instruction().op != nullptr, isBound);
        compareWithCallsByName(operation.model);
    }
    void operatesOnOneAsByName_data() {
        QTest::addColumn<bool>("isBound");
        QTest::newRow("neg") << true;
        QTest::newRow("pos") << true;
        QTest::newRow("abs") << true;
        QTest::newRow("invert") << false; // is bound by hand
        QTest::newRow("index") << false;
    }
    void operatesOnOneAsByName() {
        QFETCH(bool, isBound);
        CallModel operation([&](Edit& e, const auto& in) {
            return e.callFunction(std::string("operator.") + QTest::currentDataTag(), {in[0]});
        });
        QCOMPARE(operation.instruction().op != nullptr, isBound);
        compareWithCallsByName(operation.model);
    }
};

FX_TEST(TestBoundAhead)
} // namespace fx::bound_ahead_test
#include "tst_bound_ahead.moc"
