// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/operator_calls.h"

#include "core/base/error.h"
#include "core/capture/operator_arguments.h"
#include "core/interpret/bind_node.h"
#include "core/interpret/infer_shapes.h"
#include "core/interpret/library_calls.h"
#include "core/ir/dialect.h"
#include "core/passes/capture_pass.h"
#include "core/rewrite/excerpt.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>

namespace fx {

namespace {

/// What torch.export calls where Python asks a tensor for a number.
constexpr std::pair<std::string_view, std::string_view> kSizes[] = {
    {"size", "aten::sym_size"}, {"stride", "aten::sym_stride"}, {"numel", "aten::sym_numel"}};

/// A number that stands for that of a node until the arguments are written down.
constexpr int64_t kFirstStandIn = std::numeric_limits<int64_t>::min() + 1;

class OperatorCalls {
public:
    explicit OperatorCalls(Edit& edit) : m_edit(edit) {}

    /// `isOfBody`: it stands for a call of Python already.
    void put(NodeId call, bool isOfBody = false) {
        const Node& node = m_edit.node(call);
        if (!isCallNode(node) || node.target.isOperatorOverload() || node.target.isHigherOrder() ||
            isOfNumbers(node))
            return;
        if (!putBound(call) && (isOfBody || !putBody(call)) && !putOverload(call))
            putRecorded(call);
    }

    std::vector<NodeId> made;

private:
    /// What is computed of sizes alone stays Python's.
    bool isOfNumbers(const Node& node) const {
        return node.target.name().starts_with("operator.") && !node.inputs.empty() &&
               std::ranges::none_of(node.inputs, [&](const InputUse& use) {
                   return isTensorKind(kindOf(use.node)) || isSequence(use.node);
               });
    }
    bool isSequence(NodeId id) const {
        const ValueMeta* known = knownValue(m_edit.node(id).meta);
        return known && std::holds_alternative<std::vector<ValueMeta>>(known->value);
    }

    /// A value of which nothing is known is taken for a tensor, as nearly all are.
    ArgumentKind kindOf(NodeId id) const {
        const std::optional<Value> example = exampleOf(id);
        return example          ? fx::kindOf(*example)
               : isSequence(id) ? ArgumentKind::Other
                                : ArgumentKind::PlainTensor;
    }
    std::optional<Value> exampleOf(NodeId id) const {
        return valueOnMeta(m_edit.model(), m_edit.module(), m_edit.node(id));
    }

    void become(NodeId call, Target target, Arguments args, Keywords kwargs) {
        m_edit.setCallee(call, Opcode::CallFunction, target);
        m_edit.setArgs(call, std::move(args));
        m_edit.setKwargs(call, std::move(kwargs));
    }

    /// A function that PyTorch has in C.
    bool putBound(NodeId call) {
        const std::optional<BoundNode> bound = bindNode(
            m_edit.node(call), [this](NodeId id) { return kindOf(id); }, std::nullopt);
        if (!bound || !bound->op)
            return false;
        std::vector<NodeId> nodes; // by the number, or the tensor, that stands for each
        std::unordered_map<const c10::TensorImpl*, NodeId> tensors;
        const auto numberFor = [&](NodeId id) {
            nodes.push_back(id);
            return kFirstStandIn + static_cast<int64_t>(nodes.size()) - 1;
        };
        std::vector<at::Tensor> kept;
        const auto tensorFor = [&](NodeId id) {
            kept.push_back(at::empty({0}, at::TensorOptions(c10::kMeta)));
            tensors[kept.back().unsafeGetTensorImpl()] = id;
            return kept.back();
        };
        std::vector<c10::IValue> given;
        for (const Operand& operand : bound->operands) {
            switch (operand.kind) {
            case Operand::Kind::Constant:
                given.push_back(operand.constant);
                break;
            case Operand::Kind::Value:
            case Operand::Kind::Unpacked:
                if (isTensorKind(kindOf(operand.node)))
                    given.emplace_back(tensorFor(operand.node));
                else
                    given.emplace_back(numberFor(operand.node));
                break;
            case Operand::Kind::Tensors: {
                c10::List<at::Tensor> list;
                for (const Operand::Item& item : operand.items)
                    list.push_back(tensorFor(item.node));
                given.emplace_back(std::move(list));
                break;
            }
            case Operand::Kind::Ints: {
                c10::List<int64_t> list;
                for (const Operand::Item& item : operand.items)
                    list.push_back(item.node ? numberFor(item.node) : item.number);
                given.emplace_back(std::move(list));
                break;
            }
            case Operand::Kind::Converted:
                return false;
            }
        }
        const c10::FunctionSchema& schema = *bound->op->schema;
        bool isWhole = true; // a tensor that is written in the call has no place there
        OperatorArguments written = operatorArguments(schema, given, [&](const at::Tensor& tensor) -> NodeId {
            const auto found = tensors.find(tensor.unsafeGetTensorImpl());
            isWhole &= found != tensors.end();
            return found == tensors.end() ? call : found->second;
        });
        if (!isWhole)
            return false;
        for (Argument& argument : written.args)
            argument = withNodes(argument, nodes);
        for (auto& [name, argument] : written.kwargs)
            argument = withNodes(argument, nodes);
        become(call, operatorTarget(schema.operator_name()), std::move(written.args),
               std::move(written.kwargs));
        return true;
    }

