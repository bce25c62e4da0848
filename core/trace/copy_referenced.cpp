// SPDX-License-Identifier: GPL-3.0-or-later
// From instances of torch.nn.Module to the modules of a Model: what the graph refers to is copied, as
// GraphModule does.
#include "core/module/model.h"
#include "core/torch/host/nn_modules.h"
#include "core/torch/values/script_objects.h"
#include "core/trace/record_module.h"
#include "core/trace/recorded_hooks.h"
#include "core/trace/recorded_values.h"
#include "core/trace/script_object_module.h"
#include "core/trace/tracer.h"

#include <ATen/ATen.h>
#include <c10/util/flat_hash_map.h>

#include <algorithm>

namespace fx {

namespace {

/// What every Module has for itself.
const TextKey kBookkeeping[] = {
    "training",
    "_parameters",
    "_buffers",
    "_modules",
    "_non_persistent_buffers_set",
    "_is_full_backward_hook",
    "_backward_pre_hooks",
    "_backward_hooks",
    "_forward_hooks",
    "_forward_hooks_with_kwargs",
    "_forward_hooks_always_called",
    "_forward_pre_hooks",
    "_forward_pre_hooks_with_kwargs",
    "_state_dict_hooks",
    "_state_dict_pre_hooks",
    "_load_state_dict_pre_hooks",
    "_load_state_dict_post_hooks",
};

/// What a GraphModule has beside: its graph is recorded as one.
const TextKey kOfGraphModules[] = {
    "_graph",
    "_code",
    "_written",
    "_lineno_map",
    "_prologue_start",
    "meta",
    "_tracer_cls",
    "_tracer_extras",
    "shape_env",
    "_replace_hooks",
    "_deepcopy_hooks",
    "_in_spec",
    "_create_node_hooks",
    "_erase_node_hooks",
    "_out_spec",
};
const TextKey kGraphField("_graph");

bool isOfGraphModule(const DictObject::Entry& entry) {
    return std::any_of(std::begin(kOfGraphModules), std::end(kOfGraphModules), [&](const TextKey& own) {
        return own.hash == entry.hash && own.text == entry.key.text();
    });
}

/// Where a layer of torch.ao.nn.quantized keeps the object that it packs its weight into.
constexpr std::string_view kPackedCache = "_made";

bool isBookkeeping(const DictObject::Entry& entry) {
    const std::string& name = entry.key.text();
    return (name.starts_with('_') || name.starts_with('t')) &&
           std::any_of(std::begin(kBookkeeping), std::end(kBookkeeping),
                       [&](const TextKey& own) { return own.hash == entry.hash && own.text == name; });
}

class Copier {
public:
    Copier(Evaluator& evaluator, Edit& edit) : m_evaluator(evaluator), m_edit(edit) {}

    /// The copy of an instance with all that is in it.
    ModuleId module(const Value& instance) {
        const auto [known, isNew] = m_modules.emplace(instance.object().get(), ModuleId());
        if (!isNew)
            return known->second;
        const ClassData& data = *instance.as<InstanceObject>()->type.as<ClassObject>()->data;
        const Value* field = instance.as<InstanceObject>()->dict.as<DictObject>()->find(kGraphField);
        const std::shared_ptr<ProgramGraph>* graph = field ? graphHandle(*field) : nullptr;
        const ModuleId made = m_edit.createModule({}, graph != nullptr);
        known->second = made; // before its children: they may hold it too
        Module contents = contentsOf(instance);
        contents.type = graph ? "torch.fx.graph_module." + data.name : data.module + '.' + data.qualifiedName;
        if (graph)
            contents.graph = Graph();
        m_edit.fillModule(made, std::move(contents));
        if (hasForwardHooks(m_evaluator, *instance.as<InstanceObject>()->dict.as<DictObject>()))
            m_hooked.emplace_back(instance, made);
        if (graph)
            recordGraph(made, *graph);
        return made;
    }

