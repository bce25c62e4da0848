// SPDX-License-Identifier: GPL-3.0-or-later
// What the passes of core/passes/clean and core/passes/fuse do to small graphs, and what they leave alone.
// What torch.fx does to whole models is compared by tests/oracle/check_clean_passes.py.
#include "core/base/text.h"
#include "core/codegen/python_code.h"
#include "core/passes/pass_runner.h"
#include "core/passes/registry.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

namespace fx::clean_graphs_test {

namespace {

/// A graph as it is written down, one call a line.
class Written {
public:
    Written() : edit(model) {}

    NodeId input(const char* name) { return edit.placeholder(name); }
    NodeId matrix(const char* name, std::vector<Dimension> shape = {int64_t(2), int64_t(2)}) {
        const NodeId node = input(name);
        record(node, shape);
        return node;
    }
    NodeId weight(const char* path, TensorRole role = TensorRole::Parameter) {
        edit.setTensor(path, edit.createTensor(TensorSlot(at::full({2, 2}, 2.0))), role);
        return edit.getAttr(path);
    }
    NodeId call(const char* target, Arguments args, Keywords kwargs = {}) {
        return edit.callFunction(target, std::move(args), std::move(kwargs));
    }
    NodeId aten(const char* name, Arguments args, Keywords kwargs = {}) {
        const NodeId node =
            call(("torch.ops.aten." + std::string(name)).c_str(), std::move(args), std::move(kwargs));
        record(node, {int64_t(2), int64_t(2)});
        return node;
    }
    void record(NodeId node, const std::vector<Dimension>& shape) {
        TensorMeta meta = describe(at::ones({2, 2}));
        meta.shape = shape;
        edit.setMeta(node, meta::kValue, ValueMeta{meta});
    }
    NodeId module(const char* path, const char* type, bool isTraining = false) {
        Module contents;
        contents.type = std::string("torch.nn.modules.") + type;
        contents.isTraining = isTraining;
        const ModuleId made = edit.createModule({});
        edit.fillModule(made, std::move(contents));
        edit.addSubmodule(path, made);
        return {};
    }
    Model& give(Argument result) {
        edit.output(std::move(result));
        edit.finish();
        return model;
    }

    Model model;
    Edit edit;
};

/// The statements of forward, with " ; " between them.
QString bodyOf(const Model& model) {
    std::vector<std::string> lines;
    const std::string text = PythonCode(model, model.root()).text();
    for (const std::string_view line : split(text, '\n'))
        if (const std::string_view statement = trim(line.substr(0, line.find(";  ")));
            !statement.empty() && !statement.starts_with("def ") && !statement.starts_with("import") &&
            !statement.starts_with("from"))
            lines.emplace_back(statement);
    return QString::fromStdString(join(lines, " ; "));
}

std::vector<std::string> resultsOf(Model& model, const char* name,
                                   const std::map<std::string, std::string>& texts = {}) {
    Progress progress;
    PassContext context{progress};
    const Pass& pass = findPass(name);
    return runPass(model, model.root(), pass, PassOptions(pass, texts), context).results;
}

QString after(Model& model, const char* name, const std::map<std::string, std::string>& texts = {}) {
    resultsOf(model, name, texts);
    return bodyOf(model);
}

} // namespace

class TestCleanGraphs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalCallsAreOne() {
        Written w;
        const NodeId x = w.input("x"), a = w.call("torch.exp", {x}), b = w.call("torch.exp", {x});
        QCOMPARE(after(w.give(w.call("torch.mul", {a, b})), "cse"),
                 "exp = torch.exp(x) ; mul = torch.mul(exp, exp) ; return mul");
    }

    void numbersOfOtherTypesAreOthers() {
        Written w;
        const NodeId x = w.input("x"), a = w.call("torch.mul", {x, 1}), b = w.call("torch.mul", {x, 1.0});
        const NodeId c = w.call("torch.mul", {x, true}), d = w.call("torch.mul", {x, 0.0}),
                     e = w.call("torch.mul", {x, -0.0});
        Model& model = w.give(TupleValue{{a, b, c, d, e}});
        QCOMPARE(resultsOf(model, "cse"), std::vector<std::string>{"0 calls computed before"});
    }

