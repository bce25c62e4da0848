// SPDX-License-Identifier: GPL-3.0-or-later
// Which tensors of a model a run may write into, found from its graphs without running them. Errs on the side
// of too many: a run takes copies of them.
#pragma once

#include "core/module/model.h"

#include <set>

namespace fx {

std::set<TensorId> writtenTensors(const Model& model);

} // namespace fx
