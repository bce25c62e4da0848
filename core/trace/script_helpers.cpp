// SPDX-License-Identifier: GPL-3.0-or-later
// What TorchScript does with containers, types and numbers: lists, dicts and tuples are live and may hold
// proxies, so their operators run here; conversions between numbers and tensors vanish where they say
// nothing.
#include "core/base/error.h"
#include "core/trace/script_interpreter.h"
#include "core/trace/script_values.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace prim = c10::prim;

namespace {

constexpr size_t kLongestList = 5'000'000;

bool isProxy(const Value& value) {
    return value.as<ProxyObject>() != nullptr;
}

/// Where an index of Python points; none outside.
std::optional<size_t> placeIn(size_t count, int64_t index) {
    const auto size = static_cast<int64_t>(count);
    if (index < 0)
        index += size;
    return index >= 0 && index < size ? std::optional(static_cast<size_t>(index)) : std::nullopt;
}

bool isSameOrEqual(const Value& a, const Value& b) {
    if (isProxy(a) || isProxy(b))
        return isProxy(a) && isProxy(b) && a.isSame(b);
    return areEqual(a, b);
}

Values sliceOf(const Values& items, const Value& start, const Value& stop, const Value& step) {
    const auto size = static_cast<int64_t>(items.size());
    const int64_t by = step.isInt() ? step.data().toInt() : 1;
    if (by == 0)
        raise("ValueError", "slice step cannot be zero");
    const auto clamp = [&](const Value& given, int64_t otherwise) {
        if (!given.isInt())
            return otherwise;
        int64_t at = given.data().toInt();
        if (at < 0)
            at = at < -size ? -1 : at + size;
        return by > 0 ? std::clamp<int64_t>(at, 0, size) : std::clamp<int64_t>(at, -1, size - 1);
    };
    Values out;
    const int64_t begin = clamp(start, by > 0 ? 0 : size - 1), end = clamp(stop, by > 0 ? size : -1);
    for (int64_t i = begin; by > 0 ? i < end : i > end; i += by)
        out.push_back(items[static_cast<size_t>(i)]);
    return out;
}

} // namespace

void ScriptInterpreter::require(const JitNode&, bool isFine, const std::string& message) {
    if (!isFine)
        m_tracer.fail("", message);
}

bool ScriptInterpreter::runUnpack(const JitNode& node) {
    const Value packed = value(node.input());
    Values items;
    if (const auto* sequence = packed.as<SequenceObject>()) {
        items = sequence->items;
    } else if (isProxy(packed)) {
        // A value of the graph is taken apart as `a, b = value` does.
        const std::optional<Value> shapes = shapeOf(packed);
        for (size_t i = 0; i < node.outputs().size(); ++i)
            items.push_back(m_tracer.record(Opcode::CallFunction, "operator.getitem",
                                            {packed, makeInt(static_cast<int64_t>(i))}));
        if (shapes)
            keepShapes(makeTuple(items), *shapes);
    }
    if (items.size() != node.outputs().size())
        m_tracer.fail("ValueError", "expected " + std::to_string(node.outputs().size()) +
                                        " values to unpack, but got " + std::to_string(items.size()));
    setOutputs(node, items);
    return true;
}

/// isinstance(): of live values by what they are, of proxies by the type that the program gives them.
bool ScriptInterpreter::runIsInstance(const JitNode& node) {
    const Value tested = value(node.input());
    c10::TypePtr type = node.input()->type();
    if (isProxy(tested)) {
        if (const auto optional = type->cast<c10::OptionalType>())
            type = optional->getElementType();
    } else if (tested.as<InstanceObject>()) {
        type = m_classes.at(tested.object().get());
    } else if (tested.isData()) {
        type = tested.data().type();
    } else if (const auto known = toIValue(tested, type)) {
        type = known->type();
    }
    const auto& candidates = node.tys(c10::attr::types);
    const bool is = std::any_of(candidates.begin(), candidates.end(),
                                [&](const c10::TypePtr& candidate) { return type->isSubtypeOf(*candidate); });
    setOutput(node, c10::IValue(is));
    return true;
}

