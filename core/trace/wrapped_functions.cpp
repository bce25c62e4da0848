// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/wrapped_functions.h"

#include "core/base/text.h"
#include "core/python/types/builtin_functions.h"
#include "core/trace/trace_arguments.h"
#include "core/trace/tracer.h"
#include "core/trace/tracing_host.h"

#include <algorithm>

namespace fx {

static bool holdProxy(const Values& args, const NamedValues& kwargs) {
    return std::any_of(args.begin(), args.end(), holdsProxy) ||
           std::any_of(kwargs.begin(), kwargs.end(), [](const auto& k) { return holdsProxy(k.second); });
}

void WrappedFunctions::patch(const Value& globals) {
    patchNamed();
    patchMethods();
    patchIn(globals);
    for (const Value& module : m_modules)
        patchIn(module);
}

/// Puts a recording function in the place of each wrapped one, in the names of its module.
void WrappedFunctions::patchNamed() {
    for (const auto& [globals, name] : m_names) {
        DictObject& names = *globals.as<DictObject>();
        const Value* found = names.find(name);
        const Value* builtin = m_tracer.evaluator()->builtins().find(name);
        if (!found && !builtin)
            raise("KeyError", pythonRepr(name));
        const Value function = found ? *found : *builtin;
        if (std::any_of(m_patches.begin(), m_patches.end(),
                        [&, &wrapped = name, &where = globals](const Patch& p) {
                            return p.name == wrapped && p.globals.isSame(where);
                        }))
            continue;
        patch(globals, name, function);
    }
}

/// Puts a recording function in the place of the function that has this name.
void WrappedFunctions::patch(const Value& globals, const std::string& name, const Value& function) {
    const Target target(targetOfFunction(*m_tracer.evaluator(), function, name));
    replace(globals, name,
            makeNative(name, [&tracer = m_tracer, function, target](Evaluator& e, Values& args,
                                                                    NamedValues& kwargs) {
                if (!tracer.isActive() || !holdProxy(args, kwargs))
                    return e.call(function, std::move(args), std::move(kwargs));
                const Value out = tracer.createProxy(Opcode::CallFunction, target, args, kwargs);
                if (isProxy(out)) // a tracer of the source's may give anything
                    tracer.edit().setMeta(tracer.nodeOf(out), meta::kIsWrapped, MetaValue(true));
                return out;
            }));
}

void WrappedFunctions::replace(const Value& globals, const std::string& name, Value by) {
    DictObject& names = *globals.as<DictObject>();
    const Value* found = names.find(name);
    m_patches.push_back({globals, name, found ? std::optional(*found) : std::nullopt});
    names.set(name, std::move(by));
}

void WrappedFunctions::addMethod(const Value& type, const std::string& name) {
    m_methods.emplace_back(type, name);
}

void WrappedFunctions::patchMethods() {
    for (const auto& [type, name] : m_methods) {
        const ClassData& data = *type.as<ClassObject>()->data;
        const Value* found = data.isBuiltin ? nullptr : data.find(name);
        if (!found)
            continue;
        const Value method = *found;
        Value recording = makeNative(
            name, [&tracer = m_tracer, method, name = name](Evaluator& e, Values& args, NamedValues& kwargs) {
                if (!tracer.isActive() || !holdProxy(args, kwargs))
                    return e.call(method, std::move(args), std::move(kwargs));
                return tracer.createProxy(Opcode::CallMethod, name, args, kwargs);
            });
        recording.as<NativeObject>()->bindsSelf = true;
        replace(data.dict, name, std::move(recording));
    }
}

void WrappedFunctions::addModule(const Value& globals) {
    m_modules.push_back(globals);
    for (const DictObject::Entry& entry : globals.as<DictObject>()->entries())
        if (!entry.key.text().starts_with('_') && isCallable(*m_tracer.evaluator(), entry.value))
            m_functions.push_back(entry.value);
}

void WrappedFunctions::patchIn(const Value& globals) {
    if (m_functions.empty() || !m_seen.insert(globals.object().get()).second)
        return;
    std::vector<std::pair<std::string, Value>> found;
    for (const DictObject::Entry& entry : globals.as<DictObject>()->entries())
        if (!entry.key.text().starts_with('_') &&
            std::any_of(m_functions.begin(), m_functions.end(),
                        [&](const Value& function) { return function.isSame(entry.value); }))
            found.emplace_back(entry.key.text(), entry.value);
    for (const auto& [name, function] : found)
        patch(globals, name, function);
}

void WrappedFunctions::unpatch() {
    for (size_t i = m_patches.size(); i-- > 0;) {
        DictObject& names = *m_patches[i].globals.as<DictObject>();
        if (m_patches[i].original)
            names.set(m_patches[i].name, *m_patches[i].original);
        else
            names.erase(m_patches[i].name);
    }
    m_patches.clear();
}

} // namespace fx
