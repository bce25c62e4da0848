// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/trace_log/compile_model.h"

#include "core/base/text.h"
#include "core/io/mapped_file.h"
#include "core/io/printed/code_text.h"
#include "core/io/printed/printed_file.h"
#include "core/io/printed/printed_model.h"
#include "core/io/trace_log/stage_links.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>

namespace fx {

namespace {

constexpr size_t kLongestReason = 120; ///< of what a node shows

std::string shortened(std::string_view text) {
    const std::string line(trim(text.substr(0, text.find('\n'))));
    return line.size() <= kLongestReason ? line : line.substr(0, kLongestReason) + "...";
}

std::string fileName(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

/// "outer at breaks.py:14".
std::string placeText(const LoggedPlace& place) {
    if (!place.isKnown())
        return place.function.empty() ? "unknown place" : place.function;
    return (place.function.empty() ? "" : place.function + " at ") + fileName(place.file) + ':' +
           std::to_string(place.line);
}

/// The same as the type of a scope, of which the part behind the last dot is shown: "outer, line 14".
std::string scopeText(const LoggedPlace& place) {
    constexpr std::string_view kDynamos = "torch_dynamo_";
    std::string name = place.function.empty() ? "unknown" : place.function;
    if (name.starts_with(kDynamos))
        name.erase(0, kDynamos.size());
    std::ranges::replace(name, '.', ' ');
    return place.isKnown() ? name + ", line " + std::to_string(place.line) : name;
}

class CompileModel {
public:
    CompileModel(OpenedModel& out, Progress& progress)
        : m_out(out), m_edit(out.model, Edit::WithoutHistory()), m_maker(m_edit, progress),
          m_progress(progress) {}

    void add(const CompileLog& log, const std::string& prefix) {
        size_t done = 0;
        for (const FrameCompile& compile : log.compiles) {
            m_progress.step(static_cast<double>(done++) / static_cast<double>(log.compiles.size()),
                            "reading compilation " + compile.number());
            addCompile(compile, prefix);
        }
        m_damaged += log.damaged;
        m_broken.clear(); // what they point at goes with the log
    }

    void finish() {
        Arguments results;
        for (const Node& node : m_edit.graph())
            if (node.users.empty())
                results.emplace_back(node.id);
        m_edit.output(ListValue{std::move(results)});
        m_edit.finish();
        const auto note = [&](const std::string& text) { m_out.notes.push_back(text); };
        note(plural(m_compiles, "compilation") + ", " + plural(m_graphs, "graph") + ", " +
             plural(m_breaks.size(), "graph break") + ", " + plural(m_recompiles.size(), "recompilation"));
        for (const auto* list : {&m_errors, &m_breaks, &m_recompiles, &m_unread})
            m_out.notes.insert(m_out.notes.end(), list->begin(), list->end());
        if (m_damaged > 0)
            note(plural(m_damaged, "record") + " of the log could not be read");
        note("the graphs are as they were logged, without weights, so that they cannot run");
    }

    size_t compileCount() const { return m_compiles; }

private:
    void addCompile(const FrameCompile& compile, const std::string& prefix) {
        ++m_compiles;
        const CompileId& id = compile.id;
        std::string name = prefix;
        if (id.rank >= 0)
            name += "rank_" + std::to_string(id.rank) + '_';
        if (id.autograd >= 0)
            name += "autograd_" + std::to_string(id.autograd) + (id.frame < 0 ? "" : "_");
        if (id.frame >= 0)
            name += "frame_" + std::to_string(id.frame) + '_' + std::to_string(id.number);
        m_stack = {{"", "", m_out.model.module(m_out.model.root()).type},
                   {name, name, scopeText(compile.function)}};
        m_where = "compilation " + compile.number() + " of " + placeText(compile.function);
        addRecompilation(compile);
        const std::vector<StageGraph> graphs = addStages(compile, name);
        addEvents(compile);
        linkStages(m_edit, compile, graphs);
        m_edit.enter(m_out.model.root());
    }

    NodeId addNode(Opcode opcode, const std::string& target, Arguments args, const LoggedPlace& place,
                   const std::string& name) {
        Meta meta;
        meta.set(meta::kModuleStack, m_stack);
        if (place.isKnown())
            meta.set(meta::kStackTrace, place.frameText());
        return m_edit.createNode(opcode, Target(target), std::move(args), {}, name, std::nullopt,
                                 std::move(meta));
    }

    /// What is left of a function behind a break is compiled as a function of its own, which is named after
    /// the place.
    NodeId breakBefore(const FrameCompile& compile) const {
        constexpr std::string_view kRest = "torch_dynamo_resume_in_";
        for (size_t i = m_broken.size(); i-- > 0;) {
            const auto& [function, graphBreak, node] = m_broken[i];
            for (const LoggedPlace& caller : graphBreak->callers) {
                const std::string rest = std::string(kRest) + caller.function + "_at_";
                const bool isOfFunction = function == caller.function || function.starts_with(rest);
                if (isOfFunction && compile.function.function == rest + std::to_string(caller.line))
                    return node;
            }
        }
        return {};
    }

    void addRecompilation(const FrameCompile& compile) {
        m_before = breakBefore(compile);
        if (compile.recompileReasons.empty())
            return;
        Arguments reasons = m_before ? Arguments{m_before} : Arguments();
        for (const std::string& reason : compile.recompileReasons)
            reasons.emplace_back(shortened(reason));
        m_recompiles.push_back(m_where + ": compiled again, as " + shortened(compile.recompileReasons[0]));
        m_before = addNode(Opcode::CallFunction, "recompile", std::move(reasons), compile.function,
                           "recompile_" + std::to_string(m_recompiles.size()));
        m_edit.setMeta(m_before, "reasons", join(compile.recompileReasons, "\n"));
        m_edit.setMeta(m_before, meta::kLogNote, m_recompiles.back());
    }

    std::vector<StageGraph> addStages(const FrameCompile& compile, const std::string& name) {
        std::vector<StageGraph> graphs;
        std::vector<NodeId> nodes(compile.stages.size());
        std::set<std::string> taken;
        for (size_t i = 0; i < compile.stages.size(); ++i) {
            const CompileStage& stage = compile.stages[i];
            std::string own =
                (stage.isBackward && !stage.kind.starts_with("aot_") ? "backward_" : "") + stage.kind;
            for (int again = 2; !taken.insert(own).second; ++again)
                own = stage.kind + '_' + std::to_string(again);
            const std::optional<PrintedGraph> graph = read(stage);
            if (!graph)
                continue;
            const std::string path = name + '.' + own;
            const ModuleId module = m_edit.createModule("GraphModule", true);
            m_edit.addSubmodule(path, module);
            m_edit.enter(module);
            m_maker.make(*graph);
            m_edit.enter(m_out.model.root());
            const std::optional<size_t> source = stageBefore(compile.stages, i);
            const NodeId before = source && nodes[*source] ? nodes[*source]
                                  : graphs.empty()         ? m_before
                                                           : NodeId();
            nodes[i] = addNode(Opcode::CallModule, path, before ? Arguments{before} : Arguments(),
                               compile.function, name + '_' + own);
            m_edit.setMeta(nodes[i], meta::kLogStage, stage.kind);
            graphs.push_back({&stage, path, module});
            ++m_graphs;
        }
        m_stages.clear();
        for (size_t i = 0; i < nodes.size(); ++i)
            if (nodes[i])
                m_stages.emplace_back(&compile.stages[i], nodes[i]);
        return graphs;
    }

    std::optional<PrintedGraph> read(const CompileStage& stage) {
        try {
            const PrintedFile file(stage.text);
            if (file.sections().empty())
                return std::nullopt;
            std::map<int, std::string> names;
            const std::string text = file.textOf(file.sections()[0], names);
            return readPrintedCode(text, stage.kind + " (line " + std::to_string(stage.line) + ')', names);
        } catch (const Error& error) {
            m_unread.push_back(m_where + ": " + stage.kind + " is not read: " + error.message());
            return std::nullopt;
        }
    }

    /// The node of the last stage that fits; else what came before all stages.
    Arguments after(const std::function<bool(const CompileStage&)>& fits) const {
        for (size_t i = m_stages.size(); i-- > 0;)
            if (fits(*m_stages[i].first))
                return {m_stages[i].second};
        return m_before ? Arguments{m_before} : Arguments();
    }

    void addEvents(const FrameCompile& compile) {
        const auto isDynamos = [](const CompileStage& stage) { return stage.kind == "dynamo_output_graph"; };
        for (const GraphBreak& graphBreak : compile.breaks) {
            Arguments args = after(isDynamos);
            args.emplace_back(shortened(graphBreak.reason));
            m_breaks.push_back(m_where + ": graph break at " + placeText(graphBreak.place) + ": " +
                               shortened(graphBreak.reason));
            const NodeId node = addNode(Opcode::CallFunction, "graph_break", std::move(args),
                                        graphBreak.place, "graph_break_" + std::to_string(m_breaks.size()));
            m_edit.setMeta(node, "reason", graphBreak.text);
            m_edit.setMeta(node, meta::kLogNote, m_breaks.back());
            m_broken.push_back({compile.function.function, &graphBreak, node});
        }
        if (!compile.error.empty()) {
            m_errors.push_back(m_where + ": failed: " + shortened(lastLine(compile.error)));
            Arguments args = after(isDynamos);
            args.emplace_back(shortened(lastLine(compile.error)));
            const NodeId node = addNode(Opcode::CallFunction, "compile_error", std::move(args),
                                        compile.function, "compile_error_" + std::to_string(m_errors.size()));
            m_edit.setMeta(node, "error", compile.error);
            m_edit.setMeta(node, meta::kLogNote, m_errors.back());
        }
        if (!compile.guards.empty()) {
            Arguments args = after(isDynamos);
            args.emplace_back(compile.guardCount);
            const NodeId node = addNode(Opcode::CallFunction, "guards", std::move(args), compile.function,
                                        m_stack.back().path + "_guards");
            m_edit.setMeta(node, "guards", compile.guards);
            if (compile.seconds) {
                char text[32];
                std::snprintf(text, sizeof text, "%.3f s", *compile.seconds);
                m_edit.setMeta(node, "compile_time", std::string(text));
            }
        }
        for (const OutputCode& code : compile.code) {
            Arguments args = after([&](const CompileStage& stage) {
                return stage.kind == "inductor_post_grad_graph" && stage.isBackward == code.isBackward;
            });
            args.emplace_back(fileName(code.file));
            const NodeId node =
                addNode(Opcode::CallFunction, "output_code", std::move(args), compile.function,
                        m_stack.back().path + (code.isBackward ? "_backward_code" : "_code"));
            m_edit.setMeta(node, "output_code", code.text);
        }
    }

    static std::string lastLine(const std::string& text) {
        const std::string_view all = trim(text);
        const size_t start = all.rfind('\n');
        return std::string(start == std::string_view::npos ? all : all.substr(start + 1));
    }

    OpenedModel& m_out;
    Edit m_edit;
    PrintedModelMaker m_maker;
    Progress& m_progress;
    ModuleStack m_stack;
    std::string m_where;
    NodeId m_before; ///< why the frame is compiled: what broke, or what did not fit
    struct Broken {
        std::string function;
        const GraphBreak* graphBreak;
        NodeId node;
    };
    std::vector<Broken> m_broken;
    std::vector<std::pair<const CompileStage*, NodeId>> m_stages;
    size_t m_compiles = 0, m_graphs = 0, m_damaged = 0;
    std::vector<std::string> m_breaks, m_recompiles, m_errors, m_unread;
};

} // namespace

std::vector<std::string> traceLogsIn(const std::string& folder) {
    std::vector<std::string> out;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with("dedicated_log_torch_trace_") && name.ends_with(".log") &&
            entry.is_regular_file(ignored))
            out.push_back(entry.path().string());
    }
    std::sort(out.begin(), out.end());
    return out;
}

