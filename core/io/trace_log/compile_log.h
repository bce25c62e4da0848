// SPDX-License-Identifier: GPL-3.0-or-later
// What torch.compile did, frame by frame, as the logs of TORCH_TRACE tell it.
#pragma once

#include "core/io/trace_log/trace_records.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fx {

/// A graph on its way from Dynamo to code.
struct CompileStage {
    std::string kind; ///< "aot_forward_graph"
    bool isBackward = false;
    int64_t attempt = 0;
    std::string text; ///< as print_readable has it
    size_t line = 0;  ///< of the log
};

/// Where in the user's source something happened.
struct LoggedPlace {
    std::string file, function, code;
    int64_t line = 0;
    bool isKnown() const { return !file.empty(); }
    /// As Python writes it into a traceback.
    std::string frameText() const;
};

struct GraphBreak {
    std::string reason; ///< one line
    LoggedPlace place;
    std::vector<LoggedPlace> callers; ///< the user's lines that led there, outermost first
    std::string text;                 ///< all that PyTorch says of it
};

struct OutputCode {
    bool isBackward = false;
    std::string file, text;
};

/// One compilation of one frame. The gradients of a graph are compiled later, under the same number.
struct FrameCompile {
    CompileId id;
    LoggedPlace function; ///< whose frame it is
    std::vector<CompileStage> stages;
    std::vector<GraphBreak> breaks;
    std::vector<std::string> recompileReasons;
    std::string guards; ///< the tree of guards
    int64_t guardCount = 0;
    std::optional<double> seconds;
    std::string error; ///< why it failed
    std::vector<OutputCode> code;
    /// Nodes of Dynamo's graph to those of the last one, where PyTorch has noted it.
    std::map<std::string, std::vector<std::string>> provenance;

    /// "0/1", "[2] 0/1".
    std::string number() const;
};

struct CompileLog {
    std::vector<FrameCompile> compiles; ///< in the order in which they began
    size_t damaged = 0;                 ///< records that could not be read
};

/// The stages that a graph can be logged at, in their order.
bool isStage(const std::string& kind);
CompileLog readCompileLog(std::string_view text);

} // namespace fx
