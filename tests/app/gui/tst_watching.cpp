// SPDX-License-Identifier: GPL-3.0-or-later
// Watches and values put in place of others, by keys, menus and console, and what the panes say of them.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/panes/tensor_pane.h"

#include <QLineEdit>
#include <QTreeView>

namespace fx::ui::watching_test {

using State = DebugService::State;

class TestWatching : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->open(samplePath("control_flow"));
    }
    void cleanup() { m_probe.reset(); }

    void typedWatchIsEvaluatedAtEachStop() {
        WindowProbe& probe = *m_probe;
        QCOMPARE(rows(), 1); // the empty one
        addByKeys("linear.shape");
        addByKeys("sum_1 * 0");
        QTRY_COMPARE(rows(), 3);
        QCOMPARE(value(0), "");
        runTo("sum_1");
        QTRY_COMPARE(value(0), "[4, 8]");
        QTRY_VERIFY(value(1).startsWith("sum_1 has no value yet"));
        QVERIFY(tooltip(1).contains("sum_1 has no value yet"));
        probe.press(Qt::Key_F10);
        QTRY_COMPARE(value(1).remove('-'), "0.");
        QVERIFY(!isChanged(0));
    }

    void watchesAreTypedOneAfterTheOther() {
        addByKeys("linear.shape");
        QTRY_COMPARE(rows(), 2);
        QTRY_VERIFY(list().hasFocus());
        QTest::keyClicks(&list(), "x");
        auto* editor = list().findChild<QLineEdit*>();
        QVERIFY2(editor, "the next watch can be typed at once");
        QTest::keyClicks(editor, ".ndim");
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(rows(), 3);
        QCOMPARE(expression(0), "linear.shape");
        QCOMPARE(expression(1), "x.ndim");
    }

    void changedWatchIsMarked() {
        WindowProbe& probe = *m_probe;
        addByKeys("calls.item()");
        QTRY_COMPARE(rows(), 2);
        runTo("add_");
        QTRY_COMPARE(value(0), "0");
        probe.press(Qt::Key_F10); // calls.add_(1)
        QTRY_COMPARE(value(0), QString(QChar(0x2022)) + " 1");
        QVERIFY(isChanged(0));
        QVERIFY(tooltip(0).contains("changed since the stop before, where it was\n0"));
        probe.press(Qt::Key_F10);
        QTRY_VERIFY(!isChanged(0));
        QCOMPARE(value(0), "1");
    }

    void watchIsEditedInPlaceAndRemovedByDel() {
        addByKeys("linear.shape");
        QTRY_COMPARE(rows(), 2);
        runTo("sum_1");
        QTRY_COMPARE(value(0), "[4, 8]");
        list().setFocus();
        list().setCurrentIndex(list().model()->index(0, 0));
        QTest::keyClick(&list(), Qt::Key_F2);
        auto* editor = list().findChild<QLineEdit*>();
        QVERIFY(editor);
        editor->selectAll();
        QTest::keyClicks(editor, "linear.dtype");
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(value(0), "torch.float32");
        QCOMPARE(rows(), 2);
        list().setCurrentIndex(list().model()->index(0, 0));
        QTest::keyClick(&list(), Qt::Key_Delete);
        QTRY_COMPARE(rows(), 1);
    }

    void nodeIsWatchedByItsMenu() {
        WindowProbe& probe = *m_probe;
        probe.select("linear");
        QVERIFY(probe.window().actions()["watch"]->isEnabled());
        probe.press(Qt::Key_F9, Qt::ShiftModifier);
        QTRY_COMPARE(expression(0), "linear");
        runTo("sum_1");
        QTRY_VERIFY2(value(0).startsWith("f32[4, 8]  tensor([["), qPrintable(value(0)));
        // Once is enough.
        probe.select("linear");
        probe.press(Qt::Key_F9, Qt::ShiftModifier);
        QCOMPARE(rows(), 2);
    }

    void consoleDisplaysAndUndisplays() {
        runTo("sum_1");
        m_probe->say("display linear.ndim");
        QTRY_COMPARE(expression(0), "linear.ndim");
        QTRY_COMPARE(value(0), "2");
        QTRY_VERIFY(m_probe->consoleText().contains("display linear.ndim: 2"));
        m_probe->say("undisplay linear.ndim");
        QTRY_COMPARE(rows(), 1);
    }

    void watchesAreRememberedByModel() {
        WindowProbe& probe = *m_probe;
        addByKeys("linear.shape");
        QTRY_COMPARE(rows(), 2);
        probe.restart();
        probe.open(samplePath("resnet"));
        QCOMPARE(rows(), 1);
        probe.window().actions()["closeModel"]->trigger(); // one alone, so that its panes are the only ones
        probe.open(samplePath("control_flow"));
        QCOMPARE(rows(), 2);
        QCOMPARE(expression(0), "linear.shape");
        addByKeys("x.ndim"); // breakpoints and watches do not push each other out
        QTRY_COMPARE(rows(), 3);
        probe.select("gt");
        probe.press(Qt::Key_F9);
        probe.restart();
        probe.open(samplePath("control_flow"));
        QCOMPARE(rows(), 3);
        QVERIFY(probe.debug().breakpoints().has(probe.node("gt")));
    }

    void setValueIsReadByWhatFollows() {
        WindowProbe& probe = *m_probe;
        QVERIFY(!probe.window().actions()["setValue"]->isEnabled());
        runTo("sum_1");
        setValue("linear", "torch.ones_like(linear)");
        const NodeRef linear = probe.node("linear");
        QTRY_VERIFY(probe.debug().run().values().record(linear)->setTo == "torch.ones_like(linear)");
        QVERIFY(!probe.find<QLineEdit>("newValue").isVisible());
        // On the canvas, in the tooltip, in the list of steps, in the tensor pane.
        const Picture& picture = *probe.canvas().geometry().picture();
        QCOMPARE(probe.canvas().states().of(picture, picture.diagram.boxOf(linear.node)).setTo,
                 "torch.ones_like(linear)");
        const int line = probe.workspace().code().lineOf(linear.node);
        QCOMPARE(probe.code().marked(CodeView::Mark::Set), std::vector<int>{line});
        QTRY_VERIFY(labels().contains("Set to  torch.ones_like(linear)  by hand"));
        auto& steps = probe.find<QTreeView>("Steps");
        bool isListed = false;
        for (int row = 0; row < steps.model()->rowCount(); ++row)
            isListed |= steps.model()->index(row, 2).data().toString() ==
                        "f32[4, 8]   set to torch.ones_like(linear)";
        QVERIFY(isListed);
        m_probe->say("next");
        m_probe->say("p sum_1.item()");
        QTRY_VERIFY2(m_probe->consoleText().endsWith("\n32.0"), qPrintable(m_probe->consoleText()));
        // It lasts until the run is started anew.
        m_probe->say("run");
        QTRY_COMPARE(probe.debug().state(), State::Paused);
        runTo("sum_1");
        QVERIFY(probe.debug().run().values().record(linear)->setTo.empty());
        QVERIFY(probe.code().marked(CodeView::Mark::Set).empty());
    }

    void valueOfAnOuterGraphIsSetFromWithinANestedOne() {
        WindowProbe& probe = *m_probe;
        runTo("cond");
        probe.press(Qt::Key_F11);
        const ModuleId root = probe.workspace().document().model().root();
        QTRY_VERIFY(probe.debug().run().state().at().node && probe.debug().run().state().at().module != root);
        setValue("calls", "calls * 0 + 7"); // of the graph around the branch, which has run
        QTRY_COMPARE(probe.debug().run().values().record(probe.node("calls"))->setTo,
                     std::string("calls * 0 + 7"));
        QVERIFY(!probe.find<QLineEdit>("newValue").isVisible());
    }

    void wrongValueIsRefusedWhereItWasTyped() {
        WindowProbe& probe = *m_probe;
        runTo("sum_1");
        auto& line = probe.find<QLineEdit>("newValue");
        setValue("linear", "3");
        QTRY_VERIFY(labels().contains("linear is a 'Tensor', and what reads it cannot take 'int'"));
        QVERIFY(line.isVisible());
        QCOMPARE(line.text(), "3");
        line.selectAll();
        QTest::keyClicks(&line, "linear +");
        QTest::keyClick(&line, Qt::Key_Return);
        QTRY_VERIFY(labels().contains("invalid syntax"));
        QTest::keyClick(&line, Qt::Key_Escape);
        QVERIFY(!line.isVisible());
        QVERIFY(probe.debug().run().values().record(probe.node("linear"))->setTo.empty());
    }

    void valueSetInTheConsoleIsMarkedToo() {
        WindowProbe& probe = *m_probe;
        addByKeys("linear.sum()");
        runTo("sum_1");
        m_probe->say("!linear = linear * 0");
        QTRY_VERIFY(m_probe->consoleText().contains("linear is now f32[4, 8]"));
        QCOMPARE(probe.debug().run().values().record(probe.node("linear"))->setTo, std::string("linear * 0"));
        QTRY_VERIFY2(value(0).endsWith("0."), qPrintable(value(0)));
    }

