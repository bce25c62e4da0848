// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/lower/attention.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/shape_prop.h"
#include "core/passes/clean/call_names.h"
#include "core/passes/clean/effects.h"
#include "core/passes/clean/left_alone.h"
#include "core/passes/clean/recorded.h"
#include "core/passes/lower/whole_times.h"
#include "core/passes/pass_options.h"
#include "core/passes/quantize/quantize_graph.h"
#include "core/passes/run_progress.h"

#include <algorithm>
#include <cmath>

namespace fx {

namespace {

/// What one call of attention takes the place of.
struct Attention {
    NodeId query, key, value;
    bool isKeyTurned = false; ///< rows are keys: what the product read was a transpose of it
    double scale = 1;
    NodeId added;  ///< to the scores; none
    NodeId hidden; ///< a condition: where it holds, the score is `hiddenScore`; none
    double hiddenScore = 0;
    std::vector<NodeId> computed; ///< from the last call to the first
};

class AttentionFinder {
public:
    AttentionFinder(const Model& model, ModuleId module, LeftAlone& left)
        : m_model(model), m_module(module), m_graph(model.graph(module)), m_effects(model, module),
          m_left(left) {}

    std::vector<Attention> run() {
        std::vector<Attention> out;
        for (const Node& node : m_graph)
            if (isProduct(node))
                if (std::optional<Attention> found = at(node))
                    out.push_back(std::move(*found));
        return out;
    }

private:
    std::string nameOf(const Node& node) const { return quantizedCallName(m_model, m_module, node); }
    bool isProduct(const Node& node) const {
        const std::string name = nameOf(node);
        return (name == "matmul" || name == "bmm") && node.args.size() == 2 && node.kwargs.empty() &&
               node.args[0].node() && node.args[1].node();
    }

    std::optional<Attention> at(const Node& product) {
        Attention out;
        out.computed.push_back(product.id);
        out.value = product.args[1].node();
        const Node* shares = &m_graph.node(product.args[0].node());
        if (nameOf(*shares) == "dropout") {
            const NodeId kept = nodeOf(firstInput(*shares));
            if (!kept || mayDrop(*shares))
                return {}; // it drops something else each time
            out.computed.push_back(shares->id);
            shares = &m_graph.node(kept);
        }
        if (!isSoftmaxOfRows(*shares))
            return {};
        out.computed.push_back(shares->id);
        const Node* scores = hide(out, m_graph.node(nodeOf(firstInput(*shares))));
        while (const std::optional<double> factor = factorOf(*scores)) {
            out.scale *= *factor;
            out.computed.push_back(scores->id);
            scores = &m_graph.node(scores->args[0].node());
        }
        if (!isProduct(*scores))
            return {};
        out.computed.push_back(scores->id);
        takeQuery(out, scores->args[0].node());
        takeKey(out, scores->args[1].node());
        const std::string obstacle = obstacleOf(out);
        if (!obstacle.empty())
            m_left.add(obstacle, product.name);
        return obstacle.empty() ? std::optional(std::move(out)) : std::nullopt;
    }

    const Argument* argumentOf(const Node& node, size_t index, std::string_view name) const {
        return node.args.size() > index ? &node.args[index] : node.keyword(name);
    }
    const TensorMeta* tensorOf(NodeId node) const { return recordedTensor(m_graph.node(node)); }

    bool mayDrop(const Node& node) const {
        if (const Module* module = calledModule(m_model, m_module, node))
            return module->isTraining;
        const Argument* mode = argumentOf(node, 2, "training");
        if (!mode)
            mode = node.keyword("train");
        return !mode || !mode->as<bool>() || *mode->as<bool>();
    }

    bool isSoftmaxOfRows(const Node& node) const {
        const std::string name = nameOf(node);
        const NodeId scores = nodeOf(firstInput(node));
        if ((name != "softmax" && name != "_softmax") || !scores || !tensorOf(node.id) || !tensorOf(scores))
            return false;
        const Module* module = calledModule(m_model, m_module, node);
        const Argument* dimension = module ? module->value("dim") : argumentOf(node, 1, "dim");
        const auto* number = dimension ? dimension->as<int64_t>() : nullptr;
        const auto rank = static_cast<int64_t>(tensorOf(node.id)->shape.size());
        return number && (*number == -1 || *number == rank - 1) &&
               tensorOf(node.id)->dtype == tensorOf(scores)->dtype;
    }