    /// Nodes in the place of the numbers that stand for them.
    static Argument withNodes(const Argument& argument, const std::vector<NodeId>& nodes) {
        if (const auto* list = argument.as<ListValue>()) {
            ListValue out;
            for (const Argument& item : list->items)
                out.items.push_back(withNodes(item, nodes));
            return out;
        }
        const auto* number = argument.as<int64_t>();
        const bool isNode = number && *number >= kFirstStandIn &&
                            *number < kFirstStandIn + static_cast<int64_t>(nodes.size());
        return isNode ? Argument(nodes[static_cast<size_t>(*number - kFirstStandIn)]) : argument;
    }

    /// An overload that takes the arguments as they are written: `x.to(torch.float16)`, `x.size(0)`.
    bool putOverload(NodeId call) {
        const Node& node = m_edit.node(call);
        const std::string& name = node.target.name();
        const std::string bare = name.substr(name.rfind('.') + 1);
        if (node.opcode == Opcode::CallModule ||
            (node.opcode == Opcode::CallFunction && name != "torch." + bare))
            return false;
        const auto* size =
            std::ranges::find(kSizes, bare, &std::pair<std::string_view, std::string_view>::first);
        const std::string packet = size == std::end(kSizes) ? "aten::" + bare : std::string(size->second);
        for (const TorchOperator* op : findOverloads(packet)) {
            Node written{.id = node.id, .target = operatorTarget(op->schema->operator_name())};
            written.args = node.args;
            written.kwargs = node.kwargs;
            const auto kind = [this](NodeId id) { return kindOf(id); };
            const std::optional<BoundNode> bound = bindNode(written, kind, std::nullopt);
            if (!bound || !std::ranges::all_of(bound->guards, [&](const Guard& guard) {
                    return guard.kind == ArgumentKind::Tensor ? isTensorKind(kindOf(guard.node))
                                                              : kindOf(guard.node) == guard.kind;
                }))
                continue;
            become(call, written.target, written.args, written.kwargs);
            return true;
        }
        return false;
    }

    /// What is Python in torch, by the operators that its text calls.
    bool putBody(NodeId call) {
        const Node& node = m_edit.node(call);
        const auto example = [this](NodeId id) { return exampleOf(id); };
        try {
            if (!m_library)
                m_library.emplace(m_edit.model());
            LibraryCalls& library = *m_library;
            const ModuleId module = node.opcode == Opcode::CallModule
                                        ? m_edit.model().resolve(m_edit.module(), node.target.name()).module
                                        : ModuleId();
            if (!module && !library.knows(node))
                return false;
            const CallBody body =
                module ? library.body(node, module, std::nullopt, example) : library.body(node, example);
            const std::vector<NodeId> inputs = nodesIn(node);
            NodeMap here;
            for (const Node& each : body.model.graph())
                if (each.opcode == Opcode::Placeholder)
                    here.emplace(each.id, inputs.at(here.size()));
            return body.constants.empty() && !body.hasFixedSizes &&
                   splice(call, body.model, here, module ? node.target.name() + '.' : std::string());
        } catch (const Error&) {
            return false; // it cannot be told what the call does
        }
    }

