// SPDX-License-Identifier: GPL-3.0-or-later
// The value of each kind of expression. Order of evaluation and short cuts are Python's.
#include "core/python/class_names.h"
#include "core/python/exceptions.h"
#include "core/python/types/growing_text.h"
#include "core/python/types/support.h"
#include "core/python/walker.h"
#include "core/python/yield_from.h"

namespace fx {

namespace {

using Kind = Expression::Kind;

[[noreturn]] void unbound(const Expression& name, bool isFree) {
    if (isFree)
        raise("NameError", "cannot access free variable '" + name.text +
                               "' where it is not associated with a value in enclosing scope");
    raise("UnboundLocalError",
          "cannot access local variable '" + name.text + "' where it is not associated with a value");
}

/// The two ints that most arithmetic is about, without a detour.
std::optional<Value> onInts(Operator op, int64_t a, int64_t b) {
    int64_t out = 0;
    switch (op) {
    case Operator::Add:
        return __builtin_add_overflow(a, b, &out) ? std::nullopt : std::optional(makeInt(out));
    case Operator::Sub:
        return __builtin_sub_overflow(a, b, &out) ? std::nullopt : std::optional(makeInt(out));
    case Operator::Mul:
        return __builtin_mul_overflow(a, b, &out) ? std::nullopt : std::optional(makeInt(out));
    case Operator::Lt:
        return Value(c10::IValue(a < b));
    case Operator::Le:
        return Value(c10::IValue(a <= b));
    case Operator::Gt:
        return Value(c10::IValue(a > b));
    case Operator::Ge:
        return Value(c10::IValue(a >= b));
    case Operator::Eq:
        return Value(c10::IValue(a == b));
    case Operator::Ne:
        return Value(c10::IValue(a != b));
    default:
        return std::nullopt;
    }
}

/// Likewise for two texts, of which most ask whether they are the same.
std::optional<Value> onTexts(Operator op, const std::string& a, const std::string& b) {
    const bool asks = op == Operator::Eq || op == Operator::Ne;
    return asks ? std::optional(Value(c10::IValue((a == b) == (op == Operator::Eq)))) : std::nullopt;
}

} // namespace

Value Walker::loadGlobal(const Expression& e) {
    if (const Value* found = m_frame.globals.as<DictObject>()->find(e.text))
        return *found;
    if (const Value* found = m_evaluator.builtins().find(e.text))
        return *found;
    at(e.begin);
    if (std::optional<Value> found = m_evaluator.names().name(m_evaluator, e.text))
        return std::move(*found);
    raise("NameError", "name '" + e.text + "' is not defined");
}

Value Walker::load(const Expression& e) {
    switch (e.scope) {
    case NameScope::Local: {
        const std::optional<Value>& found = m_frame.locals[static_cast<size_t>(e.slot)];
        if (found)
            return *found;
        at(e.begin);
        unbound(e, false);
    }
    case NameScope::Cell: {
        const std::optional<Value>& found = cell(e.slot).value;
        if (found)
            return *found;
        at(e.begin);
        unbound(e, static_cast<size_t>(e.slot) >= m_frame.tree->cells.size());
    }
    case NameScope::Class:
        if (std::optional<Value> found = findName(m_evaluator, m_frame.names, e.name))
            return std::move(*found);
        if (e.slot >= 0) {
            if (const std::optional<Value>& found = cell(e.slot).value)
                return *found;
            at(e.begin);
            unbound(e, true);
        }
        return loadGlobal(e);
    case NameScope::Global:
        break;
    }
    return loadGlobal(e);
}

/// CPython makes a list of several arguments by position, and spreads it; one starred argument is spread as
/// it is.
static bool isAlone(const std::vector<Expression>& list, size_t first) {
    return std::count_if(list.begin() + static_cast<ptrdiff_t>(first), list.end(), [](const Expression& e) {
               return e.kind != Kind::Keyword && e.kind != Kind::DoubleStarred;
           }) == 1;
}

void Walker::arguments(const std::vector<Expression>& list, size_t first, const Value& function, Values& args,
                       NamedValues& kwargs) {
    args.reserve(args.size() + list.size() - first + 1);
    for (size_t i = first; i < list.size(); ++i) {
        const Expression& e = list[i];
        if (e.kind == Kind::Keyword) {
            kwargs.emplace_back(e.text, value(e.children[0]));
        } else if (e.kind == Kind::Starred) {
            const Value iterable = value(e.children[0]);
            at(e.begin);
            if (!isIterable(m_evaluator, iterable)) {
                if (isAlone(list, first))
                    refuseSpread(m_evaluator, function, iterable, false);
                refuseStarred(iterable);
            }
            Values items = m_evaluator.items(iterable);
            std::move(items.begin(), items.end(), std::back_inserter(args));
        } else if (e.kind == Kind::DoubleStarred) {
            const Value given = value(e.children[0]);
            at(e.begin);
            const auto add = [&](const Value& key, const Value& item) {
                const Value& text = plainOf(key);
                if (!text.isString())
                    raise("TypeError", "keywords must be strings");
                for (const auto& [name, old] : kwargs)
                    if (name == text.text())
                        raise("TypeError", calledName(m_evaluator, function) +
                                               " got multiple values for keyword argument '" + name + '\'');
                kwargs.emplace_back(text.text(), item);
            };
            if (const auto* dict = plainOf(given).as<DictObject>()) {
                for (const DictObject::Entry& entry : dict->entries())
                    add(entry.key, entry.value);
                continue;
            }
            if (!m_evaluator.hostOf(given) && !m_evaluator.findAttribute(given, "keys"))
                refuseSpread(m_evaluator, function, given, true);
            for (const Value& key : m_evaluator.items(m_evaluator.callMethod(given, "keys")))
                add(key, m_evaluator.subscript(given, key));
        } else {
            args.push_back(value(e));
        }
    }
}

Value Walker::call(const Expression& e) {
    const Expression& callee = e.children[0];
    Value function;
    Values args;
    NamedValues kwargs;
    args.reserve(e.children.size()); // a method gets its object, too
    if (callee.kind == Kind::Attribute) {
        Value object = value(callee.children[0]);
        at(callee.begin);
        if (std::optional<Value> method = methodOf(m_evaluator, object, callee.text)) {
            function = std::move(*method);
            args.push_back(std::move(object));
        } else {
            function = m_evaluator.attribute(object, callee.text);
        }
    } else {
        function = value(callee);
    }
    // super() alone reads the method's class and its first argument.
    if (e.children.size() == 1 && callee.kind == Kind::Name && callee.text == "super" &&
        function.isSame(m_evaluator.type("super"))) {
        at(e.begin);
        const auto& names = m_frame.tree->freeNames;
        const auto found = std::find(names.begin(), names.end(), "__class__");
        if (m_frame.tree->parameters.empty())
            raise("RuntimeError", "super(): no arguments");
        if (found == names.end())
            raise("RuntimeError", "super(): __class__ cell not found");
        const auto slot =
            static_cast<int32_t>(m_frame.tree->cells.size() + static_cast<size_t>(found - names.begin()));
        const FunctionTree::Parameter& first = m_frame.tree->parameters[0];
        const std::optional<Value>& self =
            first.isCell ? cell(first.slot).value : m_frame.locals[static_cast<size_t>(first.slot)];
        if (!cell(slot).value || !self)
            raise("RuntimeError", "super(): empty __class__ cell");
        return Object{SuperObject{*cell(slot).value, *self}};
    }
    arguments(e.children, 1, function, args, kwargs);
    // A method's call stands where its name is, as in Python's tracebacks: chains run over several lines.
    const bool isMethod = callee.kind == Kind::Attribute && callee.end >= callee.text.size();
    at(isMethod ? callee.end - static_cast<uint32_t>(callee.text.size()) : e.begin);
    m_evaluator.step();
    return m_evaluator.call(function, std::move(args), std::move(kwargs));
}

Value Walker::binary(const Expression& e) {
    // `a + b + c` leans to the left: a long one is walked without going deep.
    c10::SmallVector<const Expression*, 8> waiting;
    const Expression* left = &e;
    for (; left->kind == Kind::Binary; left = &left->children[0])
        waiting.push_back(left);
    Value a = value(*left);
    for (; !waiting.empty(); waiting.pop_back()) {
        const Expression& next = *waiting.back();
        const Value b = value(next.children[1]);
        std::optional<Value> quick;
        if (isSmallInt(a) && isSmallInt(b))
            quick = onInts(next.op, smallInt(a), smallInt(b));
        at(next.begin);
        a = quick ? std::move(*quick) : m_evaluator.operate(next.op, a, b);
    }
    return a;
}

Value Walker::comparison(const Expression& e) {
    Value left = value(e.children[0]);
    Value result;
    for (size_t i = 0; i < e.operators.size(); ++i) {
        const Value right = value(e.children[i + 1]);
        const Operator op = e.operators[i];
        std::optional<Value> quick;
        if (op == Operator::Is || op == Operator::IsNot)
            quick = Value(c10::IValue(left.isSame(right) == (op == Operator::Is)));
        else if (isSmallInt(left) && isSmallInt(right))
            quick = onInts(op, smallInt(left), smallInt(right));
        else if (left.isString() && right.isString())
            quick = onTexts(op, left.text(), right.text());
        at(e.begin);
        result = quick ? std::move(*quick) : m_evaluator.operate(op, left, right);
        if (i + 1 < e.operators.size() && !m_evaluator.isTrue(result))
            return result;
        left = right;
    }
    return result;
}

Value Walker::formatted(const Expression& e) {
    std::string out;
    for (const Expression& part : e.children) {
        if (part.kind != Kind::FormattedValue) {
            out += value(part).text();
            continue;
        }
        Value item = value(part.children[0]);
        at(part.begin);
        if (part.text == "r")
            item = makeText(m_evaluator.repr(item));
        else if (part.text == "s")
            item = makeText(m_evaluator.str(item));
        else if (part.text == "a")
            item = m_evaluator.call(*m_evaluator.builtins().find("ascii"), {item});
        const std::string spec = part.children.size() > 1 ? value(part.children[1]).text() : std::string();
        at(part.begin);
        appendPart(m_evaluator, out, formatOf(m_evaluator, item, spec));
    }
    return makeText(std::move(out));
}

Value Walker::makeFunction(const std::shared_ptr<FunctionTree>& tree) {
    auto function = std::make_shared<DefinedFunction>();
    function->file = m_frame.file;
    function->tree = tree.get();
    function->name = tree->name;
    function->qualifiedName = tree->qualifiedName;
    function->module = m_frame.module;
    function->globals = m_frame.globals;
    for (const FunctionTree::Parameter& parameter : tree->parameters) {
        std::optional<Value>& slot = function->defaults.emplace_back();
        if (!parameter.defaultValue.empty())
            slot = value(parameter.defaultValue[0]);
    }
    for (const int32_t source : tree->freeSources)
        function->cells.push_back(m_frame.cells[static_cast<size_t>(source)]);
    if (tree->hasDocstring)
        function->doc = makeText(tree->docstring);
    DictObject annotations;
    for (const FunctionTree::Parameter& parameter : tree->parameters)
        if (!parameter.annotation.empty())
            annotations.set(parameter.name, value(parameter.annotation[0]));
    if (!tree->returns.empty())
        annotations.set("return", value(tree->returns[0]));
    function->annotations = Object{std::move(annotations)};
    function->dict = Object{DictObject()};
    return Object{DefinedObject{std::move(function)}};
}

Value Walker::value(const Expression& e) {
    switch (e.kind) {
    case Kind::Name:
        return load(e);
    case Kind::Constant:
        return e.constant;
    case Kind::Tuple:
        return makeTuple(values(e.children));
    case Kind::List:
        return makeList(values(e.children));
    case Kind::Set:
        return setDisplay(e);
    case Kind::Dict:
        return dictionary(e);
    case Kind::Attribute: {
        const Value object = value(e.children[0]);
        at(e.begin);
        return m_evaluator.attribute(object, e.text);
    }
    case Kind::Subscript: {
        const Value object = value(e.children[0]);
        const Value index = value(e.children[1]);
        at(e.begin);
        return m_evaluator.subscript(object, index);
    }
    case Kind::Slice: {
        Value start = value(e.children[0]);
        Value stop = value(e.children[1]);
        return Object{SliceObject{std::move(start), std::move(stop), value(e.children[2])}};
    }
    case Kind::Call:
        return call(e);
    case Kind::Unary: {
        const Value operand = value(e.children[0]);
        at(e.begin);
        return operateUnary(m_evaluator, e.op, operand);
    }
    case Kind::Binary:
        return binary(e);
    case Kind::Compare:
        return comparison(e);
    case Kind::And:
    case Kind::Or: {
        Value out;
        for (size_t i = 0; i < e.children.size(); ++i) {
            out = value(e.children[i]);
            at(e.children[i].begin);
            if (i + 1 < e.children.size() && m_evaluator.isTrue(out) == (e.kind == Kind::Or))
                return out;
        }
        return out;
    }
    case Kind::Not: {
        const Value operand = value(e.children[0]);
        at(e.begin);
        return c10::IValue(!m_evaluator.isTrue(operand));
    }
    case Kind::Conditional: {
        const Value condition = value(e.children[1]);
        at(e.children[1].begin);
        return value(e.children[m_evaluator.isTrue(condition) ? 0 : 2]);
    }
    case Kind::NamedValue: {
        Value out = value(e.children[1]);
        store(e.children[0], out);
        return out;
    }
    case Kind::Lambda:
        return makeFunction(e.function);
    case Kind::Comprehension:
        return comprehension(e);
    case Kind::FormattedText:
        return formatted(e);
    case Kind::Yield: {
        Value out = e.children.empty() ? Value() : value(e.children[0]);
        at(e.begin);
        return m_frame.generator->yield(std::move(out));
    }
    case Kind::YieldFrom: {
        const Value iterable = value(e.children[0]);
        at(e.begin);
        return yieldFrom(m_evaluator, *m_frame.generator, iterable);
    }
    case Kind::Unsupported:
        at(e.begin);
        throw Error("", "not supported: '" + e.text + '\'')
            .hint("capture the model with torch.export in your own Python and open the .pt2")
            .kind(kUnsupportedKind);
    case Kind::Keyword:
    case Kind::Starred:
    case Kind::DoubleStarred:
    case Kind::FormattedValue:
        break;
    }
    at(e.begin);
    raise("SyntaxError", "invalid syntax");
}

} // namespace fx
