// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/pt2/pt2_sameness.h"

#include "core/base/error.h"
#include "core/io/pt2/pt2.h"
#include "core/ir/argument_text.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstring>

namespace fx {

namespace {

const Target kItemCall = "operator.getitem";

/// The calls of a graph, one text each. Left out is what a .pt2 does not say: items that nobody reads, where
/// a nested graph is read, the order of keywords, whether a list is a tuple.
class CanonicalText {
public:
    CanonicalText(const Model& model, ModuleId module) : m_graph(model.graph(module)) {}

    std::vector<std::string> lines() const {
        std::vector<std::string> out;
        for (const Node& node : m_graph)
            if (node.opcode != Opcode::GetAttr && node.target != kItemCall)
                add(node, out);
        return out;
    }

private:
    /// With the items that are taken out of it, wherever that is done.
    void add(const Node& node, std::vector<std::string>& out) const {
        out.push_back(line(node));
        std::vector<const Node*> items;
        for (const NodeId user : node.users)
            if (const Node& item = m_graph.node(user);
                item.target == kItemCall && item.args[0].node() == node.id && !item.users.empty())
                items.push_back(&item);
        std::ranges::sort(items, {}, [this](const Node* item) { return line(*item); });
        for (const Node* item : items)
            add(*item, out);
    }

    std::string line(const Node& node) const {
        std::vector<std::string> keywords;
        for (const auto& [key, value] : node.kwargs)
            keywords.push_back(key + '=' + text(value));
        std::sort(keywords.begin(), keywords.end());
        std::string out =
            node.opcode == Opcode::Output ? "output" : text(Argument(node.id)) + " = " + called(node);
        for (const Argument& value : node.args)
            out += ", " + text(value);
        for (const std::string& keyword : keywords)
            out += ", " + keyword;
        return out;
    }

    static std::string called(const Node& node) {
        return node.opcode == Opcode::Placeholder ? "input" : node.target.name();
    }

    std::string text(const Argument& value) const {
        if (const NodeId id = value.node()) {
            const Node& node = m_graph.node(id);
            const auto* known = node.meta.find<ValueMeta>(meta::kValue);
            if (node.opcode == Opcode::GetAttr)
                return "graph " + node.target.name();
            if (node.opcode != Opcode::Placeholder &&
                (!known || std::holds_alternative<NoneValue>(known->value)))
                return "None";
            return node.name;
        }
        if (const Arguments* items = value.items()) {
            std::string out = "[";
            for (const Argument& item : *items)
                out += text(item) + ", ";
            return out + ']';
        }
        if (const auto* dict = value.as<DictValue>()) {
            std::string out = "{";
            for (const auto& [key, item] : dict->items)
                out += text(key) + ": " + text(item) + ", ";
            return out + '}';
        }
        return reprText(value, [](NodeId) { return std::string(); });
    }

    const Graph& m_graph;
};

void requireSameGraph(const Model& meant, ModuleId module, const Model& read, ModuleId other) {
    const auto one = CanonicalText(meant, module).lines(), two = CanonicalText(read, other).lines();
    const auto [mine, theirs] = std::mismatch(one.begin(), one.end(), two.begin(), two.end());
    if (mine != one.end() || theirs != two.end())
        throw Error(
            "", "what was written reads as another graph: " + (theirs == two.end() ? "nothing" : *theirs) +
                    " instead of " + (mine == one.end() ? "nothing" : *mine))
            .hint("nothing was saved; save an .fxg, and report this");
    for (const Node& node : meant.graph(module)) {
        if (node.opcode != Opcode::GetAttr)
            continue;
        const ModuleId nested = meant.resolve(module, node.target.name()).module,
                       opened = read.resolve(other, node.target.name()).module;
        if (opened && read.module(opened).graph)
            requireSameGraph(meant, nested, read, opened);
        else if (!node.users.empty())
            throw Error("", "what was written lacks the graph '" + node.target.name() + "'");
    }
}

bool isSame(const at::Tensor& one, const at::Tensor& other) {
    if (one.scalar_type() != other.scalar_type() || one.sizes() != other.sizes() ||
        one.strides() != other.strides())
        return false;
    const at::Tensor mine = one.detach().cpu().contiguous(), theirs = other.detach().cpu().contiguous();
    // Bytes, as a NaN is unlike itself.
    return mine.nbytes() == 0 || std::memcmp(mine.data_ptr(), theirs.data_ptr(), mine.nbytes()) == 0;
}

} // namespace

void requireSameProgram(const LiftedProgram& program, const std::string& file, Progress& progress) {
    try {
        const auto zip = std::make_shared<ZipArchive>(file);
        const OpenedModel lifted = readPt2(zip, {true}, progress);
        requireSameGraph(program.model, program.model.root(), lifted.model, lifted.model.root());
        for (const Pt2Input& input : program.signature.inputs) {
            if (input.target.empty())
                continue;
            const TensorId mine = program.model.resolve(program.model.root(), input.target).tensor,
                           theirs = lifted.model.resolve(lifted.model.root(), input.target).tensor;
            progress.step(0.9, "comparing");
            if (!theirs || !isSame(program.model.tensor(mine).value().resolve_conj().resolve_neg(),
                                   lifted.model.tensor(theirs).value()))
                throw Error("", "what was written has another tensor '" + input.target + "'");
        }
        // That it can be opened as a module, too.
        readPt2(zip, {}, progress);
    } catch (Error& error) {
        throw Error("the .pt2 as written", error.message()).hint(error.advice());
    }
}

} // namespace fx
