// SPDX-License-Identifier: GPL-3.0-or-later
// What a picture groups: calls that compute with constants alone, and equal blocks in a row. What a call is
// for, and which way through a graph is the main one.
#include "core/layout/box_text.h"
#include "core/layout/picture_scopes.h"
#include "core/module/edit.h"
#include "core/torch/bind/call_family.h"
#include "tests/support/layout_figures.h"
#include "tests/support/oracle.h"
#include "tests/support/test_program.h"

#include <set>

namespace fx::picture_scopes_test {

namespace {

const Scope* named(const ScopeTree& scopes, const std::string& path) {
    const int index = scopes.find(path);
    return index < 0 ? nullptr : &scopes.scope(index);
}

} // namespace

class TestPictureScopes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatReadsNoInputIsOneScope() {
        const Model model = decoder(2);
        const ScopeTree scopes = pictureScopes(model.graph(), {});
        const Scope* constants = named(scopes, "(constants)");
        QVERIFY(constants && constants->isGroup && constants->isConstant);
        std::set<std::string> names;
        for (const NodeId node : constants->nodes)
            names.insert(model.graph().node(node).name);
        QCOMPARE(names, (std::set<std::string>{"ones_like_default", "unsqueeze_default", "tril_default"}));
        QCOMPARE(ScopeTree(model.graph()).find("(constants)"), -1);
    }

    void aGroupWithABooleanThatIsReadElsewhereIsAMask() {
        Model model;
        Edit edit(model);
        const NodeId x = edit.placeholder("x");
        NodeId at = edit.callFunction("torch.arange", {int64_t(4)});
        at = edit.callFunction("torch.ge", {at, edit.callFunction("torch.unsqueeze", {at, int64_t(1)})});
        TensorMeta boolean;
        boolean.dtype = at::kBool;
        edit.setMeta(at, meta::kTensorMeta, MetaValue(ValueMeta{boolean}));
        edit.output(edit.callFunction("torch.where", {at, x, x}));
        edit.finish();
        QVERIFY(named(pictureScopes(model.graph(), {}), "(mask)"));
    }

    void callsThatDrawWriteOrSwitchAreNoConstants() {
        const auto isGrouped = [](const char* target) {
            Model model;
            Edit edit(model);
            NodeId at = edit.callFunction("torch.arange", {int64_t(4)});
            at = edit.callFunction(target, {at});
            for (int i = 0; i < 2; ++i)
                at = edit.callFunction("torch.neg", {at});
            edit.output(edit.callFunction("torch.add", {edit.placeholder("x"), at}));
            edit.finish();
            return pictureScopes(model.graph(), {}).scopes().size() > 1;
        };
        for (const char* target : {"torch.ops.aten.diff.default", "torch.abs",
                                   "torch.ops.aten.cumsum.default", "torch.ops.aten.__and__.Tensor"})
            QVERIFY2(isGrouped(target), target);
        for (const char* target :
             {"torch.rand_like", "torch.ops.aten.add_.Tensor", "torch._C._set_grad_enabled"})
            QVERIFY2(!isGrouped(target), target);
    }

    void ofConstantsAloneNothingIsGrouped() {
        Model model;
        Edit edit(model);
        NodeId at = edit.callFunction("torch.ones", {int64_t(4)});
        for (int i = 0; i < 5; ++i)
            at = edit.callFunction("torch.neg", {at});
        edit.output(at);
        edit.finish();
        QCOMPARE(pictureScopes(model.graph(), {}).scopes().size(), size_t(1));
    }

