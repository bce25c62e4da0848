// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/split/split_pass.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/shape_prop.h"
#include "core/passes/clean/left_alone.h"
#include "core/passes/costs/cost_pass.h"
#include "core/passes/pass_options.h"
#include "core/passes/registry.h"
#include "core/passes/shape_pass.h"
#include "core/passes/split/accelerator_parts.h"
#include "core/passes/split/capability_parts.h"
#include "core/passes/split/hand_parts.h"
#include "core/passes/split/label_parts.h"
#include "core/passes/split/moved_effects.h"
#include "core/passes/split/part_writer.h"

#include <algorithm>
#include <numeric>

namespace fx {

namespace {

std::set<std::string> namesIn(const std::string& text) {
    std::set<std::string> out;
    for (const std::string_view name : split(text, ','))
        if (!trim(name).empty())
            out.emplace(trim(name));
    return out;
}

int64_t atLeastOne(const PassOptions& options, const char* name) {
    if (options.integer(name) < 1)
        throw Error("--" + std::string(name), "is below 1");
    return options.integer(name);
}

constexpr std::string_view kSupportHelp =
    "onednn, quantizable, torchscript, aotinductor, or a file: .json, .yaml, FILE.py:NAME";

/// A pass that records what is needed, with its defaults.
void runFirst(const char* name, Edit& edit, PassContext& context) {
    const Pass& pass = findPass(name);
    pass.run(edit, PassOptions(pass, {}), context);
}

bool isKnown(const Edit& edit, const std::function<bool(const Node&)>& isRecorded) {
    return std::ranges::all_of(edit.graph(),
                               [&](const Node& node) { return !isCallNode(node) || isRecorded(node); });
}

class Splitter {
public:
    Splitter(Edit& edit, const PassOptions& options, PassContext& context)
        : m_edit(edit), m_options(options), m_context(context), m_by(options.text("by")) {}

    void run() {
        if (!m_edit.graph().outputNode())
            throw Error("", "the graph has no output, so it cannot be split");
        std::vector<Part> parts = m_by == "support" ? bySupport() : byLabel();
        for (const Node& node : m_edit.graph())
            if (changesModes(node))
                requireWholeRegion(m_edit.graph(), node, parts);
        findBorders(m_edit.graph(), parts);
        tell(parts);
        if (!parts.empty())
            write(parts);
    }

private:
    bool leavesUntagged() const { return m_by == "tag" && m_options.flag("leave-untagged"); }
    bool isForAccelerator() const { return m_by == "support" && m_options.flag("accelerator"); }

    std::vector<Part> byLabel() {
        const Graph& graph = m_edit.graph();
        if (leavesUntagged())
            return taggedParts(graph, m_options.text("key"), takenNames());
        if (m_by == "tag")
            return partsByTag(graph, m_options.text("key"), m_options.text("untagged"), takenNames());
        std::vector<Part> parts = m_by == "scope" ? partsByScope(graph, atLeastOne(m_options, "depth"))
                                  : m_by == "device"
                                      ? partsByDevice(graph)
                                      : partsByWeight(graph, weights(), atLeastOne(m_options, "parts"));
        const std::string& affix = m_options.text("affix");
        const std::set<std::string> taken = takenNames();
        size_t number = 0;
        for (Part& part : parts)
            do
                part.name = "submod_" + affix + (affix.empty() ? "" : "_") + std::to_string(number++);
            while (taken.contains(part.name));
        return parts;
    }

    /// Of what the graph reads, which torch.fx would lose.
    std::set<std::string> takenNames() const {
        std::set<std::string> out;
        for (const NodeId id : m_edit.graph().findNodes(Opcode::GetAttr)) {
            const std::string& path = m_edit.node(id).target.name();
            out.insert(path.substr(0, path.find('.')));
        }
        return out;
    }

    std::function<double(const Node&)> weights() {
        if (m_by == "size")
            return m_options.text("weigh") == "parameters" ? stateWeights(m_edit.model(), m_edit.module())
                                                           : [](const Node&) { return 1.0; };
        const auto isRecorded = [](const Node& node) { return recordedCost(node, "flops").has_value(); };
        if (!isKnown(m_edit, isRecorded))
            runFirst("costs", m_edit, m_context);
        return [](const Node& node) { return static_cast<double>(recordedCost(node, "flops").value_or(0)); };
    }

