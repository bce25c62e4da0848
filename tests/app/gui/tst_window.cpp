// SPDX-License-Identifier: GPL-3.0-or-later
// The window around the model: themes, panes wide and narrow, what is remembered, names for every widget.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/panes/what_if_pane.h"

#include <QAbstractSpinBox>
#include <QAccessible>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>

namespace fx::ui::window_test {

namespace {

constexpr Docks::Pane kAll[] = {Docks::Modules, Docks::Breakpoints, Docks::Watches,  Docks::Code,
                                Docks::Source,  Docks::Tensor,      Docks::NodePane, Docks::Console,
                                Docks::Steps,   Docks::Problems};

/// How much of a pane can be seen.
QSize seen(WindowProbe& probe, Docks::Pane pane) {
    QDockWidget& dock = probe.window().docks().dock(pane);
    const QRect place(dock.widget()->mapTo(&probe.window(), QPoint()), dock.widget()->size());
    return dock.widget()->isVisible() ? place.intersected(probe.window().rect()).size() : QSize();
}

QRect shownGraph(WindowProbe& probe) {
    return probe.canvas().camera().toScreen(probe.canvas().geometry().bounds()).toAlignedRect();
}

} // namespace

class TestWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void themeSwitchesAtOnceAndIsRemembered() {
        WindowProbe probe;
        probe.open(samplePath("control_flow"));
        const auto background = [&] { return probe.canvas().grab().toImage().pixelColor(3, 300); };
        probe.window().actions()["themeLight"]->trigger();
        QCOMPARE(background(), lightTokens().canvas);
        probe.window().actions()["themeDark"]->trigger();
        QCOMPARE(background(), darkTokens().canvas);
        QVERIFY(probe.window().actions()["themeDark"]->isChecked());
        QCOMPARE(Settings::theme(), static_cast<int>(Theme::Choice::Dark));
        QCOMPARE(QApplication::palette().color(QPalette::Base), darkTokens().panel);
        probe.window().actions()["themeSystem"]->trigger();
        QCOMPARE(Settings::theme(), static_cast<int>(Theme::Choice::System));
    }

    void layoutIsRemembered() {
        WindowProbe probe({1500, 900});
        probe.open(samplePath("control_flow"));
        Docks* docks = &probe.window().docks();
        docks->dock(Docks::Breakpoints).close();
        probe.window().addDockWidget(Qt::LeftDockWidgetArea, &docks->dock(Docks::Steps));
        const int before = docks->dock(Docks::Modules).width();
        probe.window().resizeDocks({&docks->dock(Docks::Modules)}, {before + 60}, Qt::Horizontal);
        QTRY_VERIFY(docks->dock(Docks::Modules).width() != before);
        const int width = docks->dock(Docks::Modules).width();
        probe.restart();
        QCOMPARE(probe.window().size(), QSize(1500, 900));
        probe.open(samplePath("control_flow"));
        docks = &probe.window().docks();
        QVERIFY(!docks->dock(Docks::Breakpoints).isVisible());
        QCOMPARE(probe.window().dockWidgetArea(&docks->dock(Docks::Steps)), Qt::LeftDockWidgetArea);
        QTRY_COMPARE(docks->dock(Docks::Modules).width(), width);

        probe.window().actions()["resetLayout"]->trigger();
        QTRY_VERIFY(docks->dock(Docks::Breakpoints).isVisible());
        QCOMPARE(probe.window().dockWidgetArea(&docks->dock(Docks::Steps)), Qt::BottomDockWidgetArea);
    }

    void resetBringsFloatingAndClosedPanesBack() {
        WindowProbe probe;
        probe.open(samplePath("control_flow"));
        for (const Docks::Pane pane : kAll) {
            if (static_cast<int>(pane) % 2)
                probe.window().docks().dock(pane).close();
            else
                probe.window().docks().dock(pane).setFloating(true);
        }
        probe.window().actions()["resetLayout"]->trigger();
        for (const Docks::Pane pane : kAll) {
            QVERIFY(!probe.window().docks().dock(pane).isFloating());
            QVERIFY(!probe.window().docks().dock(pane).isHidden() ||
                    !probe.window().tabifiedDockWidgets(&probe.window().docks().dock(pane)).isEmpty());
        }
    }

