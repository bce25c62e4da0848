// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/clean/channels_last.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/passes/clean/call_names.h"
#include "core/passes/clean/effects.h"
#include "core/passes/clean/lazy_tensor.h"
#include "core/passes/clean/reshape_views.h"
#include "core/passes/pass_options.h"
#include "core/passes/pass_runner.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

std::optional<c10::MemoryFormat> formatFor(const TensorMeta& tensor) {
    if (tensor.layout != c10::kStrided || tensor.shape.size() < 4 || tensor.shape.size() > 5)
        return std::nullopt;
    return tensor.shape.size() == 4 ? c10::MemoryFormat::ChannelsLast : c10::MemoryFormat::ChannelsLast3d;
}

class LayoutChange {
public:
    explicit LayoutChange(Edit& edit)
        : m_edit(edit), m_effects(edit.model(), edit.module()), m_isAten(isOfOperators(edit.graph())) {}

    void run(bool restoresOutputs, PassContext& context) {
        changeViews();
        changeWeights();
        changeInputs();
        if (restoresOutputs)
            restoreOutputs();
        context.results.push_back(plural(m_weights, "weight") + " and " + plural(m_inputs, "input") +
                                  " with channels last, " + plural(m_views, "view") + " reshaped");
        if (m_unknown > 0)
            context.warnings.push_back(
                "the shapes of " + plural(m_unknown, "input") +
                " are not recorded, so they stay as they are; shape-prop records them");
    }

private:
    void changeViews() {
        for (const Node& node : m_edit.graph()) {
            const std::string_view name = node.opcode == Opcode::CallMethod
                                              ? std::string_view(node.target.name())
                                              : functionOfTorch(node);
            if (name == "as_strided" || name == "stride" || name == "is_contiguous" ||
                name == "storage_offset")
                throw Error("node '" + node.name + "'", "reads how numbers lie, which would be otherwise")
                    .hint("channels-last is for graphs that do not");
        }
        const ReshapedViews views = reshapeViews(m_edit);
        if (!views.written.empty())
            throw Error("node '" + m_edit.node(views.written[0]).name + "'",
                        "is a view that the graph writes into")
                .hint("channels-last is for graphs that do not");
        m_views = views.count;
    }

    void changeWeights() {
        const ModuleId here = m_edit.module();
        std::vector<std::pair<std::string, NamedTensor>> entries;
        m_edit.model().forEachModule(here, [&](ModuleId id, const std::string& path) {
            for (const NamedTensor& entry : m_edit.model().module(id).tensors)
                if (entry.tensor && formatFor(m_edit.model().tensor(entry.tensor).meta()))
                    entries.emplace_back(path.empty() ? entry.name : path + '.' + entry.name, entry);
        });
        for (const auto& [path, entry] : entries) {
            const TensorSlot& old = m_edit.model().tensor(entry.tensor);
            const c10::MemoryFormat format = *formatFor(old.meta());
            auto [at, isNew] = m_made.try_emplace(entry.tensor);
            if (isNew) {
                std::vector<TensorSlot> made =
                    lazyTensors({old}, [format](const std::vector<at::Tensor>& given) {
                        return std::vector<at::Tensor>{
                            given[0].contiguous(format).detach().set_requires_grad(given[0].requires_grad())};
                    });
                if (made[0].meta() == old.meta()) {
                    m_made.erase(at);
                    continue;
                }
                at->second = m_edit.createTensor(std::move(made[0]));
                ++m_weights;
            }
            m_edit.setTensor(path, at->second, entry.role);
        }
    }

    void changeInputs() {
        NodeId last;
        std::vector<NodeId> inputs;
        for (const Node& node : m_edit.graph())
            if (node.opcode == Opcode::Placeholder) {
                last = node.id;
                inputs.push_back(node.id);
            }
        for (const NodeId input : inputs) {
            const Node& node = m_edit.node(input);
            const ValueMeta* value = knownValue(node.meta);
            const auto* tensor = value ? std::get_if<TensorMeta>(&value->value) : nullptr;
            m_unknown += !value;
            const auto format = tensor ? formatFor(*tensor) : std::nullopt;
            // An input that is written into must stay the caller's.
            if (!format || node.users.empty() || m_effects.isWritten(input) || isConverted(node, *format))
                continue;
            last = convert(input, *format, last, nullptr);
            ++m_inputs;
        }
    }

    bool isConversion(const Node& node, c10::MemoryFormat format) const {
        const Argument* given = node.keyword("memory_format");
        return node.target.name() == (m_isAten ? "torch.ops.aten.contiguous.default" : "contiguous") &&
               given && *given == Argument(format);
    }
    bool isConverted(const Node& input, c10::MemoryFormat format) const {
        return std::ranges::all_of(input.users.toVector(),
                                   [&](NodeId user) { return isConversion(m_edit.node(user), format); });
    }

    /// Whoever reads the value, or the one reader, reads it in that format.
    NodeId convert(NodeId value, c10::MemoryFormat format, NodeId after, const NodeId* reader) {
        NodeId made;
        {
            const Edit::InsertPoint point = m_edit.insertingAfter(after);
            const Keywords how = {{"memory_format", format}};
            made = m_isAten ? m_edit.callFunction("torch.ops.aten.contiguous.default", {value}, how)
                            : m_edit.callMethod("contiguous", {value}, how);
        }
        const auto filter = [&](NodeId user) { return user != made && (!reader || user == *reader); };
        m_edit.replaceAllUsesWith(value, made, filter);
        return made;
    }

    void restoreOutputs() {
        const NodeId output = m_edit.graph().outputNode();
        if (!output)
            return;
        std::vector<NodeId> results;
        for (const InputUse& input : m_edit.node(output).inputs)
            results.push_back(input.node);
        for (const NodeId result : results) {
            const Node& node = m_edit.node(result);
            const ValueMeta* value = knownValue(node.meta);
            const auto* tensor = value ? std::get_if<TensorMeta>(&value->value) : nullptr;
            if (tensor && formatFor(*tensor) && node.opcode != Opcode::Placeholder &&
                !isConversion(node, c10::MemoryFormat::Contiguous))
                convert(result, c10::MemoryFormat::Contiguous, m_edit.node(output).previous, &output);
        }
    }

    Edit& m_edit;
    const Effects m_effects;
    const bool m_isAten;
    std::map<TensorId, TensorId> m_made;
    size_t m_weights = 0, m_inputs = 0, m_views = 0, m_unknown = 0;
};

} // namespace

void runChannelsLast(Edit& edit, const PassOptions& options, PassContext& context) {
    LayoutChange(edit).run(options.flag("restore-outputs"), context);
}

} // namespace fx
