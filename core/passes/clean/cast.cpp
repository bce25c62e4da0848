// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/clean/cast.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/shape_prop.h"
#include "core/interpret/written_tensors.h"
#include "core/ir/dtype.h"
#include "core/passes/clean/call_names.h"
#include "core/passes/clean/effects.h"
#include "core/passes/clean/lazy_tensor.h"
#include "core/passes/clean/sensitive_calls.h"
#include "core/passes/pass_options.h"
#include "core/passes/pass_runner.h"
#include "core/passes/run_progress.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <map>
#include <set>

namespace fx {

namespace {

/// What each node of the graph gives: as recorded, or by a run.
class KnownValues {
public:
    KnownValues(const Edit& edit, PassContext& context) : m_graph(edit.graph()) {
        const bool isRecorded = std::all_of(m_graph.begin(), m_graph.end(), [](const Node& node) {
            return node.opcode == Opcode::Output || node.opcode == Opcode::GetAttr || knownValue(node.meta);
        });
        if (isRecorded)
            return;
        if (!context.inputs)
            throw Error("",
                        "the dtypes of the graph are not recorded, and there are no inputs to run it with")
                .hint("run shape-prop first");
        RunProgress progress(context.progress, m_graph.size());
        const auto run = std::make_shared<RunContext>(edit.model(), context.settings);
        run->observers = {&m_shapes, &progress};
        Interpreter(run, edit.module()).run(context.inputs(edit.model()));
        m_module = edit.module();
    }

    const ValueMeta* of(NodeId node) const {
        const auto found = m_shapes.shapes().find({m_module, node});
        return found != m_shapes.shapes().end() ? &found->second : knownValue(m_graph.node(node).meta);
    }

private:
    const Graph& m_graph;
    ModuleId m_module;
    ShapeObserver m_shapes;
};

class Caster {
public:
    Caster(Edit& edit, const PassOptions& options, PassContext& context)
        : m_edit(edit), m_context(context), m_effects(edit.model(), edit.module()), m_reads(edit.model()),
          m_values(edit, context), m_dtype(*dtypeFromName(options.text("dtype"))),
          m_castsOutputs(!options.flag("low-outputs")), m_isAten(isOfOperators(edit.graph())) {
        for (const NodeId node : options.nodes("keep", edit.graph()))
            m_kept.insert(node);
        for (const NodeId node : options.nodes("cast", edit.graph()))
            m_forced.insert(node);
    }

    void run() {
        std::vector<NodeId> nodes;
        for (const Node& node : m_edit.graph())
            nodes.push_back(node.id);
        for (const NodeId node : nodes) {
            if (givesFloat(node))
                m_floats.insert(node);
            if (isKept(m_edit.node(node)))
                m_kept.insert(node);
        }
        chooseTensors(nodes);
        for (const NodeId node : nodes)
            visit(node);
        report();
    }

private:
    bool isFloat(NodeId node) const { return m_floats.contains(node); }

    bool givesFloat(NodeId node) const {
        const ValueMeta* value = m_values.of(node);
        const auto* tensor = value ? std::get_if<TensorMeta>(&value->value) : nullptr;
        if (tensor)
            return tensor->dtype == c10::kFloat;
        const TensorSlot* read = tensorRead(m_edit.model(), m_edit.module(), node);
        return read && read->meta().dtype == c10::kFloat;
    }

    bool isKept(const Node& node) const {
        if (m_kept.contains(node.id))
            return true;
        if (m_forced.contains(node.id))
            return false;
        const Module* module = calledModule(m_edit.model(), m_edit.module(), node);
        if (module && (module->graph || !module->type.starts_with("torch.nn.modules.")))
            return true; // what it does is not known
        return m_dtype != c10::kDouble && isSensitive(module, node);
    }

