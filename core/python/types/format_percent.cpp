// SPDX-License-Identifier: GPL-3.0-or-later
// `template % values`, for str and bytes.
#include "core/python/big_int.h"
#include "core/python/types/format.h"
#include "core/python/types/growing_text.h"
#include "core/python/types/operations.h"
#include "core/python/types/text_units.h"

#include <algorithm>
#include <cmath>

namespace fx {

namespace {

class PercentTemplate {
public:
    PercentTemplate(Evaluator& evaluator, const std::string& text, const Value& values, bool isBytes)
        : m_evaluator(evaluator), m_text(text), m_isBytes(isBytes) {
        if (isTupleValue(plainOf(values)))
            m_items = *itemsOf(values);
        else
            m_single = values;
    }

    std::string fill() {
        std::string out;
        while (m_at < m_text.size()) {
            const char c = m_text[m_at++];
            if (c != '%')
                out += c;
            else
                appendPart(m_evaluator, out, field());
        }
        const bool isMapping = m_single && !m_single->isString() &&
                               (m_evaluator.classOf(*m_single).find("__getitem__") || m_usedMapping);
        if (m_items ? m_next < m_items->size() : m_single && !m_isTaken && !isMapping)
            raise("TypeError", "not all arguments converted during string formatting");
        return out;
    }

private:
    Value nextValue() {
        if (m_keyed)
            return *m_keyed;
        if (m_items && m_next < m_items->size())
            return (*m_items)[m_next++];
        if (!m_items && !m_isTaken) {
            m_isTaken = true;
            return *m_single;
        }
        raise("TypeError", "not enough arguments for format string");
    }

    char peek() {
        if (m_at >= m_text.size())
            raise("ValueError", "incomplete format");
        return m_text[m_at];
    }

    int64_t number() {
        if (peek() == '*') {
            ++m_at;
            const Value given = nextValue();
            if (!isSmallInt(given))
                raise("TypeError", "* wants int");
            return smallInt(given);
        }
        int64_t out = 0;
        for (; peek() >= '0' && peek() <= '9'; ++m_at) {
            out = out * 10 + (peek() - '0');
            if (out > INT32_MAX)
                raise("ValueError", "width too big");
        }
        return out;
    }

    std::string field() {
        m_keyed.reset();
        if (peek() == '(') {
            const size_t start = ++m_at;
            for (int depth = 1; depth > 0; ++m_at) {
                if (m_at >= m_text.size())
                    raise("ValueError", "incomplete format key");
                depth += m_text[m_at] == '(' ? 1 : m_text[m_at] == ')' ? -1 : 0;
            }
            const bool isMapping =
                m_single && !m_single->isString() && m_evaluator.classOf(*m_single).find("__getitem__");
            if (!isMapping)
                raise("TypeError", "format requires a mapping");
            m_usedMapping = true;
            m_keyed = m_evaluator.subscript(*m_single, makeText(m_text.substr(start, m_at - start - 1)));
        }
        m_spec = FormatSpec();
        m_isLeft = m_isZero = false;
        for (;; ++m_at) {
            const char c = peek();
            if (c == '-')
                m_isLeft = true;
            else if (c == '0')
                m_isZero = true;
            else if (c == '#')
                m_spec.isAlternate = true;
            else if (c == '+' || (c == ' ' && m_spec.sign != '+'))
                m_spec.sign = c;
            else if (c != ' ')
                break;
        }
        m_spec.width = number();
        if (m_spec.width < 0) {
            m_isLeft = true;
            m_spec.width = -m_spec.width;
        }
        if (peek() == '.') {
            ++m_at;
            m_spec.precision = std::max<int64_t>(number(), 0);
        }
        if (peek() == 'h' || peek() == 'l' || peek() == 'L')
            ++m_at;
        const char kind = peek();
        ++m_at;
        return converted(kind);
    }

    std::string text(std::string value) {
        if (m_spec.precision >= 0)
            value = std::string(textRange(value, 0, static_cast<size_t>(m_spec.precision)));
        m_spec.align = m_isLeft ? '<' : '>';
        return aligned(m_evaluator, value, m_spec, '>');
    }

    std::string numberText(NumberText number) {
        m_spec.align = m_isLeft ? '<' : m_isZero ? '=' : '>';
        m_spec.fill = m_isZero && !m_isLeft ? '0' : ' ';
        return aligned(m_evaluator, std::move(number), m_spec);
    }

    std::string signOf(bool isNegative) const {
        return isNegative ? "-" : m_spec.sign == '-' ? "" : std::string(1, m_spec.sign);
    }

