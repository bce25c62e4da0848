// SPDX-License-Identifier: GPL-3.0-or-later
// The compare window: contents, selection, viewport, and the search for the change that makes a difference.
#include "tests/app/gui/window_probe.h"
#include "tests/support/insert_calls.h"
#include "tests/support/test_program.h"
#include "widgets/panes/changes_pane.h"
#include "widgets/panes/compare_window.h"
#include "widgets/panes/still_graph.h"
#include "widgets/panes/verify_pane.h"
#include "widgets/session/verify_service.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSplitter>

namespace fx::ui::comparing_test {

class TestComparing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { registerInsertCalls(); }
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->open(samplePath("control_flow"));
        m_probe->window().actions()["verifyPasses"]->trigger();
    }
    void cleanup() { m_probe.reset(); }

    void theLastStepIsShownSideBySide() {
        putBehind("linear", "neg");
        openCompare();
        QCOMPARE(sides().size(), 2);
        QCOMPARE(label("verdict"), "Results differ");
        // What came is only on the right, and says so.
        const NodeId neg = m_probe->node("neg_default").node;
        QVERIFY(!left().graph().contains(neg));
        right().select(neg);
        QCOMPARE(left().selection().currentNode(), NodeId());
        QCOMPARE(noteOf(right(), neg), "only here");
        QCOMPARE(noteOf(left(), nodeOf(left(), "linear")), "equal");
        QVERIFY2(noteOf(right(), nodeOf(right(), "sum_1")).startsWith("needs "),
                 qPrintable(noteOf(right(), nodeOf(right(), "sum_1"))));
        QVERIFY(heatOf(right(), nodeOf(right(), "sum_1")) > heatOf(right(), nodeOf(right(), "linear")));
        // And what is different without a run.
        QTest::keyClick(&compareWindow(), Qt::Key_D);
        auto& text = *compareWindow().findChild<QPlainTextEdit*>("changeText");
        QTRY_VERIFY2(text.toPlainText().contains("+ neg_default = "), qPrintable(text.toPlainText()));
        QVERIFY(text.isVisible());
    }

    void oneSelectionAndOneViewport() {
        putBehind("linear", "neg");
        openCompare();
        const NodeId sum = nodeOf(left(), "sum_1");
        clickOn(left(), sum);
        QCOMPARE(right().selection().currentNode(), sum);
        QCOMPARE(m_probe->selected(), "sum_1"); // the second is the model that is open
        const auto place = [&](StillGraph& side) {
            return side.canvas().camera().toScreen(
                side.canvas()
                    .geometry()
                    .rect(side.canvas().geometry().picture()->diagram.boxOf(sum))
                    .topLeft());
        };
        QTRY_VERIFY(isAtRest(left().canvas()) && isAtRest(right().canvas()));
        const double before = left().canvas().camera().scale();
        QTest::keyClick(&left().canvas(), Qt::Key_Minus);
        QTRY_VERIFY(left().canvas().camera().scale() < before && isAtRest(left().canvas()));
        QCOMPARE(right().canvas().camera().scale(), left().canvas().camera().scale());
        QVERIFY((place(left()) - place(right())).manhattanLength() < 1);
        // And the other way round.
        right().canvas().look().panBy({40, -30});
        QVERIFY((place(left()) - place(right())).manhattanLength() < 1);
    }

    void theWorstComesFirstByKeys() {
        putBehind("linear", "neg");
        openCompare();
        auto& rows = list();
        QTest::keyClick(&compareWindow(), Qt::Key_J);
        const int first = rows.currentIndex().row();
        QVERIFY(first >= 0);
        const NodeId worst = right().selection().currentNode();
        QVERIFY(worst);
        QVERIFY(noteOf(right(), worst).startsWith("needs "));
        QTest::keyClick(&compareWindow(), Qt::Key_J);
        QCOMPARE(rows.currentIndex().row(), first + 1);
        QTest::keyClick(&compareWindow(), Qt::Key_K);
        QCOMPARE(rows.currentIndex().row(), first);
        QCOMPARE(right().selection().currentNode(), worst);
    }

    void aPairIsBrokenAndMadeByHand() {
        putBehind("linear", "neg");
        openCompare();
        left().select(nodeOf(left(), "linear"));
        QCOMPARE(right().selection().currentNode(), nodeOf(right(), "linear"));
        QTest::keyClick(&compareWindow(), Qt::Key_B);
        QTRY_COMPARE_WITH_TIMEOUT(noteOf(right(), nodeOf(right(), "linear")), "only here", 60000);
        left().select(nodeOf(left(), "linear"));
        right().select(nodeOf(right(), "neg_default"));
        QCOMPARE(left().selection().currentNode(), nodeOf(left(), "linear"));
        QTest::keyClick(&compareWindow(), Qt::Key_P);
        QTRY_VERIFY_WITH_TIMEOUT(noteOf(right(), nodeOf(right(), "neg_default")).startsWith("needs "), 60000);
        QCOMPARE(noteOf(left(), nodeOf(left(), "linear")), noteOf(right(), nodeOf(right(), "neg_default")));
    }

    void anyTwoPointsOfTheHistoryAreCompared() {
        rename("gt", "greater");
        putBehind("linear", "neg");
        putBehind("sum_1", "relu");
        m_probe->window().docks().show(Docks::Changes);
        auto& steps = m_probe->find<QTreeView>("Changes");
        QTRY_COMPARE(steps.model()->rowCount(), 3);
        // Of the first alone: equal, though two steps came later.
        steps.scrollTo(steps.model()->index(0, 1));
        QTest::mouseClick(steps.viewport(), Qt::LeftButton, {},
                          steps.visualRect(steps.model()->index(0, 1)).center());
        click(*m_probe->window().findChild<ChangesPane*>(), "Side by side");
        QTRY_VERIFY(m_probe->window().findChild<CompareWindow*>());
        QTRY_COMPARE_WITH_TIMEOUT(label("verdict"), "Results equal in every element", 60000);
        QCOMPARE(box("Reference").currentText(), "as it was opened");
        QCOMPARE(box("Compared with it").currentText(), "after 1: Rename gt");
        QVERIFY(!right().graph().find("neg_default"));
        // From the first to the second, by the boxes.
        QTest::keyClick(&box("Compared with it"), Qt::Key_Down);
        QCOMPARE(box("Compared with it").currentText(), "after 2: Insert calls");
        clickCompare();
        QTRY_COMPARE_WITH_TIMEOUT(label("verdict"), "Results differ", 60000);
        QVERIFY(right().graph().find("neg_default"));
        QVERIFY(!right().graph().find("relu_default"));
    }

    void theSecondInAnotherDtypeAndOnAnotherDevice() {
        putBehind("linear", "neg");
        openCompare();
        box("Compared with it").setCurrentIndex(0);
        Q_EMIT box("Compared with it").activated(0);
        QTest::keyClick(&box("How the second computes"), Qt::Key_Down);
        QCOMPARE(box("How the second computes").currentText(), "in float64");
        clickCompare();
        QTRY_VERIFY_WITH_TIMEOUT(label("verdict").startsWith("Results equal"), 60000);
        QVERIFY(right().graph().size() > left().graph().size()); // with its casts
        box("How the second computes").setCurrentText("on cpu");
        clickCompare();
        QTRY_COMPARE_WITH_TIMEOUT(label("verdict"), "Results equal in every element", 60000);
        QCOMPARE(right().graph().size(), left().graph().size());
    }

    void aRunIsKeptAndHeldAgainstLaterOnes() {
        const QString path = m_probe->settings().path("run.pt");
        answerFileDialog(path);
        m_probe->window().actions()["keepReference"]->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(m_probe->toast(), "Kept the run in run.pt", 60000);
        putBehind("linear", "neg");
        openCompare();
        chooseReference(1, path);
        QTRY_COMPARE_WITH_TIMEOUT(sides().size(), 1, 60000); // the file has values and no graph
        QCOMPARE(label("verdict"), "Results differ");
        QTRY_VERIFY(noteOf(right(), nodeOf(right(), "sum_1")).startsWith("needs "));
    }

    void theWeightsOfARenamedScopeHaveTheirPartners() {
        WindowProbe& probe = *m_probe;
        probe.open(samplePath("resnet"));
        probe.selection().revealScope("layer1.0");
        probe.selection().selectScope("layer1.0");
        QVERIFY(probe.waitForLayout());
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            auto& name = findIn<QLineEdit>(dialog, "Name");
            QTRY_VERIFY(name.hasFocus());
            QTest::keyClicks(&name, "first");
            QTest::keyClick(&name, Qt::Key_Return);
        });
        probe.canvas().setFocus();
        probe.press(Qt::Key_F2);
        QTRY_VERIFY(probe.code().text().contains("self.layer1.first.conv1.weight"));
        openCompare();
        chooseReference(0, samplePath("resnet"));
        QTRY_COMPARE_WITH_TIMEOUT(label("verdict"), "Results equal in every element", 60000);
        QStringList alone;
        for (int row = 0; row < list().model()->rowCount(); ++row)
            for (int column = 0; column < list().model()->columnCount(); ++column)
                if (const QString text = list().model()->index(row, column).data().toString();
                    text.contains("only"))
                    alone << list().model()->index(row, 1).data().toString() + ": " + text;
        QCOMPARE(alone, QStringList());
    }

    void modulesAreSummed() {
        WindowProbe& probe = *m_probe;
        probe.open(samplePath("resnet"));
        putBehind("conv2d_3", "neg");
        openCompare();
        QTest::keyClick(&compareWindow(), Qt::Key_M);
        const auto texts = [&](int row) {
            return list().model()->index(row, 1).data().toString() + ": " +
                   list().model()->index(row, 2).data().toString();
        };
        QStringList all;
        for (int row = 0; row < list().model()->rowCount(); ++row)
            all << texts(row);
        QVERIFY2(all.first().startsWith("all of the model: worst ") && all.first().contains(", mean "),
                 qPrintable(all.first()));
        QVERIFY2(all.contains("module 'bn1': equal"), qPrintable(all.join('\n')));
        // A row leads to its scope, on both sides.
        const auto row = all.indexOf(QRegularExpression("^module 'layer1\\.0': .*"));
        QVERIFY2(row >= 0, qPrintable(all.join('\n')));
        list().setCurrentIndex(list().model()->index(static_cast<int>(row), 1));
        QCOMPARE(right().selection().scope(), "layer1.0");
        QCOMPARE(left().selection().scope(), "layer1.0");
        QTest::keyClick(&compareWindow(), Qt::Key_M);
        QVERIFY2(!texts(0).startsWith("module") && !texts(0).startsWith("all of"), qPrintable(texts(0)));
    }

    void theSecondSideIsChosenFreely() {
        const QString path = m_probe->settings().path("before.fxg");
        answerFileDialog(path);
        m_probe->window().actions()["saveAs"]->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(m_probe->workspace().document().isSaved() && QFile::exists(path), 60000);
        putBehind("linear", "neg");
        openCompare();
        // The file against itself, though the open model is another one by now.
        chooseReference(0, path);
        QTRY_VERIFY_WITH_TIMEOUT(sides().size() == 2 && left().canvas().accessibleName() == "before.fxg",
                                 60000);
        QCOMPARE(label("verdict"), "Results differ");
        QComboBox& second = box("Compared with it");
        answerFileDialog(path);
        second.setCurrentIndex(second.count() - 1);
        Q_EMIT second.activated(second.count() - 1);
        QCOMPARE(second.currentText(), "before.fxg");
        clickCompare();
        QTRY_COMPARE_WITH_TIMEOUT(label("verdict"), "Results equal in every element", 60000);
        QVERIFY(!right().graph().find("neg_default"));
        QCOMPARE(right().canvas().accessibleName(), "before.fxg");
        // What is selected there is none of the open model.
        right().select(nodeOf(right(), "sum_1"));
        QVERIFY(m_probe->selection().nodes().empty() || m_probe->selected() != "sum_1");
    }

    void aReportIsSaved() {
        putBehind("linear", "neg");
        openCompare();
        const QString path = m_probe->settings().path("report.html");
        answerFileDialog(path);
        click(compareWindow(), "Save report…");
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path), 60000);
        QFile file(path);
        QVERIFY(file.open(QFile::ReadOnly));
        const QString text = QString::fromUtf8(file.readAll());
        QVERIFY(text.contains("after 1: Insert calls") && text.contains("sum_1"));
    }

    void theStepThatMadeResultsDifferIsFound() {
        rename("gt", "greater");
        putBehind("linear", "neg");
        rename("sum_1", "total");
        m_probe->press(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
        VerifyService& verify = m_probe->workspace().verify();
        QTRY_VERIFY_WITH_TIMEOUT(verify.found().has_value(), 120000);
        QVERIFY2(verify.found()->text.startsWith("Step 2, Insert calls: "), qPrintable(verify.found()->text));
        auto& pane = *m_probe->window().findChild<VerifyPane*>();
        QVERIFY(pane.isVisible());
        QCOMPARE(pane.findChild<QLabel*>("verifyDetail")->text(), verify.found()->text);
        QVERIFY(!m_probe->selection().nodes().empty());
    }

    void theCardBisectsItsStep() {
        putBehind("linear", "neg");
        m_probe->window().actions()["verify"]->trigger();
        VerifyService& verify = m_probe->workspace().verify();
        QTRY_VERIFY_WITH_TIMEOUT(verify.card().has_value(), 60000);
        click(*m_probe->window().findChild<VerifyPane*>(), "Bisect");
        QTRY_VERIFY_WITH_TIMEOUT(verify.found().has_value(), 120000);
        QVERIFY2(verify.found()->text.startsWith("Step 1, Insert calls: "), qPrintable(verify.found()->text));
        QVERIFY(verify.card().has_value());
    }

private:
    CompareWindow& compareWindow() { return *m_probe->window().findChild<CompareWindow*>(); }
    QList<StillGraph*> sides() {
        QList<StillGraph*> out;
        const auto* canvas = compareWindow().findChild<CanvasView*>();
        const auto* both =
            canvas ? qobject_cast<QSplitter*>(canvas->parentWidget()->parentWidget()) : nullptr;
        for (int i = 0; both && i < both->count(); ++i)
            out << static_cast<StillGraph*>(both->widget(i));
        return out;
    }
    StillGraph& left() { return *sides().first(); }
    StillGraph& right() { return *sides().last(); }
    QTreeView& list() { return *compareWindow().findChild<QTreeView*>(); }
    QString label(const QString& name) { return compareWindow().findChild<QLabel*>(name)->text(); }
    QComboBox& box(const QString& name) {
        for (QComboBox* each : compareWindow().findChildren<QComboBox*>())
            if (each->accessibleName() == name)
                return *each;
        qFatal("no box is called %s", qPrintable(name));
    }
    static NodeId nodeOf(StillGraph& side, const std::string& name) { return side.graph().find(name); }
    static BoxState stateOf(StillGraph& side, NodeId node) {
        const Picture& picture = *side.canvas().geometry().picture();
        return side.canvas().states().of(picture, picture.diagram.boxOf(node));
    }
    static QString noteOf(StillGraph& side, NodeId node) {
        return side.canvas().geometry().isEmpty() ? QString() : stateOf(side, node).note;
    }
    static double heatOf(StillGraph& side, NodeId node) { return stateOf(side, node).heat; }

    static void clickOn(StillGraph& side, NodeId node) {
        side.select(node);
        side.selection().clear();
        CanvasView& canvas = side.canvas();
        QTRY_VERIFY(isAtRest(canvas));
        const CanvasGeometry& geometry = canvas.geometry();
        const QRectF there = canvas.camera().toScreen(geometry.rect(geometry.picture()->diagram.boxOf(node)));
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, there.center().toPoint());
        QCOMPARE(side.selection().currentNode(), node);
    }
    void putBehind(const QString& node, const QString& function) {
        const int steps = m_probe->workspace().document().undoStack().index();
        withDialog([node, function](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            findIn<QLineEdit>(dialog, "After").setText(node);
            findIn<QComboBox>(dialog, "Function").setCurrentText(function);
            QTest::keyClick(&findIn<QLineEdit>(dialog, "After"), Qt::Key_Return);
        });
        m_probe->window().actions().pass("insert-calls")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(m_probe->workspace().document().undoStack().index(), steps + 1, 60000);
        QVERIFY(m_probe->waitForLayout());
    }
    void rename(const QString& before, const QString& after) {
        m_probe->select(before);
        m_probe->press(Qt::Key_F2);
        m_probe->type(after);
        m_probe->press(Qt::Key_Return);
        QTRY_VERIFY(m_probe->node(after).node);
    }
    void openCompare() {
        m_probe->press(Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(m_probe->window().findChild<CompareWindow*>());
        QTRY_VERIFY_WITH_TIMEOUT(!label("verdict").isEmpty(), 60000);
        QVERIFY2(label("verdict") != "Not compared", qPrintable(label("compareDetail")));
        for (StillGraph* side : sides())
            QTRY_VERIFY(!side->canvas().geometry().isEmpty() &&
                        side->canvas().geometry().picture()->diagram.isFinal);
    }
    /// Behind the states of the document: 0 a model, 1 a run.
    void chooseReference(int which, const QString& path) {
        QComboBox& reference = box("Reference");
        const int index = reference.count() - 2 + which;
        answerFileDialog(path);
        reference.setCurrentIndex(index);
        Q_EMIT reference.activated(index);
        QVERIFY2(reference.currentText().contains(QFileInfo(path).fileName()),
                 qPrintable(reference.currentText()));
        clickCompare();
    }
    /// Its place is Cancel's until the last comparison has ended.
    void clickCompare() {
        for (QPushButton* button : compareWindow().findChildren<QPushButton*>())
            if (button->text() == "Compare") {
                QTRY_VERIFY_WITH_TIMEOUT(button->isVisible(), 60000);
                QTest::mouseClick(button, Qt::LeftButton);
            }
    }
    static void click(QWidget& in, const QString& text) {
        for (QPushButton* button : in.findChildren<QPushButton*>())
            if (button->text() == text) {
                QVERIFY(button->isVisible());
                QTest::mouseClick(button, Qt::LeftButton);
                return;
            }
        QFAIL(qPrintable("there is no button " + text));
    }

    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestComparing)
} // namespace fx::ui::comparing_test
#include "tst_comparing.moc"
