// SPDX-License-Identifier: GPL-3.0-or-later
// The verify card (core/compare/verify_card.h) of an edit of an open model, made in a process of its own.
#pragma once

#include "core/compare/compare_runs.h"
#include "core/session/verify_answer.h"
#include "core/session/wire.h"
#include "core/session/worker_jobs.h"

namespace fx {

template <>
inline constexpr VerifyAnswer::State kLast<VerifyAnswer::State> = VerifyAnswer::State::Fails;

/// "Results differ".
std::string verdictHeadline(Verdict verdict);

struct VerifyRequest {
    ModelUpdate undoing; ///< of the edits that led to the model as it is
    RunRequest run;
};

/// `opened`: the model after the edit. Throws what running the model before the edit throws.
VerifyAnswer verifyEdit(const OpenedModel& opened, const VerifyRequest& request, Progress& progress);
/// The same in a process of its own. Waits, as exportApart does.
VerifyAnswer verifyApart(const OpenedModel& opened, const VerifyRequest& request, Progress& progress,
                         const WorkerOptions& options = {});

/// Which of the changes made the results other ones (core/compare/bisect.h). Throws an Error where they are
/// the same.
BisectAnswer bisectEdit(const OpenedModel& opened, const VerifyRequest& request, Progress& progress);
/// The same in a process of its own. Waits, as exportApart does.
BisectAnswer bisectApart(const OpenedModel& opened, const VerifyRequest& request, Progress& progress,
                         const WorkerOptions& options = {});

/// Throws an Error for what is no request.
VerifyRequest verifyRequestFrom(const Message& message);
Message verifiedMessage(const VerifyAnswer& answer);
Message bisectedMessage(const BisectAnswer& answer);

} // namespace fx
