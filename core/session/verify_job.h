// SPDX-License-Identifier: GPL-3.0-or-later
// The verify card (core/compare/verify_card.h) of an edit of an open model.
#pragma once

#include "core/compare/compare_runs.h"
#include "core/module/follow.h"
#include "core/process/wire.h"
#include "core/session/service.h"
#include "core/session/verify_answer.h"

namespace fx {

template <>
inline constexpr VerifyAnswer::State kLast<VerifyAnswer::State> = VerifyAnswer::State::Fails;

/// "Results differ".
std::string verdictHeadline(Verdict verdict);

struct VerifyRequest {
    ModelUpdate undoing; ///< of the edits that led to the model as it is
    RunRequest run;
};

/// The model is the one after the edits. Throws what running the model before them throws.
extern const Service<VerifyRequest, VerifyAnswer> kVerifyService;
/// Finds which of the changes made the results other ones (core/compare/bisect.h). Throws an Error where they
/// are the same.
extern const Service<VerifyRequest, BisectAnswer> kBisectService;

} // namespace fx
