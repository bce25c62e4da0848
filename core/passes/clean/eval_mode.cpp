// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/clean/eval_mode.h"

#include "core/base/text.h"
#include "core/passes/clean/call_names.h"
#include "core/passes/clean/left_alone.h"
#include "core/passes/pass_options.h"
#include "core/torch/bind/call_facts.h"
#include "core/torch/bind/parameters.h"

#include <algorithm>

namespace fx {

namespace {

class ModeChange {
public:
    explicit ModeChange(Edit& edit) : m_edit(edit) {}

    void run(PassContext& context) {
        setModules();
        std::vector<NodeId> nodes;
        for (const Node& node : m_edit.graph())
            if (node.opcode == Opcode::CallFunction || node.opcode == Opcode::CallMethod)
                nodes.push_back(node.id);
        for (const NodeId node : nodes)
            if (m_edit.graph().contains(node))
                visit(node);
        context.results.push_back(plural(m_modules, "module") + " and " + plural(m_calls, "call") +
                                  " changed");
        m_left.tellIn(context.results);
    }

private:
    void setModules() {
        const ModuleId here = m_edit.module();
        std::vector<ModuleId> training;
        m_edit.model().forEachModule(here, [&](ModuleId id, const std::string&) {
            if (m_edit.model().module(id).isTraining)
                training.push_back(id);
        });
        for (const ModuleId id : training) {
            m_edit.enter(id);
            m_edit.setTraining(false);
        }
        m_edit.enter(here);
        m_modules = training.size();
    }

    void visit(NodeId id) {
        const Node& node = m_edit.node(id);
        const std::string_view name = functionOfTorch(node);
        if (isBatchCount(node))
            return eraseCount(id);
        if (name.empty())
            return;
        if (name == "native_dropout" || name == "_native_batch_norm_legit_functional" ||
            name == "_native_batch_norm_legit")
            return visitTuple(id, name);
        for (const char* flag : {"training", "train", "use_input_stats"})
            if (const Argument* value = givenArgument(node, flag))
                return turnOff(node, *value, hasStatistics(node, name));
        if (factsOfFunction(name).draws == FunctionFacts::Draws::ByRate)
            if (const Argument* rate = givenArgument(node, "dropout_p"); rate && !(*rate == Argument(0.0)))
                set(node, *rate, 0.0);
    }

    /// A normalisation without statistics of its own goes by its input's in either mode.
    bool hasStatistics(const Node& node, std::string_view name) const {
        const CallKind kind = factsOfFunction(name).kind;
        if (kind != CallKind::BatchNorm && kind != CallKind::InstanceNorm)
            return true;
        const Argument* mean = givenArgument(node, "running_mean");
        return mean && !mean->isNone();
    }

    void turnOff(const Node& node, const Argument& flag, bool isWanted) {
        if (!isWanted || (flag.as<bool>() && !*flag.as<bool>()) || flag.isNone())
            return;
        if (flag.as<bool>())
            set(node, flag, false);
        else
            m_left.add("as its mode is computed", node.name);
    }

    /// Sets what a call gives for one of its parameters.
    void set(const Node& node, const Argument& place, Argument value) {
        ++m_calls;
        const auto at = std::find_if(node.args.begin(), node.args.end(),
                                     [&](const Argument& argument) { return &argument == &place; });
        if (at != node.args.end())
            return m_edit.updateArg(node.id, static_cast<size_t>(at - node.args.begin()), std::move(value));
        for (const auto& [key, argument] : node.kwargs)
            if (&argument == &place)
                return m_edit.updateKwarg(node.id, std::string(key), std::move(value));
    }

    /// The items that are read of a result, by number; none where it is read in another way.
    std::optional<std::vector<NodeId>> itemsOf(const Node& node) const {
        std::vector<NodeId> items(5);
        for (const NodeId user : node.users) {
            const Node& item = m_edit.node(user);
            const int64_t* index = item.args.size() == 2 ? item.args[1].as<int64_t>() : nullptr;
            if (item.target.name() != "operator.getitem" || !index || *index < 0 || *index >= 5 ||
                items[static_cast<size_t>(*index)])
                return std::nullopt;
            items[static_cast<size_t>(*index)] = user;
        }
        return items;
    }

