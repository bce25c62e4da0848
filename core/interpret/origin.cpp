// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/origin.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/structure.h"
#include "core/torch/values/real_numbers.h"
#include "core/torch/values/value_text.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>

namespace fx {

namespace {

/// Where a tensor is so; undefined where its kind cannot be.
at::Tensor placesOf(const at::Tensor& tensor, const Trait& trait) {
    if (!tensor.defined() || tensor.numel() == 0 || tensor.is_meta() || tensor.layout() != at::kStrided)
        return {};
    const at::Tensor plain = tensor.is_quantized() ? tensor.dequantize() : tensor;
    const bool isFraction = plain.is_floating_point() || plain.is_complex();
    switch (trait.kind) {
    case Trait::Kind::Nan:
        return isFraction ? plain.isnan() : at::Tensor();
    case Trait::Kind::Inf:
        return isFraction ? plain.isinf() : at::Tensor();
    case Trait::Kind::AllZero:
        return plain.eq(0);
    case Trait::Kind::Above:
        return plain.scalar_type() == at::kBool ? at::Tensor() : plain.abs().gt(trait.limit);
    }
    return {};
}

bool isSo(const at::Tensor& tensor, const Trait& trait) {
    const at::Tensor places = placesOf(tensor, trait);
    if (!places.defined())
        return false;
    return (trait.kind == Trait::Kind::AllZero ? places.all() : places.any()).item<bool>();
}

std::string nameOf(const Trait& trait) {
    switch (trait.kind) {
    case Trait::Kind::Nan:
        return "NaN";
    case Trait::Kind::Inf:
        return "Inf";
    case Trait::Kind::AllZero:
        return "nothing but zeros";
    case Trait::Kind::Above:
        return "a magnitude above " + valueText(Value(c10::IValue(trait.limit)));
    }
    return {};
}

std::string indexText(const std::vector<int64_t>& index) {
    std::string out;
    for (const int64_t each : index)
        out += (out.empty() ? "" : ", ") + std::to_string(each);
    return '[' + out + ']';
}

/// The element that an element-wise call reads for that index of its result; undefined where the shapes do
/// not fit.
at::Tensor elementFor(at::Tensor operand, const std::vector<int64_t>& index, at::IntArrayRef sizes) {
    if (operand.dim() > static_cast<int64_t>(sizes.size()))
        return {};
    const size_t missing = sizes.size() - static_cast<size_t>(operand.dim());
    for (size_t i = missing; i < sizes.size(); ++i) {
        const int64_t size = operand.size(0);
        if (size != sizes[i] && size != 1)
            return {};
        operand = operand.select(0, size == 1 ? 0 : index[i]);
    }
    return operand;
}

std::vector<NodeId> inputsOf(const Model& model, NodeRef at) {
    std::vector<NodeId> out;
    for (const InputUse& use : model.graph(at.module).node(at.node).inputs)
        if (std::ranges::find(out, use.node) == out.end())
            out.push_back(use.node);
    return out;
}

class OriginFinder {
public:
    OriginFinder(const Model& model, const Trait& trait, const std::function<const Value*(NodeRef)>& valueOf)
        : m_model(model), m_trait(trait), m_valueOf(valueOf) {}

    /// The first tensor of the value that is so.
    const std::optional<at::Tensor>& found(NodeRef node) {
        const auto [known, isNew] = m_found.try_emplace(node);
        if (const Value* value = isNew ? m_valueOf(node) : nullptr)
            for (const Value& leaf : flattened(*value))
                if (!known->second && leaf.isTensor() && isSo(leaf.data().toTensor(), m_trait))
                    known->second = leaf.data().toTensor();
        return known->second;
    }

    /// The output of the graph that a node calls; no node where it calls none.
    NodeRef insideOf(NodeRef at) {
        const Node& node = m_model.graph(at.module).node(at.node);
        const ModuleId callee = node.opcode == Opcode::CallModule
                                    ? m_model.resolve(at.module, node.target.name()).module
                                    : ModuleId();
        return callee && m_model.module(callee).graph ? NodeRef{callee, m_model.graph(callee).outputNode()}
                                                      : NodeRef();
    }

    std::string madeText(NodeRef at, const at::Tensor& tensor) {
        const Node& node = m_model.graph(at.module).node(at.node);
        const at::Tensor places = placesOf(tensor, m_trait);
        const int64_t count = places.sum().item<int64_t>();
        const auto index =
            indexAt(places.reshape({-1}).to(at::kByte).argmax().item<int64_t>(), tensor.sizes());
        std::string out = nameOf(m_trait) + " comes first out of " + node.name;
        if (m_trait.kind != Trait::Kind::AllZero)
            out += " at " + indexText(index) + " (" + std::to_string(count) + " of " +
                   plural(static_cast<size_t>(tensor.numel()), "element") + ')';
        for (const NodeId input : inputsOf(m_model, at))
            out += operandText({at.module, input}, index, tensor.sizes());
        return out;
    }

private:
    std::string operandText(NodeRef at, const std::vector<int64_t>& index, at::IntArrayRef sizes) {
        const std::string name = "\n  " + m_model.graph(at.module).node(at.node).name;
        const Value* value = m_valueOf(at);
        if (!value)
            return name + " was not kept";
        if (!value->isTensor() || !value->data().toTensor().defined())
            return name + " = " + valueText(*value);
        const at::Tensor& tensor = value->data().toTensor();
        if (const at::Tensor element = elementFor(tensor, index, sizes); element.defined())
            return name + (tensor.dim() ? indexText(readIndex(tensor, index)) : "") + " = " +
                   valueText(Value(c10::IValue(element.item())));
        const TensorStatistics statistics = statisticsOf(tensor);
        if (!statistics.minimum)
            return name + " " + valueMetaText(describeValue(*value));
        return name + " " + valueMetaText(describeValue(*value)) + " from " +
               valueText(Value(c10::IValue(*statistics.minimum))) + " to " +
               valueText(Value(c10::IValue(*statistics.maximum)));
    }