    void whatIsWrittenBetweenIsComputedAgain() {
        Written w;
        const NodeId x = w.input("x"), a = w.call("torch.exp", {x});
        w.edit.callMethod("add_", {x, 1});
        const NodeId b = w.call("torch.exp", {x}), c = w.call("torch.exp", {x});
        QCOMPARE(after(w.give(TupleValue{{a, b, c}}), "cse"),
                 "exp = torch.exp(x) ; add_ = x.add_(1) ; exp_1 = torch.exp(x) ; return (exp, exp_1, exp_1)");
    }

    void whatIsWrittenItselfIsNotShared() {
        Written w;
        const NodeId x = w.input("x"), a = w.call("torch.exp", {x}), b = w.call("torch.exp", {x});
        const NodeId view = w.edit.callMethod("view", {a, -1});
        w.edit.callMethod("add_", {view, 1}); // into a, by another name
        Model& model = w.give(TupleValue{{a, b}});
        const QString before = bodyOf(model);
        QCOMPARE(after(model, "cse"), before);
    }

    void randomNumbersAreDrawnEachTime() {
        Written w;
        const NodeId x = w.input("x"), a = w.aten("rand_like.default", {x}),
                     b = w.aten("rand_like.default", {x});
        const NodeId c = w.aten("bernoulli.default", {x}), d = w.aten("bernoulli.default", {x});
        Model& model = w.give(TupleValue{{a, b, c, d}});
        QCOMPARE(resultsOf(model, "cse", {{"pure", "all"}}),
                 std::vector<std::string>{"0 calls computed before"});
    }

    void namedTargetsAreNotMerged() {
        Written w;
        const NodeId x = w.input("x"), a = w.call("torch.exp", {x}), b = w.call("torch.exp", {x});
        Model& model = w.give(TupleValue{{a, b}});
        QCOMPARE(resultsOf(model, "cse", {{"except", "torch.sin, torch.exp"}}),
                 std::vector<std::string>{"0 calls computed before"});
    }

    void constantsAreBuffers() {
        Written w;
        const NodeId x = w.input("x"), weight = w.weight("w");
        Model& model =
            w.give(w.call("torch.mul", {x, w.call("torch.add", {w.call("torch.exp", {weight}), 1})}));
        QCOMPARE(after(model, "const-fold"),
                 "_folded_add = self._folded_add ; mul = torch.mul(x, _folded_add) ; return mul");
        const NamedTensor* folded = model.module(model.root()).tensor("_folded_add");
        QVERIFY(folded->role == TensorRole::Buffer && !model.module(model.root()).tensor("w"));
        QVERIFY(at::equal(model.tensor(folded->tensor).value(), at::full({2, 2}, 2.0).exp() + 1));
    }

    void whatTheGraphWritesIsNotConstant() {
        Written w;
        const NodeId weight = w.weight("w", TensorRole::Buffer), a = w.call("torch.exp", {weight});
        w.edit.callMethod("add_", {weight, 1});
        Model& model = w.give(TupleValue{{a, w.call("torch.exp", {w.weight("v")})}});
        QCOMPARE(after(model, "const-fold"),
                 "w = self.w ; exp = torch.exp(w) ; add_ = w.add_(1) ; _folded_exp_1 = self._folded_exp_1 ; "
                 "return (exp, _folded_exp_1)");
    }

    void constantsThatFailStay() {
        Written w;
        const NodeId weight = w.weight("w"), a = w.call("torch.reshape", {weight, TupleValue{{7}}});
        Model& model = w.give(w.call("torch.exp", {a}));
        QCOMPARE(resultsOf(model, "const-fold").back(), std::string("1 left alone, as they fail: reshape"));
        QCOMPARE(bodyOf(model),
                 "w = self.w ; reshape = torch.reshape(w, (7,)) ; exp = torch.exp(reshape) ; return exp");
    }

    void numbersThatAreConstantAreWritten() {
        Written w;
        const NodeId x = w.input("x"), weight = w.weight("w"), size = w.edit.callMethod("size", {weight, 0});
        QCOMPARE(after(w.give(w.call("torch.mul", {x, size})), "const-fold"),
                 "mul = torch.mul(x, 2) ; return mul");
    }

    void masksOfDropoutAreKept() {
        Written w;
        const NodeId x = w.input("x"), pair = w.aten("native_dropout.default", {x, 0.5, true});
        const NodeId value = w.call("operator.getitem", {pair, 0}),
                     mask = w.call("operator.getitem", {pair, 1});
        Model& model = w.give(TupleValue{{value, mask}});
        QCOMPARE(resultsOf(model, "remove-dropout").back(),
                 std::string("1 left alone, as its mask is read: native_dropout_default"));
        Written other;
        const NodeId y = other.input("x"), alone = other.aten("native_dropout.default", {y, 0.5, true});
        QCOMPARE(after(other.give(other.call("operator.getitem", {alone, 0})), "remove-dropout"), "return x");
    }