private:
    QTreeView& list() { return m_probe->find<QTreeView>("watchList"); }
    int rows() { return list().model()->rowCount(); }
    QString expression(int row) { return list().model()->index(row, 0).data().toString(); }
    QString value(int row) { return list().model()->index(row, 1).data().toString(); }
    QString tooltip(int row) { return list().model()->index(row, 1).data(Qt::ToolTipRole).toString(); }
    bool isChanged(int row) { return list().model()->index(row, 1).data(Qt::FontRole).value<QFont>().bold(); }
    /// All that is written in the tensor pane.
    QString labels() {
        QStringList out;
        for (QLabel* label : m_probe->window().view()->tensor().findChildren<QLabel*>())
            if (label->isVisible())
                out << label->text();
        return out.join('\n');
    }

    void addByKeys(const QString& expression) {
        const int before = rows();
        list().setFocus();
        list().setCurrentIndex(list().model()->index(before - 1, 0));
        QTest::keyClick(&list(), Qt::Key_F2);
        auto* editor = list().findChild<QLineEdit*>();
        QVERIFY(editor);
        QCOMPARE(editor->text(), "");
        QTest::keyClicks(editor, expression);
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_VERIFY(!list().findChild<QLineEdit*>());
        QTRY_COMPARE(rows(), before + 1);
    }
    void runTo(const QString& node) {
        m_probe->select(node);
        m_probe->press(Qt::Key_F10, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(m_probe->debug().run().state().at(), m_probe->node(node), 30000);
    }
    void setValue(const QString& node, const QString& expression) {
        m_probe->select(node);
        QTRY_VERIFY(m_probe->window().actions()["setValue"]->isEnabled());
        m_probe->press(Qt::Key_F2, Qt::ShiftModifier);
        auto& line = m_probe->find<QLineEdit>("newValue");
        QTRY_VERIFY(line.hasFocus());
        QTest::keyClicks(&line, expression);
        QTest::keyClick(&line, Qt::Key_Return);
    }

    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestWatching)
} // namespace fx::ui::watching_test
#include "tst_watching.moc"
