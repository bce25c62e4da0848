// SPDX-License-Identifier: GPL-3.0-or-later
// Every action is in a menu, has words and an effect. What each does is tested by its subject; here, that
// none does nothing.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/panes/compare_window.h"

#include <QLabel>
#include <QMenu>
#include <QMenuBar>

namespace fx::ui::actions_test {

namespace {

QList<QAction*> actionsOf(const QWidget& menu) {
    QList<QAction*> out;
    for (QAction* action : menu.actions())
        if (action->menu())
            out += actionsOf(*action->menu());
        else if (!action->isSeparator())
            out << action;
    return out;
}

/// What a user can tell apart.
QStringList look(WindowProbe& probe, const QString& dialog) {
    MainWindow& window = probe.window();
    QStringList out{dialog, window.isVisible() ? "open" : "closed", QString::number(Settings::theme()),
                    window.focusWidget() ? window.focusWidget()->objectName() : ""};
    if (!window.workspace())
        return out << "no model";
    const Camera& camera = probe.canvas().camera();
    out << probe.code().text() << probe.toast() << probe.selection().scope() << probe.selected()
        << probe.statusText() << QString::number(probe.debug().run().values().order().size())
        << QString::number(probe.debug().breakpoints().all().size())
        << QString::number(probe.workspace().watches().all().size())
        << QString::number(probe.selection().expandedScopes().size())
        << QString("%1 %2 %3").arg(camera.scale()).arg(camera.origin().x()).arg(camera.origin().y())
        << QString::number(probe.selection().showsWeights()) << QString::number(probe.selection().foldsLong())
        << QString::number(probe.selection().nodesOfPart().size())
        << QString::number(probe.canvas().showsEdgeLabels())
        << QString::number(static_cast<int>(probe.canvas().states().colouring()))
        << QString::number(window.docks().dock(Docks::Modules).isVisible())
        << QString::number(window.docks().isBottomOpen())
        << QString::number(window.actions()["verifyPasses"]->isChecked()) << window.actions()["undo"]->text()
        << QString::number(window.findChild<CompareWindow*>() != nullptr);
    return out;
}

} // namespace

class TestActions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void allAreInTheMenusWithWords() {
        WindowProbe probe;
        const QList<QAction*> inMenus = actionsOf(*probe.window().menuBar());
        std::set<QString> keys;
        for (QAction* action : probe.window().actions().all()) {
            QVERIFY2(inMenus.contains(action), qPrintable(action->text()));
            QVERIFY2(!action->statusTip().isEmpty(), qPrintable(action->text()));
            for (const QKeySequence& key : action->shortcuts()) {
                QVERIFY2(keys.insert(key.toString()).second, qPrintable(key.toString()));
                QVERIFY2(key != action->shortcut() || action->toolTip().contains(key.toString()),
                         qPrintable(action->toolTip()));
            }
        }
        for (const char* key : {"F5", "F9", "F10", "F11", "Shift+F11", "Shift+F5", "Ctrl+K", "Ctrl+Shift+P"})
            QVERIFY2(keys.contains(key), key);
    }

    void theKeysFitASmallScreen() {
        WindowProbe probe;
        QSize size;
        bool isCut = true;
        withDialog([&](QDialog& dialog) {
            size = dialog.size();
            const auto* text = dialog.findChild<QLabel*>();
            isCut = !text || text->sizeHint().width() > text->width() ||
                    text->sizeHint().height() > text->height();
            dialog.reject();
        });
        probe.press(Qt::Key_F1);
        QVERIFY(!isCut);
        QVERIFY2(size.isValid() && size.width() <= 900 && size.height() <= 600,
                 qPrintable(QString("%1 x %2").arg(size.width()).arg(size.height())));
    }

    void eachHasAnEffect_data() {
        QTest::addColumn<int>("index");
        WindowProbe probe;
        int index = 0;
        for (const QAction* action : probe.window().actions().all())
            QTest::newRow(qPrintable(action->text())) << index++;
    }

