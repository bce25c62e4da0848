// SPDX-License-Identifier: GPL-3.0-or-later
// What a module of torch.nn does beside computing its result.
#pragma once

#include "core/module/model.h"

namespace fx {

/// Of a call of the module in its mode. Not of its children, and not of hooks.
struct ModuleEffects {
    bool drawsRandom = true;  ///< may take random numbers
    bool keepsState = true;   ///< may write into its buffers; with max_norm, into its weight
    bool sharesMemory = true; ///< its result may be its input, or a view of it
};

/// All is true of a class that is none of torch.nn, or that PyTorch 2.13 does not have.
ModuleEffects effectsOf(const Module& module);

} // namespace fx