    /// Takes note of a mask; what it masks.
    const Node* hide(Attention& out, const Node& scores) const {
        const std::string name = nameOf(scores);
        if (name == "masked_fill" && scores.args.size() == 3 && scores.args[0].node() &&
            scores.args[1].node()) {
            const std::optional<double> score = numberOf(scores.args[2]);
            if (!score)
                return &scores;
            out.hidden = scores.args[1].node();
            out.hiddenScore = *score;
        } else if (name == "add" && scores.args.size() == 2 && scores.kwargs.empty() &&
                   scores.args[0].node() && scores.args[1].node()) {
            out.added = scores.args[1].node();
        } else {
            return &scores;
        }
        out.computed.push_back(scores.id);
        return &m_graph.node(scores.args[0].node());
    }

    static std::optional<double> numberOf(const Argument& argument) {
        if (const auto* whole = argument.as<int64_t>())
            return static_cast<double>(*whole);
        const auto* number = argument.as<double>();
        return number ? std::optional(*number) : std::nullopt;
    }

    /// Of a value times or by a number.
    std::optional<double> factorOf(const Node& node) const {
        const std::string name = nameOf(node);
        const bool isProductOfNumber = name == "mul";
        if ((!isProductOfNumber && name != "div" && name != "truediv" && name != "itruediv") ||
            node.args.size() != 2 || !node.kwargs.empty() || !node.args[0].node())
            return {};
        const std::optional<double> number = numberOf(node.args[1]);
        return number && !isProductOfNumber ? std::optional(1 / *number) : number;
    }

    /// A factor on its way to the product is one of the scores, where nobody else reads it.
    void takeQuery(Attention& out, NodeId query) const {
        const Node& node = m_graph.node(query);
        out.query = query;
        if (const std::optional<double> factor = factorOf(node); factor && node.users.size() == 1) {
            out.scale *= *factor;
            out.computed.push_back(query);
            out.query = node.args[0].node();
        }
    }

    void takeKey(Attention& out, NodeId key) const {
        const Node& node = m_graph.node(key);
        out.key = key;
        if (!swapsLast(node))
            return;
        out.isKeyTurned = true;
        if (node.users.size() == 1)
            out.computed.push_back(key);
        out.key = node.args[0].node();
    }

    bool swapsLast(const Node& node) const {
        const std::string name = nameOf(node);
        if (node.args.empty() || !node.args[0].node() || !tensorOf(node.id))
            return false;
        const auto rank = static_cast<int64_t>(tensorOf(node.id)->shape.size());
        const auto place = [&](const Argument& argument) {
            const auto* number = argument.as<int64_t>();
            return !number ? -1 : *number < 0 ? *number + rank : *number;
        };
        if ((name == "transpose" || name == "swapaxes" || name == "swapdims") && node.args.size() == 3)
            return place(node.args[1]) + place(node.args[2]) == 2 * rank - 3 &&
                   std::abs(place(node.args[1]) - place(node.args[2])) == 1;
        if (name != "permute" || node.args.size() < 2)
            return false;
        const Arguments* listed = node.args[1].items();
        const Arguments order = listed ? *listed : Arguments(node.args.begin() + 1, node.args.end());
        for (int64_t i = 0; i < static_cast<int64_t>(order.size()); ++i)
            if (place(order[static_cast<size_t>(i)]) != (i < rank - 2 ? i : 2 * rank - 3 - i))
                return false;
        return static_cast<int64_t>(order.size()) == rank;
    }

    std::string obstacleOf(const Attention& found) const {
        for (size_t i = 1; i < found.computed.size(); ++i)
            if (m_graph.node(found.computed[i]).users.size() != 1)
                return "as others read what lies within";
        const NodeId rightSide = m_graph.node(lastProduct(found)).args[1].node();
        const TensorMeta *query = tensorOf(found.query), *key = tensorOf(rightSide),
                         *value = tensorOf(found.value);
        if (!query || !key || !value)
            return "as their shapes are not known";
        const size_t rank = query->shape.size();
        if (rank < 3 || key->shape.size() != rank || value->shape.size() != rank ||
            !std::equal(query->shape.begin(), query->shape.end() - 2, key->shape.begin()) ||
            !std::equal(query->shape.begin(), query->shape.end() - 2, value->shape.begin()))
            return "as their batches are not of one shape";
        if (!c10::isFloatingType(query->dtype) || key->dtype != query->dtype || value->dtype != query->dtype)
            return "as they are not of one floating dtype";
        if (found.added && !isMask(found.added, *query))
            return "as what is added is no mask of their dtype";
        for (const NodeId read : {found.query, found.key, found.value, found.added, found.hidden})
            if (read && m_effects.isWritten(read))
                return "as the graph writes into what they read";
        return {};
    }

