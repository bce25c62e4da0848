// SPDX-License-Identifier: GPL-3.0-or-later
// What a pass is: a function over an Edit, and a row that says what it is called, what it takes and what can
// be chosen. The row is all that callers know of it: flags, help, menus and dialogs are made from it. What is
// the same around every pass is in pass_runner.h, what users write for its options in pass_options.h.
#pragma once

#include "core/base/progress.h"
#include "core/interpret/graph_inputs.h"
#include "core/interpret/run_settings.h"
#include "core/ir/dialect.h"
#include "core/module/edit.h"
#include "core/passes/pass_table.h"

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fx {

class PassOptions;
class Value;

enum class OptionType {
    Bool,
    Int,
    Float,
    String,
    Choice,      ///< one of the words that the option lists
    Path,        ///< of a file, or of a model as commands take it
    Nodes,       ///< names of nodes of the graph, with commas between them
    Constructor, ///< a call that makes a module: "nn.Linear(8, 4)"
    Calls,       ///< words for calls (core/passes/quantize/selection.h)
};

struct PassOption {
    std::string name; ///< "keep-names": what follows the -- of the flag
    OptionType type;
    std::string help;
    /// As a user would write it. Empty: false for a Bool; other types are then not given, which is right
    /// where the option is required or where its absence means something.
    std::string byDefault = {};
    std::vector<std::string> choices = {}; ///< of a Choice
    bool isRequired = false;
};

/// What the .pt2 of a model says beside its graph, JSON, and the example in it, a value for each input. Empty
/// of a model that was in none.
struct ExportedFacts {
    std::string record;
    std::function<std::vector<Value>()> examples;
};

/// What a pass may ask its surroundings for, and what it has to say.
struct PassContext {
    Progress& progress; ///< step() throws when the pass is no longer wanted; the graph is then as it was
    /// Values for the inputs of the model; null if there are none to be had.
    std::function<GraphInputs(const Model&)> inputs = nullptr;
    /// Gives `visit` what a file, or each file of a folder, holds for the inputs of the model, one after the
    /// other; null where no files can be read.
    std::function<void(const Model&, const std::string& path,
                       const std::function<void(const GraphInputs&)>& visit)>
        examples = nullptr;
    /// Opens another model by its path; null where none can be opened.
    std::function<Model(const std::string& path)> open = nullptr;
    /// Which calls of a graph a backend, or a file of the user's, does not support, and why
    /// (core/open/backend_support.h); null where nobody can say.
    std::function<std::unordered_map<NodeId, std::string>(const std::string& name, const Model&, ModuleId)>
        refusals = nullptr;
    /// What a user's function of a model, FILE.py:NAME, gives for this one
    /// (core/userpasses/user_metric.h); null where none can be read.
    std::function<double(const std::string& name, const Model&)> metric = nullptr;
    /// Compiles a graph, to a package of that form (core/interpret/compiled_program.h), which lies at `path`
    /// then: of operators by Python's PyTorch, which is started for it (core/open/inductor_compiler.h), or to
    /// a TorchScript program (core/open/script_compiler.h); null where nobody may.
    std::function<void(std::string_view form, const Model&, const GraphInputs&, const std::string& path,
                       Progress&)>
        compile = nullptr;
    ExportedFacts exported = {};
    RunSettings settings = {};                    ///< for a pass that runs the graph
    std::vector<std::string> packageFolders = {}; ///< where packages lie that Python imports
    bool isTracedHere = false; ///< by us, from source: torch.fx would have left no stack traces
    std::vector<std::string> warnings = {};
    std::vector<std::string> results = {}; ///< lines for who asked for the pass
    std::vector<PassTable> tables = {};    ///< what it has measured, for charts and files
    std::string output = {};               ///< what the pass has printed, with its newlines
    std::string traceback = {};            ///< of an error in a user's pass: the frames that it has left
    std::vector<SourceText> sources = {};  ///< Python that the graph calls from now on
};

struct Pass {
    std::string name;    ///< "dead-code"
    std::string title;   ///< for menus: "Remove dead code"
    std::string summary; ///< one line, lower case, no full stop
    std::vector<Dialect> dialects;
    std::vector<PassOption> options;
    /// Works on the edit's current graph; an exception takes back what it has done.
    std::function<void(Edit& edit, const PassOptions& options, PassContext& context)> run;
    /// It runs the model or evaluates source: where there is work to lose, a process of its own does it.
    bool runsCode = false;
    /// torch.fx lets it leave a graph with faults, which lint then tells.
    bool mayLeaveFaults = false;
    /// Though it runs code, it takes no longer than a user waits while options are typed.
    bool isQuick = false;
    std::string group = {}; ///< "Clean up": of menus and help; empty: of none
};

inline const std::vector<Dialect> kAnyDialect = {Dialect::ModuleLevel, Dialect::Aten};

/// "bool", "nodes": for help and JSON.
std::string_view typeName(OptionType type);
/// "module level", "aten".
std::string_view dialectName(Dialect dialect);

} // namespace fx
