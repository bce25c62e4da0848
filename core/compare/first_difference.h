// SPDX-License-Identifier: GPL-3.0-or-later
// Where a value became another one than in a saved run: back along what it comes from to the first that
// differs.
#pragma once

#include "core/interpret/origin.h"

namespace fx {

/// Of the node's value in the run that `request.reference` has (reference_file.h). What rounding may do is no
/// difference, as long as there is one beyond it. A FindDifference. Throws an Error where the value is the
/// same, or not in the file.
Origin firstDifference(const FindOrigin& request, const Model& model,
                       const std::function<const Value*(NodeRef)>& valueOf);

} // namespace fx