bool ScriptInterpreter::runHelper(const JitNode& node) {
    switch (node.kind()) {
    case prim::TupleConstruct:
        setOutput(node, makeTuple(inputs(node)));
        return true;
    case prim::ListConstruct:
        setOutput(node, makeList(inputs(node)));
        return true;
    case prim::DictConstruct: {
        DictObject made;
        const Values parts = inputs(node);
        for (size_t i = 0; i + 1 < parts.size(); i += 2)
            made.set(parts[i], parts[i + 1]);
        setOutput(node, Object{std::move(made)});
        return true;
    }
    case prim::TupleUnpack:
    case prim::ListUnpack:
        return runUnpack(node);
    case prim::TupleIndex: {
        const Value tuple = value(node.inputs()[0]), index = value(node.inputs()[1]);
        if (isProxy(tuple)) {
            const Value item = m_tracer.record(Opcode::CallFunction, "operator.getitem", {tuple, index});
            const std::optional<Value> shapes = shapeOf(tuple);
            if (const auto* known = shapes ? shapes->as<SequenceObject>() : nullptr)
                if (const auto at = placeIn(known->items.size(), index.data().toInt()))
                    keepShapes(item, known->items[*at]);
            setOutput(node, item);
            return true;
        }
        const auto* items = tuple.as<SequenceObject>();
        const auto at =
            items && index.isInt() ? placeIn(items->items.size(), index.data().toInt()) : std::nullopt;
        if (!at)
            m_tracer.fail("IndexError", "tuple index out of range");
        setOutput(node, items->items[*at]);
        return true;
    }
    case prim::TupleSlice: {
        const Value tuple = value(node.input());
        const int64_t begin = node.i(c10::attr::beg), end = node.i(c10::attr::end);
        require(node, tuple.as<SequenceObject>(), "a tuple of the inputs cannot be sliced");
        setOutput(node,
                  makeTuple(sliceOf(tuple.as<SequenceObject>()->items, makeInt(begin), makeInt(end), {})));
        return true;
    }
    case prim::unchecked_cast:
    case prim::unchecked_unwrap_optional:
    case c10::aten::_unwrap_optional:
    case c10::aten::wait:
    case prim::Enter:
    case prim::rpc_async:
        if (node.kind() == prim::Enter && value(node.input()).as<InstanceObject>()) {
            const c10::ClassTypePtr type = m_classes.at(value(node.input()).object().get());
            const std::string name = type->name() ? demangled(type->name()->qualifiedName()) : std::string();
            if (!name.starts_with("torch."))
                setOutput(node, call(type->getMethod("__enter__"), {value(node.input())}));
            else
                setOutput(node, {});
            return true;
        }
        if (node.kind() == c10::aten::_unwrap_optional && value(node.input()).isNone())
            m_tracer.fail("AssertionError", "Unwrapping null optional");
        if (!node.outputs().empty())
            setOutput(node, value(node.input()));
        return true;
    case prim::Exit: {
        const Values args = inputs(node);
        if (args[0].as<InstanceObject>()) {
            const c10::ClassTypePtr type = m_classes.at(args[0].object().get());
            if (!demangled(type->name()->qualifiedName()).starts_with("torch."))
                call(type->getMethod("__exit__"), args);
        }
        for (const JitValue* output : node.outputs())
            set(output, {});
        return true;
    }
    case prim::Uninitialized:
        setOutput(node, {});
        return true;
    case prim::isinstance:
        return runIsInstance(node);
    case prim::Print:
    case c10::aten::warn:
        if (m_shadows == 0)
            m_tracer.note("what the program prints or warns of is not part of the graph");
        for (const JitValue* output : node.outputs())
            set(output, {});
        return true;
    case c10::aten::__is__:
    case c10::aten::__isnot__: {
        const Values both = inputs(node);
        const bool isSame = both[0].isNone() || both[1].isNone() ? both[0].isNone() && both[1].isNone()
                                                                 : both[0].isSame(both[1]);
        setOutput(node, c10::IValue(isSame == (node.kind() == c10::aten::__is__)));
        return true;
    }
    default:
        break;
    }
    if (!node.kind().is_aten() && !node.kind().is_prim())
        return false;
    const std::string name = node.kind().toUnqualString();
    return !node.inputs().empty() && (runConversion(node, name) || runContainer(node, name));
}

