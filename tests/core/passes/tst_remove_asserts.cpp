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