    void equalBlocksInARowAreOneScope() {
        const Model model = decoder(6);
        const ScopeTree scopes = pictureScopes(model.graph(), {});
        // The module list has nothing else.
        const Scope* list = named(scopes, "h");
        QVERIFY(list && !list->isGroup);
        QCOMPARE(list->repeats, size_t(6));
        // Beside others they are a scope of their own.
        const OpenedModel opened = openOracle("repeated_blocks");
        const ScopeTree blocks = pictureScopes(opened.model.graph(), {});
        const auto group =
            std::ranges::find_if(blocks.scopes(), [](const Scope& each) { return each.isGroup; });
        QVERIFY(group != blocks.scopes().end());
        QVERIFY(group->repeats >= 3 && group->children.size() == group->repeats);
        size_t nodes = 0;
        for (const Scope& scope : blocks.scopes())
            nodes += scope.nodes.size();
        QCOMPARE(nodes, opened.model.graph().size());
        for (size_t i = 1; i < blocks.scopes().size(); ++i)
            QVERIFY(blocks.scopes()[i].parent < static_cast<int>(i));
    }

    /// The group would read itself.
    void whatIsComputedBetweenBlocksPartsThem() {
        for (const bool isBetween : {false, true}) {
            Model model;
            Edit edit(model);
            NodeId at = edit.placeholder("x");
            for (int i = 0; i < 4; ++i) {
                const std::string block = "layers." + std::to_string(i);
                const NodeId inside = edit.callFunction("torch.relu", {at});
                edit.setMeta(inside, meta::kModuleStack,
                             MetaValue(ModuleStack{{"", "", "Net"}, {block, block, "Block"}}));
                at = isBetween ? edit.callFunction("torch.add", {at, inside}) : inside;
                edit.setMeta(at, meta::kStackTrace, MetaValue(std::string("here")));
            }
            edit.output(at);
            edit.finish();
            const ScopeTree scopes = pictureScopes(model.graph(), {});
            QCOMPARE(scopes.find("(layers 0 to 3)") > 0, !isBetween);
        }
    }

    void aGraphWithANodeBeforeItsInputIsGrouped() {
        Model model;
        Edit edit(model);
        const NodeId x = edit.placeholder("x");
        const NodeId first = edit.callFunction("torch.relu", {x});
        const NodeId second = edit.callFunction("torch.neg", {x});
        edit.setArgs(first, {second});
        edit.output(first);
        QCOMPARE(pictureScopes(model.graph(), {}).scopes().size(), size_t(1));
    }

    void blocksOfOtherSizesAreNotEqual() {
        const auto blocks = [](const std::vector<std::string>& calls) {
            Model model;
            Edit edit(model);
            NodeId at = edit.placeholder("x");
            ModuleCalls modules;
            for (size_t i = 0; i < calls.size(); ++i) {
                const std::string block = "layers." + std::to_string(i);
                at = edit.createNode(Opcode::CallModule, block + ".fc", {at});
                edit.setMeta(at, meta::kModuleStack,
                             MetaValue(ModuleStack{{"", "", "Net"}, {block, block, "Block"}}));
                modules[block + ".fc"] = calls[i];
            }
            edit.output(at);
            edit.finish();
            return equalScopes(model.graph(), ScopeTree(model.graph()), modules);
        };
        QCOMPARE(blocks({"Linear(4, 4)", "Linear(4, 4)"})[2], std::string("layers.0"));
        QCOMPARE(blocks({"Linear(4, 4)", "Linear(4, 8)"})[2], std::string());
    }

