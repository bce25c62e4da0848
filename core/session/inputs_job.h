// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the inputs of a run can be made, found out before the run is started.
#pragma once

#include "core/session/service.h"

#include <tuple>

namespace fx {

struct InputsRequest {
    RunRequest run;
};

/// Throws an Error where the inputs cannot be made. The graph is not run.
extern const Service<InputsRequest, std::tuple<>> kInputsService;

} // namespace fx
