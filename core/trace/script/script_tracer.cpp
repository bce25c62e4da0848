// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/script/script_tracer.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/module/scopes.h"
#include "core/torch/values/script_objects.h"
#include "core/trace/script/script_values.h"

#include <ATen/ATen.h>
#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>

namespace fx {

std::string ScriptTracer::typeOf(const torch::jit::Module& module) {
    return demangled(module.type()->name() ? module.type()->name()->qualifiedName() : "Module");
}

ScriptTracer::ScriptTracer(torch::jit::Module root)
    : Tracer(nullptr, shortTypeName(typeOf(root))), m_root(std::move(root)) {
    findPaths(m_root, "");
}

ScriptTracer::TensorKey ScriptTracer::keyOf(const at::Tensor& tensor) {
    if (!tensor.defined() || !tensor.has_storage() || tensor.layout() != c10::kStrided)
        return {
            tensor.defined() ? tensor.unsafeGetTensorImpl() : nullptr, 0, {}, {}, c10::ScalarType::Undefined};
    return {tensor.numel() == 0 ? static_cast<const void*>(tensor.unsafeGetTensorImpl())
                                : tensor.storage().unsafeGetStorageImpl(),
            tensor.storage_offset(), tensor.sizes().vec(), tensor.strides().vec(), tensor.scalar_type()};
}

void ScriptTracer::findPaths(const torch::jit::Module& module, const std::string& path) {
    constexpr size_t kMostModules = 200'000;
    if (m_paths.size() > kMostModules)
        throw Error("", "has more than " + std::to_string(kMostModules) + " modules");
    if (!m_paths.try_emplace(module._ivalue().get(), path).second)
        return;
    const std::string prefix = path.empty() ? "" : path + '.';
    const c10::ClassTypePtr type = module.type();
    for (size_t i = 0; i < type->numAttributes(); ++i) {
        const c10::IValue& value = module._ivalue()->getSlot(i);
        const std::string name = prefix + type->getAttributeName(i);
        if (value.isTensor() && value.toTensor().defined())
            (type->is_parameter(i) ? m_parameters : m_buffers).try_emplace(keyOf(value.toTensor()), name);
        else if (value.isModule())
            findPaths(value.toModule(), name);
        else if (value.isCustomClass())
            m_objects.try_emplace(scriptObjectIdentity(value), name);
    }
}

std::string ScriptTracer::pathOf(const torch::jit::Module& module) const {
    const auto found = m_paths.find(module._ivalue().get());
    if (found == m_paths.end())
        raise("NameError", "module is not installed as a submodule");
    return found->second;
}

std::optional<torch::jit::Module> ScriptTracer::moduleAt(const std::string& path) const {
    torch::jit::Module at = m_root;
    for (const std::string_view name : split(path, '.')) {
        if (!at.hasattr(std::string(name)) || !at.attr(std::string(name)).isModule())
            return std::nullopt;
        at = at.attr(std::string(name)).toModule();
    }
    return at;
}

bool ScriptTracer::isLeaf(const std::string& type, const std::string& path) const {
    if (m_areNoneLeaves || isInBody()) // the graph of a body has no modules
        return false;
    const bool isNamed = std::any_of(m_leafTypes.begin(), m_leafTypes.end(), [&](const std::string& leaf) {
        return leaf == type || type.ends_with('.' + leaf) || leaf == path;
    });
    const bool isQuantized = contains(type, ".quantized."); // which keeps packed weights alone
    const bool isTorch = !isQuantized && (type.starts_with("torch.nn") || type.starts_with("torch.ao.nn"));
    return isNamed || (isTorch && shortTypeName(type) != "Sequential");
}

bool ScriptTracer::isOfModel(const at::Tensor& tensor) const {
    const TensorKey key = keyOf(tensor);
    return m_parameters.contains(key) || m_buffers.contains(key);
}

NodeId ScriptTracer::getAttr(const std::string& path) {
    const NodeId first = graph().nextId();
    const NodeId node = createNode(Opcode::GetAttr, path, {}, {});
    stamp(first);
    setErasable(node);
    return node;
}

Value ScriptTracer::readAttribute(const at::Tensor& tensor) {
    const auto found = m_parameters.find(keyOf(tensor));
    if (found == m_parameters.end())
        return c10::IValue(tensor);
    const auto [read, isNew] = m_parameterReads.try_emplace(found->second);
    if (isNew) {
        read->second = proxyOf(getAttr(found->second));
        read->second.as<ProxyObject>()->concrete = c10::IValue(tensor);
    }
    return read->second;
}

Argument ScriptTracer::tensorArgument(const at::Tensor& tensor) {
    if (!tensor.defined())
        return NoneValue();
    const TensorKey key = keyOf(tensor);
    if (m_parameters.contains(key))
        return nodeOf(readAttribute(tensor));
    if (const auto found = m_buffers.find(key); found != m_buffers.end())
        return getAttr(found->second);
    if (tensor.has_storage() && m_materialized.contains(tensor.storage().unsafeGetStorageImpl()))
        return nodeOf(materialize(tensor));
    const bool isFixed = m_programTensors.contains(key);
    const auto [path, isNew] = m_constantPaths.try_emplace({tensor.unsafeGetTensorImpl(), tensor._version()});
    if (isNew) {
        std::string name;
        for (size_t number = m_constants.size();; ++number) {
            name = "_tensor_constant" + std::to_string(number);
            if (!m_root.hasattr(name))
                break;
        }
        path->second = name;
        // What the program still may change is kept as it is now.
        m_constants.emplace_back(name, isFixed ? tensor : tensor.clone());
        m_kept.push_back(tensor);
    }
    return getAttr(path->second);
}

Value ScriptTracer::materialize(const at::Tensor& tensor) {
    const void* memory = tensor.storage().unsafeGetStorageImpl();
    if (const auto known = m_materialized.find(memory); known != m_materialized.end()) {
        const auto& [first, value] = known->second;
        if (first.sizes() == tensor.sizes() && first.strides() == tensor.strides() &&
            first.storage_offset() == tensor.storage_offset())
            return value;
        const auto list = [](c10::IntArrayRef numbers) {
            Values items;
            for (const int64_t number : numbers)
                items.push_back(makeInt(number));
            return makeTuple(std::move(items));
        };
        return record(Opcode::CallMethod, "as_strided",
                      {value, list(tensor.sizes()), list(tensor.strides()),
                       makeInt(tensor.storage_offset() - first.storage_offset())});
    }
    const c10::Storage& storage = tensor.storage();
    const auto whole = static_cast<int64_t>(storage.nbytes() / tensor.itemsize());
    const bool isPart = tensor.storage_offset() != 0 || tensor.numel() < whole;
    // Of a part, all of its memory, as others may read the rest.
    const at::Tensor all = isPart ? at::empty({0}, tensor.options()).set_(storage, 0, {whole}, {1}) : tensor;
    const Value copy = record(Opcode::CallMethod, "clone", {proxyOf(tensorArgument(all).node())});
    m_materialized[memory] = {all, copy};
    return isPart ? materialize(tensor) : copy;
}

void ScriptTracer::forgetMaterialized(
    const std::function<bool(NodeId node, const at::Tensor&)>& isForgotten) {
    std::erase_if(m_materialized, [&](const auto& entry) {
        const auto& [tensor, value] = entry.second;
        return isForgotten(nodeOf(value), tensor);
    });
}

bool ScriptTracer::staysOutside(NodeId node) const {
    return (graph().node(node).opcode == Opcode::GetAttr && !m_graphs.contains(node)) ||
           std::ranges::any_of(m_materialized, [&](const auto& entry) {
               return entry.second.second.template as<ProxyObject>()->node == node;
           });
}

NodeId ScriptTracer::readGraph(ModuleId module, const std::string& kind) {
    std::string name;
    do
        name = kind + '_' + std::to_string(m_graphCounts.back()[kind]++);
    while (!isInBody() && m_root.hasattr(name));
    const NodeId first = graph().nextId();
    const NodeId node = createNode(Opcode::GetAttr, name, {}, {});
    stamp(first);
    m_graphs[node] = module;
    return node;
}

std::optional<ModuleId> ScriptTracer::graphReadBy(NodeId node) const {
    const auto found = m_graphs.find(node);
    return found == m_graphs.end() ? std::nullopt : std::optional(found->second);
}

Argument ScriptTracer::createArg(const Value& value) {
    if (value.isTensor())
        return tensorArgument(value.data().toTensor());
    if (value.isData() && value.data().isObject() && value.data().toObjectRef().type()->is_module())
        return getAttr(pathOf(value.data().toModule()));
    if (value.isData() && value.data().isCustomClass()) {
        const auto [known, isNew] = m_objects.try_emplace(scriptObjectIdentity(value));
        if (isNew) { // of a frozen program's code
            known->second = "_object_constant" + std::to_string(m_objectConstants.size());
            m_objectConstants.emplace_back(known->second, value);
        }
        return getAttr(known->second);
    }
    if (value.isData() && value.data().isEnum()) {
        const auto holder = value.data().toEnumHolder();
        return EnumValue{demangled(holder->qualifiedClassName()), holder->name()};
    }
    if (value.as<InstanceObject>())
        fail("NotImplementedError", "an instance of a class of the program cannot be part of a graph");
    return Tracer::createArg(value);
}

Value ScriptTracer::record(Opcode opcode, Target target, const Values& args, const NamedValues& kwargs) {
    constexpr int32_t kMostNodes = 500'000;
    const NodeId first = graph().nextId();
    if (first.value > kMostNodes)
        fail("", "the program makes more than " + countText(kMostNodes) + " nodes");
    const Value out = createProxy(opcode, target, args, kwargs);
    stamp(first);
    return out;
}

Value ScriptTracer::recordPlaceholder(const std::string& name, const Values& defaults) {
    return createProxy(Opcode::Placeholder, name, defaults, {});
}

void ScriptTracer::recordOutput(const Value& result) {
    const Argument returned = createArg(result);
    createNode(Opcode::Output, "output", {returned}, {});
}

void ScriptTracer::stamp(NodeId first) {
    const std::optional<std::string> text = trace();
    for (NodeId id = first; id.value < graph().nextId().value; ++id.value) {
        if (graph().node(id).meta.find(meta::kStackTrace))
            continue;
        if (!m_modules.empty())
            edit().setMeta(id, meta::kModuleStack, MetaValue(m_modules));
        if (text)
            edit().setMeta(id, meta::kStackTrace, MetaValue(*text));
    }
}

const ScriptPlace& ScriptTracer::placeOfNode(const torch::jit::Node& node) {
    const auto [place, isNew] = m_knownPlaces.try_emplace(&node);
    if (isNew)
        place->second = placeOf(node);
    return place->second;
}

std::optional<std::string> ScriptTracer::trace() {
    constexpr size_t kMostFrames = 12;
    std::string out;
    for (size_t i = m_places.size() > kMostFrames ? m_places.size() - kMostFrames : 0; i < m_places.size();
         ++i) {
        const ScriptPlace& place = placeOfNode(*m_places[i].node);
        if (place.file.empty() || place.isBuiltinHelper())
            continue;
        out += "  File \"" + place.file + "\", line " + std::to_string(place.line) + ", in " +
               m_places[i].function + '\n';
        if (place.lineText.empty())
            continue;
        out += "    " + place.lineText + '\n';
        const size_t column =
            place.text.empty() || place.before.empty()
                ? std::string::npos
                : place.lineText.find(place.text.substr(0, place.text.find('\n')), place.before.size());
        if (column != std::string::npos)
            out += "    " + std::string(column, ' ') + "^\n";
    }
    return out.empty() ? std::nullopt : std::optional(out);
}

ScriptPlace ScriptTracer::currentPlace() {
    for (size_t i = m_places.size(); i-- > 0;)
        if (const ScriptPlace& place = placeOfNode(*m_places[i].node);
            !place.file.empty() && !place.isBuiltinHelper())
            return place;
    return {};
}

std::string ScriptTracer::currentModule() const {
    return m_modules.empty() ? std::string() : m_modules.back().path + " (" + m_modules.back().type + ')';
}

void ScriptTracer::fail(const std::string& kind, const std::string& message, const std::string& advice) {
    const ScriptPlace place = currentPlace();
    std::string text = message;
    if (!place.lineText.empty())
        text += "\n    " + place.lineText;
    Error error(place.name(), text);
    if (!kind.empty())
        error = Error(place.name(), text).kind(kind);
    std::vector<std::string> hints;
    if (const std::string module = currentModule(); !module.empty())
        hints.push_back("in module " + module);
    if (!advice.empty())
        hints.push_back(advice);
    if (hints.empty())
        throw error;
    throw std::move(error).hint(join(hints, "\n"));
}

ScriptTracer::ModuleScope::ModuleScope(ScriptTracer& tracer, const torch::jit::Module& module)
    : m_tracer(tracer) {
    const std::string path = tracer.pathOf(module);
    int& calls = tracer.m_calls[path];
    const std::string key = calls > 0 ? path + '@' + std::to_string(calls) : path;
    ++calls;
    tracer.m_modules.push_back({key, path, typeOf(module)});
}

void ScriptTracer::removeUnread() {
    for (auto at = m_erasable.rbegin(); at != m_erasable.rend(); ++at)
        if (graph().contains(*at) && graph().node(*at).users.empty())
            edit().eraseNode(*at);
}

} // namespace fx
