// SPDX-License-Identifier: GPL-3.0-or-later
// A model held against another one, or against a run that was kept in a file; and how such a run is kept.
#pragma once

#include "core/module/follow.h"
#include "core/session/compare_answer.h"
#include "core/session/service.h"

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
    std::string referenceFile; ///< empty: there is a model to compare with
    /// What leads from the second model to the first; none: that is another model.
    std::optional<std::vector<ModelUpdate>> toReference = std::nullopt;
    bool areIdsShared = false;                                ///< as in PairingOptions
    std::vector<std::tuple<std::string, std::string>> byHand; ///< the same
    std::optional<double> tolerance;                          ///< as in CompareOptions
    bool isIsolated = false;                                  ///< the same
    std::string otherDevice = {}; ///< that the second runs on, "cuda:0"; empty: where the first does
    WantedReport report = {};
};

/// Compares with the reference, the first model. Throws what running that throws; that the second fails is a
/// verdict.
extern const Service<CompareRequest, CompareAnswer> kCompareService;

struct ReferenceRequest {
    std::string path; ///< of the file that is to be written
    RunRequest run;
};
/// Runs the model and keeps the run (core/compare/reference_file.h). Gives the names of what is left out.
extern const Service<ReferenceRequest, std::vector<std::string>> kKeepReferenceService;

} // namespace fx