    ModuleId scriptObject(const Value& object) {
        const auto [known, isNew] = m_scriptObjects.emplace(scriptObjectIdentity(object), ModuleId());
        if (!isNew)
            return known->second;
        const ModuleId made = addScriptObject(
            m_edit, object, [this](const Value& value) { return tensor(value); },
            [this](const Value& inner) { return scriptObject(inner); });
        m_keptObjects.push_back(object);
        return m_scriptObjects[scriptObjectIdentity(object)] = made;
    }

    TensorId tensor(const Value& value) {
        const at::Tensor& tensor = plainOf(value).data().toTensor();
        const auto [known, isNew] = m_tensors.emplace(tensor.unsafeGetTensorImpl(), TensorId());
        if (isNew)
            known->second = m_edit.createTensor(TensorSlot(tensor));
        return known->second;
    }

    void recordGraph(ModuleId module, const std::shared_ptr<ProgramGraph>& source) {
        source->storeMeta(m_evaluator, &m_lost);
        const ModuleId before = m_edit.module();
        m_edit.enter(module);
        m_nodes[module] = {source, copyGraph(m_edit, source->graph())};
        for (const auto& [name, value] : source->tensorArguments())
            m_edit.setTensor(name, tensor(value), TensorRole::Constant);
        m_edit.enter(before);
    }
    /// The forward hooks of all modules, once the modules that hooks refer to are there.
    void recordHooks() {
        if (m_hooked.empty())
            return;
        std::unordered_map<ModuleId, std::string> paths;
        const Model& model = m_edit.model();
        model.forEachModule(model.root(),
                            [&](ModuleId id, const std::string& path) { paths.emplace(id, path); });
        const auto pathOf = [&](const Object* instance) -> std::optional<std::string> {
            const auto known = m_modules.find(instance);
            const auto path = known == m_modules.end() ? paths.end() : paths.find(known->second);
            return path == paths.end() ? std::nullopt : std::optional(path->second);
        };
        const ModuleId before = m_edit.module();
        HookTables tables = generalHookTables(m_evaluator);
        for (const auto& [instance, id] : m_hooked)
            if (const std::optional<std::string> path = pathOf(instance.object().get()))
                tables.merge(hookTables(*instance.as<InstanceObject>()->dict.as<DictObject>(), *path));
        CapturedValues::Shared shared;
        for (const auto& [instance, id] : m_hooked) {
            m_edit.enter(id);
            CapturedValues captured(
                m_evaluator, {pathOf, tables, [&](const Value& value) { return kept(value); }}, shared);
            const DictObject& fields = *instance.as<InstanceObject>()->dict.as<DictObject>();
            for (NamedValue& hooks : recordedHooks(m_evaluator, fields, captured))
                m_edit.setValue(hooks.name, std::move(hooks.value));
        }
        m_edit.enter(before);
    }
    void known(const Value& instance, ModuleId module) { m_modules.emplace(instance.object().get(), module); }
    /// What was copied so far, by identity.
    void tell(RecordedModule& record) {
        record.nodes = std::move(m_nodes);
        record.lost = std::move(m_lost);
        for (const auto& [instance, id] : m_modules)
            record.modules.emplace(static_cast<const Object*>(instance), id);
    }

private:
    /// The name of a tensor among those of the current module, which gets it where it has it not.
    std::string kept(const Value& value) {
        const TensorId id = tensor(value);
        const Module& module = m_edit.model().module(m_edit.module());
        for (const NamedTensor& entry : module.tensors)
            if (entry.tensor == id)
                return entry.name;
        std::string name;
        for (size_t i = 0; name.empty() || module.tensor(name); ++i)
            name = "_hooked_tensor" + std::to_string(i);
        m_edit.setTensor(name, id, TensorRole::Constant);
        return name;
    }

