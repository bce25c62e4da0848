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

std::string textOf(const Argument* value) {
    const auto* text = value ? value->as<std::string>() : nullptr;
    return text ? *text : std::string();
}

[[noreturn]] void refuseHook(const std::string& name, const std::string& why, const char* advice) {
    throw Error("", "the forward hook " + name + (name.empty() ? "" : " ") + "cannot be run here: " + why)
        .hint(advice);
}

constexpr const char* kInPython = "run the graph in Python";

Value hookOf(Evaluator& evaluator, const Argument& record, const CapturedPlaces& places,
             CapturedObjects& objects) {
    if (const std::string name = textOf(dictEntry(record, "class")); !name.empty()) {
        const std::optional<Value> type = evaluator.modules().libraryClass(name);
        if (!type || !type->as<ClassObject>())
            refuseHook("of class " + name, "the class is not known", kInPython);
        const Value hook = makeInstance(*type);
        const Argument* fields = dictEntry(record, "fields");
        const auto* dict = fields ? fields->as<DictValue>() : nullptr;
        for (size_t i = 0; dict && i < dict->items.size(); ++i)
            hook.as<InstanceObject>()->dict.as<DictObject>()->set(makeValue(dict->items[i].first, nullptr),
                                                                  makeValue(dict->items[i].second, nullptr));
        return hook;
    }
    if (const Argument* value = dictEntry(record, "value")) {
        try {
            return restoredObject(evaluator, *value, places, objects);
        } catch (const Error& error) {
            if (!error.kind().empty())
                throw;
            refuseHook("", error.message(), kInPython);
        }
    }
    if (const Argument* why = dictEntry(record, "lost"))
        refuseHook(textOf(dictEntry(record, "name")), textOf(why), kInPython);
    const std::string name = textOf(dictEntry(record, "function"));
    if (const std::optional<Value> function = places.findName(name))
        return *function;
    refuseHook(name, "its source is not known",
               "open the model with the source that defines it: --source FILE.py");
}

} // namespace

bool isRecordedHooks(std::string_view name) {
    return name == kKinds[0].name || name == kKinds[1].name;
}

void forgetGeneralHooks(Evaluator& evaluator) {
    const std::optional<Value> home = evaluator.modules().libraryClass("torch.nn.modules._hooks.EveryModule");
    for (const char* name : {"pre", "post"})
        if (const std::optional<Value> table = home ? evaluator.findAttribute(*home, name) : std::nullopt)
            if (auto* hooks = plainOf(*table).as<DictObject>(); hooks && !hooks->empty())
                hooks->clear();
}

void restoreHooks(Evaluator& evaluator, const Module& module, const Value& instance,
                  const CapturedPlaces& places, CapturedObjects& objects) {
    for (const HookKind& kind : kKinds) {
        const Argument* records = module.value(kind.name);
        if (!records || !records->items())
            continue;
        for (const Argument& record : *records->items()) {
            NamedValues options;
            for (const char* option : {"with_kwargs", "always_call"})
                if (dictEntry(record, option))
                    options.emplace_back(option, c10::IValue(true));
            const Value hook = hookOf(evaluator, record, places, objects);
            const Argument* key = dictEntry(record, "id");
            const std::optional<Value> restore =
                evaluator.modules().libraryClass("torch.nn.modules._hooks.restore_hook");
            if (key && key->as<int64_t>() && restore)
                evaluator.call(
                    *restore,
                    {evaluator.attribute(instance, kind.registered), hook, c10::IValue(*key->as<int64_t>())},
                    std::move(options));
            else
                evaluator.callMethod(instance, kind.registered, {hook}, std::move(options));
        }
    }
}

} // namespace fx
