// SPDX-License-Identifier: GPL-3.0-or-later
// Editing a graph by editing its generated code: what the text says is done, and lines that stay keep their
// nodes.
#include "core/base/error.h"
#include "core/codegen/python_code.h"
#include "core/module/lint.h"
#include "core/rewrite/code_edit.h"
#include "core/rewrite/pattern_source.h"
#include "tests/support/test_program.h"

namespace fx::code_edit_test {

namespace {

std::string codeOf(const Model& model) {
    return PythonCode(model, model.root()).text();
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    const size_t at = text.find(what);
    if (at == std::string::npos)
        qFatal("there is no '%s' in\n%s", what.c_str(), text.c_str());
    return text.replace(at, what.size(), with);
}

/// Applies the text; gives whether anything changed.
bool applyText(Model& model, const std::string& text, Changes* changes = nullptr) {
    Edit edit(model);
    const bool changed = applyCode(edit, text).hasChanged;
    Changes done = edit.finish();
    if (changes)
        *changes = std::move(done);
    return changed;
}

const char* const kChain = "lambda x, y: torch.sigmoid(torch.relu(x + y) * 2)";

} // namespace

class CodeEditTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void leavesAGraphAloneWhoseTextIsTheSame_data() {
        QTest::addColumn<QString>("source");
        for (const char* source :
             {kChain, "lambda x: x", "lambda x: (x, [x, {'a': x}], None, 1.5)",
              "lambda x: x[0, ..., 1:2, None]", "lambda x: x.view(x.shape[0], -1).sum(dim=-1, keepdim=True)",
              "lambda x: -x ** 2 @ x.T + abs(x)",
              "lambda x: torch.zeros(2, dtype=torch.float32, device='cpu') + x",
              "lambda x, *args, **kw: x + args[0]", "lambda x, y=2: torch.cat([x, x], dim=y)",
              "lambda x: F.dropout(x, 0.5, False)", "lambda x: math.sqrt(2.0) * x",
              "lambda x: (x > 0, x != 1, ~x)", "lambda input: input.add_(1)"})
            QTest::newRow(source) << source;
    }

    /// As in a .pt2, whose weights are read before its inputs. A line that is put in front of an input which
    /// it reads moves the inputs.
    void leavesTheInputsWhereTheyStand() {
        Model model = tracePatternText(kChain, "source");
        {
            Edit edit(model, Edit::WithoutHistory());
            const Edit::InsertPoint first = edit.insertingBefore(edit.graph().first());
            edit.setTensor("w", edit.createTensor(TensorSlot(at::ones({1}))), TensorRole::Buffer);
            edit.createNode(Opcode::GetAttr, Target("w"), {}, {}, "w");
            edit.finish();
        }
        Edit(model, Edit::WithoutHistory()).finish();
        const std::string before = codeOf(model);
        QVERIFY2(!applyText(model, before), before.c_str());
        const std::string line = "    w = self.w;  w = None\n";
        QVERIFY2(before.find(line) != std::string::npos, before.c_str());
        QVERIFY(applyText(model, replaced(before, line, "    w = self.w\n    early = torch.exp(x) * w\n")));
        const Graph& graph = model.graph();
        QVERIFY(graph.precedes(graph.find("x"), graph.find("early")));
        QVERIFY(graph.precedes(graph.find("w"), graph.find("early")));
        QCOMPARE(lint(model, model.root()).size(), 0);
    }

    void leavesAGraphAloneWhoseTextIsTheSame() {
        QFETCH(QString, source);
        Model model = tracePatternText(source.toStdString(), "source");
        const std::string before = codeOf(model);
        try {
            QVERIFY(!applyText(model, before));
        } catch (const Error& error) {
            QFAIL((before + error.what()).c_str());
        }
        QCOMPARE(codeOf(model), before);
    }

    void changesWhatIsCalled() {
        Model model = tracePatternText(kChain, "source");
        const NodeId relu = model.graph().find("relu"), sigmoid = model.graph().find("sigmoid");
        QVERIFY(applyText(model, replaced(codeOf(model), "torch.relu(add)", "torch.tanh(add)")));
        QCOMPARE(model.graph().node(relu).target.name(), std::string("torch.tanh"));
        QCOMPARE(model.graph().find("sigmoid"), sigmoid);
    }

