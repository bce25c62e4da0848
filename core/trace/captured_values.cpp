// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/captured_values.h"

#include "core/base/text.h"
#include "core/python/library.h"
#include "core/torch/host/nn_modules.h"
#include "core/trace/recorded_values.h"

#include <algorithm>

namespace fx {

namespace {

constexpr size_t kMostParts = 100'000;   // of one module
constexpr size_t kMostRepeated = 20'000; // of a model, until objects are recorded only once
constexpr size_t kDeepestCaptured = 24;  // the JSON of a model may be 256 levels deep

[[noreturn]] void refuseCaptured(const std::string& what) {
    throw Error("", "it uses " + what);
}

NamedTupleValue capturedAs(const char* kind, Arguments items) {
    return {std::string("captured.") + kind, std::move(items)};
}

bool holdsLost(const Argument& value) {
    bool lost = false;
    forEachPart(value, [&](const Argument& part) { lost |= part.as<OpaqueValue>() != nullptr; });
    return lost;
}

} // namespace

Argument CapturedValues::record(const Value& value) {
    const size_t before = m_parts, count = m_order.size();
    try {
        Argument out = part(value);
        m_shared.parts += m_parts - before;
        m_shared.recorded.insert(m_order.begin() + static_cast<std::ptrdiff_t>(count), m_order.end());
        return out;
    } catch (...) {
        forgetFrom(count);
        throw;
    }
}

void CapturedValues::forgetFrom(size_t count) {
    for (; m_order.size() > count; m_order.pop_back())
        m_recorded.erase(m_order.back());
}

Argument CapturedValues::part(const Value& value) {
    if (++m_parts > kMostParts)
        refuseCaptured("more than " + std::to_string(kMostParts) + " values");
    const bool isShared = value.as<DictObject>() || value.as<SetObject>() || value.as<CellObject>() ||
                          (value.as<SequenceObject>() && value.as<SequenceObject>()->isList) ||
                          (value.as<InstanceObject>() && !isParameter(value)) || value.as<DefinedObject>();
    return isShared ? shared(value) : content(value);
}

Argument CapturedValues::shared(const Value& value) {
    const Object* object = value.object().get();
    if (value.as<DefinedObject>())
        if (const std::optional<std::string> name = nameOf(value))
            return FunctionValue{*name};
    if (isModuleInstance(value))
        if (const std::optional<std::string> path = m_places.pathOf(object))
            return capturedAs("module", {*path});
    if (const auto table = m_places.tables.find(object); table != m_places.tables.end()) {
        if (table->second.name.empty())
            refuseCaptured("the hooks of all modules");
        return capturedAs("table", {table->second.path, table->second.name});
    }
    auto& numbers = m_shared.numbers;
    const int64_t number = numbers.try_emplace(object, static_cast<int64_t>(numbers.size())).first->second;
    const bool isElsewhere = m_shared.parts > kMostRepeated && m_shared.recorded.contains(number);
    if (isElsewhere || m_recorded.contains(number) || std::ranges::find(m_open, object) != m_open.end())
        return capturedAs("shared", {number});
    if (m_open.size() >= kDeepestCaptured)
        refuseCaptured("values that are nested too deeply");
    m_open.push_back(object);
    struct Close {
        std::vector<const Object*>& open;
        ~Close() { open.pop_back(); }
    } close{m_open};
    Argument inner = content(value);
    m_order.push_back(number);
    m_recorded.insert(number);
    return capturedAs("shared", {number, std::move(inner)});
}

ListValue CapturedValues::list(const Values& values) {
    ListValue out;
    for (const Value& value : values)
        out.items.push_back(part(value));
    return out;
}

Argument CapturedValues::dict(const DictObject& dict) {
    DictValue out;
    for (const DictObject::Entry& entry : dict.entries())
        out.items.emplace_back(part(entry.key), part(entry.value));
    return out;
}

Argument CapturedValues::fields(const DictObject& dict) {
    DictValue out;
    for (const DictObject::Entry& entry : dict.entries()) {
        const size_t count = m_order.size();
        try {
            out.items.emplace_back(part(entry.key), part(entry.value));
        } catch (const Error& error) {
            if (!error.kind().empty() || m_parts > kMostParts)
                throw;
            forgetFrom(count);
        }
    }
    return out;
}

Argument CapturedValues::content(const Value& value) {
    if (value.isTensor() || isParameter(value))
        return capturedAs(isParameter(value) ? "parameter" : "tensor", {m_places.keep(value)});
    if (const auto* sequence = value.as<SequenceObject>()) {
        ListValue found = list(sequence->items);
        return sequence->isList ? Argument(std::move(found)) : Argument(TupleValue{std::move(found.items)});
    }
    if (const auto* entries = value.as<DictObject>())
        return dict(*entries);
    if (const auto* set = value.as<SetObject>())
        return capturedAs("set", {list(m_evaluator.items(value)), set->isFrozen});
    if (const auto* cell = value.as<CellObject>())
        return capturedAs("cell", {list(cell->value ? Values{*cell->value} : Values{})});
    if (value.as<DefinedObject>())
        return function(value);
    if (const auto* method = value.as<BoundMethodObject>()) {
        const auto* native = method->function.as<NativeObject>();
        return native ? capturedAs("member",
                                   {part(method->self), native->name.substr(native->name.rfind('.') + 1)})
                      : capturedAs("method", {part(method->self), part(method->function)});
    }
    if (const auto* method = value.as<MethodObject>())
        return capturedAs("member", {part(method->self), method->name});
    if (const auto* space = value.as<NamespaceObject>())
        return capturedAs("import", {space->path});
    if (const auto* module = value.as<SourceModuleObject>())
        return capturedAs("import", {module->name});
    if (value.as<ClassObject>() && !nameOf(value))
        refuseCaptured("the class " + m_evaluator.str(m_evaluator.attribute(value, "__qualname__")) +
                       ", which is defined in a function");
    if (const auto* instance = value.as<InstanceObject>())
        return object(value, *instance);
    Argument plain = recordedValue(m_evaluator, value);
    if (holdsLost(plain))
        refuseCaptured("a value of the type " + typeName(value));
    return plain;
}

Argument CapturedValues::object(const Value& value, const InstanceObject& instance) {
    const ClassData& type = *instance.type.as<ClassObject>()->data;
    if (type.find("_member_map_") || type.find("_fields")) {
        Argument plain = recordedValue(m_evaluator, value);
        if (!holdsLost(plain))
            return plain;
    }
    if (!nameOf(instance.type))
        refuseCaptured("an object of the class " + type.qualifiedName + ", which is defined in a function");
    const DictObject& own = *instance.dict.as<DictObject>();
    const bool isHandle = type.module == "torch.nn.modules._hooks"; // useless without its tables
    return capturedAs("object", {FunctionValue{type.module + '.' + type.qualifiedName},
                                 isHandle ? dict(own) : fields(own),
                                 instance.payload.isNone() ? Argument() : part(instance.payload)});
}

std::optional<std::string> CapturedValues::nameOf(const Value& value) {
    const auto* defined = value.as<DefinedObject>();
    const auto* type = value.as<ClassObject>();
    const std::string module = defined ? defined->function->module : type->data->module;
    const std::string& name = defined ? defined->function->qualifiedName : type->data->qualifiedName;
    if (contains(name, "<"))
        return std::nullopt;
    if (type && (module == "builtins" || type->data->isBuiltin))
        return type->data->module + '.' + name;
    std::optional<Value> at = m_evaluator.modules().known(module);
    if (!at && type)
        return module + '.' + name; // of torch, whose modules are no sources of the program
    for (const std::string_view part : split(name, '.'))
        at = at ? m_evaluator.findAttribute(*at, std::string(part)) : std::nullopt;
    const auto* other = at ? at->as<DefinedObject>() : nullptr;
    const bool isIt = defined ? other && other->function == defined->function : at && at->isSame(value);
    return isIt || (type && !at) ? std::optional(module + '.' + name) : std::nullopt;
}

Argument CapturedValues::function(const Value& value) {
    const DefinedFunction& function = *value.as<DefinedObject>()->function;
    std::string module;
    for (const Modules::UserFile& file : m_evaluator.modules().userFiles())
        if (file.file == function.file)
            module = file.module;
    if (const LibraryModule* library = m_evaluator.names().libraryModule(function.module);
        module.empty() && library && library->file == function.file)
        module = function.module;
    if (const LibraryModule* library = standardLibrary().find(function.module);
        module.empty() && library && library->file == function.file)
        module = function.module;
    if (module.empty())
        refuseCaptured("the function " + function.qualifiedName + ", which no source defines");
    ListValue defaults, cells;
    for (const std::optional<Value>& given : function.defaults)
        defaults.items.push_back(list(given ? Values{*given} : Values{}));
    for (size_t i = 0; i < function.cells.size(); ++i)
        try {
            cells.items.push_back(part(function.cells[i]));
        } catch (const Error& error) {
            throw Error("", error.message() + " as '" + function.tree->freeNames[i] + '\'');
        }
    return capturedAs("function", {module, static_cast<int64_t>(function.tree->begin),
                                   static_cast<int64_t>(function.tree->end), function.tree->name,
                                   function.qualifiedName, std::move(defaults), std::move(cells),
                                   fields(*function.dict.as<DictObject>()), part(function.doc)});
}

} // namespace fx
