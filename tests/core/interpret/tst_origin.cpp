// SPDX-License-Identifier: GPL-3.0-or-later
// Where NaN, Inf and other values come from: the first node that gave them, its element, and its operands.
#include "core/base/error.h"
#include "core/interpret/interpreter.h"
#include "core/interpret/non_finite.h"
#include "core/interpret/origin.h"
#include "core/module/edit.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

#include <limits>
#include <map>

namespace fx::origin_test {

namespace {

struct Kept : Observer {
    std::map<NodeRef, Value> values;
    void afterNode(const Interpreter& interpreter, const Node& node, const Value& value) override {
        values[{interpreter.module(), node.id}] = value;
    }
};

/// Runs the model, and looks for where the value of the node comes from; a refusal is its text.
Origin found(const Model& model, NodeId node, const std::vector<at::Tensor>& tensors, const char* trait = "",
             std::set<NodeId> dropped = {}) {
    Values inputs;
    for (const at::Tensor& tensor : tensors)
        inputs.push_back(Value(c10::IValue(tensor)));
    Kept kept;
    const auto context = std::make_shared<RunContext>(model);
    context->observers.push_back(&kept);
    Interpreter(context, model.root()).run(inputs);
    try {
        return originOf(
            model, {model.root(), node}, parseTrait(trait),
            [&](NodeRef at) {
                return dropped.contains(at.node) || !kept.values.contains(at) ? nullptr : &kept.values.at(at);
            },
            [](NodeRef) { return std::string("it is gone"); });
    } catch (const Error& error) {
        return {{}, error.explanation()};
    }
}

std::string namesOf(const Model& model, const Origin& origin) {
    std::string out;
    for (const NodeRef node : origin.path)
        out += model.graph(node.module).node(node.node).name + ' ';
    return out;
}

std::vector<at::Tensor> vector(std::initializer_list<double> items) {
    return {at::tensor(std::vector<double>(items))};
}

} // namespace

class TestOrigin : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void goesBackToTheFirst() {
        Model model("GraphModule");
        Edit edit(model);
        const NodeId x = edit.placeholder("x");
        const NodeId log = edit.callFunction("torch.log", {x});
        const NodeId sound = edit.callFunction("torch.exp", {x});
        const NodeId mul = edit.callFunction("torch.mul", {sound, log});
        const NodeId sum = edit.callMethod("sum", {mul});
        edit.output(sum);
        edit.finish();
        const Origin origin = found(model, sum, vector({1, 2, -3, 4}));
        QCOMPARE(namesOf(model, origin), "sum_1 mul log ");
        QCOMPARE(origin.text, "NaN comes first out of log at [2] (1 of 4 elements)\n  x[2] = -3.0\n"
                              "  from there: log -> mul -> sum_1");
        QCOMPARE(found(model, sum, vector({1, 2, 3, 4})).text,
                 "sum_1 holds no NaN and no Inf; why NODE zero, why NODE > 1e4");
        QCOMPARE(found(model, sum, vector({1, 2, 3, 4}), "nan").text, "sum_1 does not hold NaN");
        QCOMPARE(found(model, sum, vector({1, 2, -3, 4}), "nan", {sum}).text, "it is gone");
        // What is gone on the way ends it there.
        QCOMPARE(namesOf(model, found(model, sum, vector({1, 2, -3, 4}), "nan", {log})), "sum_1 mul ");
    }

    void operandsAreReadWhereTheElementReadsThem() {
        Model model("GraphModule");
        Edit edit(model);
        const NodeId x = edit.placeholder("x"), y = edit.placeholder("y");
        const NodeId div = edit.callFunction("torch.div", {x, y});
        const NodeId product = edit.callFunction("torch.mm", {x, x});
        edit.output({Argument(ListValue{{div, product}})});
        edit.finish();
        const at::Tensor ones = at::ones({2, 2});
        const at::Tensor column = at::tensor(std::vector<double>{1, 0}).reshape({2, 1});
        const Origin origin = found(model, div, {ones, column});
        QCOMPARE(origin.text, "Inf comes first out of div at [1, 0] (2 of 4 elements)\n  x[1, 0] = 1.0\n"
                              "  y[1, 0] = 0.0");
        const Origin large = found(model, product, {ones * 100, column}, "> 1e4");
        QCOMPARE(large.text, "a magnitude above 10000.0 comes first out of mm at [0, 0] (4 of 4 elements)\n"
                             "  x[0, 0] = 100.0");
        QCOMPARE(found(model, div, {ones * 0, column + 1}, "zero").text,
                 "nothing but zeros comes first out of x\n  from there: x -> div");
    }