    void aRowIsAWholePane_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<Qt::DockWidgetArea>("area");
        QTest::newRow("wide") << 1600 << Qt::RightDockWidgetArea;
        QTest::newRow("narrow") << 900 << Qt::BottomDockWidgetArea;
    }
    void aRowIsAWholePane() {
        QFETCH(int, width);
        QFETCH(Qt::DockWidgetArea, area);
        std::vector<PaneSpec> panes = paneSpecs();
        panes.push_back({PaneId::Other, "extra", "Extra", PanePlace::RightBottom,
                         [](PaneContext&) { return new QLabel("made"); }});
        Theme theme(*qApp);
        QMainWindow window;
        window.resize(width, 800);
        Docks docks(window, panes, theme);
        docks.reset();
        QDockWidget* extra = docks.docks().back();
        QCOMPARE(extra->objectName(), "extra");
        QCOMPARE(window.dockWidgetArea(extra), area);
        QVERIFY(window.tabifiedDockWidgets(&docks.dock(Docks::Tensor)).contains(extra));
        // What state was saved goes by these.
        QStringList names;
        for (const QDockWidget* dock : docks.docks())
            names << dock->objectName();
        QCOMPARE(names.removeDuplicates(), 0);
    }

    void everyPaneIsReachable_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("wide") << QSize(1600, 1000);
        QTest::newRow("narrow") << QSize(1100, 800);
        QTest::newRow("small") << QSize(900, 600);
    }

    void everyPaneIsReachable() {
        QFETCH(QSize, size);
        WindowProbe probe;
        probe.open(samplePath("control_flow"));
        probe.window().resize(size);
        QTRY_COMPARE(probe.window().size(), size);
        for (const Docks::Pane pane : kAll) {
            probe.window().docks().show(pane);
            QTRY_VERIFY2(seen(probe, pane).width() >= 120 && seen(probe, pane).height() >= 50,
                         qPrintable(QString("%1: %2 x %3")
                                        .arg(probe.window().docks().dock(pane).windowTitle())
                                        .arg(seen(probe, pane).width())
                                        .arg(seen(probe, pane).height())));
        }
        QVERIFY(probe.canvas().width() >= 300 && probe.canvas().height() >= 150);
        const bool isNarrow = size.width() < 1200;
        QCOMPARE(probe.window().dockWidgetArea(&probe.window().docks().dock(Docks::Code)),
                 isNarrow ? Qt::BottomDockWidgetArea : Qt::RightDockWidgetArea);
        // Wide again: the right column is back.
        probe.window().resize(1600, 1000);
        QTRY_COMPARE(probe.window().dockWidgetArea(&probe.window().docks().dock(Docks::Code)),
                     Qt::RightDockWidgetArea);
    }

    /// At first the panes below the graph are a row of tabs, and the graph has half of the window.
    void theGraphHasHalfOfTheWindow() {
        WindowProbe probe({1600, 1000});
        probe.open(samplePath("resnet"));
        Docks& docks = probe.window().docks();
        const auto share = [&] {
            const QSize graph = probe.canvas().size(), window = probe.window().size();
            return double(graph.width()) * graph.height() / (double(window.width()) * window.height());
        };
        QTRY_VERIFY2(share() >= 0.5, qPrintable(QString::number(share())));
        int below = 0;
        for (QDockWidget* dock : docks.docks())
            below += probe.window().dockWidgetArea(dock) == Qt::BottomDockWidgetArea;
        QVERIFY2(below <= 7, qPrintable(QString::number(below)));
        // A press on a tab opens it, one on the tab in front shuts it again.
        QTabBar* bar = nullptr;
        for (QTabBar* each : probe.window().findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
            for (int i = 0; i < each->count(); ++i)
                if (each->tabText(i) == "Performance")
                    bar = each;
        QVERIFY(bar);
        const auto press = [&](const QString& title) {
            for (int i = 0; i < bar->count(); ++i)
                if (bar->tabText(i) == title)
                    QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(i).center());
        };
        press("Performance");
        QTRY_VERIFY(seen(probe, Docks::OperatorTable).height() > 150);
        docks.show(Docks::WhatIf);
        QVERIFY(docks.dock(Docks::WhatIf).findChild<WhatIfPane*>()->isVisible());
        press("Steps");
        QTRY_VERIFY(seen(probe, Docks::Steps).height() > 150);
        press("Steps");
        QTRY_COMPARE(seen(probe, Docks::Steps).height(), 0);
        // A fault opens it.
        probe.openNet("import torch\n\n\nclass Net(torch.nn.Module):\n"
                      "    def forward(self, x):\n        return torch.relu(x).view(7)\n",
                      "torch.ones(2)");
        QVERIFY(!docks.isBottomOpen());
        probe.press(Qt::Key_F5);
        QTRY_VERIFY2(docks.isBottomOpen(), qPrintable(probe.problems().join(" ; ") + probe.statusText()));
        QTRY_VERIFY2(seen(probe, Docks::Problems).height() > 150,
                     qPrintable(QString::number(seen(probe, Docks::Problems).height())));
        QVERIFY2(probe.problems().join('\n').contains("view"), qPrintable(probe.problems().join('\n')));
    }

    void startPageFitsASmallWindow() {
        WindowProbe probe({900, 600});
        auto& page = probe.find<QScrollArea>("Start page");
        QTRY_VERIFY(page.isVisible());
        for (QToolButton* button : probe.window().findChild<QToolBar*>()->findChildren<QToolButton*>())
            if (button->isVisible() && button->accessibleName() != "Open" &&
                button->objectName() != "qt_toolbar_ext_button")
                QVERIFY2(!button->isEnabled(), qPrintable(button->text()));
        QVERIFY2(page.horizontalScrollBar()->maximum() == 0,
                 qPrintable(QString::number(page.widget()->minimumSizeHint().width())));
    }

    void everyButtonOfTheToolbarSaysWhatItDoes() {
        WindowProbe probe;
        probe.open(samplePath("control_flow"));
        int count = 0;
        for (QToolButton* button : probe.window().findChild<QToolBar*>()->findChildren<QToolButton*>()) {
            if (!button->isVisible())
                continue;
            ++count;
            QVERIFY2(button->toolTip().size() > 5, qPrintable(button->text()));
            QVERIFY2(button->focusPolicy() & Qt::TabFocus, qPrintable(button->text()));
        }
        QVERIFY(count >= 10);
    }

    void buttonsOfTheToolbarKeepTheirPlaces() {
        WindowProbe probe;
        probe.open(samplePath("control_flow"));
        const auto* bar = probe.window().findChild<QToolBar*>();
        const auto places = [&] {
            QApplication::processEvents();
            QStringList out;
            for (const QToolButton* button : bar->findChildren<QToolButton*>())
                if (button->isVisible() && button->objectName() != "search")
                    out << button->accessibleName() + QString::number(button->x());
            out.removeFirst();
            return out.filter(QRegularExpression("^(?!Run|Continue|Pause)"));
        };
        const QStringList before = places();
        probe.press(Qt::Key_F10);
        QVERIFY(probe.waitForState(DebugService::State::Paused));
        QCOMPARE(places(), before);
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(DebugService::State::Over));
        QCOMPARE(places(), before);
    }

    void everyWidgetThatTakesTheFocusHasAName() {
        WindowProbe probe;
        probe.open(samplePath("control_flow"));
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(DebugService::State::Over));
        probe.select("linear");
        probe.press(Qt::Key_K, Qt::ControlModifier);
        QTest::keyClick(probe.window().focusWidget(), Qt::Key_Escape);
        QStringList nameless;
        for (QWidget* widget : probe.window().findChildren<QWidget*>()) {
            // Bars, headers and the inner widgets of others speak through their owner.
            if (!(widget->focusPolicy() & Qt::TabFocus) || widget->window() != &probe.window() ||
                qobject_cast<QTabBar*>(widget) || qobject_cast<QScrollBar*>(widget) || widget->focusProxy() ||
                widget->objectName().startsWith("qt_"))
                continue;
            QAccessibleInterface* it = QAccessible::queryAccessibleInterface(widget);
            if (it->text(QAccessible::Name).isEmpty() && widget->toolTip().isEmpty())
                nameless << QString(widget->metaObject()->className()) + ' ' + widget->objectName() + " in " +
                                widget->parentWidget()->metaObject()->className();
        }
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join('\n')));
    }

    void fShowsTheWholeGraphButIsALetterElsewhere() {
        WindowProbe probe;
        probe.open(samplePath("resnet"));
        probe.canvas().look().setZoom(3);
        QTRY_VERIFY(isAtRest(probe.canvas()));
        QVERIFY(!probe.canvas().rect().contains(shownGraph(probe)));
        auto& line = probe.find<QLineEdit>("consoleLine");
        line.setFocus();
        probe.press(Qt::Key_F);
        QCOMPARE(line.text(), "f");
        QVERIFY(!probe.canvas().rect().contains(shownGraph(probe)));
        probe.canvas().setFocus();
        probe.press(Qt::Key_F);
        QTRY_VERIFY(probe.canvas().rect().contains(shownGraph(probe)));
    }

    void tabWalksThroughTheWindow() {
        WindowProbe probe;
        probe.open(samplePath("control_flow"));
        probe.canvas().setFocus();
        std::set<QWidget*> met;
        for (int i = 0; i < 60; ++i) {
            // Backwards, as Tab in the graph is the palette's.
            QTest::keyClick(probe.window().focusWidget(), Qt::Key_Backtab, Qt::ShiftModifier);
            met.insert(probe.window().focusWidget());
        }
        QVERIFY2(met.size() > 12, qPrintable(QString::number(met.size())));
        QVERIFY(met.contains(&probe.canvas()));
    }
};

FX_TEST(TestWindow)
} // namespace fx::ui::window_test
#include "tst_window.moc"