    void callsAreSortedByWhatTheyAreFor_data() {
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("family");
        const std::pair<const char*, const char*> kRows[] = {
            {"torch.ops.aten.conv2d.default", "convolution, linear"},
            {"torch.nn.functional.linear", "convolution, linear"},
            {"operator.matmul", "convolution, linear"},
            {"torch.ops.aten.addmm.default", "convolution, linear"},
            {"torch.ops.aten._native_batch_norm_legit_no_training.default", "normalisation"},
            {"torch.nn.functional.layer_norm", "normalisation"},
            {"torch.linalg.vector_norm", "reduction"},
            {"torch.ops.aten.relu_.default", "activation"},
            {"torch.softmax", "activation"},
            {"torch.nn.functional.scaled_dot_product_attention", "attention"},
            {"operator.add", "elementwise"},
            {"torch.ops.aten.mul.Tensor", "elementwise"},
            {"torch.ops.aten.rsqrt.default", "elementwise"},
            {"torch.ops.aten._to_copy.default", "elementwise"},
            {"torch.ops.aten.view.default", "shape"},
            {"torch.ops.aten.diagonal.default", "shape"},
            {"operator.getitem", "shape"},
            {"torch.cat", "shape"},
            {"torch.ops.aten.mean.dim", "reduction"},
            {"torch.max_pool2d", "reduction"},
            {"torch.nn.functional.embedding", "embedding"},
            {"torch.nn.functional.dropout", "random"},
            {"torch.rand_like", "random"},
            {"torch.ops._c10d_functional.all_reduce.default", "collective"},
            {"torch.arange", "constant"},
            {"torch.ops.aten.full_like.default", "constant"},
            {"torch.ops.aten._assert_async.msg", "other"},
        };
        for (const auto& [target, family] : kRows)
            QTest::newRow(target) << target << family;
    }
    void callsAreSortedByWhatTheyAreFor() {
        QFETCH(QString, target);
        QFETCH(QString, family);
        Model model;
        Edit edit(model);
        const NodeId call = edit.callFunction(target.toStdString(), {edit.placeholder("x")});
        const std::string_view name = familyName(familyOf(model.graph().node(call)));
        QCOMPARE(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())), family);
    }

    void modulesAreSortedByTheirClass() {
        Model model;
        Edit edit(model);
        const Node& call =
            model.graph().node(edit.createNode(Opcode::CallModule, "m", {edit.placeholder("x")}));
        const std::pair<const char*, CallFamily> kRows[] = {{"Conv2d", CallFamily::Layer},
                                                            {"LSTM", CallFamily::Layer},
                                                            {"BatchNorm2d", CallFamily::Normalisation},
                                                            {"RMSNorm", CallFamily::Normalisation},
                                                            {"GELU", CallFamily::Activation},
                                                            {"SiLU", CallFamily::Activation},
                                                            {"MultiheadAttention", CallFamily::Attention},
                                                            {"AdaptiveAvgPool2d", CallFamily::Reduction},
                                                            {"Embedding", CallFamily::Embedding},
                                                            {"Dropout1d", CallFamily::Random},
                                                            {"Flatten", CallFamily::Shape},
                                                            {"Router", CallFamily::Other}};
        for (const auto& [name, family] : kRows)
            QVERIFY2(familyOf(call, name) == family, name);
    }

    /// The longer way computes a mask with constants; the shorter one has the weights.
    void theTrunkIsTheWayOfTheModel() {
        Model model;
        Edit edit(model);
        const NodeId x = edit.placeholder("x");
        const NodeId weight = edit.getAttr("weight");
        const NodeId linear = edit.callFunction("torch.nn.functional.linear", {x, weight});
        NodeId mask = edit.callFunction("torch.arange", {int64_t(4)});
        for (int i = 0; i < 8; ++i)
            mask = edit.callFunction("torch.neg", {mask});
        const NodeId sum = edit.callFunction("torch.add", {mask, linear});
        edit.output(sum);
        edit.finish();
        const Diagram diagram = measuredDiagram(model.graph(), 0, false);
        const auto loadOf = [&](NodeId node) {
            return diagram.boxes[static_cast<size_t>(diagram.boxOf(node))].load;
        };
        QCOMPARE(loadOf(mask), 0.0);
        QVERIFY(loadOf(linear) > loadOf(sum));
        Level level;
        for (const DiagramBox& box : diagram.boxes)
            level.items.push_back({box.width, box.height, Level::Role::Box, box.load});
        for (const DiagramEdge& edge : diagram.edges)
            level.edges.push_back({edge.from, edge.to});
        std::vector<int> trunk;
        for (const size_t e : trunkOf(level))
            trunk.push_back(level.edges[e].from);
        QCOMPARE(trunk, (std::vector<int>{diagram.boxOf(x), diagram.boxOf(linear), diagram.boxOf(sum)}));
    }
};

FX_TEST(TestPictureScopes)
} // namespace fx::picture_scopes_test
#include "tst_picture_scopes.moc"
