// SPDX-License-Identifier: GPL-3.0-or-later
// A run in words, for the status bar and the lists of problems.
#pragma once

#include "core/run/run_state.h"

#include <QString>

namespace fx::ui {

class DebugService;

/// First line of the error, without its place; empty unless the run failed.
QString briefFailure(const RunState& state);
/// Reason why the run failed or stopped, with its place; empty otherwise.
QString endText(const RunState& state);
/// "Paused before add_3 · 15 of 177".
QString runText(const DebugService& debug);

} // namespace fx::ui
