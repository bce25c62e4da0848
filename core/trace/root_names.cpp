// SPDX-License-Identifier: GPL-3.0-or-later
// What the modules and tensors of the root are called, and the names that constants get.
#include "core/base/text.h"
#include "core/python/set_attributes.h"
#include "core/torch/values/generators.h"
#include "core/torch/values/script_objects.h"
#include "core/trace/tracer.h"
#include "core/trace/tracing_host.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <unordered_set>

namespace fx {

namespace {

/// Of a tensor, or of an object of torch.classes.
const void* tensorIdentity(const Value& tensor) {
    if (plainOf(tensor).isTensor())
        return plainOf(tensor).data().toTensor().unsafeGetTensorImpl();
    return scriptObjectIdentity(tensor);
}

/// Calls `visit` with each module and its path, in the order of named_modules(): depth first. What is in a
/// module for which it says no is left out.
void namedModules(const Value& root, const std::function<bool(const Value&, const std::string&)>& visit) {
    const std::function<void(const Value&, const std::string&)> walk = [&](const Value& module,
                                                                           const std::string& path) {
        const DictObject* children = visit(module, path) ? moduleTable(module, kModuleTable) : nullptr;
        if (!children)
            return;
        for (const auto& [key, value, hash] : children->entries())
            if (value.as<InstanceObject>())
                walk(value, path.empty() ? key.text() : path + '.' + key.text());
    };
    walk(root, {});
}

} // namespace

void Tracer::setRoot(const Value& root) {
    m_root = root;
    m_modulePaths.clear();
    m_parameters.clear();
    m_buffers.clear();
    if (!root.as<InstanceObject>())
        return;
    namedModules(root, [&](const Value& module, const std::string& path) {
        return m_modulePaths.try_emplace(module.object().get(), path).second;
    });
    collectTensors(root);
}

/// Plain tensors by their last path: a module that hangs in two places is visited twice, its twin beside it
/// is not.
void Tracer::collectTensors(const Value& root) {
    std::vector<std::string_view> names;
    const std::function<void(const Value&)> collect = [&](const Value& module) {
        constexpr size_t kDeepest = 200;
        if (names.size() > kDeepest)
            raise("RecursionError", "maximum recursion depth exceeded");
        for (const auto& [key, value, hash] : module.as<InstanceObject>()->dict.as<DictObject>()->entries())
            if (value.isTensor() || (isScriptObject(value) && !isGenerator(value))) {
                names.push_back(key.text());
                m_tensors[tensorIdentity(value)] = join(names, ".");
                names.pop_back();
            }
        std::unordered_set<const Object*> seen;
        if (const DictObject* children = moduleTable(module, kModuleTable))
            for (const auto& [key, value, hash] : children->entries())
                if (value.as<InstanceObject>() && seen.insert(value.object().get()).second) {
                    names.push_back(key.text());
                    collect(value);
                    names.pop_back();
                }
    };
    collect(root);
}

const std::string* Tracer::registeredPath(const Value& tensor, const TextKey& table) {
    auto& paths = table.text == kParameterTable.text ? m_parameters : m_buffers;
    if (const auto known = paths.find(tensorIdentity(tensor)); known != paths.end())
        return &known->second;
    if (!m_root.as<InstanceObject>())
        return nullptr;
    // Not read yet, or registered while tracing.
    paths.clear();
    std::unordered_set<const Object*> seen;
    namedModules(m_root, [&](const Value& module, const std::string& path) {
        if (!seen.insert(module.object().get()).second)
            return false;
        if (const DictObject* tensors = moduleTable(module, table))
            for (const auto& [key, value, hash] : tensors->entries())
                if (plainOf(value).isTensor())
                    paths.try_emplace(tensorIdentity(value),
                                      path.empty() ? key.text() : path + '.' + key.text());
        return true;
    });
    const auto known = paths.find(tensorIdentity(tensor));
    return known == paths.end() ? nullptr : &known->second;
}

std::vector<std::pair<std::string, Value>> Tracer::constantsAndReplaced() const {
    std::vector<std::pair<std::string, Value>> out = m_constants;
    const auto heldAt = [&](std::string_view path) -> std::optional<Value> {
        std::optional<Value> at = m_root;
        for (const std::string_view name : split(path, '.')) {
            if (!at || !at->as<InstanceObject>())
                return std::nullopt;
            std::optional<Value> found;
            for (const TextKey& table : {kModuleTable, kParameterTable, kBufferTable})
                if (const DictObject* entries = moduleTable(*at, table))
                    if (const Value* entry = entries->find(name))
                        found = *entry;
            const Value* field = at->as<InstanceObject>()->dict.as<DictObject>()->find(name);
            at = found || !field ? found : std::optional(*field);
        }
        return at;
    };
    for (const auto& [path, value] : m_readTensors)
        if (const std::optional<Value> held = heldAt(path); held && holdsProxy(*held))
            out.emplace_back(path, value);
    return out;
}

std::string Tracer::constantPath(const Value& value) {
    const auto [entry, isNew] = m_tensors.try_emplace(tensorIdentity(value));
    if (!isNew)
        return entry->second;
    std::string name = addConstant(plainOf(value).isTensor() ? "_tensor_constant"
                                   : isGenerator(value)      ? "_opaque_obj"
                                                             : "_torchbind_obj",
                                   value);
    m_tensors[tensorIdentity(value)] = name; // as the program may have traced more meanwhile
    return name;
}

std::string Tracer::addConstant(const std::string& base, const Value& value) {
    std::string name = freshName(base);
    m_constants.emplace_back(name, value);
    if (m_isAppending)
        setAttribute(*m_evaluator, m_root, name, value);
    return name;
}

std::string Tracer::freshName(const std::string& prefix) {
    const auto isTaken = [&](const std::string& name) {
        if (std::ranges::any_of(m_constants, [&](const auto& c) { return c.first == name; }))
            return true;
        return m_root.as<InstanceObject>() && m_evaluator->findAttribute(m_root, name).has_value();
    };
    // The names before have all been given by this tracer, unless the root has some itself.
    size_t number = 0;
    while (isTaken(prefix + std::to_string(number)))
        ++number;
    return prefix + std::to_string(number);
}

} // namespace fx
