// SPDX-License-Identifier: GPL-3.0-or-later
// The panes around the canvas: one table, from which follow their docks (docks.h), where these are at first,
// the menu View > Panes, and what is in them for a model that is open. Those of plugins are rows of it, too.
#pragma once

#include <QString>

#include <functional>
#include <vector>

class QWidget;

namespace fx {

class PaneHost;

} // namespace fx

namespace fx::ui {

class DockPage;
class ChangesPane;
class ConsolePane;
class InspectorPane;
class MarksPane;
class PassEditorPane;
class TensorPane;
class Theme;
class VerifyPane;
class Workspace;

/// The panes that other code has to name; a pane that it has not is `Other`.
enum class PaneId {
    Modules,
    Breakpoints,
    Watches,
    Marks,
    Code,
    Source,
    Tensor,
    NodePane,
    PassEditor,
    Console,
    Steps,
    Timeline,
    OperatorTable,
    WhatIf,
    Sizes,
    Stages,
    Problems,
    Changes,
    Verify,
    Quantization,
    Other
};

/// Where a pane is until the user moves it. On the left one is below the other, elsewhere they are tabs; the
/// first of each place is in front. In a narrow window those of the right are tabs of the bottom.
enum class PanePlace { Left, RightTop, RightBottom, Bottom };

/// What panes are made from, for a model that was opened. All of it outlives them, but the context itself.
struct PaneContext {
    Workspace& workspace;
    DockPage& docks;
    const Theme& theme;
    PaneHost& host; ///< for plugins

    // What actions of the window work on, once it is made.
    TensorPane* tensor = nullptr;
    InspectorPane* inspector = nullptr;
    PassEditorPane* passEditor = nullptr;
    ConsolePane* console = nullptr;
    ChangesPane* changes = nullptr;
    MarksPane* marks = nullptr;
    VerifyPane* verify = nullptr;
};

struct PaneSpec {
    PaneId id = PaneId::Other;
    QString name;  ///< under which its place is remembered
    QString title; ///< of its tab
    PanePlace place = PanePlace::Bottom;
    std::function<QWidget*(PaneContext& context)> make;
    QString group = {}; ///< panes of one place with the same share a dock of that title; empty: its own
};

/// In the order in which they are at their places: ours, then those of plugins.
std::vector<PaneSpec> paneSpecs();

} // namespace fx::ui
