// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/recorded_hooks.h"

#include "core/trace/tracer.h"

#include <algorithm>

namespace fx {

namespace {

const DictObject* tableIn(const DictObject& fields, const TextKey& name) {
    const Value* table = fields.find(name);
    return table ? plainOf(*table).as<DictObject>() : nullptr;
}

/// "module.function" of a function that a module defines at its top.
std::optional<std::string> nameOfFunction(Evaluator& evaluator, const Value& hook) {
    if (!hook.as<DefinedObject>())
        return std::nullopt;
    const std::string module = evaluator.str(evaluator.attribute(hook, "__module__"));
    const std::string name = evaluator.str(evaluator.attribute(hook, "__qualname__"));
    return name.find('<') == std::string::npos ? std::optional(module + '.' + name) : std::nullopt;
}

std::optional<DictValue> recordOf(Evaluator& evaluator, const Value& hook) {
    if (const auto name = nameOfFunction(evaluator, hook))
        return DictValue{{{"function", *name}}};
    const auto* instance = hook.as<InstanceObject>();
    const ClassData* type = instance ? instance->type.as<ClassObject>()->data.get() : nullptr;
    if (!type || !type->module.starts_with("torch."))
        return std::nullopt;
    DictValue fields;
    for (const DictObject::Entry& entry : instance->dict.as<DictObject>()->entries())
        if (std::optional<Argument> plain = plainArgument(entry.value))
            fields.items.emplace_back(entry.key.text(), std::move(*plain));
    return DictValue{{{"class", type->module + '.' + type->qualifiedName}, {"fields", std::move(fields)}}};
}

} // namespace

std::vector<NamedValue> recordedHooks(Evaluator& evaluator, const DictObject& fields) {
    struct Table {
        TextKey hooks, withKeywords, always;
    };
    static const Table kTables[] = {
        {"_forward_pre_hooks", "_forward_pre_hooks_with_kwargs", ""},
        {"_forward_hooks", "_forward_hooks_with_kwargs", "_forward_hooks_always_called"},
    };
    std::vector<NamedValue> out;
    for (const Table& table : kTables) {
        const DictObject* hooks = tableIn(fields, table.hooks);
        ListValue records;
        for (size_t i = 0; hooks && i < hooks->entries().size(); ++i) {
            const DictObject::Entry& entry = hooks->entries()[i];
            std::optional<DictValue> record = recordOf(evaluator, entry.value);
            if (!record)
                continue;
            for (const auto& [marks, option] :
                 {std::pair(table.withKeywords, "with_kwargs"), std::pair(table.always, "always_call")})
                if (DictObject* marked = const_cast<DictObject*>(tableIn(fields, marks));
                    marked && marked->find(entry.key))
                    record->items.emplace_back(option, true);
            records.items.emplace_back(std::move(*record));
        }
        if (!records.items.empty())
            out.push_back({std::string(table.hooks.text), std::move(records)});
    }
    return out;
}

bool hasUserHook(const std::vector<NamedValue>& values) {
    return std::ranges::any_of(values, [](const NamedValue& value) {
        const Arguments* records = value.name.starts_with("_forward_") ? value.value.items() : nullptr;
        return records && std::ranges::any_of(*records, [](const Argument& record) {
                   const auto* dict = record.as<DictValue>();
                   const auto* kind =
                       dict && !dict->items.empty() ? dict->items[0].first.as<std::string>() : nullptr;
                   return kind && *kind == "function";
               });
    });
}

} // namespace fx
