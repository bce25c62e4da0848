// SPDX-License-Identifier: GPL-3.0-or-later
// An edit that was made by hand as a step of a recipe, for other models with such lines.
#pragma once

#include "core/module/model.h"
#include "core/open/recipe.h"

namespace fx {

/// What leads from the one to the other, which are states of a model: a patch of the code of the root graph.
/// None where nothing differs that a recipe could say. Throws an Error where it says not all: where modules
/// or tensors were made or other graphs edited.
std::optional<RecipeStep> handStep(const Model& before, const Model& after);

} // namespace fx
