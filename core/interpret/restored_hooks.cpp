// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/restored_hooks.h"

#include "core/base/error.h"

namespace fx {

namespace {

struct HookKind {
    const char* name;
    const char* registered; ///< the method that registers one
};
constexpr HookKind kKinds[] = {{"_forward_pre_hooks", "register_forward_pre_hook"},
                               {"_forward_hooks", "register_forward_hook"}};

const Argument* entry(const Argument& record, std::string_view key) {
    if (const auto* dict = record.as<DictValue>())
        for (const auto& [name, value] : dict->items)
            if (const auto* text = name.as<std::string>(); text && *text == key)
                return &value;
    return nullptr;
}

std::string textOf(const Argument* value) {
    const auto* text = value ? value->as<std::string>() : nullptr;
    return text ? *text : std::string();
}

Value hookOf(Evaluator& evaluator, const Argument& record,
             const std::function<std::optional<Value>(const std::string&)>& findFunction) {
    if (const std::string name = textOf(entry(record, "class")); !name.empty()) {
        const std::optional<Value> type = evaluator.modules().libraryClass(name);
        if (!type || !type->as<ClassObject>())
            throw Error("", "a hook of class " + name + " cannot be run here")
                .hint("run the graph in Python");
        const Value hook = makeInstance(*type);
        const Argument* fields = entry(record, "fields");
        const auto* dict = fields ? fields->as<DictValue>() : nullptr;
        for (size_t i = 0; dict && i < dict->items.size(); ++i)
            hook.as<InstanceObject>()->dict.as<DictObject>()->set(makeValue(dict->items[i].first, nullptr),
                                                                  makeValue(dict->items[i].second, nullptr));
        return hook;
    }
    const std::string name = textOf(entry(record, "function"));
    if (const std::optional<Value> function = findFunction(name))
        return *function;
    throw Error("", "the hook " + name + " cannot be run here")
        .hint("open the model with the source that defines it: --source FILE.py");
}

} // namespace

bool isRecordedHooks(std::string_view name) {
    return name == kKinds[0].name || name == kKinds[1].name;
}

void restoreHooks(Evaluator& evaluator, const Module& module, const Value& instance,
                  const std::function<std::optional<Value>(const std::string& name)>& findFunction) {
    for (const HookKind& kind : kKinds) {
        const Argument* records = module.value(kind.name);
        if (!records || !records->items())
            continue;
        for (const Argument& record : *records->items()) {
            NamedValues options;
            for (const char* option : {"with_kwargs", "always_call"})
                if (entry(record, option))
                    options.emplace_back(option, c10::IValue(true));
            evaluator.callMethod(instance, kind.registered, {hookOf(evaluator, record, findFunction)},
                                 std::move(options));
        }
    }
}

} // namespace fx
