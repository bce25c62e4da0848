// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/trace_log/compile_log.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <algorithm>
#include <tuple>

namespace fx {

namespace {

constexpr std::string_view kStages[] = {"compiled_autograd_graph_pre_reordering",
                                        "compiled_autograd_graph",
                                        "dynamo_output_graph",
                                        "optimize_ddp_split_graph",
                                        "before_pre_grad_graph",
                                        "inductor_pre_grad_graph",
                                        "after_pre_grad_graph",
                                        "aot_joint_graph",
                                        "aot_inference_graph",
                                        "before_joint_graph",
                                        "after_joint_graph",
                                        "aot_forward_graph",
                                        "aot_backward_graph",
                                        "before_post_grad_graph",
                                        "inductor_post_grad_graph"};

std::string textOf(const Json& object, const char* key) {
    if (!object.is_object())
        return {};
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

int64_t integerOf(const Json& object, const char* key) {
    if (!object.is_object())
        return 0;
    const auto found = object.find(key);
    return found != object.end() && found->is_number_integer() ? found->get<int64_t>() : 0;
}

/// The rest of the line that begins with it.
std::string lineAfter(const std::string& text, std::string_view beginning) {
    for (const std::string_view line : split(text, '\n'))
        if (trim(line).starts_with(beginning))
            return std::string(trim(trim(line).substr(beginning.size())));
    return {};
}

class Reader {
public:
    CompileLog read(std::string_view text) {
        TraceRecords records = readTraceRecords(text);
        m_strings = std::move(records.strings);
        m_log.damaged = records.damaged;
        for (TraceRecord& record : records.records)
            take(record);
        return std::move(m_log);
    }

private:
    FrameCompile& compileOf(const CompileId& id) {
        const auto key = std::tuple(id.rank, id.autograd, id.frame, id.number);
        const auto [known, isNew] = m_index.try_emplace(key, m_log.compiles.size());
        if (isNew)
            m_log.compiles.emplace_back().id = id;
        return m_log.compiles[known->second];
    }

    void take(TraceRecord& record) {
        if (record.id.frame < 0 && record.id.autograd < 0)
            return;
        FrameCompile& compile = compileOf(record.id);
        const std::string& kind = record.kind;
        if (isStage(kind))
            addStage(compile, record);
        else if (kind == "dynamo_start")
            compile.function = functionOf(record.fields);
        else if (kind == "dynamo_graph_break_reason")
            compile.breaks.push_back(breakOf(record.payload));
        else if (kind == "recompile_reasons")
            compile.recompileReasons = reasonsOf(record.payload);
        else if (kind == "dynamo_cpp_guards_str")
            setGuards(compile, record.payload);
        else if (kind == "dynamo_error")
            compile.error = record.payload;
        else if (kind == "inductor_output_code")
            compile.code.push_back({isBackwardNow(compile, record.payload), textOf(record.fields, "filename"),
                                    std::move(record.payload)});
        else if (kind == "inductor_provenance_tracking_node_mappings")
            addProvenance(compile, record.payload);
        else if (kind == "compilation_metrics")
            addMetrics(compile, record.fields);
    }

    void addStage(FrameCompile& compile, TraceRecord& record) {
        const std::string& kind = record.kind;
        const bool isSecond = std::ranges::any_of(compile.stages, [&](const CompileStage& stage) {
            return stage.kind == kind && stage.attempt == record.id.attempt && !stage.isBackward;
        });
        const bool isBackward =
            kind == "aot_backward_graph" || (isSecond && kind.find("post_grad") != kind.npos);
        compile.stages.push_back(
            {kind, isBackward, record.id.attempt, std::move(record.payload), record.line});
    }

    /// Of code that is compiled now: PyTorch writes the kind of the graph into its first line.
    static bool isBackwardNow(const FrameCompile& compile, const std::string& code) {
        const std::string first = code.substr(0, code.find('\n'));
        if (first.find("AOT ID") != std::string::npos)
            return first.find("backward") != std::string::npos;
        return !compile.code.empty();
    }

    LoggedPlace placeOf(const Json& frame) const {
        const int64_t file =
            frame.is_object() && frame.contains("filename") ? integerOf(frame, "filename") : -1;
        LoggedPlace out;
        if (file >= 0 && static_cast<size_t>(file) < m_strings.size())
            out.file = m_strings[static_cast<size_t>(file)];
        out.line = integerOf(frame, "line");
        out.function = textOf(frame, "name");
        out.code = textOf(frame, "loc");
        return out;
    }

    LoggedPlace functionOf(const Json& fields) const {
        if (!fields.is_object() || !fields.contains("stack") || !fields["stack"].is_array() ||
            fields["stack"].empty())
            return {};
        return placeOf(fields["stack"].back());
    }

    static GraphBreak breakOf(const std::string& text) {
        GraphBreak out;
        out.text = text;
        out.reason = reasonOf(text);
        const std::string place = lineAfter(text, "Graph break in user code at");
        if (const size_t colon = place.rfind(':'); colon != std::string::npos) {
            out.place.file = place.substr(0, colon);
            out.place.line = std::atoll(place.c_str() + colon + 1);
        }
        const size_t start = text.find("User code traceback:");
        if (start == std::string::npos)
            return out;
        for (const std::string_view line : split(std::string_view(text).substr(start), '\n')) {
            const std::optional<LoggedPlace> caller = frameOf(trim(line));
            if (caller)
                out.callers.push_back(*caller);
            else if (trim(line).empty() && !out.callers.empty())
                break; // what follows is Dynamo's own traceback
        }
        for (const LoggedPlace& caller : out.callers)
            if (caller.file == out.place.file && caller.line == out.place.line)
                out.place.function = caller.function;
        return out;
    }

    /// The first line that says something: what was attempted is told before.
    static std::string reasonOf(const std::string& text) {
        std::string reason;
        bool isNext = false;
        for (const std::string_view raw : split(text, '\n')) {
            const std::string_view line = trim(raw);
            for (const std::string_view head : {"Graph Break Reason:", "Graph break:"})
                if (!isNext && line.starts_with(head)) {
                    reason = trim(line.substr(head.size()));
                    isNext = true;
                }
            if (isNext && !line.empty() && reason.ends_with(':') && line.find(reason) == line.npos)
                reason = line;
        }
        return reason.empty() ? std::string(trim(text.substr(0, text.find('\n')))) : reason;
    }

    /// Of `File "x.py", line 4, in f`.
    static std::optional<LoggedPlace> frameOf(std::string_view line) {
        constexpr std::string_view kHead = "File \"", kLine = "\", line ", kFunction = ", in ";
        if (!line.starts_with(kHead))
            return std::nullopt;
        const size_t end = line.find(kLine, kHead.size());
        if (end == std::string_view::npos)
            return std::nullopt;
        const size_t function = line.find(kFunction, end);
        LoggedPlace out;
        out.file = line.substr(kHead.size(), end - kHead.size());
        out.line = std::atoll(std::string(line.substr(end + kLine.size())).c_str());
        if (function != std::string_view::npos)
            out.function = line.substr(function + kFunction.size());
        return out;
    }

    /// One of them is no JSON, whatever the record says.
    static std::vector<std::string> reasonsOf(const std::string& payload) {
        std::vector<std::string> out;
        try {
            const JsonDocument json(payload, "recompile_reasons");
            for (const Json& reason : json.array(json.root()))
                out.push_back(json.string(reason));
        } catch (const Error&) {
            out = {std::string(trim(payload))};
        }
        return out;
    }

    static void setGuards(FrameCompile& compile, const std::string& text) {
        compile.guards = std::string(trim(text));
        compile.guardCount = 0;
        for (const std::string_view line : split(text, '\n'))
            if (const size_t at = line.find("+- "); at != std::string_view::npos) {
                const std::string_view what = line.substr(at + 3);
                const std::string_view kind = what.substr(0, what.find(':'));
                compile.guardCount += kind.find("Manager") == std::string_view::npos;
            }
    }

    static void addProvenance(FrameCompile& compile, const std::string& payload) {
        if (payload.empty())
            return;
        try {
            const JsonDocument json(payload, "provenance");
            if (const Json* map = json.find(json.root(), "preToPost"))
                for (const auto& [from, to] : json.object(*map).items())
                    for (const Json& name : json.array(to))
                        compile.provenance[from].push_back(json.string(name));
        } catch (const Error&) {
            compile.provenance.clear();
        }
    }

    static void addMetrics(FrameCompile& compile, const Json& fields) {
        if (!fields.is_object())
            return;
        if (const std::string file = textOf(fields, "co_filename"); !file.empty())
            compile.function = {file, textOf(fields, "co_name"), {}, integerOf(fields, "co_firstlineno")};
        if (fields.contains("entire_frame_compile_time_s") &&
            fields["entire_frame_compile_time_s"].is_number())
            compile.seconds = fields["entire_frame_compile_time_s"].get<double>();
        if (const std::string reason = textOf(fields, "fail_reason");
            !reason.empty() && compile.error.empty())
            compile.error = reason;
    }

    CompileLog m_log;
    std::vector<std::string> m_strings;
    std::map<std::tuple<int64_t, int64_t, int64_t, int64_t>, size_t> m_index;
};

} // namespace

std::string LoggedPlace::frameText() const {
    return "  File \"" + file + "\", line " + std::to_string(line) + ", in " +
           (function.empty() ? "<module>" : function) + '\n' + (code.empty() ? "" : "    " + code + '\n');
}

std::string FrameCompile::number() const {
    const std::string frame = id.frame < 0 ? "" : std::to_string(id.frame) + '/' + std::to_string(id.number);
    return (id.rank < 0 ? "" : '[' + std::to_string(id.rank) + "] ") +
           (id.autograd < 0 ? "" : '!' + std::to_string(id.autograd) + (frame.empty() ? "" : "/")) + frame;
}

bool isStage(const std::string& kind) {
    return std::ranges::find(kStages, kind) != std::end(kStages);
}

CompileLog readCompileLog(std::string_view text) {
    return Reader().read(text);
}

} // namespace fx
