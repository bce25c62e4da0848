// SPDX-License-Identifier: GPL-3.0-or-later
// An export of an open model with its proofs.
#pragma once

#include "core/session/service.h"

#include <string>
#include <vector>

namespace fx {

struct ExportRequest {
    std::string folder, className; ///< of a file: that, and nothing
    std::string format;            ///< the word of an ExportForm
    RunRequest run;                ///< of which the inputs, the device and the modes are used
};

struct ExportAnswer {
    std::string line; ///< exportLine()
    bool isDifferent = false;
    std::vector<std::string> notes;
};

/// Writes the folder, and compares what it computes with the model; or the file of a format.
extern const Service<ExportRequest, ExportAnswer> kExportService;

} // namespace fx
