// SPDX-License-Identifier: GPL-3.0-or-later
// Wherever an expression or a name is typed, what it can become is listed, and what a call takes is shown.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QLabel>
#include <QLineEdit>
#include <QTreeView>
#include <QTreeWidget>

namespace fx::ui::completing_test {

class TestCompleting : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->open(samplePath("control_flow"));
    }
    void cleanup() { m_probe.reset(); }

    void aWatchIsCompleted() {
        QLineEdit& line = newWatch();
        QTest::keyClicks(&line, "torch.clam");
        QVERIFY(offered(line).contains("torch.clamp"));
        // Down chooses, Enter takes.
        QTest::keyClick(list(line), Qt::Key_Down);
        QTest::keyClick(list(line), Qt::Key_Return);
        QCOMPARE(line.text(), "torch.clamp");
        QTest::keyClicks(&line, "(lin");
        QCOMPARE(offered(line).first(), "linear");
        QVERIFY2(signature(line).startsWith("torch.clamp(input: Tensor"), qPrintable(signature(line)));
        // Tab takes the first.
        QTest::keyClick(list(line), Qt::Key_Tab);
        QCOMPARE(line.text(), "torch.clamp(linear");
        QTest::keyClicks(&line, ").me");
        QVERIFY(offered(line).contains(".mean"));
        QVERIFY(signature(line).isEmpty());
    }

    void enterAloneLeavesWhatWasTyped() {
        QLineEdit& line = newWatch();
        QTest::keyClicks(&line, "linea");
        QVERIFY(list(line)->isVisible());
        QTest::keyClick(&line, Qt::Key_Return);
        auto& watches = m_probe->find<QTreeView>("watchList");
        QTRY_COMPARE(watches.model()->index(0, 0).data().toString(), "linea");
    }

    void placesAndConditionsOfBreakpoints() {
        auto& line = m_probe->find<QLineEdit>("breakpointLine");
        line.setFocus();
        QTest::keyClicks(&line, "sum");
        QCOMPARE(offered(line), QStringList{"sum_1"});
        QTest::keyClick(list(line), Qt::Key_Tab);
        QTest::keyClicks(&line, ", lin");
        QCOMPARE(offered(line).first(), "linear");
        QTest::keyClick(list(line), Qt::Key_Tab);
        QCOMPARE(line.text(), "sum_1, linear");
        QTest::keyClicks(&line, ".sum() > 0");
        QTest::keyClick(&line, Qt::Key_Return);
        QCOMPARE(m_probe->debug().breakpoints().all().size(), size_t(1));
        QCOMPARE(m_probe->debug().breakpoints().all()[0].condition, std::string("linear.sum() > 0"));
    }

    void targetsAndArgumentsInTheInspector() {
        m_probe->select("linear");
        m_probe->window().docks().show(Docks::NodePane);
        auto& target = m_probe->find<QLineEdit>("nodeTarget");
        target.setFocus();
        target.selectAll();
        QTest::keyClicks(&target, "torch.ops.aten.clamp.d");
        QCOMPARE(offered(target), QStringList{"torch.ops.aten.clamp.default"});
        QTest::keyClick(list(target), Qt::Key_Escape); // the list, then what was typed
        QTest::keyClick(&target, Qt::Key_Escape);
        QCOMPARE(target.text(), "torch.ops.aten.linear.default");
        auto& rows = m_probe->find<QTreeWidget>("nodeRows");
        QTreeWidgetItem* input = nullptr;
        for (QTreeWidgetItem* item : rows.findItems("input", Qt::MatchExactly | Qt::MatchRecursive))
            if (item->parent() && item->parent()->text(0) == "Arguments")
                input = item;
        QVERIFY(input);
        rows.scrollToItem(input);
        const QModelIndex arguments = rows.model()->index(rows.indexOfTopLevelItem(input->parent()), 0);
        const QPoint at =
            rows.visualRect(rows.model()->index(input->parent()->indexOfChild(input), 1, arguments)).center();
        QTest::mouseClick(rows.viewport(), Qt::LeftButton, Qt::NoModifier, at);
        QTest::mouseDClick(rows.viewport(), Qt::LeftButton, Qt::NoModifier, at);
        auto* editor = rows.viewport()->findChild<QLineEdit*>();
        QVERIFY(editor);
        editor->selectAll();
        QTest::keyClicks(editor, "sum");
        QVERIFY(offered(*editor).contains("sum_1"));
    }

    void theTensorPaneKnowsItsValue() {
        m_probe->press(Qt::Key_F5);
        QVERIFY(m_probe->waitForState(DebugService::State::Over));
        m_probe->select("linear");
        auto& view = m_probe->find<QLineEdit>("tensorView");
        QTRY_VERIFY(view.isVisible());
        view.setFocus();
        QTest::keyClicks(&view, "val");
        QCOMPARE(offered(view).first(), "value");
        QTest::keyClick(list(view), Qt::Key_Tab);
        QTest::keyClicks(&view, ".softmax(");
        QVERIFY2(signature(view).startsWith(".softmax(dim: int"), qPrintable(signature(view)));
    }

    void theConsoleShowsWhatACallTakes() {
        auto& line = m_probe->find<QLineEdit>("consoleLine");
        line.setFocus();
        QTest::keyClicks(&line, "p torch.clamp(");
        QVERIFY2(signature(line).startsWith("torch.clamp(input: Tensor"), qPrintable(signature(line)));
        QTest::keyClicks(&line, "lin");
        QVERIFY(!list(line)->isVisible());
        QTest::keyClick(&line, Qt::Key_Tab); // pdb's
        QCOMPARE(line.text(), "p torch.clamp(linear");
    }

private:
    QLineEdit& newWatch() {
        auto& watches = m_probe->find<QTreeView>("watchList");
        watches.setFocus();
        watches.setCurrentIndex(watches.model()->index(watches.model()->rowCount() - 1, 0));
        QTest::keyClick(&watches, Qt::Key_F2);
        return *watches.findChild<QLineEdit*>();
    }
    static QAbstractItemView* list(QLineEdit& line) { return line.completer()->popup(); }
    static QStringList offered(QLineEdit& line) {
        QStringList out;
        for (int row = 0; list(line)->isVisible() && row < list(line)->model()->rowCount(); ++row)
            out << list(line)->model()->index(row, 0).data().toString();
        return out;
    }
    /// What stands above the line.
    static QString signature(QLineEdit& line) {
        const auto* label = line.findChild<QLabel*>("signature");
        return label && label->isVisible() ? label->text() : QString();
    }

    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestCompleting)
} // namespace fx::ui::completing_test
#include "tst_completing.moc"
