// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/panes.h"

#include "app/gui/docks.h"
#include "app/gui/plugin_panes.h"
#include "app/gui/workspace.h"
#include "core/plugins/pass_folders.h"
#include "widgets/panes/breakpoints_pane.h"
#include "widgets/panes/changes_pane.h"
#include "widgets/panes/code_pane.h"
#include "widgets/panes/console_pane.h"
#include "widgets/panes/inspector_pane.h"
#include "widgets/panes/marks_pane.h"
#include "widgets/panes/modules_pane.h"
#include "widgets/panes/operators_pane.h"
#include "widgets/panes/pass_editor_pane.h"
#include "widgets/panes/problems_pane.h"
#include "widgets/panes/quantization_pane.h"
#include "widgets/panes/sizes_pane.h"
#include "widgets/panes/source_pane.h"
#include "widgets/panes/stages_pane.h"
#include "widgets/panes/steps_pane.h"
#include "widgets/panes/tensor_pane.h"
#include "widgets/panes/timeline_pane.h"
#include "widgets/panes/verify_pane.h"
#include "widgets/panes/watches_pane.h"
#include "widgets/panes/what_if_pane.h"
#include "widgets/support/qt_text.h"

#include <QFrame>
#include <QScrollArea>

namespace fx::ui {

namespace {

/// So that a tall pane, as a tab in a low dock, does not push the canvas away.
QScrollArea* scrolling(QWidget* pane) {
    auto* area = new QScrollArea;
    area->setWidget(pane);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusProxy(pane);
    pane->setAttribute(Qt::WA_StyledBackground);
    return area;
}

HelpFor helpOf(PaneContext& context) {
    return expressionHelp(context.workspace.document(), context.workspace.selection());
}

QWidget* makeModules(PaneContext& context) {
    DockPage& docks = context.docks;
    auto* pane = new ModulesPane(context.workspace.document(), context.workspace.selection());
    const auto tell = [&docks](const QString& totals) { docks.setDetail(PaneId::Modules, totals); };
    QObject::connect(pane, &ModulesPane::totalsChanged, pane, tell);
    tell(pane->totals());
    return pane;
}

QWidget* makeTensor(PaneContext& context) {
    Workspace& workspace = context.workspace;
    context.tensor =
        new TensorPane(workspace.document(), workspace.selection(), workspace.debug(), context.theme);
    QObject::connect(context.tensor, &TensorPane::nodeChosen, context.tensor, [&workspace](NodeRef node) {
        workspace.selection().reveal(node.node);
        workspace.selection().select(node);
    });
    return scrolling(context.tensor);
}

QWidget* makeInspector(PaneContext& context) {
    context.inspector =
        new InspectorPane(context.workspace.document(), context.workspace.selection(),
                          context.workspace.debug(), context.workspace.sizes(), context.theme);
    return scrolling(context.inspector);
}

QWidget* makePassEditor(PaneContext& context) {
    context.passEditor = new PassEditorPane(qt(passFolders().front()), context.theme);
    return context.passEditor;
}

QWidget* makeSteps(PaneContext& context) {
    DockPage& docks = context.docks;
    Workspace& workspace = context.workspace;
    auto* pane = new StepsPane(workspace.document(), workspace.selection(), workspace.debug(), context.theme);
    const auto tell = [&docks](int count) { docks.setCount(PaneId::Steps, count); };
    QObject::connect(pane, &StepsPane::countChanged, pane, tell);
    tell(0);
    return pane;
}

QWidget* makeProblems(PaneContext& context) {
    DockPage& docks = context.docks;
    Workspace& workspace = context.workspace;
    auto* pane = new ProblemsPane(workspace.document(), workspace.selection(), workspace.debug(),
                                  workspace.layout(), workspace.sizes(), workspace.passes(), context.theme);
    const auto tell = [&docks](int count) { docks.setCount(PaneId::Problems, count); };
    QObject::connect(pane, &ProblemsPane::countChanged, pane, tell);
    QObject::connect(pane, &ProblemsPane::faultAppeared, pane, [&docks] { docks.offer(PaneId::Problems); });
    tell(pane->count());
    return pane;
}

QWidget* makeMarks(PaneContext& context) {
    DockPage& docks = context.docks;
    auto* pane = context.marks = new MarksPane(context.workspace.document(), context.workspace.selection());
    const auto tell = [&docks](int count) { docks.setCount(PaneId::Marks, count); };
    QObject::connect(pane, &MarksPane::countChanged, pane, tell);
    tell(pane->count());
    return pane;
}

QWidget* makeChanges(PaneContext& context) {
    DockPage& docks = context.docks;
    auto* pane = context.changes = new ChangesPane(context.workspace.document(), context.theme);
    const auto tell = [&docks](int count) { docks.setCount(PaneId::Changes, count); };
    QObject::connect(pane, &ChangesPane::countChanged, pane, tell);
    QObject::connect(&context.workspace.verify(), &VerifyService::noted, pane, &ChangesPane::refresh);
    tell(0);
    return pane;
}

QWidget* makeVerify(PaneContext& context) {
    DockPage& docks = context.docks;
    auto* pane = context.verify =
        new VerifyPane(context.workspace.verify(), context.workspace.selection(), context.theme);
    QObject::connect(pane, &VerifyPane::verdictChanged, pane,
                     [&docks](const QString& word) { docks.setDetail(PaneId::Verify, word); });
    return pane;
}

QWidget* makeQuantization(PaneContext& context) {
    DockPage& docks = context.docks;
    Workspace& workspace = context.workspace;
    auto* pane =
        new QuantizationPane(workspace.document(), workspace.selection(), workspace.passes(), context.theme);
    const auto tell = [&docks](int count) { docks.setCount(PaneId::Quantization, count); };
    QObject::connect(pane, &QuantizationPane::countChanged, pane, tell);
    return pane;
}

} // namespace

std::vector<PaneSpec> paneSpecs() {
    using enum PanePlace;
    std::vector<PaneSpec> out = {
        {PaneId::Modules, "modules", "Modules", Left, makeModules},
        {PaneId::Breakpoints, "breakpoints", "Breakpoints", Left,
         [](PaneContext& context) {
             return new BreakpointsPane(context.workspace.debug(), context.workspace.selection(),
                                        context.theme, helpOf(context));
         }},
        {PaneId::Watches, "watches", "Watches", Left,
         [](PaneContext& context) {
             return new WatchesPane(context.workspace.watches(), context.theme, helpOf(context));
         }},
        {PaneId::Code, "code", "Generated Python", RightTop,
         [](PaneContext& context) {
             return new CodePane(context.workspace.document(), context.workspace.code(),
                                 context.workspace.selection(), context.workspace.debug(), context.theme);
         }},
        {PaneId::Source, "source", "Source", RightTop,
         [](PaneContext& context) {
             return new SourcePane(context.workspace.document(), context.workspace.selection(),
                                   context.theme);
         }},
        {PaneId::PassEditor, "pass", "Pass editor", RightTop, makePassEditor},
        {PaneId::Tensor, "tensor", "Tensor", RightBottom, makeTensor},
        {PaneId::NodePane, "node", "Node", RightBottom, makeInspector},
        {PaneId::Console, "console", "Console", Bottom,
         [](PaneContext& context) {
             return context.console =
                        new ConsolePane(context.workspace.debug(), context.theme, helpOf(context));
         }},
        {PaneId::Steps, "steps", "Steps", Bottom, makeSteps},
        {PaneId::OperatorTable, "operator-table", "Operator table", Bottom,
         [](PaneContext& context) {
             return new OperatorsPane(context.workspace.document(), context.workspace.selection(),
                                      context.workspace.debug(), context.workspace.costs(), context.theme);
         },
         "Performance"},
        {PaneId::Timeline, "timeline", "Timeline", Bottom,
         [](PaneContext& context) {
             return new TimelinePane(context.workspace.document(), context.workspace.selection(),
                                     context.workspace.debug(), context.theme);
         },
         "Performance"},
        {PaneId::WhatIf, "what-if", "What if", Bottom,
         [](PaneContext& context) {
             return new WhatIfPane(context.workspace.document(), context.workspace.selection(),
                                   context.workspace.costs());
         },
         "Performance"},
        {PaneId::Sizes, "sizes", "Sizes", Bottom,
         [](PaneContext& context) {
             return new SizesPane(context.workspace.document(), context.workspace.selection(),
                                  context.workspace.sizes(), context.theme);
         },
         "Sizes"},
        {PaneId::Quantization, "quantization", "Quantization", Bottom, makeQuantization, "Sizes"},
        {PaneId::Problems, "problems", "Problems", Bottom, makeProblems, "Problems"},
        {PaneId::Verify, "verify", "Verify", Bottom, makeVerify, "Problems"},
        {PaneId::Changes, "changes", "Changes", Bottom, makeChanges, "Changes"},
        {PaneId::Marks, "marks", "Marks", Bottom, makeMarks, "Changes"},
        {PaneId::Stages, "stages", "Stages", Bottom,
         [](PaneContext& context) {
             return new StagesPane(context.workspace.document(), context.workspace.selection(),
                                   context.theme);
         },
         "Changes"},
    };
    for (const PluginPane& pane : pluginPanes())
        out.push_back(specOf(pane));
    return out;
}

} // namespace fx::ui
