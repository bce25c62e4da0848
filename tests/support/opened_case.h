// SPDX-License-Identifier: GPL-3.0-or-later
// A model of the oracle tests, opened as its row in a JSON file says.
#pragma once

#include "core/io/json.h"
#include "core/open/open.h"

namespace fx {

/// The keys that make_traces.py and make_scripts.py write: expression, train, leaf, concrete, state, tracer,
/// tracer_class, no_leaves; and source, for pickled modules. Each may be missing.
OpenOptions openOptionsOf(const Json& row);
OpenedModel openCase(const Json& row);

} // namespace fx
