// SPDX-License-Identifier: GPL-3.0-or-later
// Formulas as sympy prints them, numbers that depend on symbols, and tensors whose sizes they are.
#include "core/torch/values/symbolic_tensors.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

namespace fx::symbolic_number_test {

using c10::SymInt;

namespace {

std::string text(const SymInt& number) {
    return number.toSymNode()->str();
}

/// Names of what was computed.
struct Heard : SymbolEnvironment::Listener {
    std::vector<std::string> names;
    void computed(Operator op, const std::vector<c10::SymNode>& operands,
                  const c10::SymNode& result) override {
        names.push_back(std::string(operatorName(op)) + std::to_string(operands.size()) + ' ' +
                        result->str());
    }
    void madeFloat(const c10::SymNode&, const c10::SymNode& result) override {
        names.push_back(result->str());
    }
};

} // namespace

class TestSymbolicNumber : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textsAreInSympysOrder() {
        for (const char* text :
             {"s17 + s27*s77", "2*s17 + 2*s27*s77", "s27*s77 + s77", "s77**2 - 1", "1 - s77",
              "((s27 + 1)//2)", "s0*s1 + 3*s0 + s1 - 4", "s0 + (s1//2)", "Mod(s0, 2)"}) {
            const std::optional<Formula> formula = parseFormula(text);
            QVERIFY2(formula, text);
            QCOMPARE(formula->text(), std::string(text));
        }
        QCOMPARE(parseFormula("1 + s1*s0 - s0*s1")->text(), std::string("1"));
        QVERIFY(!parseFormula("f(s0)"));
        QVERIFY(!parseFormula("s0 +"));
        QVERIFY(!parseFormula("s0 // 0"));
    }

    void textsAreNumbers() {
        QCOMPARE(evaluateFormula("Mod(s0, 4) + Max(s0, 9)*s0**2 - (s0//2)", {{"s0", 6}}),
                 std::optional<int64_t>(323));
        QVERIFY(!evaluateFormula("s0 // (s0 - 6)", {{"s0", 6}}));
        QVERIFY(!evaluateFormula("s0 * s1", {{"s0", 6}}));
        QVERIFY(!evaluateFormula("s0 * 9223372036854775807", {{"s0", 6}}));
    }

    void productsOfSumsStayAsTheyWere() {
        const auto text = [](const char* formula) { return parseFormula(formula)->sympyText(); };
        for (const char* formula :
             {"(s1 + s7)*(s9 + 2)", "s9*(s1 + s7)", "(s1 + 1)**2", "2*s1*(s1 + 3)", "s1*((s7//2))"})
            QCOMPARE(text(formula), std::string(formula));
        QCOMPARE(text("2*(s1 + s7)"), std::string("2*s1 + 2*s7"));
        QCOMPARE(text("(s1 + 1)*s7 - s7*(s1 + 1)"), std::string("0"));
        QCOMPARE(text("(s1 + 1)*s7 - s7*s1"), std::string("-s1*s7 + s7*(s1 + 1)"));
        QCOMPARE(parseFormula("(s1 + 1)*s7")->text(), std::string("s1*s7 + s7"));
        QVERIFY(*parseFormula("(s1 + 1)*s7") == *parseFormula("s7 + s1*s7"));
    }

    void numbersThatAreNoWholeOnes() {
        const SymInt a(m_symbols->symbol("a", 6));
        const c10::SymNode number = a.toSymNode(), half = number->wrap_float(1.5);
        Heard heard;
        m_symbols->listener = &heard;
        QCOMPARE(SymbolicNumber::operate(Operator::Mul, number, half)->str(), std::string("1.5*ToFloat(a)"));
        QCOMPARE(SymbolicNumber::operate(Operator::Pow, number, half)->str(),
                 std::string("FloatPow(ToFloat(a), 1.5)"));
        QCOMPARE(SymbolicNumber::operate(Operator::TrueDiv, number, number->wrap_int(7))->str(),
                 std::string("IntTrueDiv(a, 7)"));
        m_symbols->listener = nullptr;
        QCOMPARE(heard.names.size(), size_t(5)); // two of them made it a float first
        QCOMPARE(heard.names[0], std::string("ToFloat(a)"));
    }

