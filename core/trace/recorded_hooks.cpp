// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/recorded_hooks.h"

#include "core/torch/host/nn_modules.h"
#include "core/trace/tracer.h"

#include <algorithm>
#include <functional>

namespace fx {

namespace {

struct HookTable {
    const char *hooks, *withKeywords, *always;             ///< fields of a module
    const char *general, *generalKeywords, *generalAlways; ///< of EveryModule; null where there is none
};
constexpr HookTable kHookTables[] = {
    {"_forward_pre_hooks", "_forward_pre_hooks_with_kwargs", "", "pre", nullptr, nullptr},
    {"_forward_hooks", "_forward_hooks_with_kwargs", "_forward_hooks_always_called", "post", "post_kwargs",
     "always"},
};

const DictObject* tableIn(const DictObject& fields, const TextKey& name) {
    const Value* table = fields.find(name);
    return table ? plainOf(*table).as<DictObject>() : nullptr;
}

/// A table of the hooks for all modules; null where there is none.
const DictObject* generalTable(Evaluator& evaluator, const char* name) {
    if (!name)
        return nullptr;
    const std::optional<Value> home = evaluator.modules().libraryClass("torch.nn.modules._hooks.EveryModule");
    const std::optional<Value> table = home ? evaluator.findAttribute(*home, name) : std::nullopt;
    return table ? plainOf(*table).as<DictObject>() : nullptr;
}

bool isMarked(const DictObject* table, const Value& key) {
    return table && const_cast<DictObject*>(table)->find(key);
}

DictValue lostHook(Evaluator& evaluator, const Value& hook, const std::string& why) {
    std::string name;
    try {
        const std::optional<Value> own = evaluator.findAttribute(hook, "__qualname__");
        name = own ? evaluator.str(*own) : "of class " + typeName(hook);
    } catch (const Error&) {
        name = "of class " + typeName(hook);
    }
    return {{{"lost", why}, {"name", name}}};
}

DictValue recordOf(Evaluator& evaluator, const Value& hook, CapturedValues& captured) {
    const auto* instance = hook.as<InstanceObject>();
    const ClassData* type = instance ? instance->type.as<ClassObject>()->data.get() : nullptr;
    if (type && type->module.starts_with("torch.") && !isModuleInstance(hook)) {
        DictValue fields;
        const auto& entries = instance->dict.as<DictObject>()->entries();
        for (const DictObject::Entry& entry : entries)
            if (std::optional<Argument> plain = plainArgument(entry.value))
                fields.items.emplace_back(entry.key.text(), std::move(*plain));
        if (fields.items.size() == entries.size())
            return {{{"class", type->module + '.' + type->qualifiedName}, {"fields", std::move(fields)}}};
    }
    try {
        Argument value = captured.record(hook);
        if (const auto* function = value.as<FunctionValue>(); function && hook.as<DefinedObject>())
            return {{{"function", function->target.name()}}};
        return {{{"value", std::move(value)}}};
    } catch (const Error& error) {
        if (!error.kind().empty())
            throw;
        return lostHook(evaluator, hook, error.message());
    }
}

} // namespace

bool hasForwardHooks(Evaluator& evaluator, const DictObject& fields) {
    return std::ranges::any_of(kHookTables, [&](const HookTable& table) {
        const DictObject* own = tableIn(fields, table.hooks);
        const DictObject* general = generalTable(evaluator, table.general);
        return (own && !own->empty()) || (general && !general->empty());
    });
}

std::vector<NamedValue> recordedHooks(Evaluator& evaluator, const DictObject& fields,
                                      CapturedValues& captured) {
    std::vector<NamedValue> out;
    for (const HookTable& table : kHookTables) {
        ListValue records;
        const auto add = [&](const DictObject* hooks, const DictObject* withKeywords,
                             const DictObject* always) {
            for (size_t i = 0; hooks && i < hooks->entries().size(); ++i) {
                const DictObject::Entry entry = hooks->entries()[i];
                DictValue record = recordOf(evaluator, entry.value, captured);
                record.items.emplace_back("id", *plainArgument(entry.key));
                if (isMarked(withKeywords, entry.key))
                    record.items.emplace_back("with_kwargs", true);
                if (isMarked(always, entry.key))
                    record.items.emplace_back("always_call", true);
                records.items.emplace_back(std::move(record));
            }
        };
        add(generalTable(evaluator, table.general), generalTable(evaluator, table.generalKeywords),
            generalTable(evaluator, table.generalAlways));
        add(tableIn(fields, table.hooks), tableIn(fields, table.withKeywords), tableIn(fields, table.always));
        if (!records.items.empty())
            out.push_back({table.hooks, std::move(records)});
    }
    return out;
}

HookTables hookTables(const DictObject& fields, const std::string& path) {
    HookTables out;
    for (const HookTable& table : kHookTables)
        for (const char* name : {table.hooks, table.withKeywords, table.always})
            if (const Value* found = fields.find(TextKey(name)))
                out[found->object().get()] = {path, name};
    return out;
}

HookTables generalHookTables(Evaluator& evaluator) {
    HookTables out;
    const std::optional<Value> home = evaluator.modules().libraryClass("torch.nn.modules._hooks.EveryModule");
    for (const HookTable& table : kHookTables)
        for (const char* name : {table.general, table.generalKeywords, table.generalAlways})
            if (home && name)
                if (const std::optional<Value> found = evaluator.findAttribute(*home, name))
                    out[found->object().get()] = {};
    return out;
}

/// True if a forward hook that a module holds fits.
static bool anyHook(const std::vector<NamedValue>& values, const std::function<bool(const Argument&)>& fits) {
    return std::ranges::any_of(values, [&](const NamedValue& value) {
        const Arguments* records = value.name.starts_with("_forward_") ? value.value.items() : nullptr;
        return records && std::ranges::any_of(*records, fits);
    });
}

bool hasRecordedHook(const std::vector<NamedValue>& values) {
    return anyHook(values, [](const Argument&) { return true; });
}

bool hasUserHook(const std::vector<NamedValue>& values) {
    return anyHook(values, [](const Argument& record) {
        const auto* dict = record.as<DictValue>();
        const auto* kind = dict && !dict->items.empty() ? dict->items[0].first.as<std::string>() : nullptr;
        return kind && (*kind == "function" || *kind == "value");
    });
}

} // namespace fx
