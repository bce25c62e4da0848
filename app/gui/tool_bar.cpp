// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/tool_bar.h"

#include "app/gui/actions.h"
#include "app/gui/workspace.h"
#include "core/open/run_inputs.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QActionGroup>
#include <QMenu>

namespace fx::ui {

namespace {

const QString kGap = " "; ///< between icon and text: a style sheet has no word for it

QString deviceText(const QString& device) {
    return "Device  " + device + ' ' + QChar(0x25BE);
}

/// Makes room for the longest of what a button may say, so that those beside it keep their places.
void reserve(QToolButton& button, const QStringList& texts) {
    const QString shown = button.text();
    int width = 0;
    for (const QString& text : texts) {
        button.setText(text);
        width = std::max(width, button.sizeHint().width());
    }
    button.setText(shown);
    button.setMinimumWidth(width);
}

} // namespace

ToolBar::ToolBar(Actions& actions, const Theme& theme)
    : QToolBar("Toolbar"), m_actions(actions), m_theme(theme), m_devices(new QActionGroup(this)),
      m_primary(new QToolButton), m_device(new QToolButton), m_inputs(new QToolButton),
      m_find(new QToolButton) {
    setObjectName("toolbar");
    setMovable(false);
    setIconSize(QSize(16, 16));
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setContextMenuPolicy(Qt::PreventContextMenu);
    const auto add = [this](QAction* action, const QString& text, bool hasText = true) {
        action->setIconText(kGap + text);
        addAction(action);
        auto* button = qobject_cast<QToolButton*>(widgetForAction(action));
        button->setAccessibleName(text);
        button->setFocusPolicy(Qt::TabFocus);
        if (!hasText)
            button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    };
    add(actions["open"], "Open");
    add(actions["exportModel"], "Export");
    add(actions["undo"], "Undo", false);
    add(actions["redo"], "Redo", false);
    addSeparator();
    m_primary->setObjectName("primary");
    m_primary->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_primary->setFocusPolicy(Qt::TabFocus);
    addWidget(m_primary);
    connect(m_primary, &QToolButton::clicked, this, [this] { primary().trigger(); });
    add(actions["step"], "Step");
    add(actions["into"], "Into");
    add(actions["out"], "Out");
    add(actions["stepBack"], "Back");
    add(actions["stop"], "Stop");
    addSeparator();
    m_device->setObjectName("field");
    m_device->setPopupMode(QToolButton::InstantPopup);
    m_device->setFocusPolicy(Qt::TabFocus);
    m_device->setToolTip("Where the model is run");
    m_device->setMenu(new QMenu(m_device));
    addWidget(m_device);
    m_inputs->setObjectName("field");
    m_inputs->setFocusPolicy(Qt::TabFocus);
    m_inputs->setToolTip(actions["inputs"]->toolTip());
    connect(m_inputs, &QToolButton::clicked, actions["inputs"], &QAction::trigger);
    addWidget(m_inputs);
    auto* spacer = new QWidget;
    spacer->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    addWidget(spacer);
    m_find->setObjectName("search");
    m_find->setText("Find node, op, module, shape…      Ctrl K");
    m_find->setToolTip(actions["find"]->toolTip());
    m_find->setFocusPolicy(Qt::TabFocus);
    connect(m_find, &QToolButton::clicked, actions["find"], &QAction::trigger);
    addWidget(m_find);
    setDevices({"cpu"});
    // What the button says is the action's text, which follows the run.
    for (QAction* action : {actions["run"], actions["pause"], actions["inputs"]})
        connect(action, &QAction::changed, this, &ToolBar::refresh);
    connect(&theme, &Theme::changed, this, [this] {
        refresh();
        keepPlaces();
    });
    refresh();
}

QAction& ToolBar::primary() const {
    const bool isRunning = m_workspace && m_workspace->debug().state() == DebugService::State::Running;
    return isRunning ? *m_actions["pause"] : *m_actions["run"];
}

void ToolBar::setDevices(const QStringList& devices) {
    m_device->menu()->clear();
    for (const QString& device : devices) {
        QAction* action = m_device->menu()->addAction(device);
        action->setCheckable(true);
        m_devices->addAction(action);
        connect(action, &QAction::triggered, this, [this, device] {
            if (m_workspace)
                m_workspace->debug().inputs().setDevice(device);
        });
    }
    refresh();
    keepPlaces();
}

void ToolBar::keepPlaces() {
    reserve(*m_primary, {kGap + "Run", kGap + "Continue", kGap + "Pause"});
    QStringList devices;
    for (const QAction* action : m_device->menu()->actions())
        devices << deviceText(action->text());
    reserve(*m_device, devices);
}

void ToolBar::follow(Workspace* workspace) {
    if (m_workspace) {
        disconnect(&m_workspace->debug(), nullptr, this, nullptr);
        disconnect(&m_workspace->debug().inputs(), nullptr, this, nullptr);
        disconnect(&m_workspace->document(), nullptr, this, nullptr);
    }
    m_workspace = workspace;
    if (workspace) {
        connect(&workspace->debug(), &DebugService::stateChanged, this, &ToolBar::refresh);
        connect(&workspace->debug().inputs(), &Inputs::changed, this, &ToolBar::refresh);
        connect(&workspace->document(), &GraphDocument::changed, this, &ToolBar::refresh);
    }
    refresh();
}

void ToolBar::refresh() {
    m_primary->setText(kGap + primary().text());
    m_primary->setAccessibleName(primary().text());
    m_primary->setToolTip(primary().toolTip());
    m_primary->setIcon(m_theme.primaryIcon(&primary() == m_actions["run"] ? "continue" : "pause"));
    m_primary->setEnabled(primary().isEnabled());
    m_device->setEnabled(m_actions["inputs"]->isEnabled());
    m_inputs->setEnabled(m_actions["inputs"]->isEnabled());
    m_find->setEnabled(m_workspace);
    const QString chosen = m_workspace ? m_workspace->debug().inputs().memory().device : QString();
    const QString device = chosen.isEmpty() ? "cpu" : chosen;
    m_device->setText(deviceText(device));
    for (QAction* action : m_device->menu()->actions())
        action->setChecked(action->text() == device);
    QString text = "Inputs";
    if (m_workspace) {
        QStringList parts;
        const DebugMemory& memory = m_workspace->debug().inputs().memory();
        for (const ModelInput& input : inputsOf(m_workspace->document().model())) {
            const QString spec = memory.inputs.value(wholeQt(input.name));
            parts << (!spec.isEmpty() ? spec
                      : input.value   ? qt(valueMetaText(*input.value))
                                      : qt(input.name));
        }
        if (!memory.inputsFile.isEmpty())
            parts = {memory.inputsFile.section('/', -1)};
        if (!parts.isEmpty())
            text += "  " + elided(parts.join(", "), 28);
    }
    m_inputs->setText(text);
}

} // namespace fx::ui
