// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/pickle/pickled_objects.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/pickle/pickled_module.h"
#include "core/ir/torch_constants.h"
#include "core/module/model.h"
#include "core/python/class_building.h"
#include "core/torch/host/nn_modules.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

/// Each level takes several frames of the stack.
constexpr size_t kDeepestObject = 300;

/// Modules of the standard library whose classes are plain data.
constexpr std::string_view kPlainModules[] = {"collections", "enum",        "functools",
                                              "types",       "dataclasses", "typing"};

/// Where PyTorch has moved modules whose classes older files name.
constexpr std::pair<std::string_view, std::string_view> kMoved[] = {
    {"torch.nn.quantized.", "torch.ao.nn.quantized."},
    {"torch.nn.intrinsic.", "torch.ao.nn.intrinsic."},
    {"torch.nn.qat.", "torch.ao.nn.qat."},
    {"torch.quantization.", "torch.ao.quantization."},
};

std::string ownName(const std::string& qualified) {
    return qualified.substr(qualified.rfind('.') + 1);
}

std::string moduleOf(const std::string& qualified) {
    const size_t dot = qualified.rfind('.');
    return dot == std::string::npos ? std::string() : qualified.substr(0, dot);
}

Value textOrBytes(const std::string& bytes) {
    return Object{BytesObject{bytes}};
}

} // namespace

PickledObjects::PickledObjects(Evaluator& evaluator, const TorchContainer& container, FindClass sources,
                               CompileGraph compileGraph)
    : m_evaluator(evaluator), m_container(container), m_tensors(container, false),
      m_sources(std::move(sources)), m_compileGraph(std::move(compileGraph)) {}

/// Lists that hold the same list twice, and so on, are short in the file and endless for who walks them.
void PickledObjects::count(uint64_t values) {
    constexpr uint64_t kMostValues = 5'000'000;
    m_count += values;
    if (m_count > kMostValues)
        throw Error(m_container.place(), "stands for more than " + std::to_string(kMostValues) + " values");
}

Value PickledObjects::make(const PickleValue& value) {
    if (const auto known = m_known.find(&value); known != m_known.end()) {
        count(known->second.size);
        return known->second.value;
    }
    if (m_open.size() > kDeepestObject)
        throw Error(m_container.place(), "is nested too deeply");
    if (!m_open.insert(&value).second)
        throw Error(m_container.place(), "contains itself");
    const uint64_t before = m_count;
    count(1);
    Value out = makeNew(value);
    m_open.erase(&value);
    m_known.insert_or_assign(&value, Known{out, m_count - before});
    return out;
}

Values PickledObjects::makeAll(const std::vector<PickleRef>& refs) {
    Values out;
    for (PickleRef ref : refs)
        out.push_back(make(*ref));
    return out;
}

Value PickledObjects::makeNew(const PickleValue& value) {
    if (value.isNone())
        return {};
    if (const auto* flag = value.as<bool>())
        return c10::IValue(*flag);
    if (const auto* number = value.as<int64_t>())
        return makeInt(*number);
    if (const auto* number = value.as<double>())
        return c10::IValue(*number);
    if (const auto* text = value.as<std::string>())
        return makeText(*text);
    if (const auto* bytes = value.as<PickleBytes>())
        return textOrBytes(bytes->bytes);
    if (const auto* tuple = value.as<PickleTuple>())
        return makeTuple(makeAll(tuple->items));
    if (const auto* list = value.as<PickleList>()) {
        Value out = makeList({});
        m_known.insert_or_assign(&value, Known{out, 1}); // an item may refer to it
        for (PickleRef item : list->items) {
            Value made = make(*item);
            out.as<SequenceObject>()->items.push_back(std::move(made));
        }
        return out;
    }
    if (const auto* dict = value.as<PickleDict>()) {
        Value out = Object{DictObject()};
        m_known.insert_or_assign(&value, Known{out, 1});
        fill(*out.as<DictObject>(), dict->items);
        return out;
    }
    if (const std::optional<PickledTensor> tensor = m_tensors.find(value)) {
        const Value data = c10::IValue(tensor->slot.value());
        return tensor->isParameter ? makeParameter(m_evaluator, data.data().toTensor()) : data;
    }
    if (const std::optional<PickledInstance> instance = pickledInstance(value))
        return restoreInstance(*instance, value);
    if (const std::string name = pickledClassName(value); !name.empty())
        return global(name);
    if (value.as<PickleCall>())
        return makeCall(value);
    if (const std::optional<std::vector<PickleRef>> items = pickledItems(value)) {
        SetObject set;
        for (const Value& item : makeAll(*items))
            set.table.add(item);
        return Object{std::move(set)};
    }
    if (value.as<PickleLong>())
        throw Error(m_container.place(), "holds an int of more than 64 bits");
    throw Error(m_container.place(), "holds a reference that torch does not write");
}

