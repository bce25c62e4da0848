// SPDX-License-Identifier: GPL-3.0-or-later
// What a run took: the timeline and the table of operators, linked to the canvas.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/panes/timeline_view.h"

#include <QCheckBox>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QTreeView>

namespace fx::ui::timeline_test {

using State = DebugService::State;

class TestTimeline : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->open(samplePath("resnet"));
    }
    void cleanup() { m_probe.reset(); }

    void aRunIsDrawnOverTime() {
        WindowProbe& probe = *m_probe;
        m_probe->window().docks().show(Docks::Timeline);
        QVERIFY(!probe.find<QLabel>("timelineSummary").isVisible());
        runAll();
        auto& view = probe.find<TimelineView>("timelineView");
        QTRY_VERIFY(!view.rectOf(probe.node("relu")).isNull());
        const QString summary = probe.find<QLabel>("timelineSummary").text();
        QVERIFY2(summary.contains(" nodes took ") && summary.contains("values: at most "),
                 qPrintable(summary));
        QVERIFY(view.rectOf(probe.node("relu")).left() > view.rectOf(probe.node("conv2d")).left());
        auto& alive = *probe.find<QTreeView>("Alive at the peak").model();
        QVERIFY(alive.rowCount() > 0);
        QVERIFY(alive.index(0, 1).data().toString().contains("B"));
    }

    /// The page of a tab that is not in front is visible to Qt.
    void whatIsOutOfSightIsNotWorkedOut() {
        WindowProbe& probe = *m_probe;
        Docks& docks = probe.window().docks();
        docks.show(Docks::Timeline);
        docks.show(Docks::Changes);
        auto& view = probe.find<TimelineView>("timelineView");
        auto& steps = *probe.find<QTreeView>("Changes").model();
        docks.show(Docks::Console);
        QTRY_VERIFY(view.visibleRegion().isEmpty());
        runAll();
        probe.select("relu");
        probe.press(Qt::Key_F2);
        probe.type("fresh");
        probe.press(Qt::Key_Return);
        QCOMPARE(probe.workspace().document().undoStack().count(), 1);
        QCoreApplication::processEvents();
        QVERIFY(view.rectOf(probe.node("conv2d")).isNull());
        QCOMPARE(steps.rowCount(), 0);
        docks.show(Docks::Timeline);
        QTRY_VERIFY(!view.rectOf(probe.node("conv2d")).isNull());
        docks.show(Docks::Changes);
        QTRY_COMPARE(steps.rowCount(), 1);
    }

    void aNodeOfTheTimelineIsSelectedEverywhere() {
        WindowProbe& probe = *m_probe;
        m_probe->window().docks().show(Docks::Timeline);
        runAll();
        auto& view = probe.find<TimelineView>("timelineView");
        QTRY_VERIFY(!view.rectOf(probe.node("conv2d")).isNull());
        QTest::mouseClick(&view, Qt::LeftButton, {}, view.rectOf(probe.node("conv2d")).center().toPoint());
        const QString first = probe.selected();
        QVERIFY2(!first.isEmpty(), "one near by, where it is narrower than a pixel");
        view.setFocus();
        probe.select("conv2d");
        view.setFocus();
        QTest::keyClick(&view, Qt::Key_Right);
        QVERIFY(probe.selected() != "conv2d" && !probe.selected().isEmpty());
        QTest::keyClick(&view, Qt::Key_Left);
        QCOMPARE(probe.selected(), "conv2d");
        // Zoomed in, it is wider; 0 shows all of the run.
        const double before = view.rectOf(probe.node("conv2d")).width();
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(&view, Qt::Key_Plus);
        QVERIFY(view.rectOf(probe.node("conv2d")).width() > 4 * before);
        QTest::keyClick(&view, Qt::Key_0);
        QVERIFY(std::abs(view.rectOf(probe.node("conv2d")).width() - before) < 0.01);
    }

    void operatorsAreSortedFilteredAndLinked() {
        WindowProbe& probe = *m_probe;
        m_probe->window().docks().show(Docks::OperatorTable);
        auto& view = probe.find<QTreeView>("Operator table");
        QAbstractItemModel& rows = *view.model();
        // Calls alone, without a run too, by what was recorded; a column that has nothing yet says why.
        QTRY_VERIFY(rows.rowCount() > 50);
        const int all = rows.rowCount();
        QCOMPARE(rows.index(0, 2).data().toString(), QString(QChar(0x2013)));
        QVERIFY(rows.index(0, 2).data(Qt::ToolTipRole).toString().contains("run the model"));
        auto* whole = view.parentWidget()->findChild<QCheckBox*>();
        whole->click();
        QCOMPARE(rows.rowCount(), static_cast<int>(probe.workspace().document().model().graph().size()));
        whole->click();
        QCOMPARE(rows.rowCount(), all);
        runAll();
        QTRY_VERIFY(!rows.index(all - 2, 2).data().toString().isEmpty());
        // By time, the longest first.
        QVERIFY(rows.index(0, 2).data(Qt::UserRole).toDouble() >=
                rows.index(1, 2).data(Qt::UserRole).toDouble());
        QVERIFY(rows.index(0, 2).data(Qt::UserRole).toDouble() >
                rows.index(all - 1, 2).data(Qt::UserRole).toDouble());
        // Filtered.
        auto& filter = probe.find<QLineEdit>("operatorFilter");
        filter.setFocus();
        QTest::keyClicks(&filter, "target:conv2d parameters>0");
        QVERIFY(rows.rowCount() > 5 && rows.rowCount() < all / 2);
        for (int row = 0; row < rows.rowCount(); ++row)
            QVERIFY(rows.index(row, 1).data().toString().contains("conv2d"));
        // Linked, both ways.
        view.setFocus();
        view.setCurrentIndex(rows.index(1, 0));
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(probe.selected(), rows.index(2, 0).data().toString());
        probe.select("conv2d_3");
        QCOMPARE(view.currentIndex().siblingAtColumn(0).data().toString(), "conv2d_3");
        // What means nothing is told.
        QTest::keyClicks(&filter, " tine>1");
        bool isTold = false;
        for (const QLabel* label : probe.window().findChildren<QLabel*>())
            isTold |= label->isVisible() && label->text() == "there is no column 'tine'";
        QVERIFY(isTold);
    }

    void operatorsAreWrittenAsCsv() {
        WindowProbe& probe = *m_probe;
        m_probe->window().docks().show(Docks::OperatorTable);
        auto& filter = probe.find<QLineEdit>("operatorFilter");
        QTest::keyClicks(&filter, "name:conv2d_3");
        QTRY_COMPARE(probe.find<QTreeView>("Operator table").model()->rowCount(), 1);
        const QString path = probe.settings().path("nodes.csv");
        answerFileDialog(path);
        for (QToolButton* button : probe.window().findChildren<QToolButton*>())
            if (button->text().startsWith("Export table"))
                button->click();
        QFile file(path);
        QTRY_VERIFY(QFile::exists(path));
        QVERIFY(file.open(QFile::ReadOnly));
        const QStringList lines = QString::fromUtf8(file.readAll()).split("\r\n", Qt::SkipEmptyParts);
        QVERIFY2(
            lines[0].startsWith("node,target,scope,milliseconds,bytes,parameters,shapes,dtypes,error,flops,"),
            qPrintable(lines[0]));
        QVERIFY2(lines[1].startsWith("conv2d_3,torch.ops.aten.conv2d.default,layer1.0.conv2,,"),
                 qPrintable(lines[1]));
        QVERIFY2(lines[1].contains("\"[1, 16, 16, 16]\",f32,"), qPrintable(lines[1]));
    }

    void anErrorAndWhatIsNotFiniteStandInTheTable() {
        WindowProbe& probe = *m_probe;
        m_probe->window().docks().show(Docks::OperatorTable);
        probe.select("relu");
        probe.press(Qt::Key_F10, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(probe.debug().run().state().at(), probe.node("relu"), 30000);
        probe.say("!batch_norm = batch_norm * float('nan')");
        m_probe->window().docks().show(Docks::OperatorTable);
        auto& filter = probe.find<QLineEdit>("operatorFilter");
        filter.clear();
        QTest::keyClicks(&filter, "error:nan");
        auto& rows = *probe.find<QTreeView>("Operator table").model();
        QTRY_COMPARE(rows.rowCount(), 1);
        QCOMPARE(rows.index(0, 0).data().toString(), "batch_norm");
    }

private:
    void runAll() {
        m_probe->press(Qt::Key_F5);
        QVERIFY(m_probe->waitForState(State::Over));
    }
    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestTimeline)
} // namespace fx::ui::timeline_test
#include "tst_timeline.moc"