    /// The operators that a call of tensors reaches when it runs on meta: indexing, and methods that are
    /// several overloads.
    void putRecorded(NodeId call) {
        Excerpt excerpt = excerptOf(m_edit.model(), m_edit.module(), {call});
        GraphInputs inputs;
        for (const Node& node : excerpt.model.graph()) {
            if (node.opcode != Opcode::Placeholder)
                continue;
            std::optional<Value> example = exampleOf(excerpt.outside.at(node.id));
            if (!example || !example->isTensor())
                return; // a number would become the one that it is now
            inputs.values.push_back(std::move(*example));
        }
        Progress progress;
        PassContext context{.progress = progress};
        context.settings.device = c10::Device(c10::kMeta);
        context.inputs = [&](const Model&) { return inputs; };
        try {
            Edit edit(excerpt.model, Edit::WithoutHistory());
            captureOperators(edit, {{"level", "composite"}, {"functional", "false"}}, context);
            edit.finish();
        } catch (const Error&) {
            return;
        }
        if (context.warnings.empty())
            splice(call, excerpt.model, excerpt.outside, "");
    }

    /// Puts the calls of a graph in the place of one; `here`: what its inputs are. False where its result is
    /// no call, or reads what the model does not have.
    bool splice(NodeId call, const Model& body, NodeMap here, const std::string& prefix) {
        const Graph& graph = body.graph();
        const Arguments& given = graph.node(graph.outputNode()).args;
        const Arguments* items = given.empty() ? nullptr : given[0].items(); // an excerpt gives a tuple
        const NodeId result = items && items->size() == 1 ? (*items)[0].node()
                              : given.empty()             ? NodeId()
                                                          : given[0].node();
        if (!result || graph.node(result).opcode == Opcode::Placeholder ||
            graph.node(result).opcode == Opcode::GetAttr)
            return false;
        for (const Node& each : graph) {
            if (each.opcode != Opcode::GetAttr)
                continue;
            const Target target(prefix + each.target.name());
            if (!m_edit.model().resolve(m_edit.module(), target.name()))
                return false;
            for (const InputUse& use : m_edit.node(call).inputs)
                if (m_edit.node(use.node).opcode == Opcode::GetAttr && m_edit.node(use.node).target == target)
                    here[each.id] = use.node;
        }
        std::vector<NodeId> fresh;
        const auto map = [&](NodeId id) { return Argument(here.at(id)); };
        const Edit::InsertPoint point = m_edit.insertingBefore(call);
        for (const Node& each : graph) {
            if (each.id == result) {
                m_edit.setCallee(call, each.opcode, each.target);
                m_edit.setArgs(call, mapNodes(each.args, map));
                m_edit.setKwargs(call, mapNodes(each.kwargs, map));
                fresh.push_back(call);
                break; // nothing behind the result is read
            }
            if (each.opcode == Opcode::GetAttr && here.count(each.id) == 0)
                here[each.id] = m_edit.createNode(Opcode::GetAttr, Target(prefix + each.target.name()));
            else if (each.opcode != Opcode::Placeholder && each.opcode != Opcode::GetAttr) {
                here[each.id] = m_edit.createNode(each.opcode, each.target, mapNodes(each.args, map),
                                                  mapNodes(each.kwargs, map));
                fresh.push_back(here[each.id]);
            }
        }
        for (const NodeId id : fresh) {
            if (id != call)
                made.push_back(id);
            put(id, true);
        }
        return true;
    }

    Edit& m_edit;
    std::optional<LibraryCalls> m_library; ///< made when it is needed: it reads torch's Python
};

} // namespace

std::vector<NodeId> callOperators(Edit& edit, const std::vector<NodeId>& calls) {
    OperatorCalls work(edit);
    for (const NodeId call : calls)
        work.put(call);
    return std::move(work.made);
}

Model patternFor(const Graph& graph, Model pattern) {
    if (!isOfOperators(graph) || isOfOperators(pattern.graph()))
        return pattern;
    Edit edit(pattern, Edit::WithoutHistory());
    std::vector<NodeId> calls;
    for (const Node& node : edit.graph())
        calls.push_back(node.id);
    callOperators(edit, calls);
    edit.finish();
    return pattern;
}

} // namespace fx