    void insertsALineAndRewires() {
        Model model = tracePatternText(kChain, "source");
        const NodeId mul = model.graph().find("mul");
        std::string text =
            replaced(codeOf(model), "    mul = relu * 2", "    neg = torch.neg(relu)\n    mul = neg * 3");
        QVERIFY(applyText(model, text));
        const NodeId neg = model.graph().find("neg");
        QVERIFY(neg);
        QCOMPARE(model.graph().find("mul"), mul);
        QVERIFY(model.graph().node(mul).args == (Arguments{neg, 3}));
        QVERIFY(model.graph().precedes(neg, mul));
    }

    void removesALine() {
        Model model = tracePatternText(kChain, "source");
        std::string text = replaced(codeOf(model), "    relu = torch.relu(add);  add = None\n", "");
        text = replaced(text, "mul = relu * 2;  relu = None", "mul = add * 2");
        QVERIFY(applyText(model, text));
        QVERIFY(!model.graph().find("relu"));
        QCOMPARE(model.graph().size(), size_t(6));
    }

    void renamesANodeWithItsVariable() {
        Model model = tracePatternText(kChain, "source");
        const NodeId relu = model.graph().find("relu");
        std::string text = replaced(codeOf(model), "relu = torch.relu", "active = torch.relu");
        text = replaced(text, "mul = relu * 2;  relu = None", "mul = active * 2");
        QVERIFY(applyText(model, text));
        QCOMPARE(model.graph().find("active"), relu);
    }

    void takesNestedCallsApart() {
        Model model = tracePatternText("lambda x: x", "source");
        QVERIFY(applyText(model, replaced(codeOf(model), "return x", "return torch.relu(x.sum(-1) + 1)")));
        QCOMPARE(codeOf(model),
                 std::string("\n\n\ndef forward(self, x):\n    sum_1 = x.sum(-1);  x = None\n"
                             "    add = sum_1 + 1;  sum_1 = None\n    relu = torch.relu(add);  add = None\n"
                             "    return relu\n    "));
    }

    void isUndoneAsOneEdit() {
        Model model = tracePatternText(kChain, "source");
        const std::string before = codeOf(model);
        Changes changes;
        applyText(model, replaced(before, "torch.relu(add)", "torch.tanh(add)"), &changes);
        const std::string after = codeOf(model);
        undo(model, changes);
        QCOMPARE(codeOf(model), before);
        redo(model, changes);
        QCOMPARE(codeOf(model), after);
    }

    void refusesWithAPlace_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("reason");
        QTest::newRow("syntax") << "mul = relu *"
                                << ""
                                << "invalid syntax";
        QTest::newRow("unknown name") << "mul = rely * 2"
                                      << "code:7:11"
                                      << "is no node of this graph";
        QTest::newRow("unknown function") << "mul = torch.rely(relu)"
                                          << "code:7:11"
                                          << "'torch.rely' is no function that is known here";
        QTest::newRow("module") << "mul = self.conv(relu)"
                                << "code:7:11"
                                << "there is no submodule 'conv'";
        QTest::newRow("loop") << "for i in relu: pass"
                              << "code:7:5"
                              << "cannot be a part of a graph";
        QTest::newRow("branch") << "mul = relu if x else y"
                                << "code:7:11"
                                << "is no call";
    }

    void refusesWithAPlace() {
        QFETCH(QString, line);
        QFETCH(QString, place);
        QFETCH(QString, reason);
        Model model = tracePatternText(kChain, "source");
        const std::string before = codeOf(model);
        try {
            applyText(model, replaced(before, "mul = relu * 2;  relu = None", line.toStdString()));
            QFAIL("it was taken");
        } catch (const Error& error) {
            if (!place.isEmpty())
                QCOMPARE(QString::fromStdString(error.place()), place);
            QVERIFY2(QString(error.what()).contains(reason), error.what());
        }
        QCOMPARE(codeOf(model), before);
    }
};

FX_TEST(CodeEditTest)
} // namespace fx::code_edit_test

#include "tst_code_edit.moc"
