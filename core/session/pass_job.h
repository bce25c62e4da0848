// SPDX-License-Identifier: GPL-3.0-or-later
// A pass over a copy of an open model.
#pragma once

#include "core/module/follow.h"
#include "core/passes/pass_table.h"
#include "core/session/service.h"

#include <map>
#include <string>
#include <vector>

namespace fx {

struct PassRequest {
    std::string pass;
    std::map<std::string, std::string> options; ///< texts, as PassOptions takes them
    ModuleId graph;
    RunRequest run; ///< for a pass that runs the model
};

struct PassAnswer {
    ModelUpdate update;             ///< what the model has to follow; without changes there was nothing to do
    std::string text;               ///< "2 nodes removed"
    std::string output;             ///< what it has printed, and the traceback of a user's pass that failed
    std::vector<std::string> lines; ///< what else it has to say
    std::string fault;              ///< why a user's pass failed, which has changed nothing; else it throws
    std::vector<PassTable> tables = {}; ///< what it has measured
};

/// Runs a pass on a copy of the model.
PassAnswer applyToCopy(const OpenedModel& opened, const PassRequest& request, Progress& progress);
/// The same, for a pass that runs code.
extern const Service<PassRequest, PassAnswer> kPassService;

} // namespace fx
