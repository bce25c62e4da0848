// SPDX-License-Identifier: GPL-3.0-or-later
// What goes while something else still has to do with it: editors in lists, rows below an open menu, the
// model below a dialog or a job. The sanitizers see more of it than these tests.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/document/graph_intents.h"
#include "widgets/panes/finder.h"

#include <QApplication>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QTreeView>
#include <QTreeWidget>

namespace fx::ui::lifetimes_test {

namespace {

/// Does `work` with the next menu that opens, and closes it.
void withMenu(std::function<void(QMenu&)> work) {
    auto* timer = new QTimer(qApp);
    timer->setInterval(10);
    QObject::connect(timer, &QTimer::timeout, timer, [timer, work = std::move(work)] {
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        if (!menu)
            return;
        timer->stop();
        timer->deleteLater();
        const auto closing = qScopeGuard([menu] { menu->close(); });
        const std::function<void(QMenu&)> kept = work;
        kept(*menu);
    });
    timer->start();
}

void answer(QDialog& question, QMessageBox::StandardButton with) {
    QTest::mouseClick(dynamic_cast<QMessageBox&>(question).button(with), Qt::LeftButton);
}

} // namespace

class TestLifetimes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->open(samplePath("control_flow"));
    }
    void cleanup() { m_probe.reset(); }

    void finderIsLeftForAnEditorThatIsGone() {
        WindowProbe& probe = *m_probe;
        probe.debug().console().execute("display linear.shape");
        auto& list = probe.find<QTreeView>("watchList");
        QTRY_COMPARE(list.model()->rowCount(), 2);
        const QPoint at = list.visualRect(list.model()->index(0, 0)).center();
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, at);
        QTest::mouseDClick(list.viewport(), Qt::LeftButton, {}, at);
        QVERIFY(list.findChild<QLineEdit*>());
        list.findChild<QLineEdit*>()->setFocus();
        probe.press(Qt::Key_K, Qt::ControlModifier);
        auto& finder = *probe.window().findChild<Finder*>();
        QTRY_VERIFY(finder.isVisible());
        QTRY_VERIFY(!list.findChild<QLineEdit*>());
        probe.type("linear");
        QTest::keyClick(probe.window().focusWidget(), Qt::Key_Escape);
        QVERIFY(!finder.isVisible());
    }

    void finderGoesWithTheModelThatItLists() {
        WindowProbe& probe = *m_probe;
        probe.press(Qt::Key_K, Qt::ControlModifier);
        auto& finder = *probe.window().findChild<Finder*>();
        QTRY_VERIFY(finder.isVisible());
        probe.open(samplePath("resnet"));
        QVERIFY(!finder.isVisible());
    }

    void modelWaitsForTheDialogAboutTheOneBefore() {
        WindowProbe& probe = *m_probe;
        const Workspace* before = &probe.workspace();
        auto* cancel = button("Cancel");
        withDialog([&](QDialog& dialog) {
            const auto closing = closingIfFailed(dialog);
            QTRY_VERIFY_WITH_TIMEOUT(!cancel->isVisible(), 30000);
            findIn<QPlainTextEdit>(dialog, "Pattern").setPlainText("lambda x: torch.ops.aten.sum.default(x)");
            QTRY_VERIFY(findIn<QListWidget>(dialog, "Matches").count() == 1);
            QCOMPARE(probe.window().workspace(), before);
            dialog.reject();
        });
        probe.window().openFile(samplePath("resnet"));
        probe.window().actions().pass("replace")->trigger();
        QTRY_COMPARE(probe.workspace().document().title(), "resnet.pt2");
    }

    void modelMayBeClosedWhileItIsSaved() {
        WindowProbe& probe = *m_probe;
        const QString path = probe.settings().path("kept.fxg");
        QCOMPARE(deleteNode("add_"), QString());
        answerFileDialog(path);
        probe.window().actions()["saveAs"]->trigger();
        withDialog([](QDialog& dialog) { answer(dialog, QMessageBox::Discard); });
        probe.window().actions()["closeModel"]->trigger();
        QVERIFY(!probe.window().workspace());
        QTRY_VERIFY_WITH_TIMEOUT(Settings::recentFiles().contains(path), 30000); // the news of it has come
        probe.open(path);
        QVERIFY(!probe.node("add_").node);
    }

    void modelMayBeClosedWhileItIsExported() {
        WindowProbe& probe = *m_probe;
        const QString folder = probe.settings().path("package");
        withDialog([folder](QDialog& dialog) {
            findIn<QLineEdit>(dialog, "Folder").setText(folder);
            dialog.accept();
        });
        probe.window().actions()["exportModel"]->trigger();
        auto& busy = *button("Cancel");
        QVERIFY(busy.isVisible());
        probe.window().actions()["closeModel"]->trigger();
        QVERIFY(!probe.window().workspace());
        QTRY_VERIFY_WITH_TIMEOUT(!busy.isVisible(), 30000);
        QVERIFY(QFile::exists(folder + "/module.py"));
    }

    /// The file of one must not become that of the other.
    void anotherModelIsOpenedWhileOneIsSaved() {
        WindowProbe& probe = *m_probe;
        const QString path = probe.settings().path("kept.fxg");
        answerFileDialog(path);
        probe.window().actions()["saveAs"]->trigger();
        probe.window().actions()["closeModel"]->trigger();
        probe.open(samplePath("resnet"));
        QTRY_VERIFY_WITH_TIMEOUT(Settings::recentFiles().contains(path), 30000);
        QCOMPARE(probe.workspace().document().title(), "resnet.pt2");
    }

    void breakpointIsEditedAfterARunHasListedItAnew() {
        WindowProbe& probe = *m_probe;
        probe.select("linear");
        probe.press(Qt::Key_F9);
        auto& list = probe.find<QTreeWidget>("breakpointList");
        QCOMPARE(list.topLevelItemCount(), 1);
        withMenu([&](QMenu& menu) {
            probe.debug().breakpoints().set(probe.debug().breakpoints().all());
            menu.actions().first()->trigger();
        });
        Q_EMIT list.customContextMenuRequested(list.visualItemRect(list.topLevelItem(0)).center());
        QVERIFY(list.findChild<QLineEdit*>());
    }

    /// As in KDE. The click fills the list anew, and then its row is activated.
    void oneClickMayActivateARow() {
        WindowProbe& probe = *m_probe;
        probe.select("linear");
        probe.window().docks().show(Docks::NodePane);
        auto& rows = probe.find<QTreeWidget>("nodeRows");
        QTRY_VERIFY(rows.isVisible());
        rows.setStyleSheet("QTreeView { activate-on-singleclick: 1; }");
        const QList<QTreeWidgetItem*> users = rows.findItems("sum_1", Qt::MatchExactly | Qt::MatchRecursive);
        QVERIFY(!users.isEmpty());
        rows.scrollToItem(users.first());
        QTest::mouseClick(rows.viewport(), Qt::LeftButton, {}, rows.visualItemRect(users.first()).center());
        QCOMPARE(probe.selected(), "sum_1");
    }

private:
    QPushButton* button(const QString& text) {
        for (auto* each : m_probe->window().findChildren<QPushButton*>())
            if (each->text() == text)
                return each;
        qFatal("the window has no button %s", qPrintable(text));
    }
    QString deleteNode(const QString& name) {
        GraphDocument& document = m_probe->workspace().document();
        return deleteNodes(document, document.model().root(), {m_probe->node(name).node});
    }

    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestLifetimes)
} // namespace fx::ui::lifetimes_test
#include "tst_lifetimes.moc"
