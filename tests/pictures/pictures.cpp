// SPDX-License-Identifier: GPL-3.0-or-later
// fxscope_pictures FOLDER MODEL...: the window with each model, light and dark, large and small, first as it
// is opened, then the whole graph, then after a run. QT_SCALE_FACTOR=2 for a fine screen.
#include "app/gui/actions.h"
#include "tests/app/gui/window_probe.h"

#include <QApplication>
#include <QFileInfo>

#include <cstdio>

using namespace fx;
using namespace fx::ui;

namespace {

bool waitFor(const std::function<bool()>& isSo, int seconds) {
    return QTest::qWaitFor(isSo, seconds * 1000);
}

void takeOf(const QString& model, const QString& folder, QSize size, bool isDark) {
    WindowProbe probe(size);
    Actions& actions = probe.window().actions();
    (isDark ? actions["themeDark"] : actions["themeLight"])->trigger();
    probe.window().openFile(model);
    const bool isOpen = waitFor([&] { return probe.window().workspace() && probe.window().view(); }, 120) &&
                        waitFor([&] { return !probe.canvas().geometry().isEmpty(); }, 120);
    const QString name = QString("%1/%2-%3-%4")
                             .arg(folder, QFileInfo(model).baseName(), isDark ? "dark" : "light")
                             .arg(size.width());
    const auto shoot = [&](const char* what) {
        waitFor([&] { return isAtRest(probe.canvas()); }, 20);
        if (!probe.window().grab().save(name + '-' + what + ".png"))
            std::fprintf(stderr, "cannot write %s\n", qPrintable(name));
    };
    if (!isOpen) {
        std::fprintf(stderr, "%s does not open\n", qPrintable(model));
        return;
    }
    shoot("opened");
    actions["fit"]->trigger();
    shoot("whole");
    if (model.endsWith(".pt")) { // nothing in it says what it is run on
        DebugMemory memory;
        memory.inputs["x"] = "torch.ones(4)";
        probe.debug().setInputs(memory);
    }
    actions["run"]->trigger();
    waitFor([&] { return probe.debug().state() == DebugService::State::Over; }, 60);
    const Graph& graph = probe.workspace().document().model().graph();
    size_t place = 0;
    for (const Node& node : graph) // something in the middle is looked at
        if (++place > graph.size() / 2 && node.opcode != Opcode::GetAttr &&
            node.opcode != Opcode::Placeholder) {
            probe.select(QString::fromStdString(node.name));
            break;
        }
    waitFor([&] { return false; }, 1); // values and costs come when they are asked for
    shoot("ran");
}

} // namespace

int main(int count, char** arguments) {
    QApplication app(count, arguments);
    const QStringList given = QApplication::arguments();
    if (given.size() < 3) {
        std::fprintf(stderr, "usage: fxscope_pictures FOLDER MODEL...\n");
        return 2;
    }
    for (const QString& model : given.mid(2))
        for (const QSize size : {QSize(1600, 1000), QSize(900, 600)})
            for (const bool isDark : {false, true})
                takeOf(model, given[1], size, isDark);
    return 0;
}
