// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/pt2/size_formulas.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/module/known_faults.h"
#include "core/python/parse_expression.h"
#include "core/torch/values/formula.h"

#include <algorithm>

namespace fx {

namespace {

int64_t within(const SymbolRange& range, int64_t value) {
    // No larger than what a product of some sizes may be.
    return std::clamp(value, range.least.value_or(0),
                      std::min(range.most.value_or(1 << 16), int64_t(1) << 16));
}

} // namespace

SizeFormulas::SizeFormulas(const Model& model, const std::map<std::string, SymbolRange>& ranges,
                           Pt2Record& record)
    : m_record(record) {
    std::map<std::string, std::optional<int64_t>> seen;
    for (ModuleId module : graphsOf(model))
        for (const Node& node : model.graph(module))
            if (const auto* value = node.meta.find<ValueMeta>(meta::kValue))
                forEachFormula(*value, [&](const std::string& formula, std::optional<int64_t> hint) {
                    auto& known = seen[formula];
                    if (hint)
                        known = hint;
                });
    m_choices.emplace_back();
    const bool isSymbolic =
        std::ranges::any_of(seen, [](const auto& entry) { return isIdentifier(entry.first); });
    if (isSymbolic)
        m_choices.resize(3);
    int64_t number = 0;
    for (const auto& [formula, hint] : seen) {
        if (!isIdentifier(formula))
            continue;
        const auto given = ranges.find(formula);
        const SymbolRange range = given == ranges.end() ? SymbolRange() : given->second;
        const int64_t now = hint.value_or(within(range, 5));
        m_choices[0][formula] = now;
        m_choices[1][formula] = within(range, std::max<int64_t>(now, 1) * (2 + number));
        m_choices[2][formula] = within(range, std::max<int64_t>(now, 1) * (3 + 2 * number));
        ++number;
    }
    for (const auto& [formula, hint] : seen)
        if (const auto srepr = m_record.formulas.find(formula); srepr != m_record.formulas.end())
            addFormula(formula, srepr->second);
    // Simple ones first.
    std::ranges::stable_sort(m_known, {}, [](const Known& known) { return known.text.size(); });
}

void SizeFormulas::addFormula(const std::string& text, const std::string& srepr) {
    Known known{text, srepr, {}};
    for (const SymbolValues& choice : m_choices) {
        const auto value = evaluate(text, choice);
        if (!value)
            return;
        known.values.push_back(*value);
    }
    m_known.push_back(std::move(known));
}

std::optional<int64_t> SizeFormulas::evaluate(const std::string& formula, const SymbolValues& values) const {
    const auto [parsed, isNew] = m_parsed.try_emplace(formula);
    if (isNew) {
        try {
            parsed->second = parseExpression(formula, "");
        } catch (const Error&) {
            // It stays none.
        }
    }
    return parsed->second ? evaluateFormula(*parsed->second, values) : std::nullopt;
}

std::optional<Dimension> SizeFormulas::found(const std::string& text, const std::string& srepr, int64_t now) {
    m_record.formulas.emplace(text, srepr);
    return SymbolicInt{text, now};
}

namespace {

std::string grouped(const std::string& text) {
    return isIdentifier(text) ? text : '(' + text + ')';
}

std::string integerText(int64_t value) {
    return "Integer(" + std::to_string(value) + ')';
}

std::string plus(const std::string& text, int64_t offset) {
    return offset == 0  ? text
           : offset < 0 ? text + " - " + std::to_string(-offset)
                        : text + " + " + std::to_string(offset);
}

std::string plusSrepr(const std::string& srepr, int64_t offset) {
    return offset == 0 ? srepr : "Add(" + srepr + ", " + integerText(offset) + ')';
}

} // namespace

/// a*f + b
std::optional<Dimension> SizeFormulas::linear(const Known& known, const std::vector<int64_t>& seen) {
    const int64_t run = known.values[1] - known.values[0], rise = seen[1] - seen[0];
    if (run == 0 || rise % run != 0)
        return std::nullopt;
    const int64_t factor = rise / run, offset = seen[0] - factor * known.values[0];
    if (factor == 0 || seen[2] != factor * known.values[2] + offset)
        return std::nullopt;
    const std::string text = factor == 1 ? known.text : std::to_string(factor) + '*' + grouped(known.text);
    const std::string srepr =
        factor == 1 ? known.srepr : "Mul(" + integerText(factor) + ", " + known.srepr + ')';
    return found(plus(text, offset), plusSrepr(srepr, offset), seen[0]);
}

/// (f + a)//b + c, as convolutions and pools have it
std::optional<Dimension> SizeFormulas::divided(const Known& known, const std::vector<int64_t>& seen) {
    for (int64_t divisor = 2; divisor <= 8; ++divisor)
        for (int64_t inside = 0; inside > -divisor; --inside) {
            const auto part = [&](size_t i) { return floorDivide(known.values[i] + inside, divisor); };
            const int64_t offset = seen[0] - part(0);
            if (std::abs(offset) > 16 || seen[1] != part(1) + offset || seen[2] != part(2) + offset ||
                part(0) == part(1))
                continue;
            const std::string text =
                "(" + grouped(plus(known.text, inside)) + "//" + std::to_string(divisor) + ')';
            const std::string srepr =
                "FloorDiv(" + plusSrepr(known.srepr, inside) + ", " + integerText(divisor) + ')';
            return found(plus(text, offset), plusSrepr(srepr, offset), seen[0]);
        }
    return std::nullopt;
}

/// a*f*g
std::optional<Dimension> SizeFormulas::multiple(const Known& known, const std::vector<int64_t>& seen) {
    for (const Known& other : m_known) {
        const auto both = [&](size_t i) { return known.values[i] * other.values[i]; };
        const int64_t factor = both(0) == 0 ? 0 : seen[0] / both(0);
        if (factor == 0 || seen[0] != factor * both(0) || seen[1] != factor * both(1) ||
            seen[2] != factor * both(2))
            continue;
        const std::string head = factor == 1 ? "" : std::to_string(factor) + '*';
        const std::string headSrepr = factor == 1 ? "" : integerText(factor) + ", ";
        return found(head + grouped(known.text) + '*' + grouped(other.text),
                     "Mul(" + headSrepr + known.srepr + ", " + other.srepr + ')', seen[0]);
    }
    return std::nullopt;
}

Dimension SizeFormulas::product(const Dimension& one, const Dimension& other) {
    const auto* a = std::get_if<int64_t>(&one);
    const auto* b = std::get_if<int64_t>(&other);
    if (a && b)
        return *a * *b;
    if (b)
        return product(other, one);
    const auto& formula = std::get<SymbolicInt>(other);
    if (a && *a == 1)
        return formula;
    const auto now = [](const Dimension& size) {
        const auto* fixed = std::get_if<int64_t>(&size);
        return fixed ? *fixed : std::get<SymbolicInt>(size).hint.value_or(0);
    };
    const std::string head = a ? std::to_string(*a) : grouped(std::get<SymbolicInt>(one).formula);
    const std::string headSrepr = a ? integerText(*a) : m_record.formulas[std::get<SymbolicInt>(one).formula];
    return *found(head + '*' + grouped(formula.formula),
                  "Mul(" + headSrepr + ", " + m_record.formulas[formula.formula] + ')',
                  now(one) * now(other));
}

std::optional<Dimension> SizeFormulas::fit(const std::vector<int64_t>& seen) {
    if (std::ranges::all_of(seen, [&](int64_t value) { return value == seen[0]; }))
        return seen[0];
    if (seen.size() != 3)
        return std::nullopt;
    for (const Known& known : m_known)
        if (known.values == seen)
            return SymbolicInt{known.text, seen[0]};
    for (const auto way : {&SizeFormulas::linear, &SizeFormulas::multiple, &SizeFormulas::divided})
        for (const Known& known : m_known)
            if (auto size = (this->*way)(known, seen))
                return size;
    return std::nullopt;
}

} // namespace fx
