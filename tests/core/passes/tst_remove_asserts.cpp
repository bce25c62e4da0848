// SPDX-License-Identifier: GPL-3.0-or-later
// Assertions go, with what was computed for them alone; what others read, and what is written, stays.
#include "tests/core/passes/split_graphs.h"
#include "tests/support/test_program.h"

namespace fx::remove_asserts_test {

namespace {

std::vector<std::string> namesOf(const Model& model) {
    std::vector<std::string> out;
    for (const Node& node : model.graph())
        out.push_back(node.name);
    return out;
}

using Names = std::vector<std::string>;

/// Asserts ge(x, 0) and eq(relu, x); a range of sym_size; add_ writes for an assertion.
Model checked() {
    Calls c;
    const NodeId x = c.input("x");
    const NodeId ge = c.edit.callFunction("torch.ops.aten.ge.Scalar", {x, 0});
    c.edit.callFunction("torch._assert", {ge, "x is negative"});
    const NodeId relu = c.call("relu", {x});
    c.edit.callFunction("torch.ops.aten._assert_async.msg",
                        {c.edit.callFunction("torch.ops.aten.eq.Tensor", {relu, x}), "no"});
    const NodeId size = c.edit.callFunction("torch.ops.aten.sym_size.int", {x, 0});
    c.edit.callFunction("torch.ops.aten.sym_constrain_range_for_size.default", {size});
    c.edit.callFunction("torch._assert",
                        {c.edit.callFunction("torch.ops.aten.add_.Scalar", {relu, 1}), "written"});
    return c.give(relu);
}

} // namespace

class TestRemoveAsserts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void assertionsGoWithWhatTheyAloneRead() {
        Model model = checked();
        const PassReport report = applied(model, "remove-asserts", {});
        QCOMPARE(namesOf(model), (Names{"x", "relu", "add__scalar", "output"}));
        QCOMPARE(report.results.back(), std::string("4 assertions and 3 nodes computed for them removed"));
    }

    void whatHasAnEffectStays() {
        for (const char* kind : {"method", "operator", "user", "dropout"}) {
            Calls c;
            const NodeId x = c.input("x"), relu = c.call("relu", {x});
            const std::string name = kind;
            const NodeId effect = name == "method"     ? c.edit.callMethod("add_", {relu, 1})
                                  : name == "operator" ? c.edit.callFunction("operator.iadd", {relu, 1})
                                  : name == "user"
                                      ? c.edit.callFunction("net.log", {relu})
                                      : c.edit.callFunction("torch.nn.functional.dropout", {relu});
            c.edit.callFunction("torch._assert", {effect, "no"});
            const NodeId kept = effect;
            Model& model = c.give(relu);
            applied(model, "remove-asserts", {});
            QVERIFY2(model.graph().contains(kept), kind);
            QVERIFY2(!model.graph().find("_assert"), kind);
        }
    }

    void tokensArePassedOn() {
        Calls c;
        const NodeId x = c.input("x"),
                     token = c.edit.callFunction("torch.ops.aten._make_dep_token.default", {}),
                     eq = c.edit.callFunction("torch.ops.aten.eq.Tensor", {x, x});
        const NodeId first =
            c.edit.callFunction("torch.ops.aten._functional_assert_async.msg", {eq, "a", token});
        c.edit.callFunction("torch.ops.aten._functional_assert_async.msg", {eq, "b", first});
        Model& model = c.give(x);
        QCOMPARE(applied(model, "remove-asserts", {}).results.back().substr(0, 12),
                 std::string("2 assertions"));
        QVERIFY(!model.graph().contains(eq) && !model.graph().contains(first));
    }

    void nestedGraphsAreVisited() {
        Calls c;
        const NodeId x = c.input("x");
        const ModuleId root = c.edit.module(), body = c.edit.createModule("GraphModule", true);
        c.edit.addSubmodule("body", body);
        c.edit.enter(body);
        const NodeId inner = c.edit.placeholder("y");
        const NodeId check = c.edit.callFunction("torch._assert", {inner, "no"});
        c.edit.output(inner);
        c.edit.enter(root);
        Model& model =
            c.give(c.edit.callFunction("torch.ops.higher_order.cond",
                                       {x, c.edit.getAttr("body"), c.edit.getAttr("body"), ListValue{{x}}}));
        QCOMPARE(applied(model, "remove-asserts", {}).results.back().substr(0, 11),
                 std::string("1 assertion"));
        QVERIFY(!model.graph(body).contains(check));
    }

    void whatIsKeptStays() {
        Model model = checked();
        applied(model, "remove-asserts", {{"keep-ranges", "true"}, {"keep-computed", "true"}});
        QVERIFY(model.graph().find("ge") || model.graph().find("ge_scalar"));
        QVERIFY(model.graph().find("sym_size_int"));
        QCOMPARE(applied(model, "remove-asserts", {{"keep-ranges", "true"}}).results.back(),
                 std::string("0 assertions and 0 nodes computed for them removed"));
        QCOMPARE(applied(model, "remove-asserts", {}).results.back(),
                 std::string("1 assertion and 1 node computed for them removed"));
    }
};

FX_TEST(TestRemoveAsserts)
} // namespace fx::remove_asserts_test

#include "tst_remove_asserts.moc"
