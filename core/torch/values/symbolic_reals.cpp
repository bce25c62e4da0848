// SPDX-License-Identifier: GPL-3.0-or-later
// Symbolic numbers that are no whole ones: their texts are sympy's, and what they are known to have been.
#include "core/base/text.h"
#include "core/torch/values/symbolic_number.h"

#include <cmath>

namespace fx {

using c10::SymNode;

SymNode SymbolicNumber::ofFloat(const Environment& environment, std::string text,
                                std::optional<double> hint) {
    auto out = c10::make_intrusive<SymbolicNumber>(environment, Kind::Float);
    out->m_text = std::move(text);
    out->m_value = hint;
    return out;
}

SymNode SymbolicNumber::real(std::string text, std::optional<double> value) const {
    return ofFloat(m_environment, std::move(text), value);
}

SymNode SymbolicNumber::wrap_float(double value) {
    const SymNode out = real(pythonFloat(value), value);
    symbolicNumber(out)->m_isLiteral = true;
    return out;
}

SymNode SymbolicNumber::realArithmetic(Operator op, const SymbolicNumber& other) const {
    const std::optional<double> a = hint(), b = other.hint();
    std::optional<double> value;
    if (a && b)
        value = op == Operator::Add       ? *a + *b
                : op == Operator::Sub     ? *a - *b
                : op == Operator::Mul     ? *a * *b
                : op == Operator::TrueDiv ? *a / *b
                : op == Operator::Pow     ? std::pow(*a, *b)
                : op == Operator::Mod     ? *a - *b * std::floor(*a / *b)
                                          : std::floor(*a / *b);
    std::string left = const_cast<SymbolicNumber*>(this)->str(),
                right = const_cast<SymbolicNumber&>(other).str();
    const bool areInts = m_kind == Kind::Int && other.m_kind == Kind::Int;
    if (op == Operator::TrueDiv || op == Operator::Pow) {
        const char* name = op == Operator::Pow ? "FloatPow(" : areInts ? "IntTrueDiv(" : "FloatTrueDiv(";
        return real(name + left + ", " + right + ')', value);
    }
    if (op == Operator::Mul) {
        const auto isSum = [](const std::string& text) { return text.find(' ') < text.find('('); };
        for (std::string* factor : {&left, &right})
            if (isSum(*factor))
                *factor = '(' + *factor + ')';
        return real(other.m_isLiteral ? right + '*' + left : left + '*' + right, value); // numbers first
    }
    return real(left + ' ' + std::string(operatorSign(op)) + ' ' + right, value);
}

SymNode SymbolicNumber::sym_float() {
    if (m_kind == Kind::Float)
        return SymNode::reclaim_copy(this);
    if (m_isLiteral)
        return wrap_float(*hint());
    const SymNode out = real("ToFloat(" + str() + ')', hint());
    if (m_environment->listener)
        m_environment->listener->madeFloat(SymNode::reclaim_copy(this), out);
    return out;
}

} // namespace fx
