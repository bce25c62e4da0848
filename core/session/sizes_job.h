// SPDX-License-Identifier: GPL-3.0-or-later
// The sizes of an open model as formulas of its inputs' sizes (core/passes/symbolic/symbolic_shapes.h),
// which calls its operators.
#pragma once

#include "core/interpret/debug_types.h"
#include "core/passes/symbolic/size_domain.h"
#include "core/session/service.h"

namespace fx {

struct SizesRequest {
    RunRequest run;    ///< for inputs that are not symbolic
    std::string sizes; ///< "x=[N,3,H,W]", or "recorded": as the pass takes them
    std::map<std::string, KnownRange> ranges;
};

/// Something to say of a node.
struct SizeNote {
    std::string text; ///< "H % 2 == 0"
    NodeRef node;
};

struct SizesAnswer {
    std::map<NodeRef, ValueMeta> values;
    std::vector<std::string> symbols; ///< of the inputs, that can be chosen
    std::vector<SizeNote> asked;      ///< of the symbols, by which node
    std::vector<SizeNote> notes;      ///< what depends on data; of what one case is shown
};

/// What a file says of its symbols, by their names.
std::map<std::string, KnownRange> rangesOf(const OpenedModel& opened);

/// Throws an Error where text and model do not fit, or no sizes are found for which it runs.
extern const Service<SizesRequest, SizesAnswer> kSizesService;

} // namespace fx