    bool isRead(NodeId node) const { return node && !m_edit.node(node).users.empty(); }

    void visitTuple(NodeId id, std::string_view name) {
        const Node& node = m_edit.node(id);
        const Argument* flag = givenArgument(node, name == "native_dropout" ? "train" : "training");
        if (!flag || (flag->as<bool>() && !*flag->as<bool>()))
            return;
        const auto items = itemsOf(node);
        const bool isDropout = name == "native_dropout";
        if (!items || isRead((*items)[1]) || (!isDropout && isRead((*items)[2]))) {
            m_left.add(isDropout ? "as its mask is read" : "as the statistics of its input are read",
                       node.name);
            return;
        }
        isDropout ? dropNothing(id, *items) : normalise(id, *items);
    }

    void dropNothing(NodeId id, const std::vector<NodeId>& items) {
        const Argument* input = givenArgument(m_edit.node(id), "input");
        if (!input || !input->node())
            return;
        if (items[0])
            m_edit.replaceAllUsesWith(items[0], input->node());
        for (const NodeId item : items)
            if (item)
                m_edit.eraseNode(item);
        m_edit.eraseNode(id);
        ++m_calls;
    }

    /// By the operator that has no mode; the statistics that the other gives are those that it was given.
    void normalise(NodeId id, const std::vector<NodeId>& items) {
        const Node& node = m_edit.node(id);
        const Argument *mean = givenArgument(node, "running_mean"),
                       *variance = givenArgument(node, "running_var");
        if (node.args.size() != 8 || !mean->node() || !variance->node())
            return;
        const Argument given[] = {*mean, *variance};
        for (size_t i = 0; i < 2; ++i)
            if (items[3 + i])
                keepStatistics(items[3 + i], given[i].node());
        Arguments args = node.args;
        args.erase(args.begin() + 5);
        m_edit.setArgs(id, std::move(args));
        m_edit.setTarget(id, "torch.ops.aten._native_batch_norm_legit_no_training.default");
        ++m_calls;
    }

    void keepStatistics(NodeId item, NodeId given) {
        for (const NodeId user : m_edit.node(item).users.toVector()) {
            const Node& write = m_edit.node(user);
            if (functionOfTorch(write) == "copy_" && write.users.empty() && write.args.size() > 1 &&
                write.args[0].node() == given && write.args[1].node() == item)
                m_edit.eraseNode(user);
        }
        m_edit.replaceAllUsesWith(item, given);
        m_edit.eraseNode(item);
    }

    /// A step of the count that batch normalisations keep, and that nothing else reads.
    bool isBatchCount(const Node& node) const {
        const std::string_view name =
            node.opcode == Opcode::CallMethod ? std::string_view(node.target.name()) : functionOfTorch(node);
        if ((name != "add_" && name != "add") || node.args.size() != 2 || !(node.args[1] == Argument(1)) ||
            !node.args[0].node())
            return false;
        const Node& counter = m_edit.node(node.args[0].node());
        if (counter.opcode != Opcode::GetAttr || !counter.target.name().ends_with("num_batches_tracked"))
            return false;
        return std::ranges::all_of(node.users.toVector(), [&](NodeId user) {
            const Node& write = m_edit.node(user);
            return functionOfTorch(write) == "copy_" && write.users.empty() && !write.args.empty() &&
                   write.args[0].node() == counter.id;
        });
    }

    void eraseCount(NodeId id) {
        for (const NodeId user : m_edit.node(id).users.toVector())
            m_edit.eraseNode(user);
        m_edit.eraseNode(id);
        ++m_calls;
    }

    Edit& m_edit;
    size_t m_modules = 0, m_calls = 0;
    LeftAlone m_left;
};

} // namespace

void runEvalMode(Edit& edit, const PassOptions&, PassContext& context) {
    ModeChange(edit).run(context);
}

} // namespace fx
