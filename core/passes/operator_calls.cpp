// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/operator_calls.h"

#include "core/base/error.h"
#include "core/capture/operator_arguments.h"
#include "core/interpret/bind_node.h"
#include "core/interpret/infer_shapes.h"
#include "core/interpret/library_calls.h"
#include "core/ir/dialect.h"
#include "core/passes/capture_pass.h"
#include "core/passes/pass.h"
#include "core/passes/recorded_shapes.h"
#include "core/rewrite/excerpt.h"
#include "core/torch/bind/call.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace fx {

namespace {

/// Methods that give sizes, and the operators that torch.export writes for them.
constexpr std::pair<std::string_view, std::string_view> kSizes[] = {
    {"size", "aten::sym_size"}, {"stride", "aten::sym_stride"}, {"numel", "aten::sym_numel"}};

/// Numbers from here on stand for those of nodes until the arguments are written.
constexpr int64_t kFirstStandIn = std::numeric_limits<int64_t>::min() + 1;

/// Whether two graphs of the same excerpt have the same calls.
bool areEqual(const Graph& a, const Graph& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Node& one, const Node& other) {
        return one.id == other.id && one.opcode == other.opcode && one.target == other.target &&
               one.args == other.args && one.kwargs == other.kwargs;
    });
}

/// Whether the node names the device meta, on which calls are traced.
bool namesMeta(const Node& node) {
    bool out = false;
    const auto visit = [&out](const Argument& part) {
        const auto* device = part.as<c10::Device>();
        out |= device && device->is_meta();
    };
    for (const Argument& argument : node.args)
        forEachPart(argument, visit);
    for (const auto& [name, argument] : node.kwargs)
        forEachPart(argument, visit);
    return out;
}

class OperatorCalls {
public:
    explicit OperatorCalls(Edit& edit) : m_edit(edit) {}

    /// False where there is nothing to put. `isOfBody`: the text of torch's Python has been traced already.
    bool put(NodeId call, bool isOfBody = false) {
        if (!isOtherCall(m_edit.node(call)))
            return false;
        if (!putBound(call) && (isOfBody || !putBody(call)) && !putOverload(call))
            putRecorded(call);
        return true;
    }

    std::vector<NodeId> made;

private:
    /// A call that an exported program cannot hold. What is computed of sizes alone stays Python's.
    bool isOtherCall(const Node& node) const {
        return isCallNode(node) && !node.target.isOperatorOverload() && !node.target.isHigherOrder() &&
               !isOfNumbers(node) && !isItem(node);
    }
    bool isOfNumbers(const Node& node) const {
        return node.target.name().starts_with("operator.") && !node.inputs.empty() &&
               std::ranges::none_of(node.inputs, [&](const InputUse& use) {
                   return isTensorKind(kindOf(use.node)) || isSequence(use.node);
               });
    }
    /// One of the results of a call that has several.
    bool isItem(const Node& node) const {
        return node.target == Target("operator.getitem") && !node.inputs.empty() &&
               isSequence(node.inputs[0].node);
    }
    bool isSequence(NodeId id) const {
        const ValueMeta* known = knownValue(m_edit.node(id).meta);
        return known && std::holds_alternative<std::vector<ValueMeta>>(known->value);
    }
    /// A size, or what is computed of sizes, where no value is recorded.
    bool isSize(const Node& node) const {
        const std::string& name = node.target.name();
        if (node.opcode == Opcode::CallMethod)
            return name == "numel" || (name == "size" && node.args.size() > 1);
        return name.starts_with("torch.ops.aten.sym_") ||
               (name.starts_with("operator.") && !node.inputs.empty() &&
                std::ranges::all_of(node.inputs,
                                    [&](const InputUse& use) { return isSize(m_edit.node(use.node)); }));
    }

    /// The kind of a value. One of which nothing is known is taken for a tensor, as nearly all are.
    ArgumentKind kindOf(NodeId id) const {
        if (const std::optional<Value> example = exampleOf(id))
            return fx::kindOf(*example);
        if (isSequence(id))
            return ArgumentKind::Other;
        return isSize(m_edit.node(id)) ? ArgumentKind::Int : ArgumentKind::PlainTensor;
    }
    std::optional<Value> exampleOf(NodeId id) const {
        return valueOnMeta(m_edit.model(), m_edit.module(), m_edit.node(id));
    }

    void become(NodeId call, Target target, Arguments args, Keywords kwargs) {
        m_edit.setCallee(call, Opcode::CallFunction, target);
        m_edit.setArgs(call, std::move(args));
        m_edit.setKwargs(call, std::move(kwargs));
    }

