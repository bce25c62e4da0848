// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of the command line: each adds itself to the parser with its options, its help and what it
// does.
#pragma once

#include "core/export/export_forms.h"
#include "core/interpret/run_settings.h"
#include "core/open/open.h"
#include "core/open/run_inputs.h"
#include "core/passes/pass_runner.h"
#include "core/plugins/plugin_host.h"
#include "core/python/value.h"
#include "core/session/confine_run.h"
#include "core/session/debuggee.h"
#include "core/userpasses/user_pass.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace fx::cli {

void addInfo(CLI::App& app);
void addGraph(CLI::App& app);
void addCode(CLI::App& app);
void addDraw(CLI::App& app);
void addRun(CLI::App& app);
void addShapes(CLI::App& app);
void addAnalyze(CLI::App& app);
void addCompare(CLI::App& app);
void addDiff(CLI::App& app);
void addReduce(CLI::App& app);
void addDebug(CLI::App& app);
void addExport(CLI::App& app);
/// What it gives reads the passes of users' files that a command line names, before that is parsed: their
/// names become those of subcommands. Throws what reading them throws.
std::function<void(std::vector<std::string>& words)> addApply(CLI::App& app);
void addPasses(CLI::App& app);
void addFormats(CLI::App& app);
void addReplace(CLI::App& app);
/// `found`: what loadPlugins() told.
void addPlugins(CLI::App& app, const std::vector<FoundPlugin>& found);
void addServe(CLI::App& app);
void addTest(CLI::App& app);

/// MODEL and the options that every command with a model takes.
struct ModelOptions {
    std::string path;
    bool isLifted = false;
    std::vector<std::string> concrete; ///< NAME=VALUE
    std::vector<std::string> leaves;
    std::string state, source;
    std::vector<std::string> libraries; ///< of custom operators
    std::vector<std::string> wrapped;
    std::vector<std::string> packageFolders;
    bool paramShapesConstant = false, proxyBufferAttributes = false, checkMutableOperations = false;
    std::string tracer;
    std::vector<std::string> metaArguments; ///< NAME=EXAMPLE
    bool areNoneLeaves = false;
    bool isTraining = false, isEvaluating = false;
    int64_t timeLimit = OpeningLimits().time.count();
    uint64_t memoryLimit = OpeningLimits().bytes;
    /// Of this process, from the moment in which a model is opened; of commands that run it.
    std::shared_ptr<RunPermissions> permissions = std::make_shared<RunPermissions>();
    /// False for a command that leaves running to another process.
    bool runsHere = true;

    void addTo(CLI::App& command);
    /// The option names a file or folder that the command writes.
    CLI::Option* asOutput(CLI::Option* option) const;
    /// The option names a device on which the command runs.
    CLI::Option* asDevice(CLI::Option* option) const;
    OpenOptions openOptions() const;
    /// Opens what may have no graph.
    OpenedModel openAny() const;
    /// Opens, and tells notes on standard error.
    OpenedModel open() const;
    /// The same; where tracing fails, with the graph so far and OpenedModel::traceFault.
    OpenedModel openSoFar() const;

private:
    OpenedModel openWith(const OpenOptions& options) const;
};

/// Tells the notes on standard error. Throws where there is no graph. `path`: what was opened.
OpenedModel withGraph(OpenedModel model, const std::string& path);

/// The module whose graph is meant: the root, or one below it. Throws for a path to none that has a graph.
ModuleId graphAt(const Model& model, const std::string& path);

/// What a run begins with.
struct RunOptions {
    std::vector<std::string> inputs; ///< NAME=SPEC
    std::string inputsFile;
    std::string device, grad = "inference";
    std::optional<uint64_t> seed;
    bool areFilesAllowed = false;

    void addTo(CLI::App& command, const ModelOptions& model);
    InputSpecs specs() const;
    /// Throws if there is no such device here.
    RunSettings settings() const;
    /// The same for a debugger, as words: the device may be another machine's.
    RunRequest request() const;
    /// The inputs, from numbers of their own: those that torch.manual_seed(seed) gives to whoever makes them
    /// first. The run begins with the seed anew.
    GraphInputs inputsOf(const OpenedModel& model) const;
};

/// Which loss is differentiated, for commands that run.
struct LossOption {
    std::optional<std::string> loss; ///< as in RunRequest

    /// After RunOptions.
    void addTo(CLI::App& command);
};

/// "FILE.py:NAME" for a pass of the folders of passes; any other word as it is.
std::string wholePassName(const std::string& word);
/// What there is to know of the named pass of a user's file, or of all of the file, without what runs. A
/// child evaluates the file.
std::vector<Pass> userPassRows(const UserPassName& name);

/// Runs a pass over the graph of a module, and tells its warnings on standard error. `packageFolders`: where
/// the packages lie that a user's pass imports.
PassReport runPassHere(OpenedModel& model, ModuleId graph, const Pass& pass, const PassOptions& options,
                       const RunOptions& run, const std::vector<std::string>& packageFolders = {});

/// Writes the folder, compares what it computes with the model, and prints one line; throws where they
/// differ.
void exportAndVerify(const OpenedModel& model, const std::string& folder, const std::string& className,
                     const InputSpecs& specs, const RunSettings& settings);
/// Throws unless the ending of OUT says what to write.
void requireKnownEnding(const std::string& out);
/// Writes a model to OUT by its ending: that of a format that can be written, a folder ("dir/"), .py.
void writeModel(const OpenedModel& model, const std::string& out, const std::string& className);
/// Writes the file of a form, and tells on standard error what a reader of it should know.
void writeForm(const ExportForm& form, const OpenedModel& model, const std::string& out);

} // namespace fx::cli
