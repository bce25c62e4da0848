// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/userpasses/program_module.h"

#include "core/base/error.h"
#include "core/module/become.h"
#include "core/torch/bind/meta_fallback.h"
#include "core/torch/host/nn_modules.h"

#include <ATen/ATen.h>

namespace fx {

namespace {

std::string lastPart(const std::string& type) {
    return type.substr(type.rfind('.') + 1);
}

bool isTrainable(const at::Tensor& tensor) {
    return tensor.is_floating_point() || tensor.is_complex();
}

} // namespace

at::Tensor ProgramModule::copyOf(const TensorSlot& slot) {
    try {
        return slot.value().detach().clone();
    } catch (const Error& error) {
        // As of the text of a graph, which a pass may change all the same.
        if (m_warning.empty())
            m_warning = "the pass is given tensors without data: " + std::string(error.what());
        supportMeta();
        return withoutData(slot.meta());
    }
}

ProgramModule::ProgramModule(Evaluator& evaluator, TracingHost& tracing, SourceModules& sources,
                             const Model& model, ModuleId root, bool hidesStackTraces)
    : m_evaluator(evaluator), m_tracing(tracing), m_model(model), m_hidesStackTraces(hidesStackTraces) {
    std::unordered_map<TensorId, at::Tensor> copies;
    m_instances.emplace(
        model, evaluator, sources,
        ModuleInstances::Parts{
            [this, copies](TensorId id, TensorRole) mutable {
                at::Tensor& copy = copies[id];
                if (!copy.defined()) {
                    const TensorSlot& slot = m_model.tensor(id);
                    copy = copyOf(slot);
                    if (slot.meta().requiresGrad && isTrainable(copy))
                        copy.set_requires_grad(true);
                    m_given[copy.unsafeGetTensorImpl()] = {static_cast<int64_t>(copy._version()),
                                                           copy.const_data_ptr(), describe(copy)};
                }
                return copy;
            },
            [](ModuleId) -> Value {
                throw Error("", "a model with objects of torch.classes cannot be given to a Python pass");
            },
            [this](ModuleId module) { return makeGraphModule(module); }});
    m_value = m_instances->of(root);
    moveTensorArguments();
    const std::optional<Value> adopt = evaluator.modules().libraryClass("torch.fx._apply.adopt");
    for (const auto& [module, instance] : m_instances->all())
        if (const auto graph = m_graphs.find(module); graph != m_graphs.end())
            evaluator.call(*adopt, {instance, graph->second.first->graphObject(evaluator),
                                    makeText(lastPart(model.module(module).type)),
                                    c10::IValue(model.module(module).isTraining)});
    m_before = recordModule(evaluator, m_value);
}

Value ProgramModule::makeGraphModule(ModuleId module) {
    const Graph& source = m_model.graph(module);
    const std::shared_ptr<ProgramGraph> graph = m_tracing.graphs().makeGraph();
    graph->setHidesStackTraces(m_hidesStackTraces);
    graph->setOpened({&m_model, module});
    NodeMap nodes = copyGraph(graph->edit(), source);
    m_graphs[module] = {graph, std::move(nodes)};
    const Value type = classOfFx(m_evaluator, "torch.fx.graph_module", "GraphModule");
    return m_evaluator.call(m_evaluator.attribute(type, "__new__"), {type});
}

void ProgramModule::moveTensorArguments() {
    const Value* root = m_instances->known(m_model.root());
    std::vector<std::pair<DictObject*, std::string>> moved;
    for (const auto& [module, entry] : m_graphs) {
        ProgramGraph& graph = *entry.first;
        for (const OpaqueValue* opaque : graph.namedTensors())
            for (const Value* instance :
                 {m_instances->known(module), root}) { // the root has those of a partition
                auto* fields = instance ? instance->as<InstanceObject>()->dict.as<DictObject>() : nullptr;
                const Value* tensor = fields ? fields->find(makeText(opaque->attribute)) : nullptr;
                if (!tensor)
                    continue;
                const bool isParameter = opaque->text.starts_with("Parameter containing");
                graph.setTensorArgument(opaque->attribute,
                                        isParameter ? makeParameter(m_evaluator, tensor->data().toTensor())
                                                    : *tensor);
                moved.emplace_back(fields, opaque->attribute);
                break;
            }
    }
    for (const auto& [fields, name] : moved)
        fields->erase(name);
}

std::vector<std::string> ProgramModule::commit(Edit& edit, const Value& result) {
    RecordedModule after = recordModule(m_evaluator, result);
    CopiedModel copied{m_before.model, after.model, {}, {}, {}};
    std::unordered_map<const ProgramGraph*, NodeMap> origins; // the model's nodes by the program's
    for (const auto& [module, entry] : m_graphs)
        for (const auto& [own, mine] : entry.second)
            origins[entry.first.get()][mine] = own;
    for (const auto& [own, instance] : m_instances->all()) {
        const Object* object = instance.object().get();
        const auto before = m_before.modules.find(object), now = after.modules.find(object);
        if (before != m_before.modules.end() && now != after.modules.end())
            copied.modules[now->second] = {before->second, own};
    }
    // Another GraphModule takes the place of the one that was given.
    copied.modules[after.model.root()] = {m_before.model.root(), edit.model().root()};
    for (const auto& [module, nodes] : after.nodes)
        if (const auto origin = origins.find(nodes.source.get()); origin != origins.end())
            for (const auto& [program, now] : nodes.copies)
                if (const auto own = origin->second.find(program); own != origin->second.end())
                    copied.nodes[module][now] = own->second;
    copied.isSameTensor = [&](TensorId before, TensorId now) {
        const at::Tensor was = m_before.model.tensor(before).value(), is = after.model.tensor(now).value();
        const auto given = m_given.find(is.unsafeGetTensorImpl());
        return was.is_same(is) && given != m_given.end() &&
               given->second.version == static_cast<int64_t>(is._version()) &&
               given->second.data == is.const_data_ptr() && given->second.meta == describe(is);
    };
    become(edit, copied);
    return std::move(after.lost);
}

} // namespace fx
