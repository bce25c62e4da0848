// SPDX-License-Identifier: GPL-3.0-or-later
// Every command of the window, once: its text, key, icon and explanation. Menus, toolbar, context menus and
// the command palette are made from the same actions.
#pragma once

#include <QAction>
#include <QObject>

#include <string_view>
#include <utility>
#include <vector>

class QMenu;
class QMenuBar;

namespace fx {

class Theme;
struct Pass;

class Actions : public QObject {
public:
    Actions(QWidget& window, const Theme& theme);

    // File
    QAction *open, *openFolder, *trace, *connectToHost, *loadLibrary, *save, *saveAs, *exportModel,
        *exportPicture, *reload, *newTab, *nextTab, *previousTab, *closeModel, *quit;
    // Edit
    QAction *undo, *redo, *cut, *copy, *paste, *remove, *bypass, *mute, *duplicate, *swapInputs,
        *connectNodes, *rename, *insertBefore, *selectAll, *bookmark, *note, *nextColour, *copyCode, *find,
        *findNext, *findPrevious, *palette;
    // View
    QAction *goBack, *goForward, *nextMark, *previousMark;
    QAction *fit, *showSelection, *zoomIn, *zoomOut, *actualSize, *expandAll, *collapseAll, *toggleScope,
        *weights, *edgeShapes, *foldLong;
    QAction *partAround, *partAncestors, *partDescendants, *showWhole;
    QAction *colourKind, *colourFlops, *colourBytes, *colourMemory, *colourPredicted, *colourBound,
        *colourTime, *colourHealth, *colourError, *colourDtype, *colourDevice, *colourPart;
    /// One of which is checked.
    std::vector<QAction*> colours() const;
    QAction *themeSystem, *themeLight, *themeDark, *resetLayout;
    /// The rows of core/passes/registry.h, in their order.
    struct PassAction {
        const Pass* pass;
        QAction* action;
    };
    QAction *replaceLike, *passFromFile, *editPass, *saveRecipe, *applyRecipe;
    QMenu *passMenu = nullptr, *morePasses = nullptr; ///< and those of plugins
    std::vector<PassAction> passes;
    QAction* pass(std::string_view name) const;
    // Debug
    QAction *run, *pause, *step, *stepBack, *runBack, *into, *out, *nextScope, *runTo, *restartHere, *runAll,
        *runGradients, *stop, *breakpoint, *nonFinite, *watch, *setValue, *origin, *trait, *difference,
        *inputs, *verify, *verifyPasses, *compare, *keepReference, *bisect, *whatIf;
    // Help
    QAction *keys, *about;

    const std::vector<QAction*>& all() const { return m_all; }
    /// Those whose keys mean something else in fields and lists.
    std::vector<QAction*> onCanvas() const;
    /// Menus File to Help; `panes` toggles the docks, `recent` is filled by its owner.
    void fill(QMenuBar& bar, const QList<QAction*>& panes, QMenu& recent);
    /// What can be done with the selection.
    void fillContextMenu(QMenu& menu) const;

private:
    void fillPassMenu();
    QAction* add(QWidget& window, const QString& text, const char* key, const char* icon, const QString& tip);
    void dress();

    const Theme& m_theme;
    std::vector<std::pair<QAction*, const char*>> m_icons;
    std::vector<QAction*> m_all;
};

} // namespace fx