bool ScriptInterpreter::runConversion(const JitNode& node, const std::string& name) {
    if (name == "format" || name == "percentFormat") {
        // A message, as a rule; what is not known stands in it as a placeholder.
        if (std::all_of(node.inputs().begin(), node.inputs().end(),
                        [&](const JitValue* v) { return isKnown(value(v)); }))
            return false;
        setOutput(node, value(node.inputs()[0]));
        return true;
    }
    if (!isProxy(value(node.inputs()[0])))
        return false;
    const Value given = value(node.inputs()[0]);
    const NodeId id = m_tracer.nodeOf(given);
    if (name == "NumToTensor") {
        m_numbers[id] = true;
        setOutput(node, given);
        return true;
    }
    if (name == "str") {
        setOutput(node, makeText("Proxy(" + m_tracer.graph().node(id).name + ')'));
        return true;
    }
    const bool isConversion = name == "Int" || name == "Float" || name == "Bool" || name == "IntImplicit" ||
                              name == "FloatImplicit" || name == "ScalarImplicit" ||
                              name == "ImplicitTensorToNum" || name == "item" || name == "Scalar";
    const bool isNumber = m_numbers.contains(id);
    if (isConversion && isNumber && name != "Float" && name != "Bool") {
        setOutput(node, given);
        return true;
    }
    const bool isTensor = node.inputs()[0]->type()->isSubtypeOf(*c10::TensorType::get());
    if (isConversion && name != "item" && node.inputs().size() == 1) {
        if (const std::optional<Value> shape = shapeOf(given);
            shape && !holdsTensor(*shape) && !shape->isNone())
            return false;
        Value read = given;
        if (isTensor && !isNumber)
            read = m_tracer.record(Opcode::CallMethod, "item", {given});
        const char* function = name == "Int"     ? "int"
                               : name == "Float" ? "float"
                               : name == "Bool"  ? "bool"
                                                 : nullptr;
        if (function)
            read = m_tracer.record(Opcode::CallFunction, function, {read});
        m_tracer.setErasable(m_tracer.nodeOf(read));
        setOutput(node, read);
        return true;
    }
    return false;
}

