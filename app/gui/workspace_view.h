// SPDX-License-Identifier: GPL-3.0-or-later
// What is seen of a workspace: the canvas in the middle and the panes in their docks, made for it and gone
// with it.
#pragma once

#include "app/gui/docks.h"
#include "app/gui/plugin_panes.h"
#include "app/gui/workspace.h"

#include <QWidget>

namespace fx::ui {

class Actions;
class CanvasView;
class ChangesPane;
class DiskNotice;
class Finder;
class ConsolePane;
class InspectorPane;
class MarksPane;
class Places;
class PassEditorPane;
class TensorPane;
class Theme;
class Toast;
class VerifyPane;
struct FinderItem;

class WorkspaceView : public QWidget {
    Q_OBJECT

public:
    WorkspaceView(Workspace& workspace, Docks& docks, const Actions& actions, const Theme& theme);

    CanvasView& canvas() { return *m_canvas; }
    const DockPage& panes() const { return m_page; }
    Toast& toast() { return *m_toast; }
    DiskNotice& diskNotice() { return *m_diskNotice; }
    InspectorPane& inspector() { return *m_inspector; }
    TensorPane& tensor() { return *m_tensor; }
    PassEditorPane& passEditor() { return *m_passEditor; }
    ConsolePane& console() { return *m_console; }
    ChangesPane& changes() { return *m_changes; }
    MarksPane& marks() { return *m_marks; }
    VerifyPane& verify() { return *m_verify; }
    /// Nodes and modules of all graphs, for the finder.
    std::vector<FinderItem> findable();
    void showGraphOf(NodeRef node);
    /// Shows the node or the scope, wherever it is, and selects it.
    void goTo(NodeRef node) { goTo(Match{node, {}}); }
    void goTo(const Match& match);
    Places& places() { return *m_places; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void placeCorner();
    void openContextMenu(const QPoint& at, const Actions& actions);

    Workspace& m_workspace;
    WorkspacePaneHost m_paneHost;
    CanvasView* m_canvas;
    Places* m_places;
    QWidget *m_minimap, *m_zoom;
    QWidget* m_noGraph = nullptr; ///< over the canvas, where the file has no graph
    InspectorPane* m_inspector;
    TensorPane* m_tensor;
    PassEditorPane* m_passEditor;
    ConsolePane* m_console;
    ChangesPane* m_changes;
    MarksPane* m_marks;
    VerifyPane* m_verify;
    Toast* m_toast;
    DiskNotice* m_diskNotice;
    DockPage m_page; ///< last: the panes use what is above
};

} // namespace fx::ui
