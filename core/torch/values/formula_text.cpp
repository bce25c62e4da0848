// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of formulas, read as formulas and as numbers.
#include "core/base/error.h"
#include "core/python/parse_expression.h"
#include "core/torch/values/formula.h"

namespace fx {

namespace {

using Kind = Expression::Kind;

/// The same walk for formulas and for numbers, which say by themselves what each operator gives.
template <class Number>
class FormulaReader {
public:
    using Result = std::optional<Number>;
    explicit FormulaReader(const std::function<Result(const std::string&)>& ofName) : m_ofName(ofName) {}

    Result read(const Expression& e) const {
        if (e.kind == Kind::Constant) {
            const Argument constant = constantArgument(e);
            return constant.as<int64_t>() ? Number::ofNumber(*constant.as<int64_t>()) : std::nullopt;
        }
        if (e.kind == Kind::Name)
            return m_ofName(e.text);
        if (e.kind == Kind::Unary && e.op == Operator::Neg) {
            const Result value = read(e.children[0]);
            return value ? Number::binary(Operator::Sub, *Number::ofNumber(0), *value) : std::nullopt;
        }
        if (e.kind == Kind::Binary)
            return combined(e.children[0], e.children[1],
                            [&](const Number& a, const Number& b) { return Number::binary(e.op, a, b); });
        if (e.kind != Kind::Call || e.children.size() != 3 || e.children[0].kind != Kind::Name)
            return std::nullopt;
        return combined(e.children[1], e.children[2], [&](const Number& a, const Number& b) {
            return Number::call(e.children[0].text, a, b);
        });
    }

private:
    template <class Work>
    Result combined(const Expression& left, const Expression& right, Work work) const {
        const Result a = read(left), b = read(right);
        return a && b ? work(*a, *b) : std::nullopt;
    }

    std::function<Result(const std::string&)> m_ofName;
};

bool isLeast(const std::string& function) {
    return function == "min" || function == "Min";
}

bool isMost(const std::string& function) {
    return function == "max" || function == "Max";
}

constexpr int64_t kMostPower = 62;

struct Whole {
    int64_t value = 0;
    using Result = std::optional<Whole>;

    static Result ofNumber(int64_t number) { return Whole{number}; }
    static Result binary(Operator op, Whole left, Whole right) {
        const int64_t a = left.value, b = right.value;
        int64_t out = 0;
        switch (op) {
        case Operator::Add:
            return __builtin_add_overflow(a, b, &out) ? Result() : Whole{out};
        case Operator::Sub:
            return __builtin_sub_overflow(a, b, &out) ? Result() : Whole{out};
        case Operator::Mul:
            return __builtin_mul_overflow(a, b, &out) ? Result() : Whole{out};
        case Operator::FloorDiv:
        case Operator::Mod:
            if (b == 0 || (a == INT64_MIN && b == -1))
                return std::nullopt;
            return Whole{op == Operator::Mod ? a - floorDivide(a, b) * b : floorDivide(a, b)};
        case Operator::Pow:
            out = 1;
            if (b < 0 || b > kMostPower)
                return std::nullopt;
            for (int64_t i = 0; i < b; ++i)
                if (__builtin_mul_overflow(out, a, &out))
                    return std::nullopt;
            return Whole{out};
        default:
            return std::nullopt;
        }
    }
    static Result call(const std::string& function, Whole a, Whole b) {
        if (isMost(function))
            return Whole{std::max(a.value, b.value)};
        if (isLeast(function))
            return Whole{std::min(a.value, b.value)};
        return function == "Mod" ? binary(Operator::Mod, a, b) : std::nullopt;
    }
};

struct Symbolic {
    Formula value;
    using Result = std::optional<Symbolic>;

    static Result ofNumber(int64_t number) { return Symbolic{Formula::number(number)}; }
    static Result binary(Operator op, const Symbolic& left, const Symbolic& right) {
        const Formula &a = left.value, &b = right.value;
        switch (op) {
        case Operator::Add:
            return Symbolic{a + b};
        case Operator::Sub:
            return Symbolic{a - b};
        case Operator::Mul:
            return Symbolic{a * b};
        case Operator::FloorDiv:
        case Operator::Mod:
            if (b.constant() == 0)
                return std::nullopt;
            return Symbolic{op == Operator::Mod ? Formula::remainder(a, b) : Formula::quotient(a, b)};
        case Operator::Pow: {
            const std::optional<int64_t> power = b.constant();
            if (!power || *power < 0 || *power > kMostPower)
                return std::nullopt;
            Symbolic out{Formula::number(1)};
            for (int64_t i = 0; i < *power; ++i)
                out.value = out.value * a;
            return out;
        }
        default:
            return std::nullopt;
        }
    }
    static Result call(const std::string& function, const Symbolic& a, const Symbolic& b) {
        if (isMost(function) || isLeast(function)) {
            const std::optional<int64_t> more = (a.value - b.value).lowerBound(),
                                         less = (b.value - a.value).lowerBound();
            if ((more && *more >= 0) || (less && *less >= 0))
                return (more && *more >= 0) == isMost(function) ? a : b;
            return Symbolic{isMost(function) ? Formula::most(a.value, b.value)
                                             : Formula::least(a.value, b.value)};
        }
        return function == "Mod" ? binary(Operator::Mod, a, b) : std::nullopt;
    }
};

std::optional<Expression> parsed(const std::string& text) {
    try {
        return parseExpression(text, "");
    } catch (const Error&) {
        return std::nullopt;
    }
}

} // namespace

std::optional<Formula> parseFormula(const std::string& text, const FormulaOfName& symbols) {
    const std::optional<Expression> tree = parsed(text);
    if (!tree)
        return std::nullopt;
    const FormulaReader<Symbolic> reader([&](const std::string& name) { return Symbolic{symbols(name)}; });
    const std::optional<Symbolic> out = reader.read(*tree);
    return out ? std::optional(out->value) : std::nullopt;
}

std::optional<int64_t> Formula::at(const std::string& symbol, int64_t value) const {
    return evaluateFormula(text(), {{symbol, value}});
}

std::optional<int64_t> evaluateFormula(const Expression& formula,
                                       const std::map<std::string, int64_t>& names) {
    const FormulaReader<Whole> reader([&](const std::string& name) {
        const auto known = names.find(name);
        return known == names.end() ? std::nullopt : Whole::ofNumber(known->second);
    });
    const std::optional<Whole> out = reader.read(formula);
    return out ? std::optional(out->value) : std::nullopt;
}

std::optional<int64_t> evaluateFormula(const std::string& text, const std::map<std::string, int64_t>& names) {
    const std::optional<Expression> tree = parsed(text);
    return tree ? evaluateFormula(*tree, names) : std::nullopt;
}

} // namespace fx