    std::string integer(char kind) {
        Value given = nextValue();
        Value whole = plainOf(given);
        const bool isDecimal = kind == 'd' || kind == 'i' || kind == 'u';
        if (!isWhole(whole)) {
            if (isDecimal && whole.isDouble())
                whole = truncated(whole.data().toDouble());
            else if (const auto dunder = whole.object() ? m_evaluator.findAttribute(
                                                              given, isDecimal ? "__int__" : "__index__")
                                                        : std::nullopt)
                whole = plainOf(m_evaluator.call(*dunder));
            if (!isWhole(whole)) // no method, or one that returns another type
                raise("TypeError", std::string("%") + kind +
                                       (isDecimal ? " format: a real number is required, not "
                                                  : " format: an integer is required, not ") +
                                       typeName(given));
        }
        const int base = kind == 'o' ? 8 : kind == 'x' || kind == 'X' ? 16 : 10;
        NumberText out;
        out.digits = base == 10 ? integerText(whole) : bigIntOf(whole).text(base);
        const bool isNegative = out.digits[0] == '-';
        out.digits.erase(0, isNegative);
        if (m_spec.precision > 65536)
            m_evaluator.reserve(static_cast<uint64_t>(m_spec.precision));
        if (static_cast<int64_t>(out.digits.size()) < m_spec.precision)
            out.digits.insert(0, static_cast<size_t>(m_spec.precision) - out.digits.size(), '0');
        out.sign = signOf(isNegative);
        if (m_spec.isAlternate && base != 10)
            out.prefix = base == 8 ? "0o" : kind == 'X' ? "0X" : "0x";
        if (kind == 'X')
            std::transform(out.digits.begin(), out.digits.end(), out.digits.begin(), ::toupper);
        m_spec.type = static_cast<char32_t>(kind);
        return numberText(std::move(out));
    }

    std::string real(char kind) {
        const Value given = nextValue();
        Value number = plainOf(given);
        if (!isRealNumber(number)) {
            const auto dunder =
                number.object() ? m_evaluator.findAttribute(given, "__float__") : std::nullopt;
            if (dunder)
                number = plainOf(m_evaluator.call(*dunder));
            if (!isRealNumber(number)) // no method, or one that returns another type
                raise("TypeError", "must be real number, not " + typeName(given));
        }
        const double value = realNumber(number);
        NumberText out;
        if (m_spec.precision > 65536)
            m_evaluator.reserve(static_cast<uint64_t>(m_spec.precision));
        if (std::isfinite(value)) {
            const std::string digits =
                floatDigits(std::abs(value), kind, m_spec.precision, m_spec.isAlternate);
            const size_t point = std::min(digits.find_first_not_of("0123456789"), digits.size());
            out.digits = digits.substr(0, point);
            out.rest = digits.substr(point);
        } else {
            out.rest = std::isnan(value) ? "nan" : "inf";
            if (kind == 'E' || kind == 'F' || kind == 'G')
                std::transform(out.rest.begin(), out.rest.end(), out.rest.begin(), ::toupper);
        }
        out.sign = signOf(std::signbit(value) && !std::isnan(value));
        return numberText(std::move(out));
    }

    std::string character() {
        const Value given = nextValue();
        const Value& plain = plainOf(given);
        if (plain.isString() && textLength(plain.text()) == 1)
            return text(plain.text());
        if (!isWhole(plain))
            raise("TypeError", "%c requires int or char");
        if (!isSmallInt(plain) || smallInt(plain) < 0 || smallInt(plain) > 0x10FFFF)
            raise("OverflowError", "%c arg not in range(0x110000)");
        std::string out;
        appendCode(out, static_cast<char32_t>(smallInt(plain)));
        return text(out);
    }

    std::string bytes() {
        const Value given = nextValue();
        if (const auto* content = plainOf(given).as<BytesObject>())
            return content->bytes;
        raise("TypeError", "%b requires a bytes-like object, or an object that implements __bytes__, not '" +
                               typeName(given) + '\'');
    }

    std::string converted(char kind) {
        if (m_isBytes && kind == 'b')
            kind = 's';
        switch (kind) {
        case '%':
            return "%";
        case 's':
            return text(m_isBytes ? bytes() : m_evaluator.str(nextValue()));
        case 'r':
            return text(m_isBytes ? asciiRepr(m_evaluator, nextValue()) : m_evaluator.repr(nextValue()));
        case 'a':
            return text(asciiRepr(m_evaluator, nextValue()));
        case 'c':
            return character();
        case 'd':
        case 'i':
        case 'u':
        case 'o':
        case 'x':
        case 'X':
            return integer(kind);
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G':
            return real(kind);
        default: {
            char code[16];
            std::snprintf(code, sizeof code, "0x%x", static_cast<unsigned char>(kind));
            raise("ValueError", std::string("unsupported format character '") + kind + "' (" + code +
                                    ") at index " + std::to_string(m_at - 1));
        }
        }
    }

    Evaluator& m_evaluator;
    const std::string& m_text;
    bool m_isBytes;
    std::optional<Values> m_items; ///< of a tuple
    std::optional<Value> m_single; ///< of anything else
    std::optional<Value> m_keyed;  ///< of the field that is read: what its key names
    size_t m_at = 0, m_next = 0;
    bool m_isTaken = false, m_usedMapping = false;
    FormatSpec m_spec;
    bool m_isLeft = false, m_isZero = false;
};

} // namespace

std::string formatPercent(Evaluator& evaluator, const std::string& text, const Value& values, bool isBytes) {
    return PercentTemplate(evaluator, text, values, isBytes).fill();
}

} // namespace fx