    void whatDependsOnDataIsNotDecided() {
        const c10::SymNode count = m_symbols->unknownInt(), share = m_symbols->unknownFloat();
        QCOMPARE(count->str() + ' ' + share->str() + ' ' + m_symbols->unknownInt()->str(),
                 std::string("u0 zuf0 u1"));
        QVERIFY(!count->has_hint() && !share->has_hint());
        QVERIFY_THROWS_EXCEPTION(std::exception, count->guard_int("", 0));
        QVERIFY_THROWS_EXCEPTION(std::exception, share->guard_float("", 0));
    }

    void arithmeticGivesFormulas() {
        const SymInt a(m_symbols->symbol("a", 6)), b(m_symbols->symbol("b", 4));
        QCOMPARE(text(a * b + a), std::string("a*b + a"));
        QCOMPARE(text((a + 1) / 2), std::string("((a + 1)//2)"));
        QCOMPARE(text(a % 3), std::string("Mod(a, 3)"));
        QCOMPARE((a - a).maybe_as_int(), std::optional<int64_t>(0));
        QCOMPARE((a * 4 / 2 - a * 2).maybe_as_int(), std::optional<int64_t>(0));
        QCOMPARE(symbolicNumber((a * b).toSymNode())->hint(), std::optional<double>(24));
    }

    void whatIsKnownNeedsNoGuard() {
        const SymInt a(m_symbols->symbol("a", 6));
        QVERIFY(a > 1 && a != 0 && a * 2 > a - 1 && a + 1 != a);
        QVERIFY(m_symbols->guards().empty());
    }

    void decisionsAreKept() {
        const SymInt a(m_symbols->symbol("a", 6)), b(m_symbols->symbol("b", 4)), sum = a * b + a;
        QVERIFY(a > 2);
        QVERIFY(!(b == 5));
        QCOMPARE(m_symbols->guards(), (std::vector<std::string>{"a > 2", "~(Eq(b, 5))"}));
        QCOMPARE(a.guard_int("", 0), int64_t(6));
        QCOMPARE(text(sum), std::string("6*b + 6"));
        QVERIFY(b * 2 == 8);
        QCOMPARE(sum.maybe_as_int(), std::optional<int64_t>(30));
    }

    void symbolsWithoutNumbersAreNotDecided() {
        const SymInt a(m_symbols->symbol("u0", std::nullopt));
        QVERIFY(!symbolicNumber(a.toSymNode())->hint());
        QVERIFY_THROWS_EXCEPTION(std::exception, (void)(a > 7));
    }

    void whatIsComputedIsTold() {
        const SymInt a(m_symbols->symbol("a", 6));
        Heard heard;
        m_symbols->listener = &heard;
        const SymInt b = a * 2 + 1;
        QCOMPARE((a * 1).toSymNode().get(), a.toSymNode().get());
        {
            const SymbolEnvironment::Unheard unheard(*m_symbols);
            (void)(a + b);
        }
        m_symbols->listener = nullptr;
        QCOMPARE(heard.names, (std::vector<std::string>{"mul2 2*a", "add2 2*a + 1"}));
    }

    void tensorsHaveSymbolsAsSizes() {
        const SymInt a(m_symbols->symbol("a", 6));
        TensorMeta meta{at::kFloat, {SymbolicInt{"a", 6}, int64_t(4)}, {int64_t(4), int64_t(1)}};
        const at::Tensor tensor = withoutData(meta, *m_symbols);
        QCOMPARE(text(tensor.sym_numel()), std::string("4*a"));
        QVERIFY(tensor.is_contiguous());
        QVERIFY(describeSymbolic(tensor).shape == meta.shape);
        QVERIFY(describeSymbolic(tensor).stride == meta.stride);
    }

    void dataOfAFakeIsRefused() {
        const at::Tensor fake = fakeTensor({SymInt(2)}, {SymInt(1)}, 0, at::kFloat, c10::Device(c10::kCPU));
        QVERIFY(isFake(fake) && fake.device().is_cpu());
        QVERIFY(!isFake(at::ones({2})));
        QVERIFY_THROWS_EXCEPTION(std::exception, (void)fake.add(1));
        QVERIFY_THROWS_EXCEPTION(std::exception, (void)fake.const_data_ptr());
    }

    void init() { m_symbols = std::make_shared<SymbolEnvironment>(); }

private:
    std::shared_ptr<SymbolEnvironment> m_symbols;
};

FX_TEST(TestSymbolicNumber)
} // namespace fx::symbolic_number_test
#include "tst_symbolic_number.moc"
