// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes taken out of one graph and put into another, with what they name.
#include "core/base/error.h"
#include "core/ir/graph_text.h"
#include "core/module/lint.h"
#include "core/rewrite/excerpt.h"
#include "tests/support/model_state.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

namespace fx::excerpt_test {

namespace {

/// x -> y = lin(x) -> z = torch.mul(y, w) -> output, where w is sub.w.
struct Net {
    explicit Net(float weight) {
        Edit edit(model);
        edit.addSubmodule("sub.lin", edit.createModule("torch.nn.modules.linear.Linear"));
        edit.setTensor("sub.w", edit.createTensor(TensorSlot(at::full({2}, weight))), TensorRole::Parameter);
        x = edit.placeholder("x");
        y = edit.callModule("sub.lin", {x});
        w = edit.getAttr("sub.w");
        z = edit.callFunction("torch.mul", {y, w});
        edit.output(z);
        edit.finish();
    }
    std::string text() const { return graphText(model.graph()); }
    Model model{"GraphModule"};
    NodeId x, y, w, z;
};

std::vector<NodeId> put(Model& model, const Excerpt& excerpt, NodeId input, bool isSameGraph) {
    NodeMap inputs;
    for (const auto& [each, node] : excerpt.outside)
        inputs[each] = isSameGraph ? node : input;
    Edit edit(model);
    const std::vector<NodeId> fresh = putIn(edit, excerpt.model, {inputs, {}, isSameGraph});
    edit.finish();
    return fresh;
}

} // namespace

class TestExcerpt : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isAModelOfItsOwn() {
        Net net(3);
        const Excerpt excerpt = excerptOf(net.model, net.model.root(), {net.z, net.w});
        QCOMPARE(excerpt.outside.size(), size_t(1));
        QCOMPARE(excerpt.outside.begin()->second, net.y);
        const Model& model = excerpt.model;
        QCOMPARE(model.graph().findNodes(Opcode::Placeholder).size(), size_t(1));
        const NodeId input = model.graph().findNodes(Opcode::Placeholder)[0];
        QCOMPARE(model.graph().node(input).name, net.model.graph().node(net.y).name);
        QVERIFY(lint(model, model.root()).empty());
        QVERIFY(at::equal(model.tensor(model.resolve(model.root(), "sub.w").tensor).value(),
                          at::full({2}, 3.0f)));
        QVERIFY(!model.resolve(model.root(), "sub.lin"));
    }

    void inTheSameGraphItNamesTheSame() {
        Net net(3);
        const Excerpt excerpt = excerptOf(net.model, net.model.root(), {net.y, net.w, net.z});
        const std::vector<NodeId> fresh = put(net.model, excerpt, {}, true);
        const Graph& graph = net.model.graph();
        QCOMPARE(fresh.size(), size_t(3));
        QCOMPARE(graph.node(fresh[0]).target.name(), std::string("sub.lin"));
        QCOMPARE(graph.node(fresh[0]).args[0].node(), net.x);
        QCOMPARE(graph.node(fresh[2]).args[0].node(), fresh[0]);
        QCOMPARE(graph.node(fresh[2]).name, std::string("mul_1"));
        QVERIFY(lint(net.model, net.model.root()).empty());
    }

    void intoAnotherModelComesWhatItNames() {
        Net from(3);
        SmallModel m;
        const Excerpt excerpt = excerptOf(from.model, from.model.root(), {from.y, from.w, from.z});
        const std::vector<NodeId> fresh = put(m.model, excerpt, m.relu, false);
        const Graph& graph = m.model.graph();
        // sub.lin is there already, and is another one; sub.w is not.
        QCOMPARE(graph.node(fresh[0]).target.name(), std::string("sub.lin_1"));
        QCOMPARE(graph.node(fresh[0]).args[0].node(), m.relu);
        QCOMPARE(graph.node(fresh[1]).target.name(), std::string("sub.w"));
        const Attribute weight = m.model.resolve(m.model.root(), "sub.w");
        QVERIFY(weight.role == TensorRole::Parameter);
        QVERIFY(at::equal(m.model.tensor(weight.tensor).value(), at::full({2}, 3.0f)));
        QVERIFY(lint(m.model, m.model.root()).empty());
    }

