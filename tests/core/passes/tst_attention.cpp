// SPDX-License-Identifier: GPL-3.0-or-later
// What the pass fuse-attention takes for attention, and what it leaves alone. Whole models are in
// tests/oracle/clean_passes.
#include "core/base/text.h"
#include "core/codegen/python_code.h"
#include "core/interpret/interpreter.h"
#include "core/passes/pass_options.h"
#include "core/passes/pass_runner.h"
#include "core/passes/registry.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

namespace fx::attention_test {

namespace {

/// softmax(q @ k.T) @ v, as a test changes it.
class AttentionGraph {
public:
    AttentionGraph() : edit(model) {
        at::manual_seed(4);
        q = input("q"), k = input("k"), v = input("v");
    }
    NodeId input(const char* name) {
        inputs.values.push_back(Value(c10::IValue(at::randn({2, 3, 4, 4}))));
        return edit.placeholder(name);
    }
    NodeId call(const char* target, Arguments args, Keywords kwargs = {}) {
        return edit.callFunction(target, std::move(args), std::move(kwargs));
    }
    NodeId scores() { return call("torch.matmul", {q, edit.callMethod("transpose", {k, -2, -1})}); }
    NodeId softmax(NodeId of) { return call("torch.softmax", {of, -1}); }
    NodeId mixed(NodeId shares) { return call("torch.matmul", {shares, v}); }
    void give(Argument result) {
        edit.output(std::move(result));
        edit.finish();
    }
    PassReport fuse(const char* always = "true") {
        Progress progress;
        PassContext context{progress};
        context.inputs = [this](const Model&) { return inputs; };
        const Pass& pass = findPass("fuse-attention");
        return runPass(model, model.root(), pass, PassOptions(pass, {{"always", always}}), context);
    }
    std::string code() const { return PythonCode(model, model.root()).text(); }
    at::Tensor run() const { return Interpreter(model).run(inputs).data().toTensor(); }

    Model model;
    Edit edit;
    GraphInputs inputs;
    NodeId q, k, v;
};

} // namespace

class TestAttention : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void becomesOneCall() {
        AttentionGraph g;
        g.give(g.mixed(g.softmax(g.call("operator.truediv", {g.scores(), 2.0}))));
        const at::Tensor before = g.run();
        const std::string code = g.code();
        const PassReport report = g.fuse();
        // Its own scale is one by the root of the last size, 4.
        QVERIFY2(g.code().find("torch._C._nn.scaled_dot_product_attention(q, k, v)") != std::string::npos,
                 g.code().c_str());
        QCOMPARE(g.model.graph().size(), size_t(5));
        QVERIFY(at::allclose(before, g.run(), 1e-5, 1e-6));
        undo(g.model, report.changes);
        QCOMPARE(g.code(), code);
    }

    void whatMeasuresNoFasterIsLeft() {
        AttentionGraph g;
        g.give(g.mixed(g.softmax(g.scores())));
        const std::string code = g.code();
        const PassReport report = g.fuse("false");
        const bool isLeft = join(report.results, "\n").find("nothing was changed: it measured no faster, ") !=
                            std::string::npos;
        QCOMPARE(report.hasChanged(), !isLeft); // which of them is the processor's affair
        QCOMPARE(g.code() == code, isLeft);
    }

    void scalesOnBothSidesAreOne() {
        AttentionGraph g;
        g.q = g.call("torch.mul", {g.q, 3});
        g.give(g.mixed(g.softmax(g.call("torch.div", {g.call("operator.mul", {g.scores(), 0.5}), 4}))));
        const at::Tensor before = g.run();
        g.fuse();
        QVERIFY2(g.code().find("(q, k, v, scale = 0.375)") != std::string::npos, g.code().c_str());
        QVERIFY(at::allclose(before, g.run(), 1e-5, 1e-6));
    }

    void leavesAlone_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("reason");
        QTest::newRow("scores that others read") << "read"
                                                 << "as others read what lies within";
        QTest::newRow("a mask of another dtype") << "whole mask"
                                                 << "as what is added is no mask of their dtype";
        QTest::newRow("queries that are written into") << "written"
                                                       << "as the graph writes into what they read";
        QTest::newRow("one batch for all values") << "batches"
                                                  << "as their batches are not of one shape";
        QTest::newRow("shares that are dropped") << "dropout"
                                                 << "";
        QTest::newRow("shares of columns") << "columns"
                                           << "";
        QTest::newRow("a factor that is a value") << "factor"
                                                  << "";
    }
    void leavesAlone() {
        QFETCH(QString, kind);
        QFETCH(QString, reason);
        AttentionGraph g;
        NodeId scores = g.scores();
        Argument others = 0;
        if (kind == "read")
            others = g.call("torch.sum", {scores});
        if (kind == "whole mask")
            scores = g.call("torch.add", {scores, g.call("torch.zeros", {4, 4}, {{"dtype", c10::kLong}})});
        if (kind == "factor")
            scores = g.call("torch.mul", {scores, g.call("torch.sum", {g.v})});
        if (kind == "batches")
            g.inputs.values[2] = Value(c10::IValue(at::randn({1, 1, 4, 4})));
        NodeId shares = kind == "columns" ? g.call("torch.softmax", {scores, -2}) : g.softmax(scores);
        if (kind == "dropout")
            shares = g.call("torch.nn.functional.dropout", {shares, 0.5});
        const NodeId mixed = g.mixed(shares);
        if (kind == "written")
            others = g.call("torch.relu_", {g.q});
        g.give(kind == "read" || kind == "written" ? g.call("torch.add", {mixed, others}) : mixed);
        const std::string code = g.code();
        const PassReport report = g.fuse();
        const QString told = QString::fromStdString(join(report.results, "\n"));
        QVERIFY2(told.contains(reason) && told.contains("no attention in parts"), qPrintable(told));
        QVERIFY(!report.hasChanged());
        QCOMPARE(g.code(), code);
    }

    /// A condition with minus infinity is one that says what is seen; with another number it is added.
    void masks_data() {
        QTest::addColumn<double>("score");
        QTest::newRow("minus infinity") << -std::numeric_limits<double>::infinity();
        QTest::newRow("a number") << -30.0;
    }
    void masks() {
        QFETCH(double, score);
        AttentionGraph g;
        const NodeId hidden = g.call("torch.gt", {g.v, 0.5});
        g.give(g.mixed(g.softmax(g.edit.callMethod("masked_fill", {g.scores(), hidden, score}))));
        const at::Tensor before = g.run();
        g.fuse();
        QVERIFY(g.code().find("softmax") == std::string::npos);
        QVERIFY(at::allclose(before, g.run(), 1e-5, 1e-6));
    }
};

FX_TEST(TestAttention)
} // namespace fx::attention_test
#include "tst_attention.moc"