    void attentionLosesItsDropout() {
        Written w;
        const NodeId q = w.input("q");
        Model& model = w.give(w.aten("scaled_dot_product_attention.default", {q, q, q, NoneValue(), 0.3}));
        QVERIFY(after(model, "remove-dropout").contains("(q, q, q, None, 0.0)"));
    }

    void statisticsAreNotWrittenInEvaluationMode() {
        Written w;
        const NodeId x = w.input("x"), mean = w.weight("running_mean", TensorRole::Buffer),
                     variance = w.weight("running_var", TensorRole::Buffer);
        const NodeId count = w.weight("num_batches_tracked", TensorRole::Buffer),
                     more = w.aten("add.Tensor", {count, 1});
        const NodeId norm = w.aten("_native_batch_norm_legit_functional.default",
                                   {x, NoneValue(), NoneValue(), mean, variance, true, 0.1, 1e-5});
        const NodeId value = w.call("operator.getitem", {norm, 0}),
                     fresh = w.call("operator.getitem", {norm, 3});
        w.aten("copy_.default", {mean, fresh});
        w.aten("copy_.default", {count, more});
        QCOMPARE(after(w.give(value), "eval-mode"),
                 "running_mean = self.running_mean ; running_var = self.running_var ; num_batches_tracked = "
                 "self.num_batches_tracked ; "
                 "_native_batch_norm_legit_functional_default = "
                 "torch.ops.aten._native_batch_norm_legit_no_training.default(x, None, None, "
                 "running_mean, running_var, 0.1, 1e-05) ; getitem = "
                 "_native_batch_norm_legit_functional_default[0] ; return getitem");
    }

    void alphaIsNoOperator() {
        Written w;
        const NodeId x = w.input("x"), a = w.call("torch.add", {x, x}, {{"alpha", Argument(2)}});
        QCOMPARE(after(w.give(w.call("torch.add", {a, 1})), "normalize", {{"arguments", "as-written"}}),
                 "add = torch.add(x, x, alpha = 2) ; add_1 = add + 1 ; return add_1");
    }

    void productsMoveTogether() {
        Written w;
        const NodeId x = w.matrix("x"), y = w.matrix("y"), weight = w.weight("w");
        const NodeId a = w.call("torch.matmul", {x, weight}), used = w.call("torch.exp", {a});
        const NodeId other = w.aten("relu.default", {y}), b = w.call("torch.matmul", {other, weight});
        QCOMPARE(after(w.give(TupleValue{{used, b}}), "merge-matmul"),
                 "w = self.w ; relu_default = torch.ops.aten.relu.default(y) ; cat = torch.cat([x, "
                 "relu_default]) ; "
                 "matmul_2 = torch.matmul(cat, w) ; split = torch.split(matmul_2, [2, 2]) ; getitem = "
                 "split[0] ; getitem_1 = split[1] ; "
                 "exp = torch.exp(getitem) ; return (exp, getitem_1)");
    }

    void productsOfProductsStay() {
        Written w;
        const NodeId x = w.matrix("x"), weight = w.weight("w"), a = w.call("torch.matmul", {x, weight});
        w.record(a, {int64_t(2), int64_t(2)});
        Model& model = w.give(w.call("torch.matmul", {a, weight}));
        QCOMPARE(resultsOf(model, "merge-matmul").back(),
                 std::string("2 left alone, as they depend on each other: matmul, matmul_1"));
    }

    void vectorsAreNotMerged() {
        Written w;
        const NodeId x = w.matrix("x", {int64_t(2)}), weight = w.weight("w");
        const NodeId a = w.call("torch.matmul", {x, weight}), b = w.call("torch.matmul", {x, weight});
        Model& model = w.give(TupleValue{{a, b}});
        QCOMPARE(resultsOf(model, "merge-matmul").back(),
                 std::string("2 left alone, as they are no products of matrices: matmul, matmul_1"));
    }

