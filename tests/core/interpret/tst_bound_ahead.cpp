// SPDX-License-Identifier: GPL-3.0-or-later
// Functions and methods in C are bound when a Program is built, and go by name where a value is not what was
// supposed.
#include "core/base/error.h"
#include "core/interpret/interpreter.h"
#include "core/interpret/program.h"
#include "core/module/edit.h"
#include "core/torch/value_text.h"

#include <ATen/ATen.h>
#include <QtTest>

using namespace fx;

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
        QVERIFY(!top.instruction().isPlain);
    }
    void leavesToTheRunWhatDependsOnValues() {
        CallModel full([](Edit& e, const auto& in) {
            return e.callFunction("torch.full", {ListValue{{2}}, in[0]});
        });
        QVERIFY(!full.instruction().op);
        QCOMPARE(full.run(makeInt(3), {}), std::string("tensor([3, 3])"));
        CallModel moved([](Edit& e, const auto& in) { return e.callMethod("to", {in[0], "cpu"}); });
        QVERIFY(!moved.instruction().op);
        CallModel wrong([](Edit& e, const auto& in) { return e.callFunction("torch.relu", {in[0], 1, 2}); });
        QVERIFY(!wrong.instruction().op);
        QVERIFY(QString::fromStdString(wrong.run(tensor({1}), {}))
                    .contains("relu() takes 1 positional argument"));
    }
};

QTEST_APPLESS_MAIN(TestBoundAhead)
#include "tst_bound_ahead.moc"
