// SPDX-License-Identifier: GPL-3.0-or-later
// What a graph holds of a call of one of torch's functions: the node that tracing would have recorded.
#pragma once

#include "core/ir/argument.h"

#include <optional>
#include <string_view>

namespace fx {

struct RecordedCall {
    Target target;
    Arguments args;
    Keywords kwargs;
};

/// "torch.nn.functional.max_pool2d" with these arguments. None for a name that torch does not have, for a
/// function that does not stay one call, and for arguments that do not fit.
std::optional<RecordedCall> recordedCall(std::string_view publicName, Arguments args, Keywords kwargs);

} // namespace fx