    void inputsAndWeightsAreNeverWritten() {
        Written w;
        const NodeId x = w.matrix("x"), weight = w.weight("w"),
                     view = w.aten("view.default", {x, ListValue{{2, 2}}});
        const NodeId a = w.aten("relu.default", {view}), b = w.aten("exp.default", {weight});
        const NodeId c = w.aten("add.Tensor", {a, b});
        QVERIFY(after(w.give(w.aten("relu.default", {c})), "reinplace")
                    .endsWith(
                        "relu_default = torch.ops.aten.relu.default(view_default) ; exp_default = "
                        "torch.ops.aten.exp.default(w) ; "
                        "add_tensor = torch.ops.aten.add_.Tensor(relu_default, exp_default) ; "
                        "relu_default_1 = torch.ops.aten.relu_.default(add_tensor) ; return relu_default_1"));
    }

    void whatIsReadLaterIsNotWritten() {
        Written w;
        const NodeId x = w.matrix("x"), a = w.aten("exp.default", {x}), b = w.aten("relu.default", {a});
        Model& model = w.give(w.aten("mul.Tensor", {b, w.aten("t.default", {a})}));
        QCOMPARE(resultsOf(model, "reinplace"), std::vector<std::string>{"1 call in place"});
    }

    void trainingModeIsTold() {
        Written w;
        const NodeId x = w.input("x"), weight = w.weight("w"), statistics = w.weight("s", TensorRole::Buffer);
        const NodeId conv = w.call("torch.conv2d", {x, weight});
        Model& model = w.give(w.call("torch.nn.functional.batch_norm", {conv, statistics, statistics},
                                     {{"training", Argument(true)}}));
        const QString before = bodyOf(model);
        QCOMPARE(resultsOf(model, "fuse").back(), std::string("1 left alone, in training mode: batch_norm"));
        QCOMPARE(bodyOf(model), before);
    }

    void stridesAreNotReadWithChannelsLast() {
        Written w;
        const NodeId x = w.matrix("x");
        Model& model = w.give(w.aten("as_strided.default", {x, ListValue{{2, 2}}, ListValue{{1, 2}}}));
        QVERIFY_THROWS_EXCEPTION(Error, resultsOf(model, "channels-last"));
    }

    void sensitiveCallsStayInFloat32() {
        Written w;
        const NodeId x = w.matrix("x"), a = w.aten("mm.default", {x, x}), b = w.aten("softmax.int", {a, 1});
        Model& model = w.give(w.aten("mm.default", {b, b}));
        const std::vector<std::string> results = resultsOf(model, "cast");
        QCOMPARE(results.back(), std::string("kept in float32: softmax_int"));
        QCOMPARE(bodyOf(model),
                 "to_dtype = torch.ops.aten.to.dtype(x, torch.bfloat16) ; mm_default = "
                 "torch.ops.aten.mm.default(to_dtype, to_dtype) ; "
                 "to_dtype_1 = torch.ops.aten.to.dtype(mm_default, torch.float32) ; softmax_int = "
                 "torch.ops.aten.softmax.int(to_dtype_1, 1) ; "
                 "to_dtype_2 = torch.ops.aten.to.dtype(softmax_int, torch.bfloat16) ; mm_default_1 = "
                 "torch.ops.aten.mm.default(to_dtype_2, to_dtype_2) ; "
                 "to_dtype_3 = torch.ops.aten.to.dtype(mm_default_1, torch.float32) ; return to_dtype_3");
    }

    void valuesHaveTypes() {
        Written w;
        const NodeId x = w.matrix("x"), a = w.call("torch.exp", {x});
        w.record(a, {int64_t(2), int64_t(2)});
        Model& model = w.give(a);
        QCOMPARE(resultsOf(model, "annotate-types"), std::vector<std::string>{"0 nodes typed"});
        QCOMPARE(resultsOf(model, "annotate-types", {{"values", "true"}}),
                 std::vector<std::string>{"2 nodes typed"});
    }

    void modulesOfUnknownClassesStay() {
        Written w;
        const NodeId x = w.input("x");
        w.module("r", "rnn.RNN");
        Model& model = w.give(w.edit.callModule("r", {x}));
        QCOMPARE(resultsOf(model, "inline-modules").back(),
                 std::string("1 left alone, as their class is not known here: r"));
    }

    void lstmOfUnknownSizesStays() {
        Written w;
        const NodeId x = w.input("x");
        w.module("r", "rnn.LSTM");
        Model& model = w.give(w.edit.callModule("r", {x}));
        QCOMPARE(resultsOf(model, "inline-modules").back(),
                 std::string("1 left alone, as the sizes of their inputs are not recorded (shape-prop does "
                             "it): r"));
    }
};

FX_TEST(TestCleanGraphs)
} // namespace fx::clean_graphs_test
#include "tst_clean_graphs.moc"
