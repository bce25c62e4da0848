// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/captured_objects.h"

#include "core/base/error.h"
#include "core/interpret/restored_values.h"
#include "core/python/function_search.h"
#include "core/python/library.h"

namespace fx {

namespace {

[[noreturn]] void refuseObject(const std::string& what) {
    throw Error("", "it uses " + what + ", which is not here");
}

class ObjectRestorer {
public:
    ObjectRestorer(Evaluator& evaluator, const CapturedPlaces& places, CapturedObjects& objects)
        : m_evaluator(evaluator), m_places(places), m_objects(objects) {}

    Value restore(const Argument& value) {
        if (const auto* captured = value.as<NamedTupleValue>();
            captured && captured->type.name().starts_with("captured."))
            return object(captured->type.name().substr(9), captured->items);
        if (value.as<ListValue>() || value.as<DictValue>()) {
            const Value made = empty(value);
            fill(made, value);
            return made;
        }
        if (const auto* tuple = value.as<TupleValue>())
            return makeTuple(all(tuple->items));
        std::optional<Value> plain = restoredValue(m_evaluator, value, m_places.findName);
        if (!plain)
            refuseObject(value.as<FunctionValue>() ? value.as<FunctionValue>()->target.name() : "a value");
        return std::move(*plain);
    }

private:
    Values all(const Arguments& items) {
        Values out;
        for (const Argument& item : items)
            out.push_back(restore(item));
        return out;
    }

    static const Argument& part(const Arguments& items, size_t index) {
        if (index >= items.size())
            throw Error("", "it is damaged in the file");
        return items[index];
    }

    template <class T>
    static const T& part(const Arguments& items, size_t index) {
        const T* found = part(items, index).as<T>();
        if (!found)
            throw Error("", "it is damaged in the file");
        return *found;
    }

    Value object(const std::string& kind, const Arguments& items) {
        if (kind == "shared")
            return shared(items);
        if (kind == "module") {
            const auto& path = part<std::string>(items, 0);
            std::optional<Value> found = m_places.module(path);
            if (!found)
                refuseObject("the module '" + path + '\'');
            return std::move(*found);
        }
        if (kind == "table") {
            const auto &path = part<std::string>(items, 0), &name = part<std::string>(items, 1);
            const std::optional<Value> module = m_places.module(path);
            const auto* instance = module ? module->as<InstanceObject>() : nullptr;
            const Value* table = instance ? instance->dict.as<DictObject>()->find(makeText(name)) : nullptr;
            if (!table)
                refuseObject("the hooks of the module '" + path + '\'');
            return *table;
        }
        if (kind == "tensor" || kind == "parameter") {
            std::optional<Value> found = m_places.tensor(part<std::string>(items, 0), kind == "parameter");
            if (!found)
                refuseObject("a tensor");
            return std::move(*found);
        }
        if (kind == "import")
            return m_evaluator.modules().importModule(part<std::string>(items, 0));
        if (kind == "member")
            return m_evaluator.attribute(restore(part(items, 0)), part<std::string>(items, 1));
        if (kind == "method")
            return Object{BoundMethodObject{restore(part(items, 0)), restore(part(items, 1))}};
        const Value made = empty(NamedTupleValue{"captured." + kind, items});
        fill(made, NamedTupleValue{"captured." + kind, items});
        return made;
    }

    /// Objects may hold each other: each is there before it is filled.
    Value shared(const Arguments& items) {
        const int64_t number = part<int64_t>(items, 0);
        if (const auto known = m_objects.find(number); known != m_objects.end())
            return known->second;
        if (items.size() == 1) {
            std::optional<Value> found = m_places.shared(number);
            if (!found)
                refuseObject("an object");
            return std::move(*found);
        }
        const Argument& content = part(items, 1);
        const auto* captured = content.as<NamedTupleValue>();
        const bool isOpen = content.as<ListValue>() || content.as<DictValue>() ||
                            (captured && captured->type.name().starts_with("captured."));
        if (!isOpen)
            return m_objects[number] = restore(content);
        const Value made = m_objects[number] = empty(content);
        try {
            fill(made, content);
        } catch (...) {
            m_objects.erase(number);
            throw;
        }
        return made;
    }

    Value empty(const Argument& content) {
        if (content.as<ListValue>())
            return Object{SequenceObject{{}, true}};
        if (content.as<DictValue>())
            return Object{DictObject()};
        const auto& captured = *content.as<NamedTupleValue>();
        const std::string kind = captured.type.name().substr(9);
        if (kind == "cell")
            return Object{CellObject{}};
        if (kind == "set")
            return Object{SetObject{{}, part<bool>(captured.items, 1)}};
        if (kind == "function")
            return Object{DefinedObject{std::make_shared<DefinedFunction>()}};
        if (kind != "object")
            throw Error("", "it is damaged in the file");
        const Value type = restore(part(captured.items, 0));
        const Argument& builtin = part(captured.items, 2);
        const auto* data = type.as<ClassObject>();
        if (!data || data->data->isBuiltin)
            refuseObject("a class");
        // A dict or list within is filled with the object, as it may hold it.
        return makeInstance(type, builtin.isNone() ? Value() : payload(builtin));
    }

