// SPDX-License-Identifier: GPL-3.0-or-later
// What a graph's calls of Python's own functions and methods give: the evaluator's answers, on any values.
#include "core/base/error.h"
#include "core/torch/bind/call.h"
#include "core/torch/values/value_text.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

namespace fx::python_functions_test {

namespace {

std::string textOf(const std::function<Value()>& work) {
    try {
        return valueText(work());
    } catch (const Error& error) {
        return error.kind() + ": " + error.message();
    }
}

std::string called(const char* function, Values args) {
    return textOf([&] { return callFunction(function, args, {}); });
}

std::string calledOn(const Value& self, const char* method, Values args = {}) {
    return textOf([&] { return callMethod(self, method, args, {}); });
}

Value numbers() {
    return makeList({makeInt(3), makeInt(1), makeInt(2)});
}

} // namespace

class PythonFunctionsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsBeyondSixtyFourBits() {
        QCOMPARE(called("operator.pow", {makeInt(2), makeInt(70)}), "1180591620717411303424");
        QCOMPARE(called("operator.floordiv", {makeInt(-7), makeInt(2)}), "-4");
        QCOMPARE(called("operator.lshift", {makeInt(1), makeInt(64)}), "18446744073709551616");
        QCOMPARE(called("operator.truediv", {makeInt(1), makeInt(0)}), "ZeroDivisionError: division by zero");
    }

    void worksOnContainers() {
        QCOMPARE(called("operator.add", {numbers(), makeList({makeInt(4)})}), "[3, 1, 2, 4]");
        QCOMPARE(called("operator.getitem", {numbers(), Object{SliceObject{Value(), Value(), makeInt(-1)}}}),
                 "[2, 1, 3]");
        QCOMPARE(called("operator.getitem", {numbers(), makeInt(5)}), "IndexError: list index out of range");
        QCOMPARE(called("operator.contains", {numbers(), makeInt(2)}), "True");
        QCOMPARE(called("sorted", {numbers()}), "[1, 2, 3]");
        QCOMPARE(called("len", {makeText("four")}), "4");
        QCOMPARE(called("math.prod", {numbers()}), "6");
    }

    void callsMethodsOfContainers() {
        const Value dict = makeDict({{makeText("a"), makeInt(1)}});
        QCOMPARE(calledOn(dict, "get", {makeText("a")}), "1");
        QCOMPARE(calledOn(makeText("a,b"), "split", {makeText(",")}), "['a', 'b']");
        QCOMPARE(calledOn(numbers(), "index", {makeInt(2)}), "2");
        QCOMPARE(calledOn(Object{SizeObject{{2, 3}}}, "numel"), "6");
        QCOMPARE(calledOn(makeInt(1), "foo"), "AttributeError: 'int' object has no attribute 'foo'");
    }

    void takesTensors() {
        const Value tensor = c10::IValue(at::full({}, 2.5));
        QCOMPARE(called("math.floor", {tensor}), "2");
        QCOMPARE(called("operator.mul", {makeInt(2), tensor}), "tensor(5.)");
        QCOMPARE(called("operator.eq", {tensor, makeText("a")}), "False");
        QCOMPARE(calledOn(tensor, "__neg__"), "tensor(-2.5000)");
        QCOMPARE(
            called("torch.Tensor.add", {makeInt(1), tensor}),
            "TypeError: descriptor 'add' for 'torch._C.TensorBase' objects doesn't apply to a 'int' object");
    }

    void readsFieldsOfResults() {
        const Value sorted = callFunction("torch.sort", {c10::IValue(at::tensor({2, 1}))}, {});
        QCOMPARE(called("getattr", {sorted, makeText("indices")}), "tensor([1, 0])");
        QCOMPARE(called("getattr", {sorted, makeText("nothing"), makeInt(7)}), "7");
    }

    void seedsTheGenerator() {
        callFunction("torch.manual_seed", {makeInt(5)}, {});
        QCOMPARE(called("torch.initial_seed", {}), "5");
        const Value state = callFunction("torch.random.get_rng_state", {}, {});
        const std::string first = called("torch.rand", {makeInt(3)});
        callFunction("torch.set_rng_state", {state}, {});
        QCOMPARE(called("torch.rand", {makeInt(3)}), first);
    }

    void knowsWhatItDoesNotKnow() {
        QVERIFY(isKnownFunction("operator.iadd"));
        QVERIFY(!isKnownFunction("operator.foo"));
        QVERIFY(!isKnownFunction("print")); // what it prints would be seen by nobody
    }
};

FX_TEST(PythonFunctionsTest)
} // namespace fx::python_functions_test

#include "tst_python_functions.moc"