    /// The model's tensors that are of the other dtype from now on: those that nothing reads as they are.
    void chooseTensors(const std::vector<NodeId>& nodes) {
        std::unordered_set<ModuleId> low, full;
        std::map<std::pair<ModuleId, std::string>, bool> isLow;
        for (const NodeId id : nodes) {
            const Node& node = m_edit.node(id);
            if (node.opcode == Opcode::CallModule) {
                const ModuleId callee = m_edit.model().resolve(m_edit.module(), node.target.name()).module;
                if (callee)
                    (m_kept.contains(id) ? full : low).insert(callee);
            }
            const auto entry = entryRead(m_edit.model(), m_edit.module(), id);
            if (!entry)
                continue;
            const bool isPlain =
                isFloat(id) && !m_effects.isWritten(id) && !m_reads.isInCalled(entry->owner) &&
                std::ranges::none_of(node.users.toVector(), [&](NodeId user) {
                    return m_kept.contains(user) || m_edit.node(user).opcode == Opcode::Output;
                });
            const auto [at, isNew] = isLow.try_emplace({entry->owner, entry->name.name()}, isPlain);
            at->second = at->second && isPlain;
            m_entryOf.emplace(id, std::pair(entry->owner, entry->name.name()));
        }
        for (const auto& [node, entry] : m_entryOf)
            if (isLow.at(entry)) {
                convert(m_edit.node(node).target.name());
                m_low.insert(node);
            }
        for (const NodeId id : nodes) {
            const Node& node = m_edit.node(id);
            const ModuleId callee = node.opcode == Opcode::CallModule
                                        ? m_edit.model().resolve(m_edit.module(), node.target.name()).module
                                        : ModuleId();
            if (!callee || !low.contains(callee))
                continue;
            // Called both ways, or read by the graph itself, it stays as it is.
            if (full.contains(callee) || isReadInside(callee)) {
                m_kept.insert(id);
                continue;
            }
            const std::string path = node.target.name();
            std::vector<std::string> tensors;
            m_edit.model().forEachModule(callee, [&](ModuleId below, const std::string& rest) {
                for (const NamedTensor& entry : m_edit.model().module(below).tensors)
                    if (entry.tensor)
                        tensors.push_back(path + (rest.empty() ? "." : '.' + rest + '.') + entry.name);
            });
            for (const std::string& tensor : tensors)
                convert(tensor);
        }
    }

    bool isReadInside(ModuleId module) const {
        return std::ranges::any_of(m_entryOf, [&](const auto& read) { return read.second.first == module; });
    }

    void convert(const std::string& path) {
        const auto entry = tensorEntry(m_edit.model(), m_edit.module(), path);
        const TensorSlot old = m_edit.model().tensor(entry->tensor);
        if (old.meta().dtype != c10::kFloat)
            return;
        const auto [at, isNew] = m_made.try_emplace(entry->tensor);
        if (isNew)
            at->second = m_edit.createTensor(
                lazyTensors({old}, [dtype = m_dtype](const std::vector<at::Tensor>& given) {
                    return std::vector<at::Tensor>{
                        given[0].to(dtype).detach().set_requires_grad(given[0].requires_grad())};
                })[0]);
        m_edit.setTensor(path, at->second, entry->role);
        ++m_tensors;
    }

    void visit(NodeId id) {
        const Node& node = m_edit.node(id);
        if (node.opcode == Opcode::Placeholder || node.opcode == Opcode::GetAttr)
            return note(id);
        if (node.opcode == Opcode::Output) {
            if (m_castsOutputs)
                castInputs(id, false);
            return;
        }
        if (node.target.name() == "operator.getitem" && !node.inputs.empty() &&
            !isFloat(node.inputs[0].node)) {
            if (m_low.contains(node.inputs[0].node))
                m_low.insert(id);
            return note(id);
        }
        bool isLow = !m_kept.contains(id);
        // What is written into must be the value itself, not a cast of it.
        for (const NodeId written : m_effects.writtenBy(node))
            if (isFloat(written))
                isLow = m_low.contains(written);
        castInputs(id, isLow);
        if (isLow && givesLow(m_edit.node(id)))
            m_low.insert(id);
        note(id);
    }

