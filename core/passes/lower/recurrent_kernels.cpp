// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/lower/recurrent_kernels.h"

#include "core/base/text.h"
#include "core/passes/clean/call_names.h"
#include "core/passes/clean/erase_unread.h"
#include "core/passes/clean/left_alone.h"
#include "core/passes/clean/recorded.h"
#include "core/passes/clean/recurrent_modules.h"
#include "core/passes/lower/integer_values.h"
#include "core/passes/lower/small_weight.h"
#include "core/passes/lower/whole_times.h"
#include "core/passes/pass.h"

namespace fx {

namespace {

constexpr size_t kCellArguments = 4; ///< two matrices, two biases

struct Cell {
    SmallWeight input, state;
    Argument inputBias, stateBias;
};

struct RecurrentCall {
    NodeId node, input;
    NodeId restored; ///< of integers: the input as the node reads it now
    std::vector<Cell> cells;
    WeightForm form() const { return cells.front().input.form; }
};

class RecurrentFinder {
public:
    RecurrentFinder(const Model& model, ModuleId module)
        : m_model(model), m_graph(model.graph(module)), m_module(module), m_effects(model, module) {}

    /// `why` is set where the weights are small, and no kernel reads them.
    std::optional<RecurrentCall> at(const Node& node, std::string& why) const {
        if (!isRecurrentCall(node) || !node.args[0].node())
            return std::nullopt;
        RecurrentCall out{node.id, node.args[0].node(), {}, {}};
        const Arguments& weights = *node.args[2].items();
        size_t small = 0;
        for (const Argument& weight : weights)
            small += smallWeightAt(m_model, m_module, weight.node()).has_value();
        if (small == 0)
            return std::nullopt;
        const auto* cells = node.args[4].as<int64_t>();
        const size_t directions = node.args[7] == Argument(true) ? 2 : 1;
        if (!(node.args[3] == Argument(true)) || !cells ||
            weights.size() != static_cast<size_t>(*cells) * directions * kCellArguments)
            why = "as the kernel takes a bias beside each matrix, and no projections";
        else if (!(node.args[6] == Argument(false)) && !(node.args[5] == Argument(0.0)))
            why = "as they drop values, in training mode";
        for (size_t i = 0; why.empty() && i < weights.size(); i += kCellArguments)
            why = takeCell(out, weights, i);
        if (why.empty() && out.form() == WeightForm::Int8)
            why = takeInput(out);
        return why.empty() ? std::optional(std::move(out)) : std::nullopt;
    }

private:
    std::string takeCell(RecurrentCall& call, const Arguments& weights, size_t first) const {
        const auto input = smallWeightAt(m_model, m_module, weights[first].node()),
                   state = smallWeightAt(m_model, m_module, weights[first + 1].node());
        if (!input || !state || input->form != state->form ||
            (!call.cells.empty() && input->form != call.form()))
            return "as their weights are not all small in one way";
        if (input->form == WeightForm::Int4)
            return "as LibTorch has no kernel that reads such weights";
        for (const SmallWeight& weight : {*input, *state}) {
            if (weight.form == WeightForm::Int8 && !weight.isByChannel)
                return "as the kernel wants a scale for each channel";
            const auto integers = integerWeightAt(m_model, m_module, weight.restored);
            if (integers && integers->dtype != c10::kFloat)
                return "as they do not compute in float32";
            if (m_effects.isWritten(weight.restored))
                return "as something writes into their weights";
        }
        call.cells.push_back({*input, *state, weights[first + 2], weights[first + 3]});
        return {};
    }

    /// The kernel rounds what it reads: the graph has to say so.
    std::string takeInput(RecurrentCall& call) const {
        const auto restored = restorationAt(m_graph, call.input);
        const auto integers = restored ? quantizationAt(m_graph, restored->input) : std::nullopt;
        if (!integers || integers->isConstant())
            return "as the kernel rounds what they read, which quantize --mode dynamic does";
        call.restored = call.input;
        call.input = integers->input;
        return {};
    }

    const Model& m_model;
    const Graph& m_graph;
    const ModuleId m_module;
    const Effects m_effects;
};

std::vector<RecurrentCall> callsOf(const Model& model, ModuleId module, LeftAlone& left) {
    std::vector<RecurrentCall> out;
    const RecurrentFinder finder(model, module);
    for (const Node& node : model.graph(module)) {
        std::string why;
        if (auto call = finder.at(node, why))
            out.push_back(std::move(*call));
        else if (!why.empty())
            left.add(why, node.name);
    }
    return out;
}

class RecurrentWriter {
public:
    explicit RecurrentWriter(Edit& edit) : m_edit(edit) {}

