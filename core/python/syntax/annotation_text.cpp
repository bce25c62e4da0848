// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/syntax/annotation_text.h"

#include "core/base/text.h"

namespace fx {

namespace {

using Kind = Expression::Kind;

class Unparser {
public:
    explicit Unparser(std::string_view source) : m_source(source) {}

    std::string text(const Expression& e) const {
        switch (e.kind) {
        case Kind::Name:
            return e.text;
        case Kind::Constant:
            return e.constant.isString() ? pythonRepr(e.constant.text()) : written(e);
        case Kind::Attribute:
            return text(e.children[0]) + '.' + e.text;
        case Kind::Subscript:
            return text(e.children[0]) + '[' + index(e.children[1]) + ']';
        case Kind::List:
            return '[' + list(e) + ']';
        case Kind::Tuple:
            return '(' + list(e) + (e.children.size() == 1 ? ",)" : ")");
        case Kind::Starred:
            return '*' + text(e.children[0]);
        case Kind::Binary: {
            const bool isPlain = e.op == Operator::Or && e.children[1].kind != Kind::Binary;
            return isPlain ? text(e.children[0]) + " | " + text(e.children[1]) : written(e);
        }
        default:
            return written(e);
        }
    }

private:
    std::string index(const Expression& e) const {
        return e.kind == Kind::Tuple && e.children.size() > 1 ? list(e) : text(e);
    }

    std::string list(const Expression& e) const {
        std::vector<std::string> items;
        for (const Expression& item : e.children)
            items.push_back(text(item));
        return join(items, ", ");
    }

    /// On one line, with single spaces.
    std::string written(const Expression& e) const {
        std::string out;
        for (const char c : m_source.substr(e.begin, e.end - e.begin))
            if (c != '\n' && !(c == ' ' && out.ends_with(' ')))
                out += c;
        return out;
    }

    std::string_view m_source;
};

} // namespace

std::string annotationText(const Expression& annotation, std::string_view source) {
    return Unparser(source).text(annotation);
}

} // namespace fx
