// SPDX-License-Identifier: GPL-3.0-or-later
// Whether an exported folder computes what its model does: our own reader opens it again, and both run on the
// same inputs.
#pragma once

#include "core/export/export_folder.h"
#include "core/interpret/run_settings.h"
#include "core/io/opened_model.h"
#include "core/open/run_inputs.h"
#include "core/python/value.h"

#include <string>
#include <vector>

namespace fx {

enum class ExportState {
    Equal,       ///< bit for bit
    Close,       ///< but for rounding
    NotCompared, ///< the model itself does not run here; the text says why
    Different,   ///< or the folder does not run
};

struct ExportVerdict {
    ExportState state;
    std::string text; ///< "outputs equal bit for bit"
};

/// Runs both from the same random numbers; the inputs are copied for each.
ExportVerdict verifyExport(const OpenedModel& model, const std::string& folder, const GraphInputs& inputs,
                           const RunSettings& settings = {});

/// The same on inputs that are made; where there are none to be made, the verdict says so.
ExportVerdict verifyExport(const OpenedModel& model, const std::string& folder, const InputSpecs& specs,
                           const RunSettings& settings = {});

/// "written, 24 files, outputs equal bit for bit".
std::string exportLine(const ExportedFolder& folder, const ExportVerdict& verdict);

} // namespace fx
