// SPDX-License-Identifier: GPL-3.0-or-later
// What is done once and waited for, in a process of its own where it runs code: an export with its proofs,
// making inputs, a pass.
#pragma once

#include "core/base/progress.h"
#include "core/open/run_inputs.h"
#include "core/passes/pass_table.h"
#include "core/session/confine_run.h"
#include "core/session/worker_client.h"

#include <optional>
#include <string>
#include <vector>

namespace fx {

/// Makes the inputs of a run in a process of its own, and throws an Error where they cannot be made. Waits;
/// throws Cancelled when `progress` is cancelled.
void tryInputs(std::shared_ptr<const OpenedModel> opened, RunRequest request, const Progress& progress,
               const WorkerOptions& options = {});

struct ExportRequest {
    std::string folder, className; ///< of a file: that, and nothing
    std::string format;            ///< the word of an ExportForm
    RunRequest run;                ///< of which the inputs, the device and the modes are used
};

struct ExportAnswer {
    std::string line; ///< exportLine()
    bool isDifferent = false;
    std::vector<std::string> notes;
};

/// Writes the folder, and compares what it computes with the model; or the file of a format.
ExportAnswer exportAndCompare(OpenedModel opened, const ExportRequest& request, Progress& progress);

/// The same in a process of its own. Waits; throws Cancelled when `progress` is cancelled, which ends the
/// process, and an Error where it dies.
ExportAnswer exportApart(const OpenedModel& opened, const ExportRequest& request, Progress& progress,
                         const WorkerOptions& options = {});

struct PassRequest {
    std::string pass;
    std::map<std::string, std::string> options; ///< texts, as PassOptions takes them
    ModuleId graph;
    RunRequest run; ///< for a pass that runs the model
};

struct PassAnswer {
    ModelUpdate update;             ///< what the model has to follow; without changes there was nothing to do
    std::string text;               ///< "2 nodes removed"
    std::string output;             ///< what it has printed, and the traceback of a user's pass that failed
    std::vector<std::string> lines; ///< what else it has to say
    std::string fault;              ///< why a user's pass failed, which has changed nothing; else it throws
    std::vector<PassTable> tables = {}; ///< what it has measured
};

/// Runs a pass on a copy of the model.
PassAnswer applyToCopy(const OpenedModel& opened, const PassRequest& request, Progress& progress);
/// The same in a process of its own. Waits, as exportApart does.
PassAnswer applyApart(const OpenedModel& opened, const PassRequest& request, Progress& progress,
                      const WorkerOptions& options = {});

/// How far a worker has come, told now and then before it answers.
struct ProgressNews {
    double fraction = 0;
    std::string what;
};
Message progressMessage(const ProgressNews& news);

/// Sends the model and the question to a process of its own, and waits for the answer, as exportApart does;
/// meanwhile `progress` is told what the other one tells. `what`: what it is about. `reference`: a second
/// model, where the question is about two. `permissions`: what the process may do; none: what the run needs.
Message answerApart(const OpenedModel& opened, const Message& question, const std::string& what,
                    const RunRequest& run, Progress& progress, const WorkerOptions& options,
                    const OpenedModel* reference = nullptr,
                    const std::optional<RunPermissions>& permissions = std::nullopt);
void loadLibraries(const RunRequest& run);
InputSpecs specsOf(const RunRequest& run, const RunSettings& settings);

std::string exportBytes(const ExportRequest& request);
std::string exportBytes(const ExportAnswer& answer);
std::string passBytes(const PassRequest& request);
Message passMessage(const PassAnswer& answer);
/// Throw an Error for what is no request.
ExportRequest exportRequestFrom(std::string_view bytes);
PassRequest passRequestFrom(std::string_view bytes);

} // namespace fx