    std::vector<Part> bySupport() {
        m_refusals = refusals();
        const auto isRecorded = [](const Node& node) { return knownValue(node.meta) != nullptr; };
        if (isForAccelerator()) {
            if (!isKnown(m_edit, isRecorded))
                runFirst("shape-prop", m_edit, m_context);
            return acceleratorParts(m_edit.graph(), m_refusals,
                                    {atLeastOne(m_options, "min-acc-module-size"),
                                     m_options.flag("skip-fusion"), m_options.flag("allow-non-tensor")});
        }
        std::vector<Part> parts = capabilityParts(
            m_edit.graph(), m_refusals,
            {m_options.flag("allows-single-node-partition"), namesIn(m_options.text("non-compute-ops")),
             namesIn(m_options.text("allowed-single-node-partition-ops")),
             m_options.flag("skip-horizontal-fusion")});
        // A part of an earlier split keeps its name.
        const Module& module = m_edit.model().module(m_edit.module());
        size_t number = 0;
        for (Part& part : parts) {
            while (module.child("fused_" + std::to_string(number)))
                ++number;
            part.name = "fused_" + std::to_string(number++);
        }
        return parts;
    }

    Refusals refusals() {
        const std::string& table = m_options.text("support");
        if (table.empty())
            throw Error("--support", "is needed by --by support").hint("give " + std::string(kSupportHelp));
        if (const SupportTable* known = supportTable(table))
            return known->refusals(m_edit.model(), m_edit.module());
        if (!m_context.refusals)
            throw Error("--support", "cannot be read here");
        return m_context.refusals(table, m_edit.model(), m_edit.module());
    }

    void write(std::vector<Part>& parts) {
        const Graph& graph = m_edit.graph();
        if (leavesUntagged() || (m_by == "support" && !isForAccelerator())) {
            warn(movedEffects(m_edit.model(), m_edit.module(), parts));
            fusePartitions(m_edit, parts);
            return;
        }
        std::vector<size_t> listed(parts.size());
        std::iota(listed.begin(), listed.end(), size_t(0));
        if (m_by == "tag" || isForAccelerator()) {
            warn(movedEffects(m_edit.model(), m_edit.module(), parts, listed));
            splitByTags(m_edit, parts, m_options.flag("tuple-return"));
            return;
        }
        std::vector<size_t> order = runOrder(graph, parts, true);
        bool keepsOrder = m_options.flag("keep-original-order");
        if (const std::vector<std::string> moved =
                movedEffects(m_edit.model(), m_edit.module(), parts, order);
            !moved.empty() && !keepsOrder) {
            keepsOrder = movedEffects(m_edit.model(), m_edit.module(), parts, listed).empty();
            if (keepsOrder)
                m_context.results.push_back(
                    "the original order is kept, as others would change what these do beside "
                    "computing, or read: " +
                    join(moved, ", "));
        }
        if (keepsOrder)
            order = listed;
        warn(movedEffects(m_edit.model(), m_edit.module(), parts, order));
        splitModule(m_edit, parts, order,
                    {keepsOrder, m_options.flag("keep-original-node-name"),
                     m_options.flag("keep-original-input-name"), m_options.flag("tuple-return")});
    }

    void warn(const std::vector<std::string>& moved) {
        if (!moved.empty())
            m_context.warnings.push_back(
                "these write, draw random numbers, or read what is written, and come at another time than "
                "before: " +
                join(moved, ", "));
    }

