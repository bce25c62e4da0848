// SPDX-License-Identifier: GPL-3.0-or-later
// The model as it was after each step of a document's history.
#pragma once

#include "core/module/edit.h"
#include "core/module/follow.h"
#include "core/open/recipe.h"
#include "widgets/document/edit_command.h"

#include <optional>
#include <string>
#include <vector>

class QUndoStack;

namespace fx::ui {

/// What leads from the model as it is to another point of its history.
struct HistoryWay {
    std::vector<Changes> undone, redone;

    /// `model`: as it was when the way was asked for.
    void follow(Model& model) const;
    /// The same for a replica of the model.
    std::vector<ModelUpdate> updates(const Model& model) const;
};

const Changes& changesOf(const QUndoStack& history, int step);
/// What came of verifying a step stays with it until it is another one.
StepCheck checkOf(const QUndoStack& history, int step);
void noteCheck(const QUndoStack& history, int step, StepCheck check);
/// To where so many steps are done; 0: as it was opened.
HistoryWay wayTo(const QUndoStack& history, int steps);

/// A step as it is written down for other models.
struct HistoryStep {
    Changes changes;
    std::optional<RecipeStep> recipeStep;
    std::string title;
};
/// Those that are done.
std::vector<HistoryStep> stepsOf(const QUndoStack& history);
/// A recipe of all that led to `model`, from the first of the steps on. Throws an Error that names the step
/// which no recipe can hold.
std::vector<RecipeStep> recipeOf(Model model, const std::vector<HistoryStep>& steps);

} // namespace fx::ui
