// SPDX-License-Identifier: GPL-3.0-or-later
// The verify card: after passes by itself, otherwise when it is asked for; kept or taken back.
#include "core/passes/pass_options.h"
#include "tests/app/gui/window_probe.h"
#include "tests/support/insert_calls.h"
#include "tests/support/test_program.h"
#include "widgets/panes/verify_pane.h"
#include "widgets/session/verify_service.h"

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTreeView>

namespace fx::ui::verifying_test {

class TestVerifying : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { registerInsertCalls(); }
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->open(samplePath("control_flow"));
    }
    void cleanup() { m_probe.reset(); }

    void aRenameIsEqualAndKept() {
        QVERIFY(!m_probe->window().actions()["verify"]->isEnabled());
        m_probe->select("gt");
        m_probe->press(Qt::Key_F2);
        m_probe->type("greater");
        m_probe->press(Qt::Key_Return);
        QTRY_VERIFY(m_probe->node("greater").node);
        m_probe->press(Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY_WITH_TIMEOUT(verify().card().has_value() || !verify().fault().isEmpty(), 60000);
        QCOMPARE(verify().fault(), QString());
        QVERIFY2(headline().endsWith("Results equal in every element"), qPrintable(headline()));
        QVERIFY2(pane().findChild<QLabel*>("dim")->text().startsWith("1 node changed"),
                 qPrintable(pane().findChild<QLabel*>("dim")->text()));
        QVERIFY(pane().isVisible());
        click("Keep");
        QVERIFY(!pane().findChild<QLabel*>("verdict")->isVisible());
        QVERIFY(m_probe->node("greater").node);
        // The history keeps what came of it.
        m_probe->window().docks().show(Docks::Changes);
        auto& steps = m_probe->find<QTreeView>("Changes");
        QTRY_COMPARE(steps.model()->rowCount(), 1);
        QTRY_COMPARE(steps.model()->index(0, 2).data().toString(), QString("Results equal in every element"));
        const auto& text = m_probe->find<QPlainTextEdit>("changeText");
        QTRY_VERIFY2(text.toPlainText().contains("inputs: "), qPrintable(text.toPlainText()));
        QVERIFY(text.toPlainText().startsWith("Results equal in every element"));
        m_probe->window().actions()["undo"]->trigger();
        QTRY_COMPARE(steps.model()->index(0, 1).data().toString().endsWith("(undone)"), true);
        QVERIFY(!steps.model()->index(0, 2).data().toString().isEmpty());
    }

    void aPassThatChangesResultsComesToTheFrontAndIsTakenBack() {
        QVERIFY(m_probe->debug().inputs().areGiven());
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            findIn<QLineEdit>(dialog, "After").setText("linear");
            findIn<QComboBox>(dialog, "Function").setCurrentText("neg");
            QTest::keyClick(&findIn<QLineEdit>(dialog, "After"), Qt::Key_Return);
        });
        m_probe->window().actions().pass("insert-calls")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(verify().card().has_value() || !verify().fault().isEmpty(), 60000);
        QCOMPARE(verify().fault(), QString());
        QVERIFY2(headline().endsWith("Results differ"), qPrintable(headline()));
        QTRY_VERIFY(pane().isVisible());
        // What is beyond the tolerance is selected from its row.
        auto& rows = m_probe->find<QTreeView>("Results and nodes that differ");
        QVERIFY(rows.model()->rowCount() > 1);
        int row = 0;
        while (row < rows.model()->rowCount() &&
               verify().card()->rows[static_cast<size_t>(row)].node == NodeId())
            ++row;
        QVERIFY(row < rows.model()->rowCount());
        rows.scrollTo(rows.model()->index(row, 1));
        const QRect place = rows.visualRect(rows.model()->index(row, 1));
        QTest::mouseClick(rows.viewport(), Qt::LeftButton, {}, place.center());
        QCOMPARE(m_probe->selection().currentNode(), verify().card()->rows[static_cast<size_t>(row)].node);
        click("Undo");
        QTRY_VERIFY(!verify().card());
        QVERIFY(!m_probe->workspace().document().undoStack().canUndo());
    }

    void editsPutTheCardAway() {
        m_probe->select("gt");
        m_probe->press(Qt::Key_F2);
        m_probe->type("greater");
        m_probe->press(Qt::Key_Return);
        QTRY_VERIFY(m_probe->node("greater").node);
        m_probe->window().actions()["verify"]->trigger();
        QVERIFY(verify().isWorking());
        m_probe->window().actions()["undo"]->trigger();
        QTRY_VERIFY(!verify().isWorking());
        QVERIFY(verify().title().isEmpty());
    }

    void nobodyIsAskedWhereItIsSwitchedOff() {
        m_probe->window().actions()["verifyPasses"]->trigger();
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            findIn<QLineEdit>(dialog, "After").setText("linear");
            QTest::keyClick(&findIn<QLineEdit>(dialog, "After"), Qt::Key_Return);
        });
        m_probe->window().actions().pass("insert-calls")->trigger();
        QTRY_VERIFY(m_probe->workspace().document().undoStack().canUndo());
        QTRY_VERIFY(m_probe->toast().startsWith("Insert calls"));
        QVERIFY(!verify().isWorking());
    }

private:
    VerifyService& verify() { return m_probe->workspace().verify(); }
    VerifyPane& pane() { return *m_probe->window().findChild<VerifyPane*>(); }
    QString headline() { return pane().findChild<QLabel*>("verdict")->text(); }
    void click(const QString& text) {
        for (QPushButton* button : pane().findChildren<QPushButton*>())
            if (button->text() == text) {
                QVERIFY(button->isVisible());
                QTest::mouseClick(button, Qt::LeftButton);
                return;
            }
        QFAIL(qPrintable("there is no button " + text));
    }

    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestVerifying)
} // namespace fx::ui::verifying_test
#include "tst_verifying.moc"