    void eachHasAnEffect() {
        QFETCH(int, index);
        WindowProbe probe;
        Actions& actions = probe.window().actions();
        QAction* action = actions.all()[static_cast<size_t>(index)];
        prepare(probe, action);
        QVERIFY(action->isEnabled());
        QString dialog;
        auto timer = QTimer();
        connect(&timer, &QTimer::timeout, this, [&] {
            if (auto* open = qobject_cast<QDialog*>(QApplication::activeModalWidget())) {
                dialog += open->windowTitle();
                open->reject();
            }
        });
        timer.start(10);
        const QStringList before = look(probe, dialog);
        action->trigger();
        QVERIFY2(QTest::qWaitFor([&] { return look(probe, dialog) != before; }),
                 qPrintable(before.mid(5).join('\n')));
        timer.stop();
        QTRY_VERIFY(!probe.window().workspace() || probe.debug().state() != DebugService::State::Running);
    }

private:
    /// The state in which the action means something.
    static void prepare(WindowProbe& probe, const QAction* action) {
        Actions& actions = probe.window().actions();
        if (action == actions["pause"]) {
            probe.open(samplePath("control_flow"));
            DebugMemory inputs = probe.debug().inputs().memory();
            inputs.inputs["limit"] = "tensor(100000000)"; // the loop would run for hours
            probe.debug().inputs().set(inputs);
            actions["run"]->trigger();
            QTRY_VERIFY(action->isEnabled());
            return;
        }
        probe.open(samplePath("resnet"));
        if (action == actions["nextTab"] || action == actions["previousTab"]) {
            actions["newTab"]->trigger();
            return;
        }
        if (action == actions["compareTab"]) {
            actions["newTab"]->trigger();
            probe.open(samplePath("control_flow"));
            return;
        }
        probe.canvas().setFocus();
        probe.select("conv2d_3");
        if (action == actions["fit"])
            actions["zoomIn"]->trigger(); // where all was in sight
        const auto is = [action](std::initializer_list<QAction*> some) {
            return std::find(some.begin(), some.end(), action) != some.end();
        };
        if (is({actions["undo"], actions["redo"], actions["save"], actions["verify"], actions["bisect"],
                actions["saveRecipe"]})) {
            probe.press(Qt::Key_F2);
            probe.type("fresh");
            probe.press(Qt::Key_Return);
        }
        if (action == actions["redo"])
            actions["undo"]->trigger();
        if (action == actions["actualSize"])
            probe.canvas().look().setZoom(0.5);
        if (action == actions["expandAll"])
            probe.selection().collapseAll();
        if (action == actions["colourFamily"])
            actions["colourFlops"]->trigger();
        if (action == actions["themeSystem"])
            actions["themeDark"]->trigger();
        if (action == actions["resetLayout"])
            probe.window().docks().dock(Docks::Modules).close();
        if (is({actions["stop"], actions["out"], actions["stepBack"], actions["runBack"],
                actions["nextScope"], actions["setValue"]})) {
            actions["runTo"]->trigger();
            QVERIFY(probe.waitForState(DebugService::State::Paused));
        }
        if (action == actions["origin"]) {
            actions["runTo"]->trigger();
            QVERIFY(probe.waitForState(DebugService::State::Paused));
            probe.say("conv2d_2 = conv2d_2 * float('nan')");
            probe.select("conv2d_2");
            QTRY_VERIFY(action->isEnabled());
        }
        if (is({actions["difference"], actions["trait"]})) {
            actions["runTo"]->trigger();
            QVERIFY(probe.waitForState(DebugService::State::Paused));
            probe.select("conv2d_2");
            QTRY_VERIFY(action->isEnabled());
        }
        if (action == actions["goBack"] || action == actions["goForward"]) {
            probe.selection().select(probe.node("relu"));
            QTRY_VERIFY(actions["goBack"]->isEnabled());
        }
        if (action == actions["goForward"]) {
            actions["goBack"]->trigger();
            QTRY_VERIFY(action->isEnabled());
        }
        if (is({actions["findNext"], actions["findPrevious"]}))
            probe.selection().matches().set("relu", {{probe.node("relu"), {}}});
        if (action == actions["paste"])
            actions["copy"]->trigger();
        if (action == actions["showSelection"])
            probe.canvas().look().setZoom(0.5);
        if (action == actions["showWhole"])
            actions["partAround"]->trigger();
        if (action == actions["setValue"])
            probe.selection().select(probe.debug().run().values().order().back());
        QVERIFY(probe.waitForLayout());
        QTRY_VERIFY(isAtRest(probe.canvas()));
    }
};

FX_TEST(TestActions)
} // namespace fx::ui::actions_test
#include "tst_actions.moc"