    /// Puts a call of a function that PyTorch has in C.
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
        bool isWhole = true; // no tensor is written in the call itself
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

    /// Puts the overload that takes the arguments as they are written: `x.to(torch.float16)`, `x.size(0)`.
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

    /// Puts a call of torch's Python: traces its text, and puts operators into what comes of it.
    bool putBody(NodeId call) {
        const Node& node = m_edit.node(call);
        bool isDone = false;
        try {
            guarded([&] {
                if (!m_library)
                    m_library.emplace(m_edit.model());
                const ModuleId module =
                    node.opcode == Opcode::CallModule
                        ? m_edit.model().resolve(m_edit.module(), node.target.name()).module
                        : ModuleId();
                if (!module && !m_library->knows(node))
                    return;
                const auto example = [this](NodeId id) { return exampleOf(id); };
                CallBody body = module ? m_library->body(node, module, std::nullopt, example)
                                       : m_library->body(node, example);
                const std::vector<NodeId> inputs = nodesIn(node);
                NodeMap here;
                for (const Node& each : body.model.graph())
                    if (each.opcode == Opcode::Placeholder)
                        here.emplace(each.id, inputs.at(here.size()));
                const std::string prefix = module ? node.target.name() + '.' : std::string();
                isDone = body.constants.empty() && !body.hasFixedSizes && convert(body.model, here) &&
                         splice(call, body.model, here, {prefix, false});
            });
        } catch (const Error&) {
            // It cannot be told what the call does.
        }
        return isDone;
    }

    /// Puts operators into a graph whose inputs are nodes here. False where a call has none.
    bool convert(Model& body, const NodeMap& here) const {
        Edit edit(body, Edit::WithoutHistory());
        for (const auto& [input, node] : here)
            if (const ValueMeta* known = knownValue(m_edit.node(node).meta))
                edit.setMeta(input, meta::kTensorMeta, MetaValue(*known));
        std::vector<NodeId> calls;
        for (const Node& node : edit.graph())
            if (isCallNode(node))
                calls.push_back(node.id);
        OperatorCalls inner(edit);
        for (const NodeId id : calls) {
            recordShapes(edit, {id}, ShapeRule::OfCalls);
            inner.put(id, true);
        }
        const bool isWhole = std::none_of(edit.graph().begin(), edit.graph().end(),
                                          [&](const Node& node) { return inner.isOtherCall(node); });
        edit.finish();
        return isWhole;
    }

    /// Puts the operators that a call of tensors reaches when it runs on meta: indexing, and methods that
    /// are several overloads.
    void putRecorded(NodeId call) {
        try {
            guarded([&] {
                NodeMap here;
                const std::optional<Model> body =
                    areSizesKnown(call) ? recorded(call, 0, here) : std::nullopt;
                if (!body)
                    return;
                // What is the same for other sizes does not depend on them.
                if (readsSymbols(call)) {
                    NodeMap there;
                    const std::optional<Model> other = recorded(call, 7, there);
                    if (!other || !areEqual(body->graph(), other->graph()))
                        return;
                }
                splice(call, *body, here, {"", true});
            });
        } catch (const Error&) {
            // It cannot run on these.
        }
    }

    static bool hasSymbols(const Node& node) {
        const ValueMeta* known = knownValue(node.meta);
        const auto* tensor = known ? std::get_if<TensorMeta>(&known->value) : nullptr;
        return tensor && isSymbolic(*tensor);
    }
    bool readsSymbols(NodeId call) const {
        return std::ranges::any_of(m_edit.node(call).inputs,
                                   [&](const InputUse& use) { return hasSymbols(m_edit.node(use.node)); });
    }
    /// Whether it is known which sizes of what the call reads depend on symbols. New nodes have numbers
    /// recorded in their place.
    bool areSizesKnown(NodeId call) const {
        const Graph& graph = m_edit.graph();
        return std::none_of(graph.begin(), graph.end(), hasSymbols) ||
               std::ranges::all_of(m_edit.node(call).inputs, [&](const InputUse& use) {
                   const Node& read = m_edit.node(use.node);
                   return read.opcode == Opcode::GetAttr || hasSymbols(read) ||
                          !read.meta.find<ValueMeta>(meta::kTensorMeta);
               });
    }

