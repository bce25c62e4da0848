// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/clean/inline_modules.h"

#include "core/base/text.h"
#include "core/passes/clean/call_names.h"
#include "core/passes/clean/left_alone.h"
#include "core/passes/clean/module_functions.h"
#include "core/passes/clean/recorded.h"
#include "core/passes/clean/recurrent_modules.h"
#include "core/passes/clean/state_reads.h"
#include "core/passes/pass_options.h"
#include "core/torch/host/function_table.h"
#include "core/torch/host/recorded_call.h"

#include <algorithm>

namespace fx {

namespace {

class ModuleInliner {
public:
    ModuleInliner(Edit& edit, LeftAlone& left) : m_edit(edit), m_left(left) {}

    std::unordered_map<NodeId, NodeId> run(const std::vector<NodeId>& calls) {
        for (const Node& node : m_edit.graph())
            if (node.opcode == Opcode::GetAttr)
                m_readers.try_emplace(node.target, node.id);
        for (const NodeId call : calls)
            visit(call);
        for (const NodeId made : m_made) // for calls that could not be inlined after all
            if (m_edit.node(made).users.empty())
                m_edit.eraseNode(made);
        deleteUnreached(m_edit, m_modules);
        return std::move(m_inlined);
    }
    size_t count() const { return m_count; }

private:
    void visit(NodeId id) {
        const Node& node = m_edit.node(id);
        const Module* module = calledModule(m_edit.model(), m_edit.module(), node);
        if (!module)
            return;
        std::string obstacle;
        const ModuleFunction* row = functionOf(*module, obstacle);
        const bool isRecurrent = row && contains(row->arguments, "@state");
        if (const NodeId input = nodeOf(inputOfModule(node)); isRecurrent && input)
            obstacle = recurrentObstacle(m_edit.graph(), node, input);
        std::optional<RecordedCall> call = row && obstacle.empty() ? callOf(*row, *module, id) : std::nullopt;
        if (!call) {
            m_left.add(!obstacle.empty() ? obstacle
                       : row             ? "as their arguments are not those of the class"
                                         : "as their class is not known here",
                       node.name);
            return;
        }
        const std::string path = node.target.name();
        if (row->function == "torch.lstm")
            takeFlatResult(m_edit, id);
        put(id, *row, std::move(*call));
        m_modules.push_back(path);
        ++m_count;
    }

    /// The words of a row as what is called.
    std::optional<RecordedCall> callOf(const ModuleFunction& row, const Module& module, NodeId id) {
        const std::optional<Arguments> given = givenTo(m_edit.node(id), row);
        if (!given)
            return std::nullopt;
        Arguments args;
        Keywords kwargs;
        // A tracer meets parameters when they are named, and buffers when the call is recorded.
        for (const std::string_view word : split(row.arguments, ' '))
            if (const NamedTensor* tensor = module.tensor(word);
                tensor && tensor->tensor && tensor->role == TensorRole::Parameter)
                readOf(m_edit.node(id).target.name() + '.' + std::string(word), id);
        for (const std::string_view word : split(row.arguments, ' ')) {
            const size_t equals = word.find('=');
            const std::string_view key = equals == word.npos ? std::string_view() : word.substr(0, equals);
            const auto value = valueOf(word.substr(equals == word.npos ? 0 : equals + 1), *given, module, id);
            if (!value)
                return std::nullopt;
            if (key.empty())
                args.push_back(*value);
            else
                kwargs.emplace_back(key, *value);
        }
        if (row.function.empty() || row.function.starts_with('.'))
            return RecordedCall{
                Target(row.function.empty() ? row.function : row.function.substr(1)), std::move(args), {}};
        const bool isWhole = row.function.starts_with("torch.");
        return recordedCall(isWhole ? std::string(row.function)
                                    : "torch.nn.functional." + std::string(row.function),
                            std::move(args), std::move(kwargs));
    }

