// SPDX-License-Identifier: GPL-3.0-or-later
// What can be typed next: names of nodes, torch's functions, methods, targets; and what a call takes.
#include "core/console/expression_help.h"
#include "core/module/edit.h"
#include "tests/support/test_program.h"

namespace fx::expression_help_test {

namespace {

struct Small {
    Model model{"GraphModule"};
    Small() {
        Edit edit(model);
        const NodeId x = edit.placeholder("x_in");
        edit.setTensor("weight", edit.createTensor(TensorSlot(TensorMeta(), {})), TensorRole::Parameter);
        edit.addSubmodule("sub.lin", edit.createModule("torch.nn.modules.linear.Linear"));
        const NodeId relu = edit.callFunction("torch.relu", {x});
        edit.output(relu);
        edit.finish();
    }
    ExpressionHelp at(std::string_view text) const {
        return ExpressionHelper(model, model.root(), {"value"}).expression(text);
    }
    std::string first(std::string_view text) const {
        const ExpressionHelp help = at(text);
        return help.offers.empty() ? "none" : std::string(text.substr(0, help.begin)) + help.offers[0].text;
    }
    bool offers(std::string_view text, const std::string& wanted) const {
        for (const ExpressionOffer& each : at(text).offers)
            if (each.text == wanted)
                return true;
        return false;
    }
    std::string target(std::string_view text, Opcode opcode) const {
        const ExpressionHelp help = ExpressionHelper(model, model.root()).target(text, opcode);
        return help.offers.empty() ? "none" : help.offers[0].text;
    }
};

} // namespace

class TestExpressionHelp : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesComeFirst() {
        const Small m;
        QCOMPARE(m.first("x_"), std::string("x_in"));
        QCOMPARE(m.first("1 + 2 * (val"), std::string("1 + 2 * (value"));
        QVERIFY(m.offers("re", "relu"));
        QVERIFY(m.offers("rand", "randn")); // torch's, without its module
        QCOMPARE(m.first("nosuchname"), std::string("none"));
        QCOMPARE(m.first(""), std::string("none"));
        QCOMPARE(m.first("12"), std::string("none"));
    }

    void membersFollowADot() {
        const Small m;
        QCOMPARE(m.first("torch.clam"), std::string("torch.clamp"));
        QCOMPARE(m.first("F.rel"), std::string("F.relu"));
        QVERIFY(m.offers("x_in.sha", "x_in.shape"));
        QVERIFY(m.offers("relu.me", "relu.mean"));
        QVERIFY(m.offers("(x_in + 1).me", ".mean"));
        QVERIFY(m.offers("x_in.T.me", "x_in.T.mean"));
        QCOMPARE(m.first("torch.nosuchfunction"), std::string("none"));
    }

    void nothingInStrings() {
        const Small m;
        QCOMPARE(m.first("f('x_"), std::string("none"));
        QCOMPARE(m.first("f('it\\'s x_"), std::string("none"));
        QCOMPARE(m.first("f('a') + x_"), std::string("f('a') + x_in"));
    }

    void theCallWhoseBracketsAreOpen() {
        const Small m;
        QVERIFY2(m.at("torch.clamp(x_in, ").signature.starts_with("torch.clamp(input: Tensor"),
                 m.at("torch.clamp(x_in, ").signature.c_str());
        QVERIFY(m.at("clamp(").signature.starts_with("torch.clamp("));
        QVERIFY(m.at("x_in.clamp(").signature.starts_with(".clamp("));
        QVERIFY(!m.at("x_in.clamp(").signature.starts_with(".clamp(self"));
        QVERIFY(m.at("torch.clamp(x_in.sum(), [1, (2").signature.empty()); // in brackets of no call
        QVERIFY(m.at("torch.clamp(x_in.sum(), [1, ").signature.starts_with("torch.clamp("));
        QVERIFY(m.at("torch.clamp(x_in.sum()").signature.starts_with("torch.clamp("));
        QCOMPARE(m.at("torch.clamp(x_in)").signature, std::string());
        QCOMPARE(m.at("nosuch(").signature, std::string());
        QCOMPARE(m.at(")](").signature, std::string());
    }

    void targetsByOpcode() {
        const Small m;
        QCOMPARE(m.target("torch.clam", Opcode::CallFunction), std::string("torch.clamp"));
        QCOMPARE(m.target("torch.nn.functional.rel", Opcode::CallFunction),
                 std::string("torch.nn.functional.relu"));
        QVERIFY(m.target("torch.ops.aten.clamp.", Opcode::CallFunction).starts_with("torch.ops.aten.clamp."));
        QCOMPARE(m.target("vie", Opcode::CallMethod), std::string("view"));
        QCOMPARE(m.target("su", Opcode::CallModule), std::string("sub.lin"));
        QCOMPARE(m.target("we", Opcode::GetAttr), std::string("weight"));
        QCOMPARE(m.target("torch.", Opcode::Output), std::string("none"));
    }
};

FX_TEST(TestExpressionHelp)
} // namespace fx::expression_help_test
#include "tst_expression_help.moc"