bool ScriptInterpreter::runContainer(const JitNode& node, const std::string& name) {
    const Values args = inputs(node);
    if (auto* sequence = args[0].as<SequenceObject>()) {
        Values& items = sequence->items;
        const auto index = [&]() -> size_t {
            const auto at = args[1].isInt() ? placeIn(items.size(), args[1].data().toInt()) : std::nullopt;
            if (isProxy(args[1]))
                m_tracer.fail("TypeError", "list indices must be integers, not 'Proxy'");
            if (!at)
                m_tracer.fail("IndexError", "list index out of range");
            return *at;
        };
        const auto done = [&](const Value& result) {
            if (!node.outputs().empty())
                setOutput(node, result);
            return true;
        };
        const auto checkLength = [&](size_t more) {
            if (items.size() + more > kLongestList)
                m_tracer.fail("MemoryError", "a list of the program is too long");
        };
        if (name == "len")
            return done(makeInt(static_cast<int64_t>(items.size())));
        if (name == "__getitem__" || name == "select")
            return done(items[index()]);
        if (name == "append") {
            checkLength(1);
            items.push_back(args[1]);
            return done(args[0]);
        }
        if (name == "extend" || (name == "add_" && args.size() > 1 && args[1].as<SequenceObject>())) {
            const Values more = args[1].as<SequenceObject>() ? args[1].as<SequenceObject>()->items : Values();
            checkLength(more.size());
            items.insert(items.end(), more.begin(), more.end());
            return done(args[0]);
        }
        if (name == "insert") {
            checkLength(1);
            const auto size = static_cast<int64_t>(items.size());
            int64_t at = args[1].data().toInt();
            at = std::clamp<int64_t>(at < 0 ? at + size : at, 0, size);
            items.insert(items.begin() + at, args[2]);
            return done({});
        }
        if (name == "pop") {
            const size_t at = index();
            const Value popped = items[at];
            items.erase(items.begin() + static_cast<ptrdiff_t>(at));
            return done(popped);
        }
        if (name == "Delete") {
            items.erase(items.begin() + static_cast<ptrdiff_t>(index()));
            return done({});
        }
        if (name == "_set_item") {
            const size_t at = index();
            items[at] = args[2];
            return done(args[0]);
        }
        if (name == "clear") {
            items.clear();
            return done({});
        }
        if (name == "reverse") {
            std::reverse(items.begin(), items.end());
            return done({});
        }
        if (name == "copy" || name == "list")
            return done(makeList(items));
        if (name == "dict") {
            DictObject made;
            for (const Value& item : items)
                if (const auto* pair = item.as<SequenceObject>(); pair && pair->items.size() == 2)
                    made.set(pair->items[0], pair->items[1]);
            return done(Object{std::move(made)});
        }
        if (name == "slice")
            return done(sequence->isList ? makeList(sliceOf(items, args[1], args[2], args[3]))
                                         : makeTuple(sliceOf(items, args[1], args[2], args[3])));
        if (name == "add" && args[1].as<SequenceObject>()) {
            Values both = items;
            const Values& more = args[1].as<SequenceObject>()->items;
            checkLength(more.size());
            both.insert(both.end(), more.begin(), more.end());
            return done(makeList(std::move(both)));
        }
        if (name == "mul" && args.size() == 2 && args[1].isInt()) {
            Values out;
            const int64_t times = std::max<int64_t>(args[1].data().toInt(), 0);
            if (items.size() > 0 && static_cast<uint64_t>(times) > kLongestList / items.size())
                m_tracer.fail("MemoryError", "a list of the program is too long");
            for (int64_t i = 0; i < times; ++i)
                out.insert(out.end(), items.begin(), items.end());
            return done(makeList(std::move(out)));
        }
        if (name == "__contains__" || name == "index" || name == "remove" || name == "count") {
            const bool isIndexing = name == "index" && args[1].as<SequenceObject>();
            if (isIndexing)
                return false;
            const auto found = std::find_if(items.begin(), items.end(),
                                            [&](const Value& item) { return isSameOrEqual(item, args[1]); });
            if (name == "__contains__")
                return done(c10::IValue(found != items.end()));
            if (name == "count")
                return done(makeInt(std::count_if(items.begin(), items.end(), [&](const Value& item) {
                    return isSameOrEqual(item, args[1]);
                })));
            if (found == items.end())
                m_tracer.fail("ValueError", "value is not in the list");
            if (name == "index")
                return done(makeInt(found - items.begin()));
            items.erase(found);
            return done({});
        }
        if (name == "sort" && args.size() == 2) {
            const std::optional<c10::IValue> live = toIValue(args[0], node.inputs()[0]->type());
            require(node, live && !holdsTensor(args[0]) && !holdsProxy(args[0]),
                    "a list of traced values is sorted");
            const bool isReversed = args[1].isBool() && args[1].data().toBool();
            std::stable_sort(items.begin(), items.end(), [&](const Value& a, const Value& b) {
                const Value& x = isReversed ? b : a;
                const Value& y = isReversed ? a : b;
                if (x.isString())
                    return x.text() < y.text();
                return (x.isInt() ? static_cast<double>(x.data().toInt()) : x.data().toDouble()) <
                       (y.isInt() ? static_cast<double>(y.data().toInt()) : y.data().toDouble());
            });
            return done({});
        }
        return false;
    }
    auto* dict = args[0].as<DictObject>();
    if (!dict)
        return false;
    const auto done = [&](const Value& result) {
        if (!node.outputs().empty())
            setOutput(node, result);
        return true;
    };
    const auto missing = [&]() { m_tracer.fail("KeyError", "the dict has no such key"); };
    if (args.size() > 1 && isProxy(args[1]))
        m_tracer.fail("", "a traced value cannot be the key of a dict");
    Value* found = args.size() > 1 && !args[1].as<DictObject>() ? dict->find(args[1]) : nullptr;
    if (name == "len")
        return done(makeInt(static_cast<int64_t>(dict->size())));
    if (name == "__getitem__") {
        if (!found)
            missing();
        return done(*found);
    }
    if (name == "get")
        return done(found ? *found : args.size() > 2 ? args[2] : Value());
    if (name == "__contains__")
        return done(c10::IValue(found != nullptr));
    if (name == "_set_item") {
        dict->set(args[1], args[2]);
        return done(args[0]);
    }
    if (name == "setdefault") {
        if (!found)
            dict->set(args[1], args[2]);
        return done(*dict->find(args[1]));
    }
    if (name == "pop" || name == "Delete") {
        if (!found && args.size() < 3)
            missing();
        const Value popped = found ? *found : args[2];
        dict->erase(args[1]);
        return done(popped);
    }
    if (name == "popitem") {
        if (dict->empty())
            missing();
        const DictObject::Entry last = dict->entries().back();
        dict->erase(last.key);
        return done(makeTuple({last.key, last.value}));
    }
    if (name == "clear") {
        dict->clear();
        return done({});
    }
    if (name == "update") {
        const Value more = args[1];
        if (const auto* other = more.as<DictObject>())
            for (const DictObject::Entry& entry : std::vector(other->entries()))
                dict->set(entry.key, entry.value);
        return done({});
    }
    if (name == "keys" || name == "values" || name == "items" || name == "copy" || name == "dict" ||
        name == "list") {
        Values out;
        DictObject copied;
        for (const DictObject::Entry& entry : dict->entries()) {
            copied.set(entry.key, entry.value);
            out.push_back(name == "items"    ? makeTuple({entry.key, entry.value})
                          : name == "values" ? entry.value
                                             : entry.key);
        }
        return done(name == "copy" || name == "dict" ? Value(Object{std::move(copied)})
                                                     : makeList(std::move(out)));
    }
    return false;
}

} // namespace fx
