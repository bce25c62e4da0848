// SPDX-License-Identifier: GPL-3.0-or-later
// What quantize has done as a table and a chart, and calls that stay in float32 by one click.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/document/history.h"
#include "widgets/models/quantized_rows.h"
#include "widgets/panes/trade_off_chart.h"

#include <QComboBox>
#include <QDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeView>

namespace fx::ui::quantizing_test {

constexpr const char* kNet = "import torch\n"
                             "class Net(torch.nn.Module):\n"
                             "    def __init__(self):\n"
                             "        super().__init__()\n"
                             "        self.one = torch.nn.Linear(8, 16)\n"
                             "        self.two = torch.nn.Linear(16, 16)\n"
                             "        self.three = torch.nn.Linear(16, 4)\n"
                             "    def forward(self, x):\n"
                             "        return self.three(torch.sin(self.two(torch.cos(self.one(x)))))\n";

class TestQuantizing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->openNet(kNet, "randn(4, 8)");
    }
    void cleanup() { m_probe.reset(); }

    void aCallStaysInFloatByOneClick() {
        quantize("none");
        QTRY_VERIFY(view().isVisible());
        QCOMPARE(calls().size(), 3);
        auto& button = m_probe->find<QPushButton>("Keep the selected calls in float32");
        QVERIFY(!button.isEnabled());
        QVERIFY(chart().isHidden() || !chart().isVisible());
        const QString worst = calls().front();
        clickRow(0);
        QCOMPARE(m_probe->selection().nodes().size(), size_t(1));
        QTest::mouseClick(&button, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(calls().size(), 2, 60000);
        QVERIFY(!calls().contains(worst));
        QCOMPARE(lastOptions().at("skip"), utf8(worst));
        QCOMPARE(m_probe->workspace().document().undoStack().count(), 1); // it was taken back first
        // And one more.
        const QString next = calls().front();
        clickRow(0);
        QTest::mouseClick(&button, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(calls().size(), 1, 60000);
        QCOMPARE(lastOptions().at("skip"), utf8(worst + ',' + next));
    }

    void whatIsSelectedIsNamed() {
        m_probe->select("two");
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            auto& skip = findIn<QLineEdit>(dialog, "Skip");
            skip.setFocus();
            QTest::keyClicks(&skip, "one");
            QTest::keyClick(&skip, Qt::Key_Tab); // to the button
            auto& button = findIn<QPushButton>(dialog, "Skip: the selected nodes");
            QTRY_VERIFY(button.hasFocus());
            QTest::keyClick(&button, Qt::Key_Space);
            QCOMPARE(skip.text(), QString("one, two"));
            QTest::keyClick(&skip, Qt::Key_Return);
        });
        m_probe->window().actions().pass("quantize")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(calls().size(), 1, 60000);
        QVERIFY(calls().front().startsWith("three"));
        // With nothing selected there is nothing to take.
        m_probe->selection().clear();
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            QVERIFY(!findIn<QPushButton>(dialog, "Skip: the selected nodes").isEnabled());
            dialog.reject();
        });
        m_probe->window().actions().pass("quantize")->trigger();
    }

    void theTradeOffIsMeasuredAndAPointOfItTaken() {
        quantize("none");
        auto& measure = m_probe->find<QPushButton>("Measure the trade-off");
        QTRY_VERIFY(measure.isEnabled());
        QTest::mouseClick(&measure, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(chart().isVisible(), 60000);
        QCOMPARE(chart().current(), 0);
        QVERIFY2(chart().accessibleDescription().startsWith("3 quantized: "),
                 qPrintable(chart().accessibleDescription()));
        chart().setFocus();
        QTest::keyClick(&chart(), Qt::Key_End);
        QVERIFY(chart().accessibleDescription().startsWith("0 quantized: exact"));
        QTest::keyClick(&chart(), Qt::Key_Left);
        QTest::keyClick(&chart(), Qt::Key_Left);
        const QString said = chart().accessibleDescription();
        QVERIFY2(said.startsWith("2 quantized: ") && said.contains(" ms a run; in float32: "),
                 qPrintable(said));
        const QString worst = said.section("in float32: ", 1);
        QTest::keyClick(&chart(), Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(calls().size(), 2, 60000);
        QVERIFY(!calls().contains(worst));
        QVERIFY(chart().isVisible()); // of the same model
        // Another point by the mouse.
        const std::optional<QPointF> place = chart().placeOf(0);
        QVERIFY(place);
        QTest::mouseDClick(&chart(), Qt::LeftButton, {}, place->toPoint());
        QTRY_COMPARE_WITH_TIMEOUT(calls().size(), 3, 60000);
        QCOMPARE(lastOptions()["skip"], std::string());
    }

    void theChartIsOverTimeToo() {
        quantize("trade-off");
        QTRY_VERIFY_WITH_TIMEOUT(chart().isVisible(), 60000);
        const std::optional<QPointF> first = chart().placeOf(0),
                                     last = chart().placeOf(chart().current() + 1);
        QVERIFY(first->x() < last->x()); // weights grow as fewer are integers
        auto& over = m_probe->find<QComboBox>("Against what");
        over.setFocus();
        QTest::keyClick(&over, Qt::Key_Down);
        QVERIFY(chart().placeOf(0) != first);
        QTest::mouseClick(&chart(), Qt::LeftButton, {}, chart().placeOf(1)->toPoint());
        QCOMPARE(chart().current(), 1);
    }

    void afterAnotherChangeItIsNotTakenBack() {
        quantize("none");
        QTRY_COMPARE(calls().size(), 3);
        auto& button = m_probe->find<QPushButton>("Keep the selected calls in float32");
        m_probe->select("sin");
        m_probe->canvas().setFocus();
        m_probe->press(Qt::Key_F2);
        m_probe->type("wave");
        m_probe->press(Qt::Key_Return);
        QTRY_VERIFY(m_probe->node("wave").node);
        clickRow(0);
        QVERIFY(!button.isEnabled());
        m_probe->canvas().setFocus();
        m_probe->press(Qt::Key_Z, Qt::ControlModifier);
        QTRY_VERIFY(m_probe->node("sin").node);
        clickRow(0);
        QTRY_VERIFY(button.isEnabled());
    }

private:
    void quantize(const char* sweep) {
        withDialog([sweep](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            findIn<QComboBox>(dialog, "Sweep").setCurrentText(sweep);
            QTest::keyClick(&findIn<QLineEdit>(dialog, "Skip"), Qt::Key_Return);
        });
        m_probe->window().actions().pass("quantize")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(view().model()->rowCount() > 0, 60000);
    }

    QTreeView& view() { return m_probe->find<QTreeView>("Quantized calls"); }
    TradeOffChart& chart() { return m_probe->find<TradeOffChart>("tradeOff"); }

    void clickRow(int row) {
        const QRect place = view().visualRect(view().model()->index(row, 1));
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, place.center());
    }

    QStringList calls() {
        QStringList out;
        for (int row = 0; row < view().model()->rowCount(); ++row)
            out << view().model()->index(row, 0).data().toString();
        return out;
    }

    std::map<std::string, std::string> lastOptions() {
        return stepsOf(m_probe->workspace().document().undoStack()).back().recipeStep->options;
    }

    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestQuantizing)
} // namespace fx::ui::quantizing_test
#include "tst_quantizing.moc"