    Module contentsOf(const Value& instance) {
        Module out;
        const SetTable* transient = nullptr;
        const DictObject& fields = *instance.as<InstanceObject>()->dict.as<DictObject>();
        const bool isGraph = fields.find(kGraphField) != nullptr;
        static const TextKey kTransient("_non_persistent_buffers_set"), kTraining("training");
        if (const Value* names = fields.find(kTransient))
            if (auto* set = plainOf(*names).as<SetObject>())
                transient = &set->table;
        const DictObject* parameters = moduleTable(instance, kParameterTable);
        const DictObject* buffers = moduleTable(instance, kBufferTable);
        out.tensors.reserve((parameters ? parameters->size() : 0) + (buffers ? buffers->size() : 0));
        const auto addTensor = [&](const Value& name, const Value& value, TensorRole role) {
            out.tensors.push_back(
                {name.text(), plainOf(value).isTensor() ? tensor(value) : TensorId(), role});
        };
        if (parameters)
            for (const auto& [key, value, hash] : parameters->entries())
                addTensor(key, value, TensorRole::Parameter);
        if (buffers)
            for (const auto& [key, value, hash] : buffers->entries())
                addTensor(key, value,
                          transient && transient->has(key) ? TensorRole::TransientBuffer
                                                           : TensorRole::Buffer);
        out.values.reserve(fields.size() - std::min(fields.size(), std::size(kBookkeeping)));
        for (const DictObject::Entry& entry : fields.entries()) {
            if (isBookkeeping(entry) || entry.key.text() == kPackedCache ||
                (isGraph && isOfGraphModule(entry)))
                continue;
            if (entry.value.isTensor())
                addTensor(entry.key, entry.value, TensorRole::Constant);
            else if (isScriptObject(entry.value))
                out.children.push_back({entry.key.text(), scriptObject(entry.value)});
            else
                out.values.push_back({entry.key.text(), recordedValue(m_evaluator, entry.value)});
        }
        if (const Value* training = fields.find(kTraining))
            out.isTraining = isTrue(*training);
        if (const DictObject* children = moduleTable(instance, kModuleTable))
            for (const auto& [key, value, hash] : children->entries())
                if (isModuleInstance(value))
                    out.children.push_back({key.text(), module(value)});
        return out;
    }

    Evaluator& m_evaluator;
    Edit& m_edit;
    ska::flat_hash_map<const void*, ModuleId> m_modules, m_scriptObjects; ///< by identity
    Values m_keptObjects; ///< those of which the address is a key
    ska::flat_hash_map<const void*, TensorId> m_tensors;
    std::vector<std::pair<Value, ModuleId>> m_hooked; ///< instances with forward hooks
    std::unordered_map<ModuleId, RecordedModule::Nodes> m_nodes;
    std::vector<std::string> m_lost;
};

/// Follows dotted paths from the root, through modules, parameters, buffers and plain attributes.
class PathFollower {
public:
    PathFollower(Evaluator& evaluator, const Value& root)
        : m_evaluator(evaluator), m_root(root), m_owner(root) {}

    /// The path's text must outlive the follower.
    std::optional<Value> follow(std::string_view path) {
        const size_t dot = path.rfind('.');
        const std::string_view owner =
            dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
        if (owner != m_ownerPath) { // what comes one after the other is mostly of one owner
            m_owner = owner.empty() ? std::optional(m_root) : follow(owner);
            m_ownerPath = owner;
        }
        return m_owner ? member(*m_owner, path.substr(dot + 1)) : std::nullopt;
    }

private:
    std::optional<Value> member(const Value& owner, std::string_view name) {
        const TextKey key(name);
        for (const TextKey& table : {kModuleTable, kParameterTable, kBufferTable})
            if (const DictObject* entries = moduleTable(owner, table))
                if (const Value* found = entries->find(key))
                    return *found;
        return m_evaluator.findAttribute(owner, std::string(name));
    }

