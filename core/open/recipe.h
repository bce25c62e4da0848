// SPDX-License-Identifier: GPL-3.0-or-later
// A recipe: passes with their options in the order in which they run, as a file that is replayed on other
// models: {"fxrecipe": 1, "steps": [{"pass": "decompose", "options": {"rules": "rules.py"}}]}.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace fx {

struct RecipeStep {
    std::string pass;                           ///< of the registry, or FILE.py:NAME
    std::map<std::string, std::string> options; ///< texts, as PassOptions takes them
};

std::string recipeText(const std::vector<RecipeStep>& steps);
/// Throws an Error at the part of the file that is none of a recipe.
std::vector<RecipeStep> readRecipe(const std::string& path);

/// Whether the step starts python3, which nobody's file does without being asked about.
bool startsPython(const RecipeStep& step);

} // namespace fx
