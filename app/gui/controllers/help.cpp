// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/help.h"

#include "app/gui/controllers/passes.h"
#include "core/plugins/pass_folders.h"
#include "widgets/panes/finder.h"
#include "widgets/support/qt_text.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QLabel>
#include <QMessageBox>
#include <QVBoxLayout>

namespace fx::ui {

HelpController::HelpController(const WindowContext& context, PassesController& passes)
    : m_context(context), m_passes(passes) {
    const ActionRules always{.needs = Needs::Nothing};
    Actions& actions = m_context.actions;
    actions.add(
        MenuPlace::EditFind, {"palette", "All commands…", "Ctrl+Shift+P", "", "Find a command by its name"},
        [this] { openPalette(); }, always);
    actions.add(
        MenuPlace::Help, {"keys", "Keys…", "F1", "", "All keys"}, [this] { showKeys(); }, always);
    actions.add(
        MenuPlace::Help, {"about", "About fxscope", "", "", "Version and licence"}, [this] { showAbout(); },
        always);
}

void HelpController::openPalette() {
    std::vector<FinderItem> items;
    const bool hasModel = m_context.tabs.workspace();
    for (QAction* action : m_context.actions.all())
        if (action->isEnabled() && action != m_context.actions["palette"])
            items.push_back(
                {action->text().remove("…"),
                 action->shortcut().toString(QKeySequence::NativeText) + "   " + action->statusTip(),
                 action->objectName(), [action] { action->trigger(); }});
    if (hasModel)
        for (const PassFile& file : passFiles())
            for (const ListedPass& pass : file.passes)
                items.push_back(
                    {qt(pass.name), qt(file.name + ".py   " + pass.summary()), "pass",
                     [this, path = qt(file.path), name = qt(pass.name)] { m_passes.runOf(path, name); }});
    if (hasModel)
        for (const QStringList titles = m_context.docks.paneTitles(); const QString& title : titles)
            items.push_back(
                {"Pane: " + title, "bring to the front", {}, [this, pane = titles.indexOf(title)] {
                     m_context.docks.showPane(static_cast<size_t>(pane));
                 }});
    m_context.finder.open("Type a command…", std::move(items));
}

void HelpController::showKeys() {
    QStringList cells;
    const auto add = [&cells](const QString& key, const QString& what) {
        cells << "<td style='white-space: pre; padding-right: 14px'><b>" + key.toHtmlEscaped() +
                     "</b></td><td style='white-space: pre; padding-right: 18px'>" + what.toHtmlEscaped() +
                     "</td>";
    };
    for (const QAction* action : m_context.actions.all())
        if (!action->shortcut().isEmpty())
            add(action->shortcut().toString(QKeySequence::NativeText), action->text().remove("…"));
    add("Arrows", "Canvas: to producers and readers");
    add("+  -", "Canvas: zoom; hops of a part");
    add("Esc", "Canvas: show all, select nothing");
    add("Enter", "Canvas: open a scope or a graph");
    add("Shift+drag", "Canvas: select several nodes");
    // In three columns, so that a small screen shows all.
    const qsizetype part = (cells.size() + 2) / 3;
    QString rows;
    for (qsizetype i = 0; i < part; ++i)
        rows += "<tr>" + cells[i] + cells.value(part + i) + cells.value(2 * part + i) + "</tr>";
    // A message box would cut what is wider than half of a small screen.
    QDialog box(&m_context.window);
    box.setWindowTitle("Keys");
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok);
    connect(buttons, &QDialogButtonBox::accepted, &box, &QDialog::accept);
    auto* layout = new QVBoxLayout(&box);
    layout->addWidget(new QLabel("<table>" + rows + "</table>"));
    layout->addWidget(buttons);
    box.exec();
}

void HelpController::showAbout() {
    QMessageBox::about(&m_context.window, "About fxscope",
                       "<b>fxscope " + QApplication::applicationVersion() +
                           "</b><p>See PyTorch FX graphs, step through them, change them, export them.</p>"
                           "<p>Free software under the GNU General Public License, version 3 or later.</p>");
}

} // namespace fx::ui