    Evaluator& m_evaluator;
    const Value& m_root;
    std::string_view m_ownerPath;
    std::optional<Value> m_owner;
};

/// What the graph refers to, in its order; of code that is read back all that the module holds comes before.
std::vector<std::string_view> copiedPaths(const Graph& graph, const Value& root, bool areAllKept) {
    std::vector<std::string_view> paths;
    if (areAllKept)
        for (const TextKey& table : {kModuleTable, kBufferTable, kParameterTable})
            if (const DictObject* entries = moduleTable(root, table))
                for (const DictObject::Entry& entry : entries->entries())
                    paths.push_back(entry.key.text());
    for (const Node& node : graph)
        if (node.opcode == Opcode::GetAttr || node.opcode == Opcode::CallModule)
            paths.push_back(node.target.name());
    return paths;
}

} // namespace

static void copyReferenced(Copier& copier, Evaluator& evaluator, Edit& edit, const Value& root,
                           const std::vector<std::pair<std::string, Value>>& constants, bool areAllKept) {
    PathFollower follower(evaluator, root);
    const auto constant = [&](std::string_view path) -> const Value* {
        for (const auto& [name, value] : constants)
            if (name == path)
                return &value;
        return nullptr;
    };
    for (std::string_view path : copiedPaths(edit.graph(), root, areAllKept)) {
        // A container that stands there because of `linear.weight` gives way to `linear`.
        const Attribute known = edit.model().resolve(edit.model().root(), path);
        if (known && !(known.module && edit.model().module(known.module).type == kPlainModule))
            continue;
        const Value* own = constant(path);
        const std::optional<Value> found = own ? std::optional(*own) : follower.follow(path);
        if (!found)
            continue;
        // The containers on the way keep no more than their place.
        if (isModuleInstance(*found))
            edit.addSubmodule(path, copier.module(*found));
        else if (isScriptObject(*found))
            edit.addSubmodule(path, copier.scriptObject(*found));
        else if (plainOf(*found).isTensor())
            edit.setTensor(path, copier.tensor(*found),
                           isParameter(*found) ? TensorRole::Parameter : TensorRole::Buffer);
    }
    copier.recordHooks();
    if (root.as<InstanceObject>())
        if (const Value* training = root.as<InstanceObject>()->dict.as<DictObject>()->find("training"))
            edit.setTraining(isTrue(*training));
}

void copyReferenced(Evaluator& evaluator, Edit& edit, const Value& root,
                    const std::vector<std::pair<std::string, Value>>& constants, bool areAllKept) {
    Copier copier(evaluator, edit);
    copyReferenced(copier, evaluator, edit, root, constants, areAllKept);
}

NodeMap copyGraph(Edit& edit, const Graph& source) {
    edit.fillGraph(source);
    NodeMap nodes;
    nodes.reserve(source.size());
    for (const Node& node : source)
        nodes[node.id] = node.id;
    return nodes;
}

bool isGraphModule(Evaluator& evaluator, const Value& value) {
    return isModuleInstance(value) &&
           evaluator.isInstance(value, classOfFx(evaluator, "torch.fx.graph_module", "GraphModule"));
}

RecordedModule recordModule(Evaluator& evaluator, const Value& graphModule) {
    const Value* field = isModuleInstance(graphModule)
                             ? graphModule.as<InstanceObject>()->dict.as<DictObject>()->find(kGraphField)
                             : nullptr;
    const std::shared_ptr<ProgramGraph>* graph = field ? graphHandle(*field) : nullptr;
    if (!graph)
        raise("TypeError", "expected a GraphModule, not " + typeName(graphModule));
    RecordedModule out;
    out.model = Model(graphModule.as<InstanceObject>()->type.as<ClassObject>()->data->name);
    Edit edit(out.model, Edit::WithoutHistory());
    Copier copier(evaluator, edit);
    copier.known(graphModule, out.model.root());
    copier.recordGraph(out.model.root(), *graph);
    copyReferenced(copier, evaluator, edit, graphModule, {}, true);
    edit.finish();
    copier.tell(out);
    return out;
}

} // namespace fx