void PickledObjects::fill(DictObject& dict, const PickleItems& items) {
    for (const auto& [key, item] : items) {
        const Value keyValue = make(*key);
        dict.set(keyValue, make(*item));
    }
}

Value PickledObjects::restoreInstance(const PickledInstance& instance, const PickleValue& value) {
    const bool isModule = isPickledModule(value);
    const std::optional<Value> found = findClass(instance.className);
    const Value type = found ? *found : unknownClass(instance.className, isModule);
    Value payload;
    if (found && m_evaluator.findAttribute(type, "_fields")) // a named tuple
        return m_evaluator.call(type, makeAll(value.as<PickleCall>()->positional()));
    if (const ClassData* builtin = m_evaluator.classOf(makeInstance(type)).payload) {
        // A subclass of list, dict, str ...: the builtin's value is made of the arguments.
        Values arguments = makeAll(value.as<PickleCall>()->positional());
        payload = m_evaluator.call(m_evaluator.type(builtin->name), std::move(arguments));
    }
    Value out = makeInstance(type, std::move(payload));
    m_known.insert_or_assign(&value, Known{out, 1}); // its state may refer to it
    const auto* call = value.as<PickleCall>();
    if (call)
        for (PickleRef item : call->appended)
            m_evaluator.callMethod(out, "append", {make(*item)});
    if (call)
        for (const auto& [key, item] : call->items) {
            const Value keyValue = make(*key);
            setSubscript(m_evaluator, out, keyValue, make(*item));
        }
    if (instance.state)
        setState(out, *instance.state);
    return out;
}

Value PickledObjects::instanceOf(const Value& type, const PickleValue* state) {
    Value out = makeInstance(type);
    if (state)
        setState(out, *state);
    return out;
}

/// A module's, without the hooks of its state_dict: they may refer to the module that is just being made.
Value PickledObjects::makeState(const PickleValue& state) {
    const std::optional<PickleItems> entries =
        pickledEntry(state, "_modules") ? pickledDict(state) : std::nullopt;
    if (!entries)
        return make(state);
    PickleItems kept;
    for (const auto& entry : *entries)
        if (!isStateHooks(pickledText(*entry.first).value_or("")))
            kept.push_back(entry);
    DictObject out;
    fill(out, kept);
    return Object{std::move(out)};
}

void PickledObjects::setState(const Value& object, const PickleValue& state) {
    const Value made = makeState(state);
    if (m_evaluator.classOf(object).find("__setstate__")) {
        m_evaluator.callMethod(object, "__setstate__", {made});
        return;
    }
    auto* instance = object.as<InstanceObject>();
    const auto update = [&](const Value& fields) {
        if (const auto* dict = plainOf(fields).as<DictObject>())
            for (const DictObject::Entry& entry : dict->entries())
                instance->dict.as<DictObject>()->set(entry.key, entry.value);
    };
    // (__dict__, slots), where the class has both.
    const std::optional<Values> parts = itemsOf(made);
    if (parts && parts->size() == 2) {
        update((*parts)[0]);
        update((*parts)[1]);
    } else {
        update(made);
    }
}

Value PickledObjects::makeCall(const PickleValue& value) {
    const PickleCall& call = *value.as<PickleCall>();
    const std::string name = pickledClassName(*call.callable);
    const std::vector<PickleRef>& arguments = call.positional();
    if (name == "torch.fx.graph_module.reduce_graph_module" && !arguments.empty()) {
        const Value type =
            m_compileGraph ? m_compileGraph(value) : moduleClass("torch.fx.graph_module.GraphModule");
        const Value out = instanceOf(type, arguments[0]);
        for (const char* name :
             {"_code", "code", "_lineno_map", "_prologue_start", "_tracer_cls", "_tracer_extras",
              "_graphmodule_cls_name", "_graphmodule_graph_node_meta_stack_trace", "meta", "shape_env",
              "_replace_hooks", "_create_node_hooks", "_erase_node_hooks", "_deepcopy_hooks"})
            out.as<InstanceObject>()->dict.as<DictObject>()->erase(name);
        return out;
    }
    if (name == "_codecs.encode" && !arguments.empty() && arguments[0]->as<std::string>()) {
        // Protocol 2 writes bytes as a str of Latin-1 letters; beyond ASCII they take two bytes here.
        std::string bytes;
        const std::string& text = *arguments[0]->as<std::string>();
        for (size_t i = 0; i < text.size(); ++i) {
            const auto byte = static_cast<unsigned char>(text[i]);
            if (byte >= 0xC2 && byte <= 0xC3 && i + 1 < text.size())
                bytes += static_cast<char>((byte & 0x03) << 6 | (text[++i] & 0x3F));
            else
                bytes += text[i];
        }
        return textOrBytes(bytes);
    }
    std::string callee = name;
    if (callee.starts_with("__builtin__."))
        callee = callee == "__builtin__.xrange" ? "range" : callee.substr(12);
    else if (callee.starts_with("builtins."))
        callee = callee.substr(9);
    static constexpr std::string_view kBuiltins[] = {"set",       "frozenset", "complex", "slice", "range",
                                                     "bytearray", "dict",      "list",    "tuple"};
    std::optional<Value> type;
    if (std::find(std::begin(kBuiltins), std::end(kBuiltins), callee) != std::end(kBuiltins))
        type = m_evaluator.type(callee);
    else if (name == "torch.Size" || name == "torch._C.Size")
        type = m_evaluator.type("torch.Size");
    else if (name == "torch.device")
        type = m_evaluator.type("torch.device");
    else if (!name.empty())
        type = findClass(name);
    if (!type)
        return makeInstance(unknownClass(name.empty() ? "object" : name, false));
    const Value out = m_evaluator.call(*type, makeAll(arguments));
    for (PickleRef item : call.appended)
        m_evaluator.callMethod(out, "append", {make(*item)});
    for (const auto& [key, item] : call.items) {
        const Value keyValue = make(*key);
        setSubscript(m_evaluator, out, keyValue, make(*item));
    }
    if (call.state && out.as<InstanceObject>())
        setState(out, *call.state);
    return out;
}

