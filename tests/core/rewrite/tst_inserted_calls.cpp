// SPDX-License-Identifier: GPL-3.0-or-later
// Several lines of Python put into a graph. One call: tests/oracle/check_inserted.py.
#include "core/codegen/python_code.h"
#include "core/interpret/interpreter.h"
#include "core/rewrite/inserted_call.h"
#include "core/torch/values/value_text.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

namespace fx::inserted_calls_test {

class TestInsertedCalls : public QObject {
    Q_OBJECT

private:
    /// relu(x), which is given.
    static Model base() {
        Model model;
        Edit edit(model);
        edit.output(edit.callFunction("torch.relu", {edit.placeholder("x")}));
        edit.finish();
        return model;
    }
    /// With the lines behind relu, whose last value is given.
    static Model with(const std::string& lines, const std::string& name = "") {
        Model model = base();
        Edit edit(model);
        const std::vector<NodeId> fresh = insertCall(edit, {lines, name, {}, {}});
        edit.setArgs(edit.graph().outputNode(), {fresh.back()});
        edit.finish();
        return model;
    }
    static std::string codeOf(const Model& model) { return PythonCode(model, model.root()).text(); }
    static at::Tensor run(const Model& model) {
        return Interpreter(model).run({Value(c10::IValue(at::arange(-2, 3, at::kFloat)))}).data().toTensor();
    }
    static std::string fault(const std::string& lines) {
        try {
            with(lines);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

private Q_SLOTS:
    void linesReadOneAnother() {
        const Model model = with("  a = relu * 2\n  b = torch.sin(a) + x\n\n  # a note\n  c = F.gelu(b)\n");
        const std::string code = codeOf(model);
        for (const char* line :
             {"a = relu * 2", "sin = torch.sin(a)", "b = sin + x", "c = torch._C._nn.gelu(b)"})
            QVERIFY2(code.find(line) != std::string::npos, code.c_str());
        const at::Tensor x = at::arange(-2, 3, at::kFloat);
        QVERIFY(at::equal(run(model), at::gelu(at::sin(at::relu(x) * 2) + x)));
    }

    void generatedCodeIsSuchText() {
        const Model model = with("sin = torch.sin(relu);  relu = None\nadd = sin + 1;  sin = None\n"
                                 "cos = torch.cos(add);  add = x = None\n");
        const at::Tensor x = at::arange(-2, 3, at::kFloat);
        QVERIFY(at::equal(run(model), at::cos(at::sin(at::relu(x)) + 1)));
    }

    /// The name stands for the new value from then on, and for the old one before.
    void aNameThatIsTaken() {
        const Model model = with("relu = torch.neg(relu)\nlast = relu * relu");
        const at::Tensor x = at::arange(-2, 3, at::kFloat);
        QVERIFY(at::equal(run(model), at::relu(x) * at::relu(x)));
        QVERIFY2(codeOf(model).find("relu_1 = torch.neg(relu)") != std::string::npos, codeOf(model).c_str());
    }

    void theLastLineMayBeACallAlone() {
        const Model model = with("a = nn.Linear(5, 3)(relu)\ntorch.tanh(a)", "bent");
        QVERIFY2(codeOf(model).find("bent = torch.tanh(a)") != std::string::npos, codeOf(model).c_str());
        QCOMPARE(run(model).size(0), int64_t(3));
        QVERIFY(model.resolve(model.root(), "linear.weight").tensor);
    }

    void whatIsNoSuchLine() {
        const std::pair<const char*, const char*> rows[] = {
            {"for i in range(3):\n    a = relu", "1:1: SyntaxError: expected a line"},
            {"a = relu * 2\nreturn a", "2:1: SyntaxError: 'return' outside"},
            {"a, b = relu, x", "an expression is expected here"},
            {"torch.sin(relu)\na = relu * 2", "1:1: SyntaxError: expected a line"},
            {"a = unknown * 2\nb = a + 1", "unknown"},
            {"a = relu\nb = x", "is no call"},
            {"a = (relu\nb = 1", "the call"},
            {"a = None\nb = None", "is no call"},
            {" \n ", "is empty"}};
        for (const auto& [lines, said] : rows)
            QVERIFY2(fault(lines).find(said) != std::string::npos,
                     (std::string(lines) + " => " + fault(lines)).c_str());
    }
};

FX_TEST(TestInsertedCalls)
} // namespace fx::inserted_calls_test
#include "tst_inserted_calls.moc"
