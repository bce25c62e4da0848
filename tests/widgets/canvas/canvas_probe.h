// SPDX-License-Identifier: GPL-3.0-or-later
// A canvas on a sample model, with the services that it needs and none of the window.
#pragma once

#include "tests/support/widgets_probe.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/session/debug_service.h"
#include "widgets/session/layout_service.h"
#include "widgets/session/selection.h"
#include "widgets/style/theme.h"

#include <QApplication>
#include <QtTest>

namespace fx::ui {

class CanvasProbe {
public:
    explicit CanvasProbe(const QString& sample)
        : theme(*qApp), document(openSample(sample)), selection(document),
          layout(document, selection, TextMetrics(theme.textFont(), theme.fixedFont())), debug(document),
          view(document, selection, layout, &debug, theme) {
        view.resize(900, 700);
        view.show();
        view.activateWindow();
        view.setFocus();
        if (!QTest::qWaitForWindowActive(&view))
            qWarning("the view does not become active");
        settle();
    }

    /// Waits until the picture is final and nothing moves.
    bool settle() {
        return QTest::qWaitFor([this] { return !layout.isWorking() && isAtRest(view); }, 30000);
    }
    NodeRef node(const QString& name) { return nodeNamed(document.model(), name); }
    QString selected() {
        return selection.currentNode()
                   ? qt(document.model().graph(selection.graph()).node(selection.currentNode()).name)
                   : QString();
    }
    int box(const QString& name) { return view.geometry().picture()->diagram.boxOf(node(name).node); }
    const BoxState& state(const QString& name) {
        return view.states().of(*view.geometry().picture(), box(name));
    }
    /// The middle of the node's box on the screen, after it has been brought into sight.
    QPoint at(const QString& name) {
        show(name);
        return view.camera().toScreen(view.geometry().rect(box(name))).center().toPoint();
    }
    void show(const QString& name) {
        view.look().ensureVisible(node(name).node);
        settle();
    }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::mousePress(&view, Qt::LeftButton, modifiers, from);
        for (int i = 1; i <= 4; ++i) {
            const QPoint place = from + (to - from) * i / 4;
            QMouseEvent move(QEvent::MouseMove, place, view.mapToGlobal(place), Qt::NoButton, Qt::LeftButton,
                             modifiers);
            QApplication::sendEvent(&view, &move);
        }
        QTest::mouseRelease(&view, Qt::LeftButton, modifiers, to);
    }
    void wheel(QPoint place, int delta, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QWheelEvent event(place, view.mapToGlobal(place), {}, {0, delta}, Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&view, &event);
    }

    OwnSettings settings;
    Theme theme;
    GraphDocument document;
    Selection selection;
    LayoutService layout;
    DebugService debug;
    CanvasView view;
};

} // namespace fx::ui
