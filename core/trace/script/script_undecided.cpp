// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/script/script_undecided.h"

#include "core/base/text.h"

#include <algorithm>
#include <deque>
#include <set>

namespace fx {

namespace {

/// What reads sizes, types or places, and no data.
bool readsNoData(const Node& node) {
    static constexpr std::string_view kReads[] = {"size",       "dim",           "numel",
                                                  "len",        "stride",        "is_floating_point",
                                                  "is_complex", "is_contiguous", "get_device"};
    static constexpr std::string_view kAttributes[] = {"shape",  "ndim",     "dtype",     "device",
                                                       "layout", "is_cuda",  "is_cpu",    "is_meta",
                                                       "is_mps", "itemsize", "is_sparse", "is_quantized"};
    if (node.target.functionName() == "getattr" && node.args.size() == 2) {
        const auto* name = node.args[1].as<std::string>();
        return name && std::ranges::find(kAttributes, *name) != std::end(kAttributes);
    }
    return std::ranges::find(kReads, node.target.functionName()) != std::end(kReads);
}

class Deciding {
public:
    explicit Deciding(const ScriptState& state) : m_state(state) {}

    void add(NodeId id, bool ofSizes = false) {
        if (m_seen.insert({id, ofSizes}).second)
            m_waiting.push_back({id, ofSizes});
    }

    void walk() {
        for (; !m_waiting.empty(); m_waiting.pop_front())
            visit(m_waiting.front().first, m_waiting.front().second);
    }
    std::string text() const { return join(m_lines, "\n"); }
    bool isByData() const { return m_isByData; }

private:
    void visit(NodeId id, bool ofSizes) {
        const Node& node = m_state.tracer.graph().node(id);
        if (node.opcode == Opcode::Placeholder)
            return addPlaceholder(id, node.target.name(), ofSizes);
        if (ofSizes && isSized(id))
            return;
        const bool readsSizes = ofSizes || readsNoData(node);
        // Sizes that no example gives are those that depend on data.
        if (ofSizes && makesSizes(node)) {
            m_isByData = true;
            addLine("only a run knows the sizes of what " + node.name + " gives");
            return;
        }
        bool readsAny = false;
        forEachNode(node.args, node.kwargs, [&](NodeId input) {
            readsAny = true;
            add(input, readsSizes);
        });
        m_isByData = m_isByData || (!readsAny && !readsSizes); // a tensor of the model, a random number
    }

    bool isSized(NodeId id) const {
        return m_state.knowledge.shapeOf(m_state.tracer.proxyOf(id)).has_value();
    }

    bool makesSizes(const Node& node) const {
        bool areSized = true, isAny = false;
        forEachNode(node.args, node.kwargs, [&](NodeId input) {
            areSized = areSized && isSized(input);
            isAny = true;
        });
        return isAny && areSized && !isSized(node.id);
    }

    void addPlaceholder(NodeId id, const std::string& name, bool ofSizes) {
        if (m_state.loopValues.contains(id)) { // another one in each round
            m_isByData = true;
            return;
        }
        const auto type = m_state.inputTypes.find(id);
        const bool isKnown = type != m_state.inputTypes.end();
        if (isKnown && !type->second->isSubtypeOf(*c10::OptionalType::ofTensor()))
            addLine("--concrete-args '" + name + "=" + exampleOf(*type->second) + "' fixes " + name);
        else if (ofSizes && !isSized(id))
            addLine("--concrete-args '" + name + "=torch.zeros(...)' fixes the sizes and the dtype of " +
                    name);
        else if (!ofSizes) {
            m_isByData = true;
            addLine("the values of " + name +
                    " decide, which only a run has: torch.where instead of the branch");
        }
    }

    static std::string exampleOf(const c10::Type& type) {
        if (const auto list = type.cast<c10::ListType>();
            list && list->getElementType()->isSubtypeOf(*c10::TensorType::get()))
            return "[torch.zeros(...), ...]";
        if (type.cast<c10::DictType>())
            return "{KEY: torch.zeros(...), ...}";
        if (type.cast<c10::TupleType>())
            return "(torch.zeros(...), ...)";
        return "VALUE";
    }

    void addLine(std::string line) {
        if (std::ranges::find(m_lines, line) == m_lines.end())
            m_lines.push_back(std::move(line));
    }

    const ScriptState& m_state;
    std::set<std::pair<NodeId, bool>> m_seen;
    std::deque<std::pair<NodeId, bool>> m_waiting;
    std::vector<std::string> m_lines;
    bool m_isByData = false;
};

Deciding decidingOf(const ScriptState& state, const Value& value) {
    Deciding out(state);
    if (value.as<ProxyObject>())
        out.add(state.tracer.nodeOf(value));
    out.walk();
    return out;
}

} // namespace

std::string whatDecides(const ScriptState& state, const Value& value) {
    return decidingOf(state, value).text();
}

bool isDecidedByData(const ScriptState& state, const Value& value) {
    return decidingOf(state, value).isByData();
}

} // namespace fx
