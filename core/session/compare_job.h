// SPDX-License-Identifier: GPL-3.0-or-later
// A model held against another one, or against a run that was kept in a file, in a process of its own; and
// how such a run is kept.
#pragma once

#include "core/session/compare_answer.h"
#include "core/session/worker_jobs.h"

#include <optional>
#include <tuple>

namespace fx {

/// A page that says all of it (core/compare/html_report.h), to be written, too.
struct WantedReport {
    std::string path;          ///< empty: none is wanted
    std::string first, second; ///< what the models are called in it
};

struct CompareRequest {
    RunRequest run;
    std::string referenceFile;                                ///< empty: there is a model to compare with
    bool areIdsShared = false;                                ///< as in PairingOptions
    std::vector<std::tuple<std::string, std::string>> byHand; ///< the same
    std::optional<double> tolerance;                          ///< as in CompareOptions
    bool isIsolated = false;                                  ///< the same
    std::string otherDevice = {}; ///< that the second runs on, "cuda:0"; empty: where the first does
    WantedReport report = {};
};

/// `reference`: the first model; null where a file takes its place. Throws what running it throws; that
/// `opened` fails is a verdict.
CompareAnswer compareModels(const OpenedModel* reference, const OpenedModel& opened,
                            const CompareRequest& request, Progress& progress);
/// The same in a process of its own. Waits, as exportApart does.
CompareAnswer compareApart(const OpenedModel* reference, const OpenedModel& opened,
                           const CompareRequest& request, Progress& progress,
                           const WorkerOptions& options = {});

struct ReferenceRequest {
    std::string path; ///< of the file that is to be written
    RunRequest run;
};
/// Runs the model and keeps the run (core/compare/reference_file.h). Gives the names of what is left out.
std::vector<std::string> keepReference(const OpenedModel& opened, const ReferenceRequest& request,
                                       Progress& progress);
/// The same in a process of its own. Waits, as exportApart does.
std::vector<std::string> keepReferenceApart(const OpenedModel& opened, const ReferenceRequest& request,
                                            Progress& progress, const WorkerOptions& options = {});

std::string compareBytes(const CompareRequest& request);
std::string compareBytes(const CompareAnswer& answer);
std::string referenceBytes(const ReferenceRequest& request);
/// Throw an Error for what is no request.
CompareRequest compareRequestFrom(std::string_view bytes);
ReferenceRequest referenceRequestFrom(std::string_view bytes);

} // namespace fx