    void weightsComeWithWhatReadsThem() {
        Net from(3);
        const Excerpt excerpt = excerptOf(from.model, from.model.root(), {from.z});
        QCOMPARE(excerpt.model.graph().findNodes(Opcode::Placeholder).size(), size_t(1));
        // Where they are there is no second one.
        const std::vector<NodeId> again = put(from.model, excerpt, {}, true);
        QCOMPARE(again.size(), size_t(1));
        QCOMPARE(from.model.graph().node(again[0]).args[1].node(), from.w);
        SmallModel m;
        Edit edit(m.model);
        NodeMap inputs;
        inputs[excerpt.model.graph().findNodes(Opcode::Placeholder)[0]] = m.relu;
        const std::vector<NodeId> fresh = putIn(edit, excerpt.model, {inputs, {}, false});
        edit.finish();
        QCOMPARE(fresh.size(), size_t(2));
        QCOMPARE(m.model.graph().node(fresh[0]).target.name(), std::string("sub.w"));
    }

    void shapesOfOtherValuesAreForgotten() {
        const auto value = [](int64_t size) {
            TensorMeta tensor;
            tensor.shape = {size};
            return ValueMeta{tensor};
        };
        for (const int64_t size : {2, 3}) {
            Net from(3);
            {
                Edit edit(from.model);
                edit.setMeta(from.x, meta::kTensorMeta, value(2));
                edit.setMeta(from.y, meta::kTensorMeta, value(2));
                edit.finish();
            }
            SmallModel m;
            Edit edit(m.model);
            edit.setMeta(m.relu, meta::kTensorMeta, value(size));
            const Excerpt excerpt = excerptOf(from.model, from.model.root(), {from.y});
            NodeMap inputs;
            inputs[excerpt.outside.begin()->first] = m.relu;
            const NodeId fresh = putIn(edit, excerpt.model, {inputs, {}, false})[0];
            edit.finish();
            QCOMPARE(knownValue(m.model.graph().node(fresh).meta) != nullptr, size == 2);
        }
    }

    void isTakenBackAsOne() {
        Net from(3);
        SmallModel m;
        const std::string before = modelState(m.model);
        Edit edit(m.model);
        const Excerpt excerpt = excerptOf(from.model, from.model.root(), {from.y});
        NodeMap inputs;
        inputs[excerpt.outside.begin()->first] = m.x;
        putIn(edit, excerpt.model, {inputs, m.relu, false});
        undo(m.model, edit.finish());
        QCOMPARE(modelState(m.model), before);
    }

    void whatIsInAModuleComesWithIt() {
        Net from(3);
        NodeId all, part;
        {
            Edit edit(from.model);
            const auto point = edit.insertingAfter(from.z);
            all = edit.callModule("sub", {from.z});
            part = edit.getAttr("sub.w");
            edit.finish();
        }
        SmallModel m;
        const Excerpt excerpt = excerptOf(from.model, from.model.root(), {all, part});
        const std::vector<NodeId> fresh = put(m.model, excerpt, m.relu, false);
        std::set<std::string> targets;
        for (const NodeId node : fresh)
            targets.insert(m.model.graph().node(node).target.name());
        QCOMPARE(targets, (std::set<std::string>{"sub_1", "sub_1.w"}));
    }

    void inputsAloneAreRefused() {
        Net net(3);
        QVERIFY_THROWS_EXCEPTION(Error, excerptOf(net.model, net.model.root(), {net.x}));
    }
};

FX_TEST(TestExcerpt)
} // namespace fx::excerpt_test
#include "tst_excerpt.moc"
