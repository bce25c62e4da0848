// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/clean/const_fold.h"

#include "core/base/text.h"
#include "core/fxpython/python_names.h"
#include "core/interpret/interpreter.h"
#include "core/passes/clean/effects.h"
#include "core/passes/clean/left_alone.h"
#include "core/passes/pass_options.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

/// Runs those nodes of a graph that depend on nothing but the model, and keeps what they give. The others are
/// passed over.
class ConstantRun : public Interpreter {
public:
    ConstantRun(const std::shared_ptr<RunContext>& context, ModuleId module, std::vector<char>& isConstant,
                Progress& progress)
        : Interpreter(context, module), m_isConstant(isConstant), m_progress(progress),
          m_values(isConstant.size()) {}

    const Value& kept(NodeId node) const { return m_values[static_cast<size_t>(node.value)]; }
    const std::vector<NodeId>& failed() const { return m_failed; }

protected:
    Value runNode(const Call& call) override {
        const Node& node = call.node();
        char& isConstant = m_isConstant[static_cast<size_t>(node.id.value)];
        if (!isConstant)
            return {};
        m_progress.step(0.5, node.name);
        for (const InputUse& input : node.inputs)
            if (!m_isConstant[static_cast<size_t>(input.node.value)]) {
                isConstant = false; // it failed
                return {};
            }
        try {
            Value& kept = m_values[static_cast<size_t>(node.id.value)];
            kept = Interpreter::runNode(call);
            return kept;
        } catch (const std::exception&) { // LibTorch's own, too
            m_failed.push_back(node.id);
            isConstant = false;
            return {};
        }
    }

private:
    std::vector<char>& m_isConstant;
    Progress& m_progress;
    std::vector<Value> m_values;
    std::vector<NodeId> m_failed;
};

class ConstantFolder {
public:
    ConstantFolder(Edit& edit, const PassOptions& options, PassContext& context)
        : m_edit(edit), m_context(context), m_limit(options.integer("max-bytes")),
          m_isConstant(static_cast<size_t>(edit.graph().nextId().value)) {}

    void run() {
        if (!mark()) {
            m_context.results.push_back("0 calls folded");
            return;
        }
        RunSettings settings = m_context.settings;
        settings.gradMode = GradMode::NoGrad;
        const auto context = std::make_shared<RunContext>(m_edit.model(), settings);
        ConstantRun run(context, m_edit.module(), m_isConstant, m_context.progress);
        run.run({});
        for (const NodeId node : run.failed())
            m_left.add("as they fail", m_edit.node(node).name);
        choose(run);
        for (const auto& [node, value] : m_kept)
            put(node, value);
        erase();
        deleteUnreached(m_edit, m_unread);
        report();
    }

private:
    bool at(NodeId node) const { return m_isConstant[static_cast<size_t>(node.value)]; }

    /// The nodes that depend on the model alone. True if calls are among them.
    bool mark() {
        const Effects effects(m_edit.model(), m_edit.module());
        bool hasCalls = false;
        for (const Node& node : m_edit.graph()) {
            const bool isRead = node.opcode == Opcode::GetAttr;
            if (isRead && !tensorEntry(m_edit.model(), m_edit.module(), node.target.name()))
                continue;
            if (!effects.isPure(node) || effects.isWritten(node.id) ||
                !std::ranges::all_of(node.inputs, [&](const InputUse& input) { return at(input.node); }))
                continue;
            m_isConstant[static_cast<size_t>(node.id.value)] = true;
            hasCalls = hasCalls || !isRead;
        }
        return hasCalls;
    }

    /// Backwards: what a node needs that stays is kept as a value, or stays itself.
    void choose(const ConstantRun& run) {
        for (NodeId id = m_edit.graph().last(); id; id = m_edit.node(id).previous) {
            const Node& node = m_edit.node(id);
            if (!at(id) || node.opcode == Opcode::GetAttr ||
                std::ranges::all_of(node.users.toVector(), [&](NodeId user) { return at(user); }))
                continue;
            const Value& value = run.kept(id);
            if (value.isTensor() && fits(value.data().toTensor())) {
                m_kept.emplace_back(id, value);
            } else if (!value.isTensor() && plainArgument(value)) {
                m_kept.emplace_back(id, value);
            } else {
                m_left.add(value.isTensor() ? "as they are larger than --max-bytes"
                                            : "as they give no tensor",
                           node.name);
                m_isConstant[static_cast<size_t>(id.value)] = false;
            }
        }
    }

    bool fits(const at::Tensor& tensor) const {
        return tensor.layout() == c10::kStrided && !tensor.is_quantized() &&
               tensor.unsafeGetTensorImpl()->has_storage() &&
               (m_limit <= 0 || tensor.numel() * tensor.element_size() <= m_limit);
    }

    void put(NodeId id, const Value& value) {
        if (!value.isTensor()) {
            const Argument constant = *plainArgument(value);
            for (const NodeId user : m_edit.node(id).users.toVector()) {
                const auto map = [&](NodeId input) { return input == id ? constant : Argument(input); };
                const Node& reader = m_edit.node(user);
                Arguments args = mapNodes(reader.args, map);
                Keywords kwargs = mapNodes(reader.kwargs, map);
                m_edit.setArgs(user, std::move(args));
                m_edit.setKwargs(user, std::move(kwargs));
            }
            return;
        }
        const Node& node = m_edit.node(id);
        const std::string path = freePath(m_edit.model(), m_edit.module(), "_folded_" + node.name);
        const at::Tensor tensor = value.data().toTensor().detach().clone();
        m_edit.setTensor(path, m_edit.createTensor(TensorSlot(tensor)), TensorRole::Buffer);
        NodeId made;
        {
            const Edit::InsertPoint point = m_edit.insertingBefore(id);
            made = m_edit.getAttr(path);
        }
        for (const std::string_view key :
             {meta::kValue, meta::kTensorMeta, meta::kModuleStack, meta::kStackTrace})
            if (const SharedMeta known = node.meta.shared(key))
                m_edit.setMeta(made, key, known);
        m_edit.replaceAllUsesWith(id, made);
    }

    /// What is folded, and the tensors that nothing else reads.
    void erase() {
        for (NodeId id = m_edit.graph().last(); id;) {
            const Node& node = m_edit.node(id);
            const NodeId previous = node.previous;
            const bool isOurs = static_cast<size_t>(id.value) < m_isConstant.size() && at(id);
            if (isOurs && node.users.empty() && (node.opcode != Opcode::GetAttr || m_wasRead.contains(id))) {
                for (const InputUse& input : node.inputs)
                    m_wasRead.insert(input.node);
                if (node.opcode == Opcode::GetAttr)
                    m_unread.push_back(node.target.name());
                else
                    ++m_folded;
                m_edit.eraseNode(id);
            }
            id = previous;
        }
    }

    void report() {
        m_context.results.push_back(plural(m_folded, "call") + " folded into " +
                                    plural(m_kept.size(), "constant"));
        m_left.tellIn(m_context.results);
    }

    Edit& m_edit;
    PassContext& m_context;
    const int64_t m_limit;
    std::vector<char> m_isConstant; ///< by node
    std::vector<std::pair<NodeId, Value>> m_kept;
    std::unordered_set<NodeId> m_wasRead;
    std::vector<std::string> m_unread;
    size_t m_folded = 0;
    LeftAlone m_left;
};

} // namespace

void runConstFold(Edit& edit, const PassOptions& options, PassContext& context) {
    ConstantFolder(edit, options, context).run();
}

} // namespace fx
