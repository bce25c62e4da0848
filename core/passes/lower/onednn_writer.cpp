// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/lower/onednn_writer.h"

#include "core/passes/clean/erase_unread.h"
#include "core/passes/clean/recorded.h"
#include "core/passes/clean/reshape_views.h"

#include <algorithm>

namespace fx {

namespace {

/// Puts oneDNN's calls into a graph.
class CallWriter {
public:
    explicit CallWriter(Edit& edit) : m_edit(edit) {
        for (const Node& node : edit.graph())
            if (node.opcode == Opcode::GetAttr)
                m_readers.try_emplace(node.target, node.id);
    }

    void write(const OnednnCall& call) {
        const NodeId last = call.last();
        const Edit::InsertPoint point = m_edit.insertingBefore(last);
        const Argument weight = call.restored ? restored(call.restored) : readOf(call.weightPath, call);
        const Argument bias = call.biasPath ? Argument(readOf(*call.biasPath, call)) : Argument();
        const NodeId made = call.isConvolution ? convolution(call, packed(call, weight), bias)
                                               : linear(call, packed(call, weight), bias);
        copyPlace(m_edit, call.layer, made);
        copyRecorded(m_edit, last, made);
        m_edit.replaceAllUsesWith(last, made);
        for (const NodeId node : {call.activation, call.sum, call.layer})
            if (node)
                m_edit.eraseNode(node);
        eraseUnread(m_edit, {call.transposed, call.restored});
    }

private:
    NodeId readOf(const std::string& path, const OnednnCall& call) {
        const auto known = m_readers.find(Target(path));
        if (known != m_readers.end() && m_edit.graph().precedes(known->second, call.last()))
            return known->second;
        const NodeId made = m_edit.getAttr(path);
        copyPlace(m_edit, call.layer, made);
        m_readers[Target(path)] = made;
        return made;
    }

    /// What is worked out for a packed weight alone, by an operator's call, a run does once.
    NodeId restored(NodeId id) {
        const Node& node = m_edit.node(id);
        const bool isMethod = node.opcode == Opcode::CallMethod;
        if (!isMethod && node.users.size() == 1)
            return id;
        const NodeId made = m_edit.callFunction(isMethod ? Target("torch.ops.aten.to.dtype") : node.target,
                                                Arguments(node.args), Keywords(node.kwargs));
        copyPlace(m_edit, id, made);
        copyRecorded(m_edit, id, made);
        return made;
    }

    NodeId packed(const OnednnCall& call, const Argument& weight) {
        NodeId made;
        if (call.isConvolution) {
            made = m_edit.callFunction("torch.ops.mkldnn._reorder_convolution_weight.default",
                                       {weight, numberList(call.settings.padding),
                                        numberList(call.settings.stride), numberList(call.settings.dilation),
                                        call.groups, numberList(call.inputSizes)});
        } else {
            int64_t rows = 1;
            for (size_t i = 0; i + 1 < call.inputSizes.size(); ++i)
                rows *= call.inputSizes[i];
            made = m_edit.callFunction("torch.ops.mkldnn._reorder_linear_weight.default", {weight, rows});
        }
        copyPlace(m_edit, call.layer, made);
        return made;
    }

    NodeId convolution(const OnednnCall& call, NodeId weight, const Argument& bias) {
        const Argument input = inputOf(call);
        if (!call.sum)
            return m_edit.callFunction("torch.ops.mkldnn._convolution_pointwise.default",
                                       {input, weight, bias, numberList(call.settings.padding),
                                        numberList(call.settings.stride), numberList(call.settings.dilation),
                                        call.groups, call.unary, ListValue{call.scalars}, call.algorithm});
        const Argument unary = call.activation ? Argument(call.unary) : Argument();
        return m_edit.callFunction("torch.ops.mkldnn._convolution_pointwise_.binary",
                                   {addedTo(call), input, weight, bias, numberList(call.settings.padding),
                                    numberList(call.settings.stride), numberList(call.settings.dilation),
                                    call.groups, "add", 1, unary, ListValue{call.scalars}, call.algorithm});
    }

    /// The other operand of the sum.
    Argument addedTo(const OnednnCall& call) const {
        const Node& sum = m_edit.node(call.sum);
        return sum.args[0].node() == call.layer ? sum.args[1] : sum.args[0];
    }

    NodeId linear(const OnednnCall& call, NodeId weight, const Argument& bias) {
        if (call.sum)
            return m_edit.callFunction("torch.ops.mkldnn._linear_pointwise.binary",
                                       {inputOf(call), addedTo(call), weight, bias, "add"});
        return m_edit.callFunction(
            "torch.ops.mkldnn._linear_pointwise.default",
            {inputOf(call), weight, bias, call.unary, ListValue{call.scalars}, call.algorithm});
    }

    /// What the layer reads now: a call before it may have been written.
    Argument inputOf(const OnednnCall& call) const {
        const Node& layer = m_edit.node(call.layer);
        const bool isAddmm = layer.target.name().find("addmm") != std::string::npos;
        if (layer.args.empty())
            return layer.kwargs.at(0).second;
        return layer.args[isAddmm ? 1 : 0];
    }

    Edit& m_edit;
    std::unordered_map<Target, NodeId> m_readers;
};

} // namespace

void writeOnednnCalls(Edit& edit, const std::vector<OnednnCall>& calls) {
    CallWriter writer(edit);
    for (const OnednnCall& call : calls)
        writer.write(call);
    if (std::ranges::any_of(calls, &OnednnCall::isConvolution))
        reshapeImageViews(edit);
}

} // namespace fx
