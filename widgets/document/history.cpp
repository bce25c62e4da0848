// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/history.h"

#include "core/base/error.h"
#include "core/compare/hand_step.h"
#include "widgets/support/qt_text.h"

#include <QUndoStack>

#include <algorithm>

namespace fx::ui {

void HistoryWay::follow(Model& model) const {
    for (const Changes& each : undone)
        undo(model, each);
    for (const Changes& each : redone)
        redo(model, each);
}

std::vector<ModelUpdate> HistoryWay::updates(const Model& model) const {
    std::vector<ModelUpdate> out;
    const ModelExtent all(model); // modules and tensors are never removed
    for (const Changes& each : undone)
        out.push_back(updateOf(model, each, true, all));
    for (const Changes& each : redone)
        out.push_back(updateOf(model, each, false, all));
    return out;
}

const Changes& changesOf(const QUndoStack& history, int step) {
    return static_cast<const EditCommand*>(history.command(step))->changes();
}

StepCheck checkOf(const QUndoStack& history, int step) {
    return static_cast<const EditCommand*>(history.command(step))->check();
}

void noteCheck(const QUndoStack& history, int step, StepCheck check) {
    // The stack owns its commands, and gives them to look at only.
    auto* command = const_cast<QUndoCommand*>(history.command(step));
    static_cast<EditCommand*>(command)->setCheck(std::move(check));
}

HistoryWay wayTo(const QUndoStack& history, int steps) {
    HistoryWay out;
    for (int i = history.index() - 1; i >= steps; --i)
        out.undone.push_back(changesOf(history, i));
    for (int i = history.index(); i < steps; ++i)
        out.redone.push_back(changesOf(history, i));
    return out;
}

std::vector<HistoryStep> stepsOf(const QUndoStack& history) {
    std::vector<HistoryStep> out;
    for (int i = 0; i < history.index(); ++i) {
        const auto* step = static_cast<const EditCommand*>(history.command(i));
        out.push_back({step->changes(), step->recipeStep(), utf8(step->text())});
    }
    return out;
}

std::vector<RecipeStep> recipeOf(Model model, const std::vector<HistoryStep>& steps) {
    std::vector<RecipeStep> out;
    for (size_t i = steps.size(); i-- > 0;) {
        const Model after = model;
        undo(model, steps[i].changes);
        if (steps[i].recipeStep) {
            out.push_back(*steps[i].recipeStep);
            continue;
        }
        try {
            if (std::optional<RecipeStep> step = handStep(model, after))
                out.push_back(std::move(*step));
        } catch (const Error& error) {
            throw Error("step " + std::to_string(i + 1) + ", " + steps[i].title, error.message());
        }
    }
    std::ranges::reverse(out);
    return out;
}

} // namespace fx::ui
