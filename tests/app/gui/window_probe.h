// SPDX-License-Identifier: GPL-3.0-or-later
// The window under test: shown, active, with settings of its own, driven by keys and clicks.
#pragma once

#include "app/gui/main_window.h"
#include "tests/support/widgets_probe.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/panes/code_view.h"
#include "widgets/panes/toast.h"
#include "widgets/session/run_text.h"
#include "widgets/style/theme.h"

#include <QDialog>
#include <QPlainTextEdit>
#include <QtTest>

#include <functional>
#include <memory>

namespace fx::ui {

class WindowProbe {
public:
    explicit WindowProbe(QSize size = {1600, 1000});
    ~WindowProbe();

    MainWindow& window() { return *m_window; }
    const OwnSettings& settings() const { return m_settings; }
    Workspace& workspace() { return *m_window->workspace(); }
    CanvasView& canvas() { return m_window->view()->canvas(); }
    Selection& selection() { return workspace().selection(); }
    DebugService& debug() { return workspace().debug(); }
    QString toast() { return m_window->view()->toast().isVisible() ? m_window->view()->toast().text() : ""; }

    /// The window closes, and another one opens, as when the program is started again.
    void restart(QSize size = {});
    /// Opens a file and waits until it is shown and laid out.
    void open(const QString& path);
    /// The same with "Net()" of a text of Python; runs are with what the expression gives for x.
    void openNet(const char* source, const QString& x);
    bool waitForLayout();
    bool waitForState(DebugService::State state);

    NodeRef node(const QString& name) { return nodeNamed(workspace().document().model(), name); }
    /// The name of the current node.
    QString selected();
    void select(const QString& name);
    /// As typed on the keyboard, into what has the focus.
    void press(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
    void type(const QString& text);
    /// A line typed into the console.
    void say(const QString& line);
    /// The rows of the pane Problems, place and text.
    QStringList problems();
    QString consoleText() { return find<QPlainTextEdit>("consoleOutput").toPlainText(); }

    /// A widget of the window by object name or accessible name.
    template <class T>
    T& find(const QString& name) {
        for (T* each : m_window->findChildren<T*>())
            if (each->objectName() == name || each->accessibleName() == name)
                return *each;
        qFatal("no widget is called %s", qPrintable(name));
    }
    CodeView& code(Docks::Pane pane = Docks::Code) {
        return *m_window->docks().dock(pane).widget()->findChild<CodeView*>();
    }
    QString statusText();

private:
    void make(QSize size);

    OwnSettings m_settings;
    Theme m_theme;
    std::unique_ptr<MainWindow> m_window;
};

/// The process in which that one runs a model; 0: there is none.
int workerOf(qint64 parent);
/// Does `work` with the next dialog that opens, from within its own event loop.
void withDialog(std::function<void(QDialog&)> work);
/// A dialog whose test fails would stay open for ever.
inline auto closingIfFailed(QDialog& dialog) {
    return qScopeGuard([&dialog] {
        if (QTest::currentTestFailed())
            dialog.reject();
    });
}
/// A widget of the dialog by accessible name.
template <class T>
T& findIn(QDialog& dialog, const QString& name) {
    for (T* each : dialog.findChildren<T*>())
        if (each->accessibleName() == name)
            return *each;
    qFatal("no widget is called %s", qPrintable(name));
}
/// Types a path into the next file dialog and accepts it.
void answerFileDialog(const QString& path);

} // namespace fx::ui