    Value payload(const Argument& builtin) {
        const auto* captured = builtin.as<NamedTupleValue>();
        const bool isShared = captured && captured->type.name() == "captured.shared";
        const Argument& content = isShared ? part(captured->items, 1) : builtin;
        const bool isOpen = content.as<ListValue>() || content.as<DictValue>();
        const Value made = isOpen ? empty(content) : restore(content);
        if (isShared)
            m_objects.emplace(part<int64_t>(captured->items, 0), made);
        return made;
    }

    void fill(const Value& made, const Argument& content) {
        if (const auto* list = content.as<ListValue>()) {
            for (const Argument& item : list->items) {
                Value value = restore(item);
                made.as<SequenceObject>()->items.push_back(std::move(value));
            }
        } else if (const auto* dict = content.as<DictValue>()) {
            for (const auto& [key, item] : dict->items) {
                const Value name = restore(key), value = restore(item);
                made.as<DictObject>()->set(name, value);
            }
        } else {
            const auto& captured = *content.as<NamedTupleValue>();
            fill(made, captured.type.name().substr(9), captured.items);
        }
    }

    void fill(const Value& made, const std::string& kind, const Arguments& items) {
        if (kind == "cell") {
            for (const Argument& value : part<ListValue>(items, 0).items)
                made.as<CellObject>()->value = restore(value);
        } else if (kind == "set") {
            for (const Argument& item : part<ListValue>(items, 0).items)
                made.as<SetObject>()->table.add(restore(item));
        } else if (kind == "object") {
            fill(made.as<InstanceObject>()->dict, part(items, 1));
            const Argument* builtin = &part(items, 2);
            if (const auto* captured = builtin->as<NamedTupleValue>();
                captured && captured->type.name() == "captured.shared")
                builtin = &part(captured->items, 1);
            if (builtin->as<ListValue>() || builtin->as<DictValue>())
                fill(made.as<InstanceObject>()->payload, *builtin);
        } else {
            fillFunction(*made.as<DefinedObject>()->function, items);
        }
    }

    void fillFunction(DefinedFunction& function, const Arguments& items) {
        const auto& module = part<std::string>(items, 0);
        const auto& name = part<std::string>(items, 3);
        const LibraryModule* source = m_evaluator.names().libraryModule(module);
        if (!source)
            source = standardLibrary().find(module);
        const FunctionTree* tree =
            source ? findFunctionTree(*source->file, static_cast<uint32_t>(part<int64_t>(items, 1)),
                                      static_cast<uint32_t>(part<int64_t>(items, 2)), name)
                   : nullptr;
        if (!tree)
            refuseObject("the source of the function " + name + " in " + module);
        const Arguments& defaults = part<ListValue>(items, 5).items;
        const Arguments& cells = part<ListValue>(items, 6).items;
        if (defaults.size() != tree->parameters.size() || cells.size() != tree->freeNames.size())
            throw Error("", "it is damaged in the file");
        const Value home = m_evaluator.modules().importModule(module);
        if (!home.as<SourceModuleObject>())
            refuseObject("the module " + module);
        function.file = source->file;
        function.tree = tree;
        function.name = name;
        function.qualifiedName = part<std::string>(items, 4);
        function.module = module;
        function.globals = home.as<SourceModuleObject>()->dict;
        function.annotations = Object{DictObject()};
        function.dict = Object{DictObject()};
        for (const Argument& given : defaults) {
            const auto* value = given.as<ListValue>();
            function.defaults.push_back(
                value && !value->items.empty() ? std::optional(restore(value->items[0])) : std::nullopt);
        }
        for (const Argument& cell : cells) {
            Value value = restore(cell);
            if (!value.as<CellObject>())
                throw Error("", "it is damaged in the file");
            function.cells.push_back(std::move(value));
        }
        fill(function.dict, part(items, 7));
        function.doc = restore(part(items, 8));
    }

    Evaluator& m_evaluator;
    const CapturedPlaces& m_places;
    CapturedObjects& m_objects;
};

} // namespace

Value restoredObject(Evaluator& evaluator, const Argument& value, const CapturedPlaces& places,
                     CapturedObjects& objects) {
    return ObjectRestorer(evaluator, places, objects).restore(value);
}

} // namespace fx
