// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/values/symbolic_number.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <cmath>

namespace fx {

using c10::SymNode;

namespace {

SymbolicNumber& own(const SymNode& node) {
    SymbolicNumber* number = symbolicNumber(node);
    TORCH_CHECK(number, "a symbolic number of another program");
    return *number;
}

/// Ours, of a plain number as well.
SymNode asSymbolic(SymbolicNumber& like, const SymNode& node) {
    if (symbolicNumber(node))
        return node;
    if (const std::optional<int64_t> number = node->maybe_as_int())
        return like.wrap_int(*number);
    TORCH_CHECK(node->is_bool() && node->constant_bool(), "a symbolic number of another program");
    return like.wrap_bool(*node->constant_bool());
}

template <class Number>
bool compared(Operator op, Number a, Number b) {
    switch (op) {
    case Operator::Eq:
        return a == b;
    case Operator::Ne:
        return a != b;
    case Operator::Lt:
        return a < b;
    case Operator::Le:
        return a <= b;
    case Operator::Gt:
        return a > b;
    default:
        return a >= b;
    }
}

/// Whatever the symbols are.
std::optional<bool> decidedAlways(Operator op, const Formula& difference) {
    if (const std::optional<int64_t> number = difference.constant())
        return compared<int64_t>(op, *number, 0);
    if ((op == Operator::Eq || op == Operator::Ne) && difference.isNeverZero())
        return op == Operator::Ne;
    return std::nullopt;
}

/// Without a guard, as a symbol is at least 2.
std::optional<bool> decided(Operator op, const Formula& left, const Formula& right) {
    const Formula difference = left - right;
    if (const std::optional<bool> always = decidedAlways(op, difference))
        return always;
    const std::optional<int64_t> least = difference.lowerBound(), most = (right - left).lowerBound();
    const bool isMore = least && *least > 0, isLess = most && *most > 0;
    if (isMore || isLess)
        return compared<int64_t>(op, isMore ? 1 : -1, 0);
    if ((op == Operator::Ge || op == Operator::Lt) && least && *least >= 0)
        return op == Operator::Ge;
    if ((op == Operator::Le || op == Operator::Gt) && most && *most >= 0)
        return op == Operator::Le;
    return std::nullopt;
}

bool isComparison(Operator op) {
    return operatorRow(op).isComparison();
}

} // namespace

SymbolicNumber* symbolicNumber(const SymNode& node) {
    return dynamic_cast<SymbolicNumber*>(node.get());
}

SymNode SymbolicNumber::ofInt(const Environment& environment, Formula formula, bool isLiteral) {
    auto out = c10::make_intrusive<SymbolicNumber>(environment, Kind::Int);
    out->m_formula = std::move(formula);
    out->m_isLiteral = isLiteral;
    return out;
}

SymNode SymbolicNumber::truth(std::string text, std::optional<bool> hint, std::optional<bool> known) const {
    auto out = c10::make_intrusive<SymbolicNumber>(m_environment, Kind::Bool);
    out->m_text = std::move(text);
    if (hint)
        out->m_value = *hint ? 1 : 0;
    out->m_known = known;
    return out;
}

SymNode SymbolicNumber::wrap_int(int64_t value) {
    return ofInt(m_environment, Formula::number(value), true);
}

SymNode SymbolicNumber::wrap_bool(bool value) {
    const SymNode out = truth(value ? "True" : "False", value, value);
    own(out).m_isLiteral = true;
    return out;
}

std::optional<double> SymbolicNumber::hint() const {
    if (m_relation) {
        const std::vector<int64_t> left = m_environment->samples(m_relation->left),
                                   right = m_environment->samples(m_relation->right);
        if (left.empty() || right.empty() || !m_environment->hasHint(m_relation->left - m_relation->right))
            return std::nullopt;
        return compared(m_relation->op, left[0], right[0]) ? 1 : 0;
    }
    if (m_kind != Kind::Int)
        return m_value;
    const Formula now = formula();
    const std::vector<int64_t> samples = m_environment->samples(now);
    if (samples.empty() || !m_environment->hasHint(now))
        return std::nullopt;
    return static_cast<double>(samples[0]);
}

std::optional<bool> SymbolicNumber::known() const {
    return m_relation ? decided(m_relation->op, m_environment->current(m_relation->left),
                                m_environment->current(m_relation->right))
                      : m_known;
}

std::string SymbolicNumber::str() {
    if (m_kind == Kind::Int)
        return formula().sympyText();
    if (!m_relation)
        return m_text;
    const Formula now[] = {m_environment->current(m_relation->left),
                           m_environment->current(m_relation->right)};
    if (const std::optional<bool> is = decidedAlways(m_relation->op, now[0] - now[1]))
        return *is ? "True" : "False";
    const std::string left = now[0].sympyText(), right = now[1].sympyText();
    if (m_relation->op == Operator::Eq || m_relation->op == Operator::Ne)
        return (m_relation->op == Operator::Eq ? "Eq(" : "Ne(") + left + ", " + right + ')';
    const auto side = [](const Formula& formula) {
        const std::string text = formula.sympyText();
        const bool isQuotient = text.starts_with('(') && text == formula.text();
        return isQuotient ? '(' + text + ')' : text;
    };
    return side(now[0]) + ' ' + std::string(operatorSign(m_relation->op)) + ' ' + side(now[1]);
}

std::optional<int64_t> SymbolicNumber::maybe_as_int() {
    return m_kind == Kind::Int ? formula().constant() : std::nullopt;
}

std::optional<int64_t> SymbolicNumber::constant_int() {
    return m_isLiteral ? maybe_as_int() : std::nullopt;
}

std::optional<bool> SymbolicNumber::constant_bool() {
    return m_kind == Kind::Bool && m_isLiteral ? m_known : std::nullopt;
}

// --- What is computed

SymNode SymbolicNumber::compare(Operator op, const SymbolicNumber& other) const {
    if (m_kind == Kind::Int && other.m_kind == Kind::Int) {
        auto out = c10::make_intrusive<SymbolicNumber>(m_environment, Kind::Bool);
        out->m_relation = Relation{op, formula(), other.formula()};
        return out;
    }
    const std::optional<double> a = hint(), b = other.hint();
    const std::optional<bool> is = a && b ? std::optional(compared(op, *a, *b)) : std::nullopt;
    const std::string sign = ' ' + std::string(operatorSign(op)) + ' ';
    return truth(const_cast<SymbolicNumber*>(this)->str() + sign + const_cast<SymbolicNumber&>(other).str(),
                 is, std::nullopt);
}

SymNode SymbolicNumber::joined(Operator op, const SymbolicNumber& other) const {
    const bool isOr = op == Operator::Or;
    const auto join = [&](std::optional<bool> a, std::optional<bool> b) -> std::optional<bool> {
        if ((a && *a == isOr) || (b && *b == isOr))
            return isOr;
        return a && b ? std::optional(!isOr) : std::nullopt;
    };
    const auto asBool = [](std::optional<double> hint) {
        return hint ? std::optional(*hint != 0) : std::nullopt;
    };
    return truth('(' + const_cast<SymbolicNumber*>(this)->str() + (isOr ? ") | (" : ") & (") +
                     const_cast<SymbolicNumber&>(other).str() + ')',
                 join(asBool(hint()), asBool(other.hint())), join(known(), other.known()));
}

SymNode SymbolicNumber::arithmetic(Operator op, const SymbolicNumber& other) const {
    if (m_kind == Kind::Int && other.m_kind == Kind::Int && op != Operator::TrueDiv) {
        const Formula a = formula(), b = other.formula();
        if ((op == Operator::FloorDiv || op == Operator::Mod) && b.constant() == 0)
            throw Error("", "integer modulo by zero").kind("ZeroDivisionError");
        switch (op) {
        case Operator::Add:
            return ofInt(m_environment, a + b);
        case Operator::Sub:
            return ofInt(m_environment, a - b);
        case Operator::Mul:
            return ofInt(m_environment, a * b);
        case Operator::FloorDiv:
            return ofInt(m_environment, Formula::quotient(a, b));
        case Operator::Mod:
            return ofInt(m_environment, Formula::remainder(a, b));
        default:
            const auto power = parseFormula('(' + a.text() + ")**(" + b.text() + ')');
            return power ? ofInt(m_environment, *power) : SymNode();
        }
    }
    return realArithmetic(op, other);
}

SymNode SymbolicNumber::operate(Operator op, const SymNode& left, const SymNode& right) {
    SymbolicNumber* any = symbolicNumber(left) ? symbolicNumber(left) : &own(right);
    SymNode a = asSymbolic(*any, left), b = asSymbolic(*any, right);
    if (a->is_bool() == b->is_bool() &&
        (a->is_float() != b->is_float() || (op == Operator::Pow && b->is_float())))
        for (SymNode* number : {&a, &b})
            *number = (*number)->sym_float();
    SymbolEnvironment& environment = *any->m_environment;
    const auto isOne = [](const SymNode& node) { return own(node).m_isLiteral && node->maybe_as_int() == 1; };
    if (environment.listener && op == Operator::Mul && (isOne(a) || isOne(b)))
        return isOne(b) ? a : b; // as it is not worth a node
    const SymbolicNumber& first = own(a);
    const SymNode out = isComparison(op)                            ? first.compare(op, own(b))
                        : op == Operator::Or || op == Operator::And ? first.joined(op, own(b))
                                                                    : first.arithmetic(op, own(b));
    if (environment.listener && out)
        environment.listener->computed(op, {a, b}, out);
    return out;
}

SymNode SymbolicNumber::binary(Operator op, const SymNode& other) {
    return operate(op, SymNode::reclaim_copy(this), other);
}

SymNode SymbolicNumber::sym_min(const SymNode& other) {
    const SymNode b = asSymbolic(*this, other);
    const std::optional<bool> isLess = decided(Operator::Le, formula(), own(b).formula());
    if (isLess)
        return *isLess ? SymNode::reclaim_copy(this) : b;
    return ofInt(m_environment, Formula::least(formula(), own(b).formula()));
}

SymNode SymbolicNumber::sym_max(const SymNode& other) {
    const SymNode b = asSymbolic(*this, other);
    const std::optional<bool> isMore = decided(Operator::Ge, formula(), own(b).formula());
    if (isMore)
        return *isMore ? SymNode::reclaim_copy(this) : b;
    return ofInt(m_environment, Formula::most(formula(), own(b).formula()));
}

SymNode SymbolicNumber::sym_not() {
    const std::optional<double> now = hint();
    const std::optional<bool> is = known();
    return truth("~(" + str() + ')', now ? std::optional(*now == 0) : std::nullopt,
                 is ? std::optional(!*is) : std::nullopt);
}

SymNode SymbolicNumber::neg() {
    if (m_kind == Kind::Float)
        return real('-' + m_text, m_value ? std::optional(-*m_value) : std::nullopt);
    const SymNode out = ofInt(m_environment, Formula() - formula());
    if (m_environment->listener)
        m_environment->listener->computed(Operator::Neg, {SymNode::reclaim_copy(this)}, out);
    return out;
}

SymNode SymbolicNumber::clone() {
    return SymNode::reclaim_copy(this); // it never changes
}

// --- What is decided

void SymbolicNumber::raiseUndecided() const {
    const std::string text = const_cast<SymbolicNumber*>(this)->str();
    throw Error("", "Could not guard on data-dependent expression " + text + " (unhinted: " + text +
                        ").  (Size-like symbols: none)")
        .kind("RuntimeError");
}

int64_t SymbolicNumber::guard_int(const char*, int64_t) {
    const Formula now = formula();
    if (const std::optional<int64_t> number = now.constant())
        return *number;
    const std::optional<double> known = hint();
    if (!known)
        raiseUndecided();
    const auto number = static_cast<int64_t>(*known);
    m_environment->assume("Eq(" + now.text() + ", " + std::to_string(number) + ')');
    m_environment->equate(now, Formula::number(number));
    return number;
}

double SymbolicNumber::guard_float(const char* file, int64_t line) {
    if (m_kind == Kind::Int)
        return static_cast<double>(guard_int(file, line));
    if (!m_value)
        raiseUndecided();
    return *m_value;
}

bool SymbolicNumber::isTrue() {
    if (m_kind == Kind::Int)
        return guard_int("", 0) != 0;
    if (const std::optional<bool> is = known())
        return *is;
    const std::optional<double> now = hint();
    if (!now)
        raiseUndecided();
    const bool is = *now != 0;
    m_environment->assume(is ? str() : "~(" + str() + ')');
    if (m_relation && (is ? m_relation->op == Operator::Eq : m_relation->op == Operator::Ne))
        m_environment->equate(m_relation->left, m_relation->right);
    return is;
}

// --- What is asked of sizes without hints

SymNode SymbolicNumber::is_contiguous(c10::ArrayRef<SymNode>, c10::ArrayRef<SymNode>) {
    return wrap_bool(true);
}
SymNode SymbolicNumber::is_non_overlapping_and_dense(c10::ArrayRef<SymNode>, c10::ArrayRef<SymNode>) {
    return wrap_bool(true);
}
SymNode SymbolicNumber::is_channels_last_contiguous_2d(c10::ArrayRef<SymNode>, c10::ArrayRef<SymNode>) {
    return wrap_bool(false);
}
SymNode SymbolicNumber::is_channels_last_contiguous_3d(c10::ArrayRef<SymNode>, c10::ArrayRef<SymNode>) {
    return wrap_bool(false);
}
SymNode SymbolicNumber::is_channels_last_strides_2d(c10::ArrayRef<SymNode>, c10::ArrayRef<SymNode>) {
    return wrap_bool(false);
}
SymNode SymbolicNumber::is_channels_last_strides_3d(c10::ArrayRef<SymNode>, c10::ArrayRef<SymNode>) {
    return wrap_bool(false);
}

} // namespace fx
