// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/trace_log/stage_links.h"

#include <algorithm>

namespace fx {

namespace {

/// More nodes of one line of source than this say nothing about each other.
constexpr size_t kMostPairs = 64;

/// What a stage may be made from, the best first.
std::vector<std::string_view> sourcesOf(const CompileStage& stage) {
    const std::string_view kind = stage.kind;
    if (kind == "compiled_autograd_graph")
        return {"compiled_autograd_graph_pre_reordering"};
    if (kind == "dynamo_output_graph")
        return {"compiled_autograd_graph"};
    if (kind == "before_pre_grad_graph" || kind == "inductor_pre_grad_graph" ||
        kind == "optimize_ddp_split_graph")
        return {"dynamo_output_graph"};
    if (kind == "after_pre_grad_graph")
        return {"before_pre_grad_graph", "dynamo_output_graph"};
    if (kind == "aot_joint_graph" || kind == "aot_inference_graph")
        return {"after_pre_grad_graph", "inductor_pre_grad_graph", "before_pre_grad_graph",
                "dynamo_output_graph"};
    if (kind == "before_joint_graph")
        return {"aot_inference_graph", "aot_joint_graph"};
    if (kind == "after_joint_graph")
        return {"before_joint_graph", "aot_inference_graph", "aot_joint_graph"};
    if (kind == "aot_forward_graph" || kind == "aot_backward_graph")
        return {"aot_joint_graph"};
    std::vector<std::string_view> out;
    if (kind == "inductor_post_grad_graph")
        out.push_back("before_post_grad_graph");
    if (stage.isBackward)
        out.push_back("aot_backward_graph");
    else
        out.insert(out.end(), {"aot_forward_graph", "after_joint_graph", "aot_inference_graph"});
    return out;
}

bool isDynamos(std::string_view kind) {
    return kind.starts_with("dynamo_") || kind.find("pre_grad") != kind.npos ||
           kind.starts_with("optimize_ddp");
}

using Names = std::vector<std::string>;
/// By stage and node: the counterparts by the path of their graph.
using Links = std::map<std::pair<size_t, std::string>, std::map<std::string, Names>>;

class Linker {
public:
    Linker(const Model& model, const std::vector<StageGraph>& graphs) : m_model(model), m_graphs(graphs) {}

    void byName(size_t before, size_t after) {
        const Graph& graph = graphOf(after);
        for (const Node& node : graphOf(before))
            if (graph.find(node.name) && node.opcode != Opcode::Output)
                add(before, node.name, after, node.name);
    }

    void byPlace(size_t before, size_t after) {
        const auto left = nodesByPlace(before), right = nodesByPlace(after);
        for (const auto& [place, names] : left)
            if (const auto others = right.find(place);
                others != right.end() && names.size() * others->second.size() <= kMostPairs)
                for (const std::string& name : names)
                    for (const std::string& other : others->second)
                        add(before, name, after, other);
    }

    void add(size_t before, const std::string& name, size_t after, const std::string& other) {
        note(before, name, after, other);
        note(after, other, before, name);
    }

    const Links& links() const { return m_links; }

private:
    const Graph& graphOf(size_t stage) const { return m_model.graph(m_graphs[stage].module); }

    std::map<std::string, Names> nodesByPlace(size_t stage) const {
        std::map<std::string, Names> out;
        for (const Node& node : graphOf(stage))
            if (const auto* place = node.meta.find<std::string>(meta::kStackTrace);
                place && !place->empty() && node.opcode != Opcode::Output)
                out[*place].push_back(node.name);
        return out;
    }

    void note(size_t stage, const std::string& name, size_t other, const std::string& counterpart) {
        Names& names = m_links[{stage, name}][m_graphs[other].path];
        if (std::ranges::find(names, counterpart) == names.end())
            names.push_back(counterpart);
    }

    const Model& m_model;
    const std::vector<StageGraph>& m_graphs;
    Links m_links;
};

} // namespace

std::optional<size_t> stageBefore(const std::vector<CompileStage>& stages, size_t stage) {
    for (const std::string_view kind : sourcesOf(stages[stage]))
        for (size_t i = stage; i-- > 0;)
            if (stages[i].kind == kind &&
                (stages[i].isBackward == stages[stage].isBackward || !kind.ends_with("post_grad_graph")))
                return i;
    return std::nullopt;
}

void linkStages(Edit& edit, const FrameCompile& compile, const std::vector<StageGraph>& graphs) {
    Linker linker(edit.model(), graphs);
    const auto indexOf = [&](const CompileStage* stage) -> std::optional<size_t> {
        for (size_t i = 0; i < graphs.size(); ++i)
            if (graphs[i].stage == stage)
                return i;
        return std::nullopt;
    };
    for (size_t i = 0; i < graphs.size(); ++i) {
        const auto at = static_cast<size_t>(graphs[i].stage - compile.stages.data());
        const std::optional<size_t> source = stageBefore(compile.stages, at);
        const std::optional<size_t> before = source ? indexOf(&compile.stages[*source]) : std::nullopt;
        if (!before)
            continue;
        if (isDynamos(graphs[*before].stage->kind) == isDynamos(graphs[i].stage->kind))
            linker.byName(*before, i);
        else
            linker.byPlace(*before, i);
    }
    const auto last = [&](auto&& isWanted) {
        std::optional<size_t> found;
        for (size_t i = 0; i < graphs.size(); ++i)
            if (isWanted(*graphs[i].stage))
                found = i;
        return found;
    };
    const auto first = last([](const CompileStage& stage) { return isDynamos(stage.kind); });
    const auto end = last([](const CompileStage& stage) {
        return stage.kind == "inductor_post_grad_graph" && !stage.isBackward;
    });
    if (first && end)
        for (const auto& [from, names] : compile.provenance)
            for (const std::string& to : names)
                if (edit.model().graph(graphs[*first].module).find(from) &&
                    edit.model().graph(graphs[*end].module).find(to))
                    linker.add(*first, from, *end, to);
    for (const auto& [node, counterparts] : linker.links()) {
        DictValue value;
        for (const auto& [path, names] : counterparts)
            value.items.emplace_back(path, ListValue{Arguments(names.begin(), names.end())});
        const ModuleId module = graphs[node.first].module;
        if (edit.module() != module)
            edit.enter(module);
        edit.setMeta(edit.graph().find(node.second), meta::kStages, Argument(std::move(value)));
    }
}

} // namespace fx
