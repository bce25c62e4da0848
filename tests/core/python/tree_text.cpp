// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/python/tree_text.h"

#include "core/base/text.h"
#include "core/python/big_int.h"

namespace fx {

namespace {

using Kind = Expression::Kind;

/// Bytes in quotes, whatever is no plain ASCII as \xNN.
std::string inQuotes(std::string_view bytes) {
    static constexpr std::string_view kDigits = "0123456789abcdef";
    std::string out = "\"";
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7F && c != '"' && c != '\\') {
            out += c;
        } else {
            out += "\\x";
            out += kDigits[byte >> 4];
            out += kDigits[byte & 15];
        }
    }
    return out + '"';
}

std::string constantText(const Value& value) {
    if (const auto* bytes = value.as<BytesObject>())
        return 'b' + inQuotes(bytes->bytes);
    if (const auto* integer = value.as<BigIntObject>())
        return integer->value->text();
    if (value.as<Argument>())
        return "...";
    const c10::IValue& data = value.data();
    if (data.isNone())
        return "None";
    if (data.isBool())
        return data.toBool() ? "True" : "False";
    if (data.isInt())
        return std::to_string(data.toInt());
    if (data.isDouble())
        return pythonFloat(data.toDouble());
    if (data.isComplexDouble())
        return pythonFloat(data.toComplexDouble().imag()) + 'j';
    return inQuotes(data.toStringRef());
}

class Writer {
public:
    std::string out;

    void expressions(const std::vector<Expression>& list) {
        for (const Expression& e : list)
            child(e);
    }

    void child(const Expression& e) {
        out += ' ';
        expression(e);
    }

    void group(std::string_view name, const std::vector<Expression>& list) {
        out += '(';
        out += name;
        expressions(list);
        out += ')';
    }

    void expression(const Expression& e) {
        switch (e.kind) {
        case Kind::Name:
            out += e.text;
            break;
        case Kind::Constant:
            out += constantText(e.constant);
            break;
        case Kind::Tuple:
            group("tuple", e.children);
            break;
        case Kind::List:
            group("list", e.children);
            break;
        case Kind::Set:
            group("set", e.children);
            break;
        case Kind::Dict:
            group("dict", e.children);
            break;
        case Kind::Attribute:
            out += "(. ";
            expression(e.children[0]);
            out += ' ' + e.text + ')';
            break;
        case Kind::Subscript:
            group("[]", e.children);
            break;
        case Kind::Slice:
            group("slice", e.children);
            break;
        case Kind::Call:
            call("call", e.children);
            break;
        case Kind::Keyword:
            out += "(= " + e.text;
            child(e.children[0]);
            out += ')';
            break;
        case Kind::Starred:
            group("*", e.children);
            break;
        case Kind::DoubleStarred:
            group("**", e.children);
            break;
        case Kind::Unary:
            group(operatorSign(e.op), e.children);
            break;
        case Kind::Binary:
            group("binary " + std::string(operatorSign(e.op)), e.children);
            break;
        case Kind::Compare:
            out += "(compare ";
            expression(e.children[0]);
            for (size_t i = 0; i < e.operators.size(); ++i) {
                out += ' ';
                out += operatorSign(e.operators[i]);
                child(e.children[i + 1]);
            }
            out += ')';
            break;
        case Kind::And:
            group("and", e.children);
            break;
        case Kind::Or:
            group("or", e.children);
            break;
        case Kind::Not:
            group("not", e.children);
            break;
        case Kind::Conditional:
            group("if-else", e.children);
            break;
        case Kind::NamedValue:
            group(":=", e.children);
            break;
        case Kind::Lambda:
            out += "(lambda";
            parameters(*e.function);
            child(e.function->body[0].expressions[0]);
            out += ')';
            break;
        case Kind::Comprehension:
            comprehension(e);
            break;
        case Kind::FormattedText:
            group("f", e.children);
            break;
        case Kind::FormattedValue:
            group('!' + e.text, e.children);
            break;
        case Kind::Yield:
            group("yield", e.children);
            break;
        case Kind::YieldFrom:
            group("yield-from", e.children);
            break;
        case Kind::Unsupported:
            if (e.function)
                comprehension(e);
            else
                group(e.text, e.children);
            break;
        }
    }

    /// Python's trees have the keywords apart.
    void call(std::string_view name, const std::vector<Expression>& parts) {
        const auto isKeyword = [](const Expression& e) {
            return e.kind == Kind::Keyword || e.kind == Kind::DoubleStarred;
        };
        out += '(';
        out += name;
        for (const bool pass : {false, true})
            for (const Expression& part : parts)
                if (isKeyword(part) == pass)
                    child(part);
        out += ')';
    }