    /// The operators that the call reaches where symbolic sizes are that much larger than they were. None
    /// where a number would be fixed.
    std::optional<Model> recorded(NodeId call, int64_t larger, NodeMap& here) const {
        Excerpt excerpt = excerptOf(m_edit.model(), m_edit.module(), {call});
        GraphInputs inputs;
        for (const Node& node : excerpt.model.graph()) {
            if (node.opcode != Opcode::Placeholder)
                continue;
            Node read{.id = node.id, .opcode = Opcode::Placeholder};
            if (const ValueMeta* known = knownValue(m_edit.node(excerpt.outside.at(node.id)).meta)) {
                ValueMeta value = *known;
                if (auto* tensor = std::get_if<TensorMeta>(&value.value); tensor && larger) {
                    tensor->stride.clear();
                    for (Dimension& dimension : tensor->shape)
                        if (auto* symbol = std::get_if<SymbolicInt>(&dimension); symbol && symbol->hint)
                            *symbol->hint += larger;
                }
                read.meta.set(meta::kTensorMeta, MetaValue(std::move(value)));
            }
            std::optional<Value> example = valueOnMeta(m_edit.model(), m_edit.module(), read);
            if (!example || !example->isTensor())
                return std::nullopt;
            inputs.values.push_back(std::move(*example));
        }
        Progress progress;
        PassContext context{.progress = progress};
        context.settings.device = c10::Device(c10::kMeta);
        context.inputs = [&](const Model&) { return inputs; };
        Edit edit(excerpt.model, Edit::WithoutHistory());
        captureOperators(edit, {{"level", "composite"}, {"functional", "false"}}, context);
        edit.finish();
        here = std::move(excerpt.outside);
        return context.warnings.empty() ? std::optional(std::move(excerpt.model)) : std::nullopt;
    }

    struct BodyKind {
        std::string prefix;     ///< of the paths that it reads
        bool isExcerpt = false; ///< its result is in a tuple
    };

    /// Puts the calls of a graph in the place of one; `here`: its inputs. False where its result is no call,
    /// something is called after that, or it reads what the model does not have.
    bool splice(NodeId call, const Model& body, NodeMap here, const BodyKind& kind) {
        const Graph& graph = body.graph();
        const Arguments& given = graph.node(graph.outputNode()).args;
        const Arguments* items = kind.isExcerpt && !given.empty() ? given[0].items() : &given;
        const NodeId result = items && items->size() == 1 ? (*items)[0].node() : NodeId();
        if (!result || !isCallNode(graph.node(result)))
            return false;
        for (const Node& each : graph) {
            if ((isCallNode(each) && graph.precedes(result, each.id)) || namesMeta(each))
                return false;
            if (each.opcode != Opcode::GetAttr)
                continue;
            const Target target(kind.prefix + each.target.name());
            if (!m_edit.model().resolve(m_edit.module(), target.name()))
                return false;
            for (const InputUse& use : m_edit.node(call).inputs)
                if (m_edit.node(use.node).opcode == Opcode::GetAttr && m_edit.node(use.node).target == target)
                    here[each.id] = use.node;
        }
        const auto map = [&](NodeId id) { return Argument(here.at(id)); };
        const Edit::InsertPoint point = m_edit.insertingBefore(call);
        for (const Node& each : graph) {
            if (each.id == result) {
                m_edit.setCallee(call, each.opcode, each.target);
                m_edit.setArgs(call, mapNodes(each.args, map));
                m_edit.setKwargs(call, mapNodes(each.kwargs, map));
                break;
            }
            if (each.opcode == Opcode::GetAttr && here.count(each.id) == 0)
                here[each.id] = m_edit.createNode(Opcode::GetAttr, Target(kind.prefix + each.target.name()));
            else if (isCallNode(each))
                made.push_back(here[each.id] =
                                   m_edit.createNode(each.opcode, each.target, mapNodes(each.args, map),
                                                     mapNodes(each.kwargs, map)));
        }
        return true;
    }

    Edit& m_edit;
    std::optional<LibraryCalls> m_library; ///< made at the first use, as it reads torch's Python
};

} // namespace

std::vector<NodeId> callOperators(Edit& edit, const std::vector<NodeId>& calls) {
    OperatorCalls work(edit);
    std::vector<NodeId> out;
    for (const NodeId call : calls) {
        const bool isOther = work.put(call);
        std::vector<NodeId> all = std::exchange(work.made, {});
        all.push_back(call);
        if (isOther)
            recordShapes(edit, all, ShapeRule::OfCalls); // the next call is bound by the kinds of these
        out.insert(out.end(), all.begin(), all.end());
    }
    return out;
}

void callOperators(Edit& edit) {
    std::vector<NodeId> calls;
    for (const Node& node : edit.graph())
        calls.push_back(node.id);
    callOperators(edit, calls);
}

Model patternFor(const Graph& graph, Model pattern) {
    if (!isOfOperators(graph) || isOfOperators(pattern.graph()))
        return pattern;
    Edit edit(pattern, Edit::WithoutHistory());
    callOperators(edit);
    edit.finish();
    return pattern;
}

} // namespace fx