    NodeId lastProduct(const Attention& found) const {
        // Of the two products the one of queries and keys.
        for (auto id = found.computed.rbegin(); id != found.computed.rend(); ++id)
            if (isProduct(m_graph.node(*id)))
                return *id;
        return {};
    }

    bool isMask(NodeId node, const TensorMeta& query) const {
        const TensorMeta* mask = tensorOf(node);
        return mask && mask->dtype == query.dtype && mask->shape.size() <= query.shape.size() &&
               mask->shape.size() >= 2;
    }

    const Model& m_model;
    ModuleId m_module;
    const Graph& m_graph;
    Effects m_effects;
    LeftAlone& m_left;
};

class AttentionWriter {
public:
    AttentionWriter(Edit& edit, const Model& sizes)
        : m_edit(edit), m_sizes(sizes), m_isAten(isOfAten(edit.graph())) {}

    void write(const Attention& found) {
        const NodeId last = found.computed.front();
        const Edit::InsertPoint point = m_edit.insertingBefore(last);
        NodeId key = found.key;
        if (!found.isKeyTurned)
            key = placed(found, m_isAten ? m_edit.callFunction("torch.ops.aten.transpose.int", {key, -2, -1})
                                         : m_edit.callMethod("transpose", {key, -2, -1}));
        Keywords options;
        if (found.added)
            options.emplace_back("attn_mask", found.added);
        else if (found.hidden)
            options.emplace_back("attn_mask", maskOf(found));
        const auto size = std::get_if<int64_t>(&queryOf(found).shape.back());
        if (!size || std::abs(found.scale * std::sqrt(static_cast<double>(*size)) - 1) > 1e-9)
            options.emplace_back("scale", found.scale);
        const NodeId made =
            placed(found, m_edit.callFunction(m_isAten ? "torch.ops.aten.scaled_dot_product_attention.default"
                                                       : "torch._C._nn.scaled_dot_product_attention",
                                              {found.query, key, found.value}, std::move(options)));
        copyRecorded(m_edit, last, made);
        m_edit.replaceAllUsesWith(last, made);
        for (const NodeId node : found.computed)
            m_edit.eraseNode(node);
    }

private:
    const TensorMeta& queryOf(const Attention& found) const {
        return *recordedTensor(m_sizes.graph(m_edit.module()).node(found.query));
    }

    NodeId placed(const Attention& found, NodeId made) {
        copyPlace(m_edit, found.computed.front(), made);
        return made;
    }

    /// A condition says what is seen; another score than minus infinity is added instead.
    NodeId maskOf(const Attention& found) {
        const auto call = [&](const char* name, const char* overload, Arguments args, Keywords options = {}) {
            return placed(found,
                          m_edit.callFunction(m_isAten ? std::string("torch.ops.aten.") + name + overload
                                                       : std::string("torch.") + name,
                                              std::move(args), std::move(options)));
        };
        if (std::isinf(found.hiddenScore))
            return call("logical_not", ".default", {found.hidden});
        const NodeId zeros =
            call("zeros_like", ".default", {found.hidden}, {{"dtype", queryOf(found).dtype}});
        return call("masked_fill", ".Scalar", {zeros, found.hidden, found.hiddenScore});
    }

    Edit& m_edit;
    const Model& m_sizes; ///< with the shapes of the nodes that there were
    bool m_isAten;
};

} // namespace

void runFuseAttention(Edit& edit, const PassOptions& options, PassContext& context) {
    if (!context.inputs)
        throw Error("", "the sizes of the inputs decide, and there are no inputs");
    const GraphInputs inputs = context.inputs(edit.model());
    // All is tried on a copy, which has the shapes, too.
    Model sized = edit.model();
    {
        Edit recording(sized, Edit::WithoutHistory());
        recording.enter(edit.module());
        RunProgress progress(context.progress, edit.graph().size());
        propagateShapes(recording, inputs, context.settings, &progress);
        recording.finish();
    }
    LeftAlone left;
    const std::vector<Attention> found = AttentionFinder(sized, edit.module(), left).run();
    const auto write = [&](Edit& into) {
        AttentionWriter writer(into, sized);
        for (const Attention& attention : found)
            writer.write(attention);
    };
    left.tellIn(context.results);
    if (found.empty()) {
        context.results.emplace_back("no attention in parts");
        return;
    }
    if (!options.flag("always")) {
        Model trial = edit.model();
        Edit trying(trial, Edit::WithoutHistory());
        trying.enter(edit.module());
        write(trying);
        trying.finish();
        if (!isFaster(wholeTimes(edit.model(), trial, inputs, context.settings), context.results))
            return;
    }
    write(edit);
    context.results.push_back(plural(found.size(), "attention") + " by one call each");
}

} // namespace fx
