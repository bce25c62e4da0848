// SPDX-License-Identifier: GPL-3.0-or-later
// How long oneDNN's call takes beside the calls that it takes the place of, on this machine and with its
// threads as they are now.
#pragma once

#include "core/passes/lower/onednn_call.h"

namespace fx {

struct CallTimes {
    double before = 0, after = 0; ///< seconds, each the least of several
};

/// Of tensors of the sizes that the call has; what they hold does not matter. Throws LibTorch's error where
/// oneDNN does not take them.
CallTimes timesOf(const Model& model, ModuleId module, const OnednnCall& call);

/// The least that each takes, in turns, so that what else the machine does hits both.
std::pair<double, double> leastInTurns(const std::function<void()>& one, const std::function<void()>& other,
                                       double seconds);

} // namespace fx
