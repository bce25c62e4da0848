// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers that depend on symbols, as LibTorch takes them for sizes: PyTorch's SymInt, SymFloat and SymBool
// without Python. What is decided about a symbol while a program runs is kept by its environment.
#pragma once

#include "core/ir/python_operators.h"
#include "core/torch/values/formula.h"

#include <c10/core/SymNodeImpl.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fx {

class SymbolicNumber;

/// The symbols of one program. What is made of them keeps it alive.
class SymbolEnvironment : public std::enable_shared_from_this<SymbolEnvironment> {
public:
    /// Each symbol has so many numbers, for whoever looks for a formula by running: the first is what it is
    /// known to have been.
    static constexpr size_t kSamples = 17;

    /// The symbol of that name, made where it is new. None of these is below 2.
    c10::SymNode symbol(const std::string& name, std::optional<int64_t> hint);
    /// What depends on data, under a name of its own: u0, u1 ..., zuf0 ...
    c10::SymNode unknownInt();
    c10::SymNode unknownFloat();
    c10::SymNode number(const Formula& formula);
    /// Of a text as torch.export writes it, whose symbols are known; null for one of another kind.
    c10::SymNode number(const std::string& text);

    /// What a formula is in a sample, of that symbol alone where one is given and else of all; none where it
    /// has no value.
    std::optional<int64_t> sample(const Formula& formula, size_t index,
                                  const std::optional<std::string>& ofSymbol = std::nullopt) const;
    /// What a formula is in each sample; empty where it has no value.
    std::vector<int64_t> samples(const Formula& formula) const;
    bool hasHint(const Formula& formula) const;
    std::vector<std::string> symbols() const;
    /// With what is decided by now.
    Formula current(const Formula& formula) const;
    /// The two are equal from now on.
    void equate(const Formula& left, const Formula& right);
    void assume(const std::string& guard) { m_guards.push_back(guard); }
    const std::vector<std::string>& guards() const { return m_guards; }

    /// Is told what is computed with numbers of this environment.
    class Listener {
    public:
        virtual ~Listener() = default;
        virtual void computed(Operator op, const std::vector<c10::SymNode>& operands,
                              const c10::SymNode& result) = 0;
        virtual void madeFloat(const c10::SymNode& number, const c10::SymNode& result) = 0;
    };
    Listener* listener = nullptr;
    /// What LibTorch works out by itself is not told while it lives.
    class Unheard {
    public:
        explicit Unheard(SymbolEnvironment& environment)
            : m_environment(environment), m_before(environment.listener) {
            environment.listener = nullptr;
        }
        ~Unheard() { m_environment.listener = m_before; }
        Unheard(const Unheard&) = delete;
        Unheard& operator=(const Unheard&) = delete;

    private:
        SymbolEnvironment& m_environment;
        Listener* m_before;
    };

private:
    struct Symbol {
        std::vector<int64_t> samples;
        bool hasHint = false;
    };
    std::map<std::string, Symbol> m_symbols;
    std::map<std::string, Formula> m_replaced;
    int m_unknownInts = 0, m_unknownFloats = 0;
    std::vector<std::string> m_guards;
};

class SymbolicNumber final : public c10::SymNodeImpl {
public:
    enum class Kind { Int, Float, Bool };
    using Environment = std::shared_ptr<SymbolEnvironment>;

    static c10::SymNode ofInt(const Environment& environment, Formula formula, bool isLiteral = false);

    /// By its text, and what it is known to have been.
    static c10::SymNode ofFloat(const Environment& environment, std::string text, std::optional<double> hint);

    Kind kind() const { return m_kind; }
    const Environment& environment() const { return m_environment; }
    Formula formula() const { return m_environment->current(m_formula); } ///< of an int
    bool isLiteral() const { return m_isLiteral; }
    /// What it is known to have been: an int, a float or 0 and 1.
    std::optional<double> hint() const;
    /// a op b, as Python's; null for what is not known here. One of the two may be a plain number.
    static c10::SymNode operate(Operator op, const c10::SymNode& a, const c10::SymNode& b);
    /// What decides of a program's truth: guard_bool() says whether it is so, and that this was asked.
    bool isTrue();