std::optional<Value> PickledObjects::findClass(const std::string& name) {
    if (name == "torch.ScriptObject")
        return m_evaluator.modules().libraryClass("torch._script_object.ScriptObject");
    for (const auto& [before, now] : kMoved)
        if (name.starts_with(before))
            return m_evaluator.modules().libraryClass(std::string(now) + name.substr(before.size()));
    if (m_sources && !name.starts_with("torch."))
        if (std::optional<Value> found = m_sources(name))
            return found;
    const std::string module = moduleOf(name);
    const bool isPlain =
        std::find(std::begin(kPlainModules), std::end(kPlainModules), module) != std::end(kPlainModules);
    if (isPlain)
        return m_evaluator.findAttribute(m_evaluator.modules().importModule(module), ownName(name));
    if (module.starts_with("torch."))
        return m_evaluator.modules().libraryClass(name);
    // A class within a class.
    const std::optional<Value> outer = contains(module, ".") ? findClass(module) : std::nullopt;
    return outer && outer->as<ClassObject>() ? m_evaluator.findAttribute(*outer, ownName(name))
                                             : std::nullopt;
}

Value PickledObjects::global(const std::string& given) {
    // The functions in C that torch itself has are members of one class.
    static const std::string kFunctions = "torch._C._VariableFunctionsClass.";
    const std::string name =
        given.starts_with(kFunctions) ? "torch." + given.substr(kFunctions.size()) : given;
    if (name.starts_with("torch."))
        if (auto constant = torchConstant(name))
            return Object{std::move(*constant)};
    if (std::optional<Value> type = findClass(name))
        return *type;
    // A member of a class: an enum's, or a nested class.
    if (const std::string owner = moduleOf(name); contains(owner, "."))
        if (const std::optional<Value> type = findClass(owner))
            if (std::optional<Value> member = m_evaluator.findAttribute(*type, ownName(name)))
                return *member;
    if (name.starts_with("builtins.") || name.starts_with("__builtin__.")) {
        const Value* builtin = m_evaluator.builtins().find(ownName(name));
        if (builtin)
            return *builtin;
    }
    if (!name.starts_with("torch.") && !name.starts_with("math.") && !name.starts_with("_operator.") &&
        !name.starts_with("operator."))
        noteUnknown(name);
    return Object{FunctionObject{Target(name.starts_with('_') ? name.substr(1) : name)}};
}

Value PickledObjects::moduleClass(const std::string& qualifiedName) {
    return unknownClass(qualifiedName, true);
}

Value PickledObjects::unknownClass(const std::string& name, bool isModule) {
    const auto [made, isNew] = m_made.try_emplace(name);
    if (!isNew)
        return made->second;
    if (!name.starts_with("torch."))
        noteUnknown(name);
    Values bases;
    if (isModule)
        if (std::optional<Value> module = m_evaluator.modules().libraryClass(kPlainModule))
            bases.push_back(*module);
    DictObject dict;
    dict.set("__module__", makeText(moduleOf(name)));
    return made->second = makeClass(m_evaluator, ownName(name), std::move(bases), Object{std::move(dict)});
}

void PickledObjects::noteUnknown(const std::string& name) {
    if (std::find(m_unknown.begin(), m_unknown.end(), name) == m_unknown.end())
        m_unknown.push_back(name);
}

} // namespace fx
