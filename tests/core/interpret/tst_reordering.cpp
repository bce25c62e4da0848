// SPDX-License-Identifier: GPL-3.0-or-later
// What is computed earlier so that another node can read it computes the same there.
#include "core/interpret/interpreter.h"
#include "core/interpret/reordering.h"
#include "core/module/lint.h"
#include "tests/support/model_state.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

#include <random>

namespace fx::reordering_test {

namespace {

at::Tensor run(const Model& model) {
    return Interpreter(model).run({Value(c10::IValue(at::linspace(-1, 1, 6)))}).data().toTensor();
}

} // namespace

class TestReordering : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsNeededGoesAhead() {
        Model model;
        Edit edit(model);
        const NodeId x = edit.placeholder("x");
        const NodeId a = edit.callFunction("torch.relu", {x});
        const NodeId b = edit.callFunction("torch.sin", {x});
        const NodeId c = edit.callFunction("torch.cos", {b});
        const NodeId d = edit.callFunction("torch.tanh", {x});
        edit.output(edit.callFunction("torch.add", {a, c}));
        edit.finish();
        QCOMPARE(reorderingFor(model, model.root(), a, c).moved, (std::vector<NodeId>{b, c}));
        QCOMPARE(reorderingFor(model, model.root(), c, a).moved, std::vector<NodeId>());
        Edit next(model);
        letPrecede(next, c, a);
        next.updateArg(a, 0, c);
        next.finish();
        QVERIFY(lint(model, model.root()).empty());
        QVERIFY(model.graph().precedes(a, d));
    }

    void whatCannotBeIsSaid() {
        Model model;
        Edit edit(model);
        const NodeId x = edit.placeholder("x");
        const NodeId a = edit.callFunction("torch.relu", {x});
        const NodeId write = edit.callMethod("add_", {x, 1});
        const NodeId b = edit.callFunction("torch.sin", {x});
        const NodeId c = edit.callFunction("torch.add", {a, b});
        const NodeId output = edit.output(edit.callFunction("torch.add", {c, write}));
        edit.finish();
        const auto fault = [&](NodeId reader, NodeId producer) {
            return reorderingFor(model, model.root(), reader, producer).fault;
        };
        QCOMPARE(fault(a, c), "add depends on relu");
        QCOMPARE(fault(a, a), "relu cannot read itself");
        QCOMPARE(fault(a, output), "the output has no value to read");
        QCOMPARE(fault(a, b), "sin comes after relu, and cannot be computed earlier: add_ writes into what "
                              "others read");
        const std::string before = modelState(model);
        Edit next(model);
        QVERIFY_THROWS_EXCEPTION(Error, letPrecede(next, b, a));
        next.finish();
        QCOMPARE(modelState(model), before);
    }

    void randomGraphsComputeTheSame_data() {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 0; seed < 200; ++seed)
            QTest::newRow(std::to_string(seed).c_str()) << seed;
    }
    void randomGraphsComputeTheSame() {
        QFETCH(unsigned, seed);
        std::mt19937 random(seed);
        Model model;
        Edit edit(model);
        std::vector<NodeId> nodes{edit.placeholder("x")};
        const auto any = [&] { return nodes[random() % nodes.size()]; };
        for (int i = 0; i < 12; ++i) {
            if (random() % 8 == 0)
                nodes.push_back(edit.callMethod("mul_", {any(), 0.5}));
            else
                nodes.push_back(edit.callFunction("torch.add", {any(), any()}));
        }
        const Argument all(ListValue{std::vector<Argument>(nodes.begin(), nodes.end())});
        edit.output(edit.callFunction("torch.stack", {all}));
        edit.finish();
        const at::Tensor expected = run(model);
        for (int i = 0; i < 20; ++i) {
            const NodeId reader = nodes[1 + random() % (nodes.size() - 1)], producer = any();
            const Reordering found = reorderingFor(model, model.root(), reader, producer);
            s_moved += found.moved.size();
            if (!found.fault.empty())
                continue;
            Edit next(model);
            letPrecede(next, producer, reader);
            next.finish();
            QVERIFY(model.graph().precedes(producer, reader));
            QVERIFY(lint(model, model.root()).empty());
            QVERIFY(at::equal(run(model), expected));
        }
    }
    void someWereMoved() { QVERIFY2(s_moved > 100, std::to_string(s_moved).c_str()); }

private:
    static inline size_t s_moved = 0;
};

FX_TEST(TestReordering)
} // namespace fx::reordering_test
#include "tst_reordering.moc"
