// SPDX-License-Identifier: GPL-3.0-or-later
// str.format: fields with attributes, items, conversions and nested specifications.
#include "core/python/types/format.h"
#include "core/python/types/growing_text.h"
#include "core/python/types/support.h"

#include <algorithm>

namespace fx {

namespace {

class Template {
public:
    Template(Evaluator& evaluator, const Values& args, const NamedValues* kwargs, const Value* mapping)
        : m_evaluator(evaluator), m_args(args), m_kwargs(kwargs), m_mapping(mapping) {}

    std::string fill(std::string_view text, int depth) {
        if (depth < 0)
            raise("ValueError", "Max string recursion exceeded");
        std::string out;
        for (size_t at = 0; at < text.size();) {
            const char c = text[at++];
            if (c != '{' && c != '}') {
                out += c;
                continue;
            }
            if (at < text.size() && text[at] == c) {
                out += c;
                ++at;
                continue;
            }
            if (c == '}')
                raise("ValueError", "Single '}' encountered in format string");
            if (at >= text.size())
                raise("ValueError", "Single '{' encountered in format string");
            appendPart(m_evaluator, out, field(text, at, depth));
        }
        return out;
    }

private:
    /// One replacement field; `at` is behind its brace, and afterwards behind the closing one.
    std::string field(std::string_view text, size_t& at, int depth) {
        const size_t start = at;
        bool isInBrackets = false;
        while (at < text.size() &&
               (isInBrackets || (text[at] != '}' && text[at] != ':' && text[at] != '!'))) {
            if (text[at] == '{')
                raise("ValueError", "unexpected '{' in field name");
            isInBrackets = text[at] == '[' || (isInBrackets && text[at] != ']');
            ++at;
        }
        if (at >= text.size())
            raise("ValueError", "expected '}' before end of string");
        const std::string_view name = text.substr(start, at - start);
        char conversion = 0;
        if (text[at] == '!') {
            if (at + 2 >= text.size() || text[at + 1] == '}')
                raise("ValueError", "unmatched '{' in format spec");
            conversion = text[at + 1];
            at += 2;
            if (text[at] != ':' && text[at] != '}')
                raise("ValueError", "expected ':' after conversion specifier");
        }
        std::string_view spec;
        if (text[at] == ':') {
            const size_t from = ++at;
            int nested = 1;
            for (; at < text.size(); ++at) {
                nested += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
                if (nested == 0)
                    break;
            }
            if (at >= text.size())
                raise("ValueError", "expected '}' before end of string");
            spec = text.substr(from, at - from);
        }
        ++at;
        Value value = lookUp(name);
        if (conversion == 'r')
            value = makeText(m_evaluator.repr(value));
        else if (conversion == 's')
            value = makeText(m_evaluator.str(value));
        else if (conversion == 'a')
            value = makeText(asciiRepr(m_evaluator, value));
        else if (conversion != 0)
            raise("ValueError", std::string("Unknown conversion specifier ") + conversion);
        const bool hasFields = spec.find_first_of("{}") != std::string_view::npos;
        return formatOf(m_evaluator, value, hasFields ? fill(spec, depth - 1) : std::string(spec));
    }

    static std::optional<int64_t> asNumber(std::string_view text) {
        const bool isNumber =
            !text.empty() && text.size() < 18 &&
            std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
        return isNumber ? std::optional<int64_t>(std::stoll(std::string(text))) : std::nullopt;
    }

    Value first(std::string_view name) {
        const std::optional<int64_t> number = asNumber(name);
        if (name.empty() || number) {
            const bool isManual = number.has_value();
            if (m_isManual && *m_isManual != isManual)
                raise("ValueError", isManual ? "cannot switch from automatic field numbering to manual field "
                                               "specification"
                                             : "cannot switch from manual field specification to automatic "
                                               "field numbering");
            m_isManual = isManual;
            if (!m_kwargs)
                raise("ValueError", "Format string contains positional fields");
            const int64_t index = isManual ? *number : m_next++;
            if (index >= static_cast<int64_t>(m_args.size()))
                raise("IndexError", "Replacement index " + std::to_string(index) +
                                        " out of range for positional args tuple");
            return m_args[static_cast<size_t>(index)];
        }
        if (m_mapping)
            return m_evaluator.subscript(*m_mapping, makeText(std::string(name)));
        for (const auto& [key, value] : *m_kwargs)
            if (key == name)
                return value;
        raiseKeyError(m_evaluator, makeText(std::string(name)));
    }

    Value lookUp(std::string_view name) {
        size_t at = std::min(name.find_first_of(".["), name.size());
        Value value = first(name.substr(0, at));
        while (at < name.size()) {
            const bool isItem = name[at] == '[';
            if (!isItem && name[at] != '.')
                raise("ValueError", "Only '.' or '[' may follow ']' in format field specifier");
            const size_t end =
                isItem ? name.find(']', at) : std::min(name.find_first_of(".[", at + 1), name.size());
            if (end == std::string_view::npos)
                raise("ValueError", "Missing ']' in format string");
            const std::string_view part = name.substr(at + 1, end - at - 1);
            if (part.empty())
                raise("ValueError", "Empty attribute in format string");
            if (!isItem)
                value = m_evaluator.attribute(value, std::string(part));
            else if (const std::optional<int64_t> number = asNumber(part))
                value = m_evaluator.subscript(value, makeInt(*number));
            else
                value = m_evaluator.subscript(value, makeText(std::string(part)));
            at = end + isItem;
        }
        return value;
    }

    Evaluator& m_evaluator;
    const Values& m_args;
    const NamedValues* m_kwargs;
    const Value* m_mapping;
    std::optional<bool> m_isManual;
    int64_t m_next = 0;
};

} // namespace

std::string formatTemplate(Evaluator& evaluator, const std::string& text, const Values& args,
                           const NamedValues& kwargs) {
    return Template(evaluator, args, &kwargs, nullptr).fill(text, 2);
}

std::string formatTemplateMap(Evaluator& evaluator, const std::string& text, const Value& mapping) {
    return Template(evaluator, {}, nullptr, &mapping).fill(text, 2);
}

} // namespace fx