    void write(const RecurrentCall& given) {
        m_at = given.node;
        const Edit::InsertPoint point = m_edit.insertingBefore(given.node);
        ListValue cells;
        for (const Cell& cell : given.cells)
            cells.items.emplace_back(given.form() == WeightForm::Float16 ? float16(cell) : integers(cell));
        const Node& node = m_edit.node(given.node);
        const bool isLstm = functionOfTorch(node) == "lstm";
        Arguments args{given.input, isLstm ? stateOf(node.args[1]) : node.args[1], std::move(cells)};
        args.insert(args.end(), node.args.begin() + 3, node.args.end());
        Keywords kwargs;
        if (isLstm)
            kwargs = {{"dtype", given.form() == WeightForm::Float16 ? c10::kHalf : c10::kQInt8},
                      {"use_dynamic", true}};
        const NodeId made =
            call(isLstm ? "torch.ops.aten.quantized_lstm.input" : "torch.ops.aten.quantized_gru.input",
                 std::move(args), std::move(kwargs));
        copyRecorded(m_edit, given.node, made);
        m_edit.replaceAllUsesWith(given.node, made);
        m_edit.eraseNode(given.node);
        for (const Cell& cell : given.cells)
            for (const NodeId restored : {cell.input.restored, cell.state.restored})
                eraseUnreadWithInputs(m_edit, restored);
        if (given.restored)
            eraseUnreadWithInputs(m_edit, given.restored);
    }

private:
    NodeId call(const char* function, Arguments args, Keywords kwargs = {}) {
        const NodeId made = m_edit.callFunction(function, std::move(args), std::move(kwargs));
        copyPlace(m_edit, m_at, made);
        return made;
    }

    /// The two tensors, which a node may give together.
    Argument stateOf(const Argument& state) {
        if (const Arguments* items = state.items())
            return ListValue{*items};
        return ListValue{{call("operator.getitem", {state, 0}), call("operator.getitem", {state, 1})}};
    }

    NodeId float16(const Cell& cell) {
        const auto packed = [&](const SmallWeight& weight, const Argument& bias) {
            return call("torch.ops.quantized.linear_prepack_fp16.default", {weight.numbers, bias});
        };
        return call("torch.ops.quantized.make_quantized_cell_params_fp16.default",
                    {packed(cell.input, cell.inputBias), packed(cell.state, cell.stateBias)});
    }

    NodeId integers(const Cell& cell) {
        const auto packed = [&](const SmallWeight& weight, const Argument& bias) {
            const auto known = *integerWeightAt(m_edit.model(), m_edit.module(), weight.restored);
            const NodeId quantized = call("torch.ops.aten._make_per_channel_quantized_tensor.default",
                                          {known.integers, known.scale, known.zeroPoint, 0});
            return call("torch.ops.quantized.linear_prepack.default", {quantized, bias});
        };
        constexpr bool kReducesRange = true; // as torch.ao: sums of two products then fit anywhere
        return call("torch.ops.quantized.make_quantized_cell_params_dynamic.default",
                    {packed(cell.input, cell.inputBias), packed(cell.state, cell.stateBias), cell.inputBias,
                     cell.stateBias, kReducesRange});
    }

    Edit& m_edit;
    NodeId m_at; ///< the call that is written anew
};

void writeRecurrent(Edit& edit, const std::vector<RecurrentCall>& calls) {
    RecurrentWriter writer(edit);
    for (const RecurrentCall& call : calls)
        writer.write(call);
}

} // namespace

void lowerRecurrent(Edit& edit, const GraphInputs& inputs, bool isAlways, PassContext& context) {
    LeftAlone left;
    const std::vector<RecurrentCall> calls = callsOf(edit.model(), edit.module(), left);
    left.tellIn(context.results);
    if (calls.empty())
        return;
    const auto write = [&](Edit& into) { writeRecurrent(into, calls); };
    if (!isAlways && !isFasterWith(edit, inputs, context.settings, write, context.results))
        return;
    write(edit);
    context.results.push_back(plural(calls.size(), "recurrent layer") + " over small weights as they are");
}

} // namespace fx