    void bases(const Statement& s) {
        out += ' ';
        call("", s.expressions);
    }

    void comprehension(const Expression& e) {
        static constexpr std::string_view kNames[] = {"list", "set", "dict", "generator"};
        const FunctionTree& tree = *e.function;
        out += '(';
        out += kNames[static_cast<size_t>(tree.kind) - static_cast<size_t>(FunctionTree::Kind::List)];
        out += "-of";
        expressions(tree.element);
        for (size_t i = 0; i < tree.clauses.size(); ++i) {
            out += " (for";
            expressions(tree.clauses[i].target);
            expressions(i == 0 ? e.children : tree.clauses[i].iterable);
            expressions(tree.clauses[i].conditions);
            out += ')';
        }
        out += ')';
    }

    void parameters(const FunctionTree& tree) {
        static constexpr std::string_view kMarks[] = {"/", "", "=", "*", "**"};
        out += " (";
        for (const FunctionTree::Parameter& parameter : tree.parameters) {
            out += ' ';
            out += kMarks[static_cast<size_t>(parameter.kind)];
            out += parameter.name;
            if (!parameter.annotation.empty()) {
                out += ':';
                expression(parameter.annotation[0]);
            }
            expressions(parameter.defaultValue);
        }
        out += ')';
    }

    void block(const Block& statements) {
        out += " {";
        for (const Statement& s : statements) {
            out += ' ';
            statement(s);
        }
        out += " }";
    }

    void statement(const Statement& s) {
        static constexpr std::string_view kNames[] = {
            "do",    "=",        "op=",   ":",     "return", "if",         "while",  "for",
            "break", "continue", "pass",  "raise", "try",    "with",       "assert", "import",
            "from",  "def",      "class", "del",   "match",  "unsupported"};
        out += '(';
        if (s.kind == Statement::Kind::Unsupported || s.kind == Statement::Kind::Pass)
            out += s.text.empty() ? "pass" : s.text;
        else if (s.kind == Statement::Kind::Try && !s.text.empty())
            out += s.text; // "except*"
        else
            out += kNames[static_cast<size_t>(s.kind)];
        if (s.kind == Statement::Kind::AugmentedAssign)
            out += operatorSign(s.op);
        for (const Expression& decorator : s.decorators) {
            out += " @";
            expression(decorator);
        }
        for (const Expression& target : s.target)
            child(target);
        if (s.kind == Statement::Kind::ImportFrom)
            out += ' ' + std::string(static_cast<size_t>(s.level), '.') + s.text;
        for (const Statement::ImportName& import : s.imports)
            out += ' ' + import.name + (import.alias.empty() ? "" : " as " + import.alias);
        for (const Statement::WithItem& item : s.items) {
            child(item.manager);
            child(item.target.empty() ? Expression() : item.target[0]);
        }
        if (!s.function)
            expressions(s.expressions);
        else if (s.function->kind == FunctionTree::Kind::Class)
            bases(s);
        else
            parameters(*s.function);
        if (s.function) {
            if (!s.function->returns.empty())
                out += " ->";
            expressions(s.function->returns);
            block(s.function->body);
        }
        for (const Block& b : s.blocks)
            block(b);
        for (const Statement::Handler& handler : s.handlers) {
            out += " (except";
            expressions(handler.type);
            expressions(handler.target);
            block(handler.body);
            out += ')';
        }
        for (const Statement::Case& c : s.cases) {
            out += " (case ";
            pattern(c.pattern);
            expressions(c.guard);
            block(c.body);
            out += ')';
        }
        out += ')';
    }

    void pattern(const Pattern& p) {
        static constexpr std::string_view kNames[] = {"value",   "capture", "sequence", "star",
                                                      "mapping", "class",   "or",       "as"};
        out += '(';
        out += kNames[static_cast<size_t>(p.kind)];
        expressions(p.expressions);
        for (const Expression& target : p.target)
            child(target);
        const size_t positional = p.parts.size() - p.keywords.size();
        for (size_t i = 0; i < p.parts.size(); ++i) {
            out += ' ';
            if (i >= positional)
                out += p.keywords[i - positional] + '=';
            pattern(p.parts[i]);
        }
        out += ')';
    }
};

} // namespace

std::string treeText(const Expression& expression) {
    Writer writer;
    writer.expression(expression);
    return writer.out;
}

std::string treeText(const FunctionTree& tree) {
    Writer writer;
    for (const Statement& statement : tree.body) {
        if (!writer.out.empty())
            writer.out += ' ';
        writer.statement(statement);
    }
    return writer.out;
}

} // namespace fx
