// SPDX-License-Identifier: GPL-3.0-or-later
// The compare window's filters, one for each side: what is listed, what is lit, and words that mean nothing.
#include "tests/app/gui/window_probe.h"
#include "tests/support/insert_calls.h"
#include "tests/support/test_program.h"
#include "widgets/panes/compare_window.h"
#include "widgets/panes/side_filter.h"
#include "widgets/panes/still_graph.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QTabBar>
#include <QTreeView>
#include <QUndoStack>

namespace fx::ui::compare_filters_test {

class TestCompareFilters : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { registerInsertCalls(); }
    /// The model before and after a neg was put behind its linear layer.
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->open(samplePath("control_flow"));
        m_probe->window().actions()["verifyPasses"]->trigger();
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            findIn<QLineEdit>(dialog, "After").setText("linear");
            findIn<QComboBox>(dialog, "Function").setCurrentText("neg");
            QTest::keyClick(&findIn<QLineEdit>(dialog, "After"), Qt::Key_Return);
        });
        m_probe->window().actions().pass("insert-calls")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(m_probe->workspace().document().undoStack().index(), 1, 60000);
        QVERIFY(m_probe->waitForLayout());
        m_probe->press(Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(m_probe->window().findChild<CompareWindow*>());
        QTRY_VERIFY_WITH_TIMEOUT(!compared().findChild<QLabel*>("verdict")->text().isEmpty(), 60000);
        m_all = listed();
        QVERIFY2(m_all.size() > 4, qPrintable(m_all.join(' ')));
    }
    void cleanup() { m_probe.reset(); }

    void theWindowIsOnTheScreenAndEscapeClosesIt() {
        const QRect room = compared().screen()->availableGeometry();
        QVERIFY(room.contains(compared().geometry().topLeft()));
        QVERIFY(compared().frameGeometry().bottom() <=
                room.bottom()); // its boxes need more width than there is here
        QTest::keyClick(&compared(), Qt::Key_Escape);
        QTRY_VERIFY(!m_probe->window().findChild<CompareWindow*>());
    }

    void bothMustHold() {
        type("Filter right", "target:neg");
        QCOMPARE(listed(), QStringList("neg_default"));
        // What is only on the right has nothing on the left to hold.
        type("Filter left", "name:sum");
        QCOMPARE(listed(), QStringList());
        type("Filter right", "");
        QCOMPARE(listed(), QStringList("sum_1"));
        type("Filter right", "name:gt");
        QCOMPARE(listed(), QStringList());
        type("Filter left", "");
        QCOMPARE(listed(), QStringList("gt"));
        type("Filter right", "");
        QCOMPARE(listed(), m_all);
    }

    void whatHoldsIsLitInItsGraph() {
        type("Filter right", "name:sum");
        QVERIFY(side(true).selection().matches().isLit() && !side(false).selection().matches().isLit());
        QCOMPARE(side(true).selection().matches().all().size(), size_t(1));
        type("Filter right", "");
        QVERIFY(!side(true).selection().matches().isLit());
    }

    void wordsThatMeanNothingAreTold() {
        auto& detail = *compared().findChild<QLabel*>("compareDetail");
        const QString before = detail.text();
        type("Filter left", "name:sum");
        type("Filter left", "name:sum nothing:3");
        QVERIFY2(detail.text().contains("nothing"), qPrintable(detail.text()));
        type("Filter left", "");
        QCOMPARE(detail.text(), before);
    }

    /// It differs only for what it reads.
    void aNodesOwnErrorAlone() {
        QVERIFY2(differenceOf("gt") != "equal", qPrintable(differenceOf("gt")));
        QVERIFY2(cellOf("sum_1", 3).toDouble() > 0.1, qPrintable(cellOf("sum_1", 3))); // mean abs
        QCOMPARE(cellOf("sum_1", 6), "-1");                                            // cosine
        QCOMPARE(cellOf("sum_1", 7), "by id");
        auto& isolated = *compared().findChild<QCheckBox*>();
        QTest::mouseClick(&isolated, Qt::LeftButton, {}, QPoint(8, isolated.height() / 2));
        QVERIFY(isolated.isChecked());
        compareAgain();
        QTRY_COMPARE(differenceOf("gt"), "equal");
    }

    void theToleranceDecides() {
        const QString strict = compared().findChild<QLabel*>("verdict")->text();
        auto& tolerance = field("Tolerance");
        tolerance.setFocus();
        QTest::keyClicks(&tolerance, "1e9");
        compareAgain();
        QTRY_VERIFY(compared().findChild<QLabel*>("verdict")->text() != strict);
        QCOMPARE(compared().findChild<QLabel*>("verdict")->text(), "Results within the tolerance");
        tolerance.selectAll();
        QTest::keyClicks(&tolerance, "much");
        compareAgain();
        QVERIFY(
            compared().findChild<QLabel*>("compareDetail")->text().startsWith("The tolerance is a number"));
    }

private:
    void compareAgain() {
        for (auto* each : compared().findChildren<QPushButton*>())
            if (each->text() == "Compare")
                return QTest::mouseClick(each, Qt::LeftButton);
        QFAIL("there is no such button");
    }
    QLineEdit& field(const QString& name) {
        for (auto* each : compared().findChildren<QLineEdit*>())
            if (each->accessibleName() == name)
                return *each;
        qFatal("there is no such field");
    }
    QString differenceOf(const QString& node) { return cellOf(node, 2); }
    QString cellOf(const QString& node, int column) {
        for (auto* view : compared().findChildren<QTreeView*>())
            for (int row = 0; row < view->model()->rowCount(); ++row)
                if (view->model()->index(row, 1).data().toString().contains('\'' + node + '\''))
                    return view->model()->index(row, column).data().toString();
        return {};
    }
    CompareWindow& compared() { return *m_probe->window().findChild<CompareWindow*>(); }
    /// The one with the neg, or the one before it.
    StillGraph& side(bool isRight) {
        for (auto* canvas : compared().findChildren<CanvasView*>()) {
            auto* side = static_cast<StillGraph*>(canvas->parentWidget());
            if (static_cast<bool>(side->graph().find("neg_default")) == isRight)
                return *side;
        }
        qFatal("there is no such side");
    }
    void type(const QString& name, const QString& words) {
        for (auto* field : compared().findChildren<SideFilter*>())
            if (field->accessibleName() == name) {
                QVERIFY(field->isEnabled());
                compared().activateWindow();
                field->setFocus();
                QTRY_VERIFY(field->hasFocus()); // else letters are the window's keys
                field->selectAll();
                QTest::keyClick(field, Qt::Key_Backspace);
                QTest::keyClicks(field, words);
                QCOMPARE(field->text(), words);
                return;
            }
        QFAIL(qPrintable("there is no field " + name));
    }
    QStringList listed() {
        QStringList out;
        for (auto* view : compared().findChildren<QTreeView*>())
            for (int row = 0; row < view->model()->rowCount(); ++row)
                out += view->model()->index(row, 1).data().toString().section('\'', 1, 1);
        out.removeAll(QString()); // results, which are no nodes
        return out;
    }

    std::unique_ptr<WindowProbe> m_probe;
    QStringList m_all;
};

FX_TEST(TestCompareFilters)
} // namespace fx::ui::compare_filters_test
#include "tst_compare_filters.moc"
