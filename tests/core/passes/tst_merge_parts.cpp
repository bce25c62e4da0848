// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs of submodules in the place of their calls.
#include "tests/core/passes/split_graphs.h"
#include "tests/support/test_program.h"

#include <set>

namespace fx::merge_parts_test {

class TestMergeParts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void partsMergeBack() {
        Calls c;
        Model& model = blocks(c);
        // A weight comes where it is read.
        const auto calls = [&] { return bodyOf(model).remove("a_w = self.a.w ; "); };
        const QString before = calls();
        for (const Texts& how :
             std::vector<Texts>{{}, {{"by", "size"}, {"parts", "3"}}, {{"by", "tag"}, {"untagged", "all"}}}) {
            applied(model, "split", how);
            QVERIFY(calls() != before);
            applied(model, "merge-parts", {});
            QCOMPARE(calls(), before);
            QVERIFY(!model.resolve(model.root(), "submod_0") && !model.resolve(model.root(), "all"));
        }
    }

    void defaultsAndKeywordsAreGiven() {
        Calls c;
        const NodeId x = c.input("x");
        const ModuleId part = c.edit.createModule("GraphModule", true);
        c.edit.enter(part);
        const NodeId a = c.edit.placeholder("a"), b = c.edit.placeholder("b", Argument(3)),
                     k = c.edit.placeholder("k");
        const NodeId sum = c.edit.callFunction("torch.add", {a, b}),
                     other = c.edit.callFunction("torch.add", {sum, k});
        c.edit.output(TupleValue{{other, Argument(7), a}});
        c.edit.enter(c.model.root());
        c.edit.addSubmodule("part", part);
        const NodeId call = c.edit.createNode(Opcode::CallModule, "part", {x}, {{"k", Argument(1.5)}});
        const NodeId second = c.edit.callFunction("operator.getitem", {call, 1}),
                     whole = c.call("stack", {call});
        Model& model = c.give(TupleValue{{second, whole}});
        QVERIFY(
            faultOf(model, "merge-parts", {{"parts", "other"}}).find("no call of a graph is named 'other'") !=
            std::string::npos);
        applied(model, "merge-parts", {{"parts", "part"}});
        QCOMPARE(bodyOf(model),
                 "def forward(self, x): ; add = torch.add(x, 3) ; add_1 = torch.add(add, 1.5) ; "
                 "stack = torch.stack((add_1, 7, x)) ; return (7, stack)");
    }

    void onlyTheChosenCallsAreInlined() {
        Calls c;
        const NodeId x = c.input("x"), relu = c.call("relu", {x}), neg = c.call("neg", {relu});
        Model& model = c.give(c.call("add", {neg, relu}));
        applied(model, "extract", {{"nodes", "relu"}, {"name", "first"}});
        applied(model, "extract", {{"nodes", "neg"}, {"name", "second"}});
        QVERIFY(faultOf(model, "merge-parts", {{"nodes", "add"}}).find("'add'") != std::string::npos);
        applied(model, "merge-parts", {{"nodes", "second"}});
        QCOMPARE(bodyOf(model), "def forward(self, x): ; first = self.first(x) ; neg = torch.neg(first) ; "
                                "add = torch.add(neg, first) ; return add");
    }

    void graphsThatTakeMoreAreLeft() {
        Calls c;
        const NodeId x = c.input("x");
        const ModuleId part = c.edit.createModule("GraphModule", true);
        c.edit.enter(part);
        c.edit.output(c.edit.placeholder("*args"));
        c.edit.enter(c.model.root());
        c.edit.addSubmodule("part", part);
        Model& model = c.give(c.edit.callModule("part", {x}));
        const PassReport report = applied(model, "merge-parts", {});
        QVERIFY(!report.hasChanged());
        QCOMPARE(report.results.back(), std::string("1 left alone, as they take any number of values: part"));
    }

    void sharedWeightsStayShared() {
        Calls c;
        const NodeId x = c.input("x"), a = c.module("lin", {x}), w = c.edit.getAttr("lin.weight");
        Model& model = c.give(c.module("lin", {c.call("matmul", {a, c.recorded(w)})}));
        applied(model, "split", {{"by", "size"}, {"parts", "3"}});
        const auto tensorAt = [&](const char* path) { return model.resolve(model.root(), path).tensor; };
        QVERIFY(tensorAt("lin.weight") == tensorAt("submod_0.lin.weight") &&
                tensorAt("lin.weight") == tensorAt("submod_2.lin.weight"));
        applied(model, "merge-parts", {});
        QVERIFY(bodyOf(model).contains("lin = self.lin(x)"));
        std::set<TensorId> weights;
        model.forEachModule(model.root(), [&](ModuleId id, const std::string&) {
            for (const NamedTensor& tensor : model.module(id).tensors)
                weights.insert(tensor.tensor);
        });
        QCOMPARE(weights.size(), size_t(1));
    }
};

FX_TEST(TestMergeParts)
} // namespace fx::merge_parts_test
#include "tst_merge_parts.moc"