    void goesIntoGraphsThatAreCalled() {
        Model model("GraphModule");
        Edit edit(model);
        const ModuleId inner = edit.createModule("GraphModule", true);
        edit.addSubmodule("inner", inner);
        edit.enter(inner);
        const NodeId log = edit.callFunction("torch.log", {edit.placeholder("y")});
        edit.output(edit.callFunction("torch.neg", {log}));
        edit.enter(model.root());
        const NodeId call = edit.callModule("inner", {edit.placeholder("x")});
        const NodeId after = edit.callFunction("torch.exp", {call});
        edit.output(after);
        edit.finish();
        const Origin origin = found(model, after, vector({-1}));
        QCOMPARE(namesOf(model, origin), "exp inner output neg log ");
        QVERIFY2(origin.text.starts_with("NaN comes first out of log at [0] (1 of 1 element)\n  y[0] = -1.0"),
                 origin.text.c_str());
        // It came in from outside.
        const Origin outside = found(model, after, vector({std::nan("")}));
        QCOMPARE(namesOf(model, outside), "exp inner x ");
    }

    void ofSeveralTheOneThatRanFirst() {
        Model model("GraphModule");
        Edit edit(model);
        const NodeId x = edit.placeholder("x");
        const NodeId first = edit.callFunction("torch.log", {x});
        const NodeId second = edit.callFunction("torch.sqrt", {x});
        const NodeId sum = edit.callFunction("torch.add", {second, first});
        edit.output(sum);
        edit.finish();
        QCOMPARE(namesOf(model, found(model, sum, vector({-1}))), "add log ");
    }

    void wordsThatAreNothingToLookFor() {
        for (const char* text : {"nun", "> many", ">", "5"})
            QVERIFY_THROWS_EXCEPTION(Error, parseTrait(text));
        QVERIFY(!parseTrait(" "));
        QCOMPARE(parseTrait("> -2.5")->limit, -2.5);
    }

    /// The health of each value is enough, so that the values themselves need not be kept.
    void whatIsWrongWithAResult() {
        Model model("GraphModule");
        Edit edit(model);
        const NodeId x = edit.placeholder("x");
        const NodeId log = edit.callFunction("torch.log", {x});
        const NodeId mul = edit.callFunction("torch.mul", {log, x});
        const NodeId far = edit.callFunction("torch.exp", {x});
        edit.output(ListValue{{mul, far}});
        edit.finish();
        std::map<NodeId, Health> healths;
        const auto said = [&] {
            const auto found = nonFiniteResult(model, [&](NodeRef node) {
                return healths.contains(node.node) ? &healths[node.node] : nullptr;
            });
            return found ? found->text(model) : std::string("finite");
        };
        QCOMPARE(said(), std::string("finite"));
        healths[far] = {.hasInf = true};
        QCOMPARE(said(), std::string("Inf: first in exp"));
        healths[log] = healths[mul] = {.hasNan = true};
        QCOMPARE(said(), std::string("NaN: first in log, 1 node after it"));
        healths[log] = {.hasInf = true}; // -inf * 0
        QCOMPARE(said(), std::string("NaN: first in mul"));
    }

    void infinitiesOnPurpose_data() {
        QTest::addColumn<QString>("reader");
        QTest::addColumn<bool>("isPurpose");
        for (const char* reader :
             {"torch.softmax", "torch.nn.functional.softmax", "torch.ops.aten._softmax.default",
              "torch.nn.functional.scaled_dot_product_attention", "torch.where",
              "torch.ops.aten.masked_fill.Scalar"})
            QTest::newRow(reader) << reader << true;
        for (const char* reader : {"torch.sigmoid", "torch.ops.aten.sum.default", "operator.mul"})
            QTest::newRow(reader) << reader << false;
    }
    /// mask -> a sum with scores -> the reader, whose value is finite.
    void infinitiesOnPurpose() {
        QFETCH(QString, reader);
        QFETCH(bool, isPurpose);
        Model model("GraphModule");
        Edit edit(model);
        const NodeId x = edit.placeholder("x");
        const NodeId mask =
            edit.callFunction("torch.full_like", {x, -std::numeric_limits<double>::infinity()});
        const NodeId sum = edit.callFunction("operator.add", {x, mask});
        const NodeId read = edit.callFunction(reader.toStdString(), {sum});
        edit.output(read);
        edit.finish();
        std::map<NodeId, Health> healths{
            {x, {}}, {mask, {.hasInf = true}}, {sum, {.hasInf = true}}, {read, {}}};
        const auto isQuiet = [&](NodeId node) {
            return masksIn(
                       model, model.root(),
                       [&](NodeRef at) { return healths.contains(at.node) ? &healths[at.node] : nullptr; })
                .contains(node);
        };
        QCOMPARE(isQuiet(mask), isPurpose);
        QCOMPARE(isQuiet(sum), isPurpose);
        QVERIFY(!isQuiet(x) && !isQuiet(read));
        healths[read] = {.hasNan = true}; // of rows that are masked as a whole
        QVERIFY(!isQuiet(mask) && !isQuiet(sum));
        healths[read] = {.hasInf = true}; // it comes through, to the result
        QVERIFY(!isQuiet(mask) && !isQuiet(sum));
        healths.erase(read); // not run yet
        QCOMPARE(isQuiet(mask), isPurpose);
    }
};

FX_TEST(TestOrigin)
} // namespace fx::origin_test
#include "tst_origin.moc"