OpenedModel readTraceLogs(const std::vector<std::string_view>& logs, const std::string& path,
                          Progress& progress) {
    OpenedModel out;
    out.model = Model("TorchCompile");
    out.path = path;
    out.format = "log of torch.compile (TORCH_TRACE)";
    CompileModel made(out, progress);
    for (size_t i = 0; i < logs.size(); ++i) {
        const CompileLog log = readCompileLog(logs[i]);
        // Ranks tell themselves apart; other processes are numbered.
        const bool hasRanks = std::ranges::all_of(
            log.compiles, [](const FrameCompile& compile) { return compile.id.rank >= 0; });
        made.add(log, logs.size() > 1 && !hasRanks ? "run_" + std::to_string(i + 1) + '_' : std::string());
    }
    if (made.compileCount() == 0)
        throw Error(path, "is a log of torch.compile that tells of no compilation")
            .hint("TORCH_TRACE=FOLDER makes a log while a program calls what torch.compile gave");
    made.finish();
    progress.step(1, "done");
    return out;
}

OpenedModel readTraceFolder(const std::string& folder, Progress& progress) {
    std::vector<std::shared_ptr<const MappedFile>> files;
    std::vector<std::string_view> texts;
    for (const std::string& path : traceLogsIn(folder)) {
        files.push_back(MappedFile::open(path));
        const std::span<const std::byte> bytes = files.back()->bytes();
        texts.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    return readTraceLogs(texts, folder, progress);
}

} // namespace fx