    /// What the module is called with: one value, of some classes two.
    static std::optional<Arguments> givenTo(const Node& node, const ModuleFunction& row) {
        const size_t count = row.arguments.starts_with("0 1") ? 2 : 1;
        if (contains(row.arguments, "@state") && node.args.size() == 2 && node.kwargs.empty() &&
            node.args[0].node())
            return node.args; // with where it begins
        if (node.args.size() == count && node.kwargs.empty() && node.args[0].node())
            return node.args;
        if (count == 1 && node.args.empty() && node.kwargs.size() == 1 && node.kwargs[0].first == "input" &&
            node.kwargs[0].second.node())
            return Arguments{node.kwargs[0].second};
        return std::nullopt;
    }

    std::optional<Argument> valueOf(std::string_view word, const Arguments& given, const Module& module,
                                    NodeId id) {
        if (word == "0" || word == "1")
            return given[word == "1"];
        if (word == "@state")
            return given.size() == 2 && !given[1].isNone() ? given[1]
                                                           : zeroState(m_edit, id, given[0].node(), module);
        if (word == "@weights") {
            ListValue out;
            for (const std::string& name : recurrentWeights(module))
                out.items.push_back(readOf(m_edit.node(id).target.name() + '.' + name, id));
            return out;
        }
        if (word == "@training")
            return Argument(module.isTraining);
        if (word == "@batch_statistics") {
            const NamedTensor* mean = module.tensor("running_mean");
            return Argument(module.isTraining || !mean || !mean->tensor);
        }
        if (word.starts_with('\'') || std::isdigit(static_cast<unsigned char>(word[0])))
            return constantFromText(word);
        if (const NamedTensor* tensor = module.tensor(word))
            return tensor->tensor
                       ? Argument(readOf(m_edit.node(id).target.name() + '.' + std::string(word), id))
                       : Argument(NoneValue());
        const Argument* value = module.value(word);
        return value && !value->as<OpaqueValue>() ? std::optional(*value) : std::nullopt;
    }

    /// A node that reads the tensor: one for each, as a tracer keeps them.
    NodeId readOf(const std::string& path, NodeId before) {
        const auto known = m_readers.find(path);
        if (known != m_readers.end() && m_edit.graph().precedes(known->second, before))
            return known->second;
        const Edit::InsertPoint point = m_edit.insertingBefore(before);
        const NodeId made = m_edit.getAttr(path);
        copyPlace(m_edit, before, made);
        m_readers[path] = made;
        m_made.push_back(made);
        return made;
    }

    void put(NodeId id, const ModuleFunction& row, RecordedCall call) {
        if (row.function.empty()) {
            m_edit.replaceAllUsesWith(id, call.args[0].node());
            m_edit.eraseNode(id);
            return;
        }
        NodeId made;
        {
            const Edit::InsertPoint point = m_edit.insertingBefore(id);
            made =
                m_edit.createNode(row.function.starts_with('.') ? Opcode::CallMethod : Opcode::CallFunction,
                                  call.target, std::move(call.args), std::move(call.kwargs), std::nullopt,
                                  m_edit.node(id).type.toOptional());
        }
        copyPlace(m_edit, id, made);
        const bool isLike = row.function != "torch.lstm"; // which gives another tuple
        for (const std::string_view key : {meta::kValue, meta::kTensorMeta})
            if (const SharedMeta known = m_edit.node(id).meta.shared(key); known && isLike)
                m_edit.setMeta(made, key, known);
        m_edit.replaceAllUsesWith(id, made);
        m_edit.eraseNode(id);
        m_inlined.emplace(id, made);
    }

    Edit& m_edit;
    LeftAlone& m_left;
    std::unordered_map<Target, NodeId> m_readers;
    std::vector<NodeId> m_made;
    std::vector<std::string> m_modules;
    std::unordered_map<NodeId, NodeId> m_inlined;
    size_t m_count = 0;
};

} // namespace

std::unordered_map<NodeId, NodeId> inlineModules(Edit& edit, const std::vector<NodeId>& calls,
                                                 LeftAlone& left) {
    return ModuleInliner(edit, left).run(calls);
}

void runInlineModules(Edit& edit, const PassOptions&, PassContext& context) {
    LeftAlone left;
    ModuleInliner inliner(edit, left);
    inliner.run(edit.graph().findNodes(Opcode::CallModule));
    context.results.push_back(plural(inliner.count(), "call") + " inlined");
    left.tellIn(context.results);
}

} // namespace fx