    static std::vector<int64_t> readIndex(const at::Tensor& operand, const std::vector<int64_t>& index) {
        std::vector<int64_t> out(index.end() - operand.dim(), index.end());
        for (size_t i = 0; i < out.size(); ++i)
            if (operand.size(static_cast<int64_t>(i)) == 1)
                out[i] = 0;
        return out;
    }

    const Model& m_model;
    const Trait m_trait;
    const std::function<const Value*(NodeRef)>& m_valueOf;
    std::map<NodeRef, std::optional<at::Tensor>> m_found; ///< looked for only once: it reads all elements
};

/// NaN or Inf, whichever the value has; none if it has neither.
std::optional<Trait> unhealthOf(const Value& value) {
    const Health health = healthOf(value);
    if (health.isFinite())
        return std::nullopt;
    return Trait{health.hasNan ? Trait::Kind::Nan : Trait::Kind::Inf};
}

} // namespace

std::optional<Trait> parseTrait(std::string_view text) {
    text = trim(text);
    if (text.empty())
        return std::nullopt;
    if (text == "nan")
        return Trait{Trait::Kind::Nan};
    if (text == "inf")
        return Trait{Trait::Kind::Inf};
    if (text == "zero")
        return Trait{Trait::Kind::AllZero};
    if (text.starts_with('>')) {
        const std::string_view number = trim(text.substr(1));
        double limit = 0;
        const auto [end, fault] = std::from_chars(number.data(), number.data() + number.size(), limit);
        if (fault == std::errc() && end == number.data() + number.size())
            return Trait{Trait::Kind::Above, limit};
    }
    throw Error("", "'" + std::string(text) + "' is nothing to look for")
        .hint("nan, inf, zero, or a limit such as > 1e4");
}

std::vector<NodeRef> wayBack(const Model& model, NodeRef node, const std::function<bool(NodeRef)>& isSo) {
    std::map<NodeRef, NodeRef> readers{{node, NodeRef()}};
    std::vector<NodeRef> open{node};
    NodeRef first = node;
    while (!open.empty()) {
        const NodeRef at = open.back();
        open.pop_back();
        bool isMadeHere = true;
        for (const NodeId input : inputsOf(model, at)) {
            const NodeRef ref{at.module, input};
            if (const auto known = readers.find(ref); known == readers.end()) {
                if (!isSo(ref))
                    continue;
                readers.emplace(ref, at);
                open.push_back(ref);
            }
            isMadeHere = false;
        }
        const Graph& graph = model.graph(at.module);
        if (isMadeHere && (first == node || graph.precedes(at.node, first.node)))
            first = at;
    }
    std::vector<NodeRef> way;
    for (NodeRef at = first; at.node; at = readers.at(at))
        way.push_back(at);
    std::ranges::reverse(way);
    return way;
}

std::string wayText(const Model& model, const std::vector<NodeRef>& way) {
    std::string out;
    for (auto each = way.rbegin(); each != way.rend() && way.size() > 1; ++each)
        out += (out.empty() ? "\n  from there: " : " -> ") + model.graph(each->module).node(each->node).name;
    return out;
}

Origin originOf(const Model& model, NodeRef node, std::optional<Trait> trait,
                const std::function<const Value*(NodeRef)>& valueOf,
                const std::function<std::string(NodeRef)>& whyNone) {
    const Value* value = valueOf(node);
    if (!value)
        throw Error("", whyNone(node));
    const std::string& name = model.graph(node.module).node(node.node).name;
    const bool isGiven = trait.has_value();
    if (!trait)
        trait = unhealthOf(*value);
    if (!trait)
        throw Error("", name + " holds no NaN and no Inf").hint("why NODE zero, why NODE > 1e4");
    OriginFinder finder(model, *trait, valueOf);
    if (isGiven && !finder.found(node))
        throw Error("", name + " does not hold " + nameOf(*trait));
    Origin out;
    NodeRef at = node;
    while (true) {
        const std::vector<NodeRef> way =
            wayBack(model, at, [&](NodeRef ref) { return finder.found(ref).has_value(); });
        out.path.insert(out.path.end(), way.begin(), way.end());
        const NodeRef inside = finder.insideOf(out.path.back());
        if (!inside.node || !finder.found(inside))
            break;
        at = inside;
    }
    if (const Node& last = model.graph(out.path.back().module).node(out.path.back().node);
        last.opcode == Opcode::Output && out.path.size() > 1)
        out.path.pop_back();
    const NodeRef first = out.path.back();
    out.text = finder.madeText(first, *finder.found(first));
    out.text += wayText(model, out.path);
    return out;
}

} // namespace fx