    /// Whether the result is of the dtype of what the call is given, and not of one that it names itself.
    bool givesLow(const Node& node) const {
        bool isNamed = node.opcode == Opcode::CallMethod && node.target.name() == "float";
        const auto look = [&](const Argument& part) { isNamed = isNamed || part.as<c10::ScalarType>(); };
        for (const Argument& argument : node.args)
            forEachPart(argument, look);
        for (const auto& [key, argument] : node.kwargs)
            forEachPart(argument, look);
        return !isNamed && (node.opcode == Opcode::CallModule ||
                            std::ranges::any_of(node.inputs, [&](const InputUse& input) {
                                return m_low.contains(input.node) || m_casts.contains(input.node);
                            }));
    }

    /// Has the call read the values that were float32 in the other dtype, or in float32.
    void castInputs(NodeId id, bool toLow) {
        std::vector<NodeId> inputs;
        for (const InputUse& input : m_edit.node(id).inputs)
            inputs.push_back(input.node);
        for (const NodeId input : inputs)
            if (isFloat(input) && m_low.contains(input) != toLow)
                m_edit.replaceInputWith(id, input, castOf(input, toLow, id));
    }

    NodeId castOf(NodeId value, bool toLow, NodeId reader) {
        if (const auto known = m_cast.find({value, toLow}); known != m_cast.end())
            return known->second;
        const bool isStable = !m_effects.isWritten(value);
        NodeId made;
        {
            const Edit::InsertPoint point = m_edit.insertingBefore(reader);
            const Argument dtype = toLow ? m_dtype : c10::kFloat;
            made = m_isAten ? m_edit.callFunction("torch.ops.aten.to.dtype", {value, dtype})
                            : m_edit.callMethod("to", {value, dtype});
        }
        if (const SharedMeta stack = m_edit.node(reader).meta.shared(meta::kModuleStack))
            m_edit.setMeta(made, meta::kModuleStack, stack);
        if (isStable)
            m_cast[{value, toLow}] = made;
        if (toLow)
            m_casts.insert(made);
        return made;
    }

    /// The dtype that the node gives from now on, where it has recorded another.
    void note(NodeId id) {
        if (!m_low.contains(id))
            return;
        const Node& node = m_edit.node(id);
        m_calls += node.opcode != Opcode::GetAttr;
        for (const std::string_view key : {meta::kValue, meta::kTensorMeta}) {
            const auto* value = node.meta.find<ValueMeta>(key);
            const auto* tensor = value ? std::get_if<TensorMeta>(&value->value) : nullptr;
            if (!tensor || tensor->dtype != c10::kFloat)
                continue;
            TensorMeta other = *tensor;
            other.dtype = m_dtype;
            m_edit.setMeta(id, key, MetaValue(ValueMeta{std::move(other)}));
        }
    }

    void report() {
        std::vector<std::string> names;
        for (const Node& node : m_edit.graph())
            if (m_kept.contains(node.id))
                names.push_back(node.name);
        m_context.results.push_back(plural(m_calls, "call") + " and " + plural(m_tensors, "tensor") + " in " +
                                    dtypeText(m_dtype));
        m_context.results.push_back("kept in float32: " + (names.empty() ? "nothing" : join(names, ", ")));
    }

    Edit& m_edit;
    PassContext& m_context;
    const Effects m_effects;
    const StateReads m_reads;
    const KnownValues m_values;
    const c10::ScalarType m_dtype;
    const bool m_castsOutputs, m_isAten;
    std::set<NodeId> m_kept, m_forced; ///< that stay in float32; that do not though they would
    std::set<NodeId> m_floats;         ///< that gave float32
    std::set<NodeId> m_low;            ///< that give the other dtype
    std::set<NodeId> m_casts;          ///< to it
    std::map<std::pair<NodeId, bool>, NodeId> m_cast;
    std::map<NodeId, std::pair<ModuleId, std::string>> m_entryOf;
    std::map<TensorId, TensorId> m_made;
    size_t m_calls = 0, m_tensors = 0;
};

} // namespace

void runCast(Edit& edit, const PassOptions& options, PassContext& context) {
    Caster(edit, options, context).run();
}

} // namespace fx