    // --- c10::SymNodeImpl
    bool is_int() override { return m_kind == Kind::Int; }
    bool is_bool() override { return m_kind == Kind::Bool; }
    bool is_float() override { return m_kind == Kind::Float; }
    c10::SymNode wrap_int(int64_t value) override;
    c10::SymNode wrap_float(double value) override;
    c10::SymNode wrap_bool(bool value) override;
    c10::SymNode add(const c10::SymNode& other) override { return binary(Operator::Add, other); }
    c10::SymNode sub(const c10::SymNode& other) override { return binary(Operator::Sub, other); }
    c10::SymNode mul(const c10::SymNode& other) override { return binary(Operator::Mul, other); }
    c10::SymNode truediv(const c10::SymNode& other) override { return binary(Operator::TrueDiv, other); }
    c10::SymNode pow(const c10::SymNode& other) override { return binary(Operator::Pow, other); }
    c10::SymNode floordiv(const c10::SymNode& other) override { return binary(Operator::FloorDiv, other); }
    c10::SymNode mod(const c10::SymNode& other) override { return binary(Operator::Mod, other); }
    c10::SymNode eq(const c10::SymNode& other) override { return binary(Operator::Eq, other); }
    c10::SymNode ne(const c10::SymNode& other) override { return binary(Operator::Ne, other); }
    c10::SymNode gt(const c10::SymNode& other) override { return binary(Operator::Gt, other); }
    c10::SymNode lt(const c10::SymNode& other) override { return binary(Operator::Lt, other); }
    c10::SymNode le(const c10::SymNode& other) override { return binary(Operator::Le, other); }
    c10::SymNode ge(const c10::SymNode& other) override { return binary(Operator::Ge, other); }
    c10::SymNode sym_or(const c10::SymNode& other) override { return binary(Operator::Or, other); }
    c10::SymNode sym_and(const c10::SymNode& other) override { return binary(Operator::And, other); }
    c10::SymNode sym_min(const c10::SymNode& other) override;
    c10::SymNode sym_max(const c10::SymNode& other) override;
    c10::SymNode sym_not() override;
    c10::SymNode neg() override;
    c10::SymNode sym_float() override;
    c10::SymNode clone() override;
    int64_t guard_int(const char*, int64_t) override;
    bool guard_bool(const char*, int64_t) override { return isTrue(); }
    double guard_float(const char*, int64_t) override;
    bool guard_size_oblivious(const char*, int64_t) override { return isTrue(); }
    bool statically_known_true(const char*, int64_t) override { return known() == std::optional(true); }
    int64_t int_() override { return guard_int("", 0); }
    bool bool_() override { return isTrue(); }
    bool has_hint() override { return hint().has_value(); }
    std::string str() override;
    std::optional<int64_t> constant_int() override;
    std::optional<bool> constant_bool() override;
    std::optional<int64_t> maybe_as_int() override;
    bool is_constant() override { return m_isLiteral; }
    // Asked for sizes that have no hint: what is made here is dense.
    c10::SymNode is_contiguous(c10::ArrayRef<c10::SymNode>, c10::ArrayRef<c10::SymNode>) override;
    c10::SymNode is_non_overlapping_and_dense(c10::ArrayRef<c10::SymNode>,
                                              c10::ArrayRef<c10::SymNode>) override;
    c10::SymNode is_channels_last_contiguous_2d(c10::ArrayRef<c10::SymNode>,
                                                c10::ArrayRef<c10::SymNode>) override;
    c10::SymNode is_channels_last_contiguous_3d(c10::ArrayRef<c10::SymNode>,
                                                c10::ArrayRef<c10::SymNode>) override;
    c10::SymNode is_channels_last_strides_2d(c10::ArrayRef<c10::SymNode>,
                                             c10::ArrayRef<c10::SymNode>) override;
    c10::SymNode is_channels_last_strides_3d(c10::ArrayRef<c10::SymNode>,
                                             c10::ArrayRef<c10::SymNode>) override;

    SymbolicNumber(Environment environment, Kind kind)
        : m_environment(std::move(environment)), m_kind(kind) {}

private:
    /// A comparison of two ints, while it is undecided.
    struct Relation {
        Operator op = Operator::Eq;
        Formula left, right;
    };
    c10::SymNode binary(Operator op, const c10::SymNode& other);
    c10::SymNode compare(Operator op, const SymbolicNumber& other) const;
    c10::SymNode arithmetic(Operator op, const SymbolicNumber& other) const;
    c10::SymNode joined(Operator op, const SymbolicNumber& other) const;
    c10::SymNode realArithmetic(Operator op, const SymbolicNumber& other) const;
    c10::SymNode real(std::string text, std::optional<double> value) const;
    c10::SymNode truth(std::string text, std::optional<bool> hint, std::optional<bool> known) const;
    /// What needs no guard.
    std::optional<bool> known() const;
    [[noreturn]] void raiseUndecided() const;

    Environment m_environment;
    Kind m_kind;
    Formula m_formula; ///< of an int
    std::optional<Relation> m_relation;
    std::string m_text;            ///< of a float or a bool that is no relation
    std::optional<double> m_value; ///< the same
    std::optional<bool> m_known;   ///< of a bool that is no relation
    bool m_isLiteral = false;
};

/// Null for what is no number of ours.
SymbolicNumber* symbolicNumber(const c10::SymNode& node);

} // namespace fx
