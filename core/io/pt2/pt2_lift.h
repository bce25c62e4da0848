// SPDX-License-Identifier: GPL-3.0-or-later
// From the module that a caller uses to the lifted graph of a .pt2, where parameters, buffers and constants
// are inputs, and what is written to them and to inputs comes out: what pt2_unlift.h undoes.
#pragma once

#include "core/io/opened_model.h"
#include "core/io/pt2/pt2_record.h"
#include "core/module/edit.h"
#include "core/python/value.h"

#include <functional>

namespace fx {

/// In the metadata of a placeholder: the tensor of the model is another than was recorded.
inline constexpr std::string_view kIsAnother = "is_another";

struct LiftedProgram {
    Model model; ///< the root graph is lifted; each value has its ValueMeta where one was known
    Pt2Signature signature;
    std::vector<std::string> notes;               ///< what a caller should know
    std::function<std::vector<Value>()> examples; ///< one value for each input of a caller; none without them
};

/// Throws an Error that names the node for a graph that is no program of torch.export's.
LiftedProgram lift(const OpenedModel& opened, const Pt2Record& record);

} // namespace fx