    /// "in x 602.1 KB, b1_w 16 B".
    std::string borderText(const std::vector<NodeId>& nodes) const {
        constexpr size_t kShown = 6;
        std::vector<std::string> shown;
        uint64_t total = 0;
        for (const NodeId id : nodes) {
            const Node& node = m_edit.node(id);
            const ValueMeta* value = knownValue(node.meta);
            std::optional<uint64_t> bytes = value ? byteCount(*value) : std::nullopt;
            if (node.opcode == Opcode::GetAttr)
                if (const TensorId tensor =
                        m_edit.model().resolve(m_edit.module(), node.target.name()).tensor)
                    bytes = byteCount(ValueMeta{m_edit.model().tensor(tensor).meta()});
            total += bytes.value_or(0);
            if (shown.size() < kShown)
                shown.push_back(node.name + (bytes.value_or(0) ? ' ' + byteText(*bytes) : ""));
        }
        if (shown.empty())
            return "nothing";
        if (nodes.size() > kShown)
            shown.push_back(std::to_string(nodes.size() - kShown) + " more, " + byteText(total) + " in all");
        return join(shown, ", ");
    }

    void tell(const std::vector<Part>& parts) {
        constexpr size_t kShown = 50;
        for (size_t i = 0; i < std::min(parts.size(), kShown); ++i)
            m_context.results.push_back(parts[i].name + ": " + plural(parts[i].nodes.size(), "node") +
                                        "; in " + borderText(parts[i].inputs) + "; out " +
                                        borderText(parts[i].outputs));
        if (parts.size() > kShown)
            m_context.results.push_back("and " + std::to_string(parts.size() - kShown) + " more parts");
        LeftAlone left;
        for (const Node& node : m_edit.graph())
            if (const auto refused = m_refusals.find(node.id); refused != m_refusals.end())
                left.add(refused->second, node.name);
        left.tellIn(m_context.results);
        m_context.results.push_back(plural(parts.size(), "part"));
    }

    Edit& m_edit;
    const PassOptions& m_options;
    PassContext& m_context;
    const std::string& m_by;
    Refusals m_refusals;
};

} // namespace

std::vector<PassOption> splitOptions() {
    using enum OptionType;
    return {{.name = "by",
             .type = Choice,
             .help = "which nodes go together: those of a module that is called; of a tag; on a device; of "
                     "an equal share of nodes or weights, or of FLOPs; that a backend supports",
             .byDefault = "scope",
             .choices = {"scope", "tag", "device", "size", "support", "cost"}},
            {.name = "depth", .type = Int, .help = "scope: how deep the modules lie", .byDefault = "1"},
            {.name = "parts", .type = Int, .help = "size, cost: how many", .byDefault = "2"},
            {.name = "weigh",
             .type = Choice,
             .help = "size: what is shared out",
             .byDefault = "nodes",
             .choices = {"nodes", "parameters"}},
            {.name = "key", .type = String, .help = "tag: its key in the metadata", .byDefault = "tag"},
            {"untagged", String, "tag: that of nodes which have none"},
            {"leave-untagged", Bool, "tag: nodes without one stay where they are"},
            {"support", String, "support: " + std::string(kSupportHelp)},
            {"accelerator", Bool,
             "support: all nodes go into parts, _run_on_acc_0 and _run_on_cpu_1, between which only tensors "
             "pass"},
            {.name = "min-acc-module-size",
             .type = Int,
             .help = "accelerator: parts of fewer nodes stay on the processor",
             .byDefault = "1"},
            {"skip-fusion", Bool,
             "accelerator: nodes that pass other values than tensors need not stay together"},
            {"allow-non-tensor", Bool, "accelerator: other values than tensors may pass"},
            {"allows-single-node-partition", Bool, "support: parts of one function, too"},
            {"non-compute-ops", String, "support: functions that do not count, with commas between"},
            {"allowed-single-node-partition-ops", String, "support: functions that count twice"},
            {"skip-horizontal-fusion", Bool, "support: join only parts of which one reads the other"},
            {"keep-original-order", Bool, "scope, device, size, cost: call the parts as their nodes came"},
            {"keep-original-node-name", Bool, "scope, device, size, cost: nodes keep their names"},
            {.name = "keep-original-input-name",
             .type = Bool,
             .help = "call inputs of parts as what is passed, and not arg_0, arg_1",
             .byDefault = "true"},
            {"tuple-return", Bool, "parts give a tuple even of one value"},
            {"affix", String, "scope, device, size, cost: submod_AFFIX_0"}};
}

void runSplit(Edit& edit, const PassOptions& options, PassContext& context) {
    Splitter(edit, options, context).run();
}

} // namespace fx
