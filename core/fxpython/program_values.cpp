// SPDX-License-Identifier: GPL-3.0-or-later
// Values of a program as arguments of a graph, and back.
#include "core/base/text.h"
#include "core/fxpython/program_graph.h"
#include "core/fxpython/python_names.h"
#include "core/ir/dtype.h"
#include "core/python/types/support.h"
#include "core/torch/bind/call.h"
#include "core/torch/host/function_table.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <atomic>
#include <charconv>

namespace fx {

namespace {

/// "torch.ops.aten.add.Tensor", "torch.nn.functional.relu", by the way that Python goes.
std::optional<Value> byAttributes(Evaluator& evaluator, const std::string& name) {
    size_t dot = name.find('.');
    std::optional<Value> at = evaluator.modules().importModule(name.substr(0, dot));
    while (at && dot != std::string::npos) {
        const size_t next = name.find('.', dot + 1);
        at = evaluator.findAttribute(*at, name.substr(dot + 1, next - dot - 1));
        dot = next;
    }
    return at;
}

bool isFunctionValue(const Value& value) {
    return value.as<FunctionObject>() || value.as<NativeObject>() || value.as<DefinedObject>() ||
           value.as<ClassObject>();
}

/// Whether the name is that of another function, made by the same `def` or by one of the same name.
bool isAnotherFunction(const std::unordered_map<Target, Value>& known, Target name, const Value& function) {
    const auto found = known.find(name);
    const auto* mine = function.as<DefinedObject>();
    const auto* other = found == known.end() ? nullptr : found->second.as<DefinedObject>();
    return mine && other && mine->function != other->function;
}

constexpr std::string_view kTensorName = "_tensor_argument";
/// Number of the next tensor in an argument. Graphs are copied into each other, so a name is unique among
/// all.
std::atomic<int64_t> nextTensorArgument = 0;

} // namespace

Value immutableList(Evaluator& evaluator, Values items) {
    return makeInstance(classOfFx(evaluator, "torch.fx.immutable_collections", "immutable_list"),
                        makeList(std::move(items)));
}

Value immutableDict(Evaluator& evaluator, DictObject entries) {
    return makeInstance(classOfFx(evaluator, "torch.fx.immutable_collections", "immutable_dict"),
                        Object{std::move(entries)});
}

Value ProgramGraph::function(Evaluator& evaluator, Target target) {
    if (const auto known = m_functions.find(target); known != m_functions.end())
        return known->second;
    const std::string& name = target.name();
    std::optional<Value> found;
    if (target.isBuiltin() && evaluator.builtins().find(name))
        found = *evaluator.builtins().find(name);
    else if (name.starts_with("torch.ops.") || isFunctionOfTorch(target)) // of libraries that are absent, too
        found = Value(Object{FunctionObject{target}});
    else if (name == "torch" || name.starts_with("torch."))
        found = byAttributes(evaluator, name);
    else if (!target.isBuiltin())
        found = functionOf(evaluator, target);
    if (!found)
        raise("AttributeError", "there is no function '" + name + "' here");
    return m_functions[target] = *found;
}

Target ProgramGraph::target(Evaluator& evaluator, const Value& function, bool mayLackName) {
    std::string name;
    if (!isFunctionValue(function)) {
        const bool lacksName = mayLackName && !evaluator.findAttribute(function, "__name__");
        name = lacksName ? typeName(function) : evaluator.str(evaluator.attribute(function, "__name__"));
    }
    const std::string full = targetOfFunction(evaluator, function, name);
    Target target(full);
    for (int number = 1; isAnotherFunction(m_functions, target, function); ++number)
        target = Target(full + '_' + std::to_string(number));
    m_functions[target] = function;
    return target;
}

void ProgramGraph::learn(const ProgramGraph& other) {
    m_functions.insert(other.m_functions.begin(), other.m_functions.end());
    m_types.insert(other.m_types.begin(), other.m_types.end());
    m_objects.insert(other.m_objects.begin(), other.m_objects.end());
    m_metaValues.insert(other.m_metaValues.begin(), other.m_metaValues.end());
}

std::optional<std::string> ProgramGraph::typeText(Evaluator& evaluator, const Value& type) {
    std::optional<std::string> text = annotationText(evaluator, type);
    if (text)
        m_types.insert_or_assign(*text, type);
    return text;
}

std::optional<Value> ProgramGraph::type(Evaluator& evaluator, const std::string& text) const {
    if (const auto known = m_types.find(text); known != m_types.end())
        return known->second;
    const Value names = makeGlobals("__main__");
    for (const char* module : {"torch", "typing", "collections"})
        names.as<DictObject>()->set(module, evaluator.modules().importModule(module));
    names.as<DictObject>()->set("NoneType", evaluator.typeOf(Value()));
    // Generated code has the class of Dyn, a TensorType has Dyn itself.
    const std::string_view kClass = "torch.fx.tensor_type._DynType", kObject = "torch.fx.tensor_type.Dyn";
    std::string source = text;
    for (size_t at; (at = source.find(kClass)) != std::string::npos;)
        source.replace(at, kClass.size(), kObject);
    try {
        return evaluator.evaluate(parseExpressionSource(source, "a node's type"), names);
    } catch (const Error&) {
        return std::nullopt; // a class of a source that is not here
    }
}

Value ProgramGraph::tuple(Evaluator& evaluator, const Arguments& arguments) {
    Values out;
    out.reserve(arguments.size());
    for (const Argument& argument : arguments)
        out.push_back(value(evaluator, argument));
    return makeTuple(std::move(out));
}

Value ProgramGraph::dict(Evaluator& evaluator, const Keywords& keywords) {
    DictObject out;
    for (const auto& [key, argument] : keywords)
        out.set(key, value(evaluator, argument));
    return immutableDict(evaluator, std::move(out));
}

Value ProgramGraph::value(Evaluator& evaluator, const Argument& argument) {
    if (const NodeId id = argument.node())
        return node(evaluator, id);
    if (const auto* list = argument.as<ListValue>()) {
        Values items;
        for (const Argument& item : list->items)
            items.push_back(value(evaluator, item));
        return immutableList(evaluator, std::move(items));
    }
    if (const auto* items = argument.as<TupleValue>())
        return tuple(evaluator, items->items);
    if (const auto* entries = argument.as<DictValue>()) {
        DictObject out;
        for (const auto& [key, item] : entries->items)
            out.set(value(evaluator, key), value(evaluator, item));
        return immutableDict(evaluator, std::move(out));
    }
    if (const auto* slice = argument.as<SliceValue>())
        return Object{SliceObject{value(evaluator, slice->parts.at(0)), value(evaluator, slice->parts.at(1)),
                                  value(evaluator, slice->parts.at(2))}};
    if (const auto* range = argument.as<RangeValue>())
        return Object{RangeObject{range->start, range->stop, range->step}};
    if (const auto* function = argument.as<FunctionValue>())
        return this->function(evaluator, function->target);
    if (const auto* opaque = argument.as<OpaqueValue>()) {
        const auto known = m_objects.find(opaque->attribute.empty() ? opaque->text : opaque->attribute);
        return known == m_objects.end() ? makeText(opaque->text) : known->second;
    }
    if (const auto* member = argument.as<EnumValue>()) {
        const auto known = m_objects.find(member->type.name() + '.' + member->member);
        return known == m_objects.end()
                   ? evaluator.attribute(function(evaluator, member->type), member->member)
                   : known->second;
    }
    if (const auto* made = argument.as<NamedTupleValue>()) {
        Values items;
        for (const Argument& item : made->items)
            items.push_back(value(evaluator, item));
        return evaluator.call(function(evaluator, made->type), std::move(items));
    }
    return makeValue(argument, nullptr);
}

Arguments ProgramGraph::arguments(Evaluator& evaluator, const Value& tuple) {
    Arguments out;
    for (const Value& item : evaluator.items(tuple))
        out.push_back(argument(evaluator, item));
    return out;
}

Keywords ProgramGraph::keywords(Evaluator& evaluator, const Value& dict) {
    const auto* entries = plainOf(dict).as<DictObject>();
    if (!entries)
        raise("AssertionError", "kwargs must be a dict, got " + evaluator.repr(evaluator.typeOf(dict)));
    Keywords out;
    for (const DictObject::Entry& entry : entries->entries()) {
        if (!entry.key.isString())
            raise("TypeError", "keywords must be strings");
        out.emplace_back(entry.key.text(), argument(evaluator, entry.value));
    }
    return out;
}

Argument ProgramGraph::tensorArgument(const Value& value, std::string text) {
    const at::Tensor& tensor = plainOf(value).data().toTensor();
    const auto isIt = [&](const auto& entry) {
        return plainOf(entry.second).isTensor() && plainOf(entry.second).data().toTensor().is_same(tensor);
    };
    const auto known = std::ranges::find_if(m_objects, isIt);
    const std::string name = known != m_objects.end()
                                 ? known->first
                                 : std::string(kTensorName) + std::to_string(nextTensorArgument++);
    m_objects[name] = value;
    std::vector<std::string> sizes;
    for (const int64_t size : tensor.sizes())
        sizes.push_back(std::to_string(size));
    std::string written = "torch.Tensor(size=[" + join(sizes, ", ") +
                          "], dtype=" + dtypeText(tensor.scalar_type()).substr(6) + ')';
    return OpaqueValue{std::move(text), name, std::move(written)};
}

std::vector<const OpaqueValue*> ProgramGraph::namedTensors() const {
    std::vector<const OpaqueValue*> out;
    const auto look = [&](const Argument& part) {
        if (const auto* opaque = part.as<OpaqueValue>(); opaque && !opaque->attribute.empty())
            out.push_back(opaque);
    };
    for (const Node& node : graph()) {
        for (const Argument& argument : node.args)
            forEachPart(argument, look);
        for (const auto& [key, argument] : node.kwargs)
            forEachPart(argument, look);
    }
    return out;
}

std::vector<std::pair<std::string, Value>> ProgramGraph::tensorArguments() const {
    std::vector<std::pair<std::string, Value>> out;
    for (const OpaqueValue* opaque : namedTensors())
        if (const auto known = m_objects.find(opaque->attribute); known != m_objects.end())
            out.emplace_back(known->first, known->second);
    return out;
}

void ProgramGraph::setTensorArgument(const std::string& name, const Value& tensor) {
    m_objects[name] = tensor;
    int64_t number = 0;
    const char* const end = name.data() + name.size();
    if (name.starts_with(kTensorName) && name.size() < kTensorName.size() + 18 &&
        std::from_chars(name.data() + kTensorName.size(), end, number).ptr == end && number >= 0)
        nextTensorArgument = std::max<int64_t>(nextTensorArgument, number + 1);
}

Argument ProgramGraph::argument(Evaluator& evaluator, const Value& value) {
    if (value.isNone() || value.isBool() || value.isInt() || value.isDouble() || value.isString())
        return *plainArgument(value);
    if (const NodeHandle* handle = nodeHandle(value)) {
        if (handle->graph.get() != this)
            raise("RuntimeError",
                  "Argument '" + handle->node().name +
                      "' does not belong to this Graph, but was used as an argument! If you are copying "
                      "nodes from another graph, make sure to use ``arg_transform`` on node_copy() to remap "
                      "values");
        return handle->id;
    }
    const RecursionGuard guard; // a container may hold itself
    const Value& plain = plainOf(value);
    const auto* instance = value.as<InstanceObject>();
    if (const auto* sequence = plain.as<SequenceObject>()) {
        Arguments items;
        items.reserve(sequence->items.size());
        for (const Value& item : sequence->items)
            items.push_back(argument(evaluator, item));
        if (sequence->isList)
            return ListValue{std::move(items)};
        if (instance && instance->type.as<ClassObject>()->data->find("_fields"))
            return NamedTupleValue{target(evaluator, instance->type), std::move(items)};
        return TupleValue{std::move(items)};
    }
    if (const auto* dict = plain.as<DictObject>()) {
        DictValue out;
        for (const DictObject::Entry& entry : dict->entries())
            out.items.emplace_back(argument(evaluator, entry.key), argument(evaluator, entry.value));
        return out;
    }
    if (const auto* slice = value.as<SliceObject>()) {
        SliceValue out;
        for (const Value* part : {&slice->start, &slice->stop, &slice->step})
            out.parts.push_back(argument(evaluator, *part));
        return out;
    }
    if (isFunctionValue(value))
        return FunctionValue{target(evaluator, value)};
    if (instance && instance->type.as<ClassObject>()->data->find("_member_map_")) {
        const ClassData& type = *instance->type.as<ClassObject>()->data;
        const std::string name = evaluator.str(evaluator.attribute(value, "name"));
        const std::string home = type.module + '.' + type.name, text = evaluator.str(value);
        m_objects[home + '.' + name] = value;
        m_functions[target(evaluator, instance->type)] = m_functions[Target(type.name)] = instance->type;
        return EnumValue{home, name, text == type.name + '.' + name ? std::string() : text,
                         evaluator.repr(value)};
    }
    if (!plain.isTensor())
        if (std::optional<Argument> known = plainArgument(value); known && !instance)
            return std::move(*known);
    const std::string text = evaluator.repr(value);
    if (plain.isTensor())
        return tensorArgument(value, text);
    m_objects[text] = value;
    return OpaqueValue{text};
}

} // namespace fx
