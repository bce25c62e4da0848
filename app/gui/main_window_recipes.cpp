// SPDX-License-Identifier: GPL-3.0-or-later
// Rewriting that is done more than once: patterns, and recipes of what was done.
#include "app/gui/main_window.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/output_file.h"
#include "core/rewrite/pattern_text.h"
#include "widgets/document/history.h"
#include "widgets/panes/replace_dialog.h"
#include "widgets/panes/toast.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>

namespace fx {

void MainWindow::openReplace(const QString& pattern) {
    const auto trace = [this](const std::string& text, const std::string& place, Progress& progress) {
        return m_service.tracePattern(text, place, progress);
    };
    ReplaceDialog dialog(m_workspace->document(), m_workspace->selection(), trace, m_theme, this);
    if (!pattern.isEmpty())
        dialog.setPattern(pattern);
    const DocumentState before = m_workspace->document().state();
    dialog.exec();
    if (!(before == m_workspace->document().state()))
        verifyAfterPass(*m_workspace);
}

void MainWindow::replaceLike() {
    const Selection& selection = m_workspace->selection();
    try {
        openReplace(wholeQt(
            patternText(m_workspace->document().model(), selection.graph(), selection.allNodes(), "same")));
    } catch (const Error& error) {
        m_view->toast().tell(qt(error.what()), true);
    }
}

void MainWindow::saveRecipe() {
    const QFileInfo info(qt(m_workspace->document().opened().path));
    QString path = QFileDialog::getSaveFileName(this, "Save steps as recipe",
                                                info.dir().filePath(info.completeBaseName() + ".fxrecipe"),
                                                "Recipes (*.fxrecipe)");
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += ".fxrecipe";
    const GraphDocument& document = m_workspace->document();
    Job<size_t> job;
    job.title = "Writing " + QFileInfo(path).fileName();
    job.work = [model = document.model(), steps = stepsOf(m_workspace->document().undoStack()),
                file = utf8(path)](JobRun<size_t>&) {
        const std::vector<RecipeStep> recipe = recipeOf(model, steps);
        writeFile(file, recipeText(recipe));
        return recipe.size();
    };
    job.done = [this, path](size_t count) {
        m_view->toast().tell("Saved " + QFileInfo(path).fileName() + " with " + qt(plural(count, "step")),
                             false);
    };
    job.failed = [this](const Error& why) { m_view->toast().tell("Not saved: " + qt(why.what()), true); };
    m_passReader.startNewest(*m_view, std::move(job));
}

void MainWindow::applyRecipe() {
    const QString path = QFileDialog::getOpenFileName(this, "Apply recipe", m_passFolder,
                                                      "Recipes (*.fxrecipe);;All files (*)");
    if (path.isEmpty())
        return;
    try {
        const std::vector<RecipeStep> steps = readRecipe(utf8(path));
        if (!std::ranges::any_of(steps, startsPython) || askAboutPython())
            m_workspace->passes().runRecipe(steps);
    } catch (const Error& error) {
        m_view->toast().tell(qt(error.what()), true);
    }
}

/// Who chooses AOTInductor in the dialog of the pass has read that; who applies a recipe has not.
bool MainWindow::askAboutPython() {
    QMessageBox box(QMessageBox::Question, "fxscope", "This recipe starts python3 with PyTorch.",
                    QMessageBox::Cancel, this);
    box.setInformativeText("AOTInductor compiles the model in it, for this machine.");
    const auto* start = box.addButton("Start it", QMessageBox::AcceptRole);
    box.exec();
    return box.clickedButton() == start;
}

} // namespace fx
