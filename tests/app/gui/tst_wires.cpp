// SPDX-License-Identifier: GPL-3.0-or-later
// Wires that are drawn and led elsewhere, by mouse and by keys; and another operator with the same arguments.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/document/graph_document.h"
#include "widgets/panes/finder.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QTreeView>
#include <QTreeWidget>

namespace fx::ui::wires_test {

namespace {

constexpr const char* kSource = R"(import torch

class Net(torch.nn.Module):
    def forward(self, x):
        a = torch.sin(x)
        b = torch.cos(a)
        c = torch.add(b, 1, alpha=2)
        d = torch.nn.functional.layer_norm(c, (3,))
        return torch.cat([a, d])
)";

/// Does `work` with the next menu that opens, from within its own event loop.
void withMenu(const std::function<void(QMenu&)>& work) {
    auto* timer = new QTimer(qApp);
    timer->setInterval(10);
    QObject::connect(timer, &QTimer::timeout, timer, [timer, work] {
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        if (!menu)
            return;
        timer->stop();
        timer->deleteLater();
        work(*menu);
    });
    timer->start();
}

} // namespace

class TestWires : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->openNet(kSource, "torch.ones(2, 3)");
        QTRY_VERIFY(isAtRest(m_probe->canvas()));
        m_before = m_probe->code().text();
    }
    void cleanup() { m_probe.reset(); }

    void aNewWireIsDrawnToAnArgument() {
        QStringList offered;
        withMenu([&](QMenu& menu) {
            for (const QAction* each : menu.actions())
                if (!each->isSeparator())
                    offered << each->text();
            QTest::keyClick(&menu, Qt::Key_Down);
            QTest::keyClick(&menu, Qt::Key_Return);
        });
        drag("sin", "add");
        QCOMPARE(offered, (QStringList{"input, now cos", "other, now 1"}));
        QTRY_VERIFY2(code().contains("add = torch.add(cos, sin, alpha = 2)"), qPrintable(code()));
        QCOMPARE(m_probe->selected(), "add");
        undo();
    }

    void whereThereIsOnePlaceNobodyIsAsked() {
        drag("x", "cos");
        QVERIFY2(code().contains("cos = torch.cos(x)"), qPrintable(code()));
        undo();
        drag("cos", "cat");
        QVERIFY2(code().contains("torch.cat([sin, layer_norm, cos])"), qPrintable(code()));
        undo();
    }

    /// Put where nothing is, it gets its arguments, and then its reader, by wires; what it reads goes ahead.
    void anInsertedCallWaitsForItsWires() {
        const GraphDocument& document = m_probe->workspace().document();
        const auto faults = [&] { return document.faults(document.model().root()); };
        m_probe->canvas().setFocus();
        QTest::keyClick(&m_probe->canvas(), Qt::Key_Tab);
        QVERIFY(m_probe->window().findChild<Finder*>()->isVisible());
        m_probe->type("torch.mul");
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            QVERIFY(findIn<QComboBox>(dialog, "Where it goes").currentText().startsWith("beside"));
            QPushButton* insert = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
            QTRY_VERIFY(insert->isEnabled());
            QCOMPARE(findIn<QLabel>(dialog, "What comes of it").text(),
                     "It will wait for input, other: draw wires to it before it runs.");
            insert->click();
        });
        QTest::keyClick(m_probe->window().focusWidget(), Qt::Key_Return);
        QTRY_VERIFY2(code().contains("mul = torch.mul()"), qPrintable(code()));
        QCOMPARE(faults().size(), 1u);
        QCOMPARE(faults()[0].message, "waits for input, other");
        m_probe->press(Qt::Key_L, Qt::ControlModifier); // Check the graph
        auto& problems = m_probe->find<QTreeView>("Problems");
        QTRY_VERIFY(problems.isVisible());
        QTRY_COMPARE(problems.model()->rowCount(), 1);
        QCOMPARE(problems.model()->index(0, 1).data().toString(), "mul");
        QCOMPARE(problems.model()->index(0, 2).data().toString(), "waits for input, other");
        // Nor is it verified as any other change: that it fails is known.
        QVERIFY(!m_probe->workspace().verify().isWorking() && !m_probe->workspace().verify().card());
        rest();
        withMenu([](QMenu& menu) { QTest::keyClick(&menu, Qt::Key_Return); });
        drag("cos", "mul");
        QTRY_VERIFY2(code().contains("mul = torch.mul(cos)"), qPrintable(code()));
        rest();
        withMenu([](QMenu& menu) {
            QTest::keyClick(&menu, Qt::Key_Down);
            QTest::keyClick(&menu, Qt::Key_Return);
        });
        drag("sin", "mul");
        QTRY_VERIFY2(code().contains("mul = torch.mul(cos, sin)"), qPrintable(code()));
        QVERIFY(faults().empty());
        rest();
        drag("mul", "cat");
        QTRY_VERIFY2(code().contains("torch.cat([sin, layer_norm, mul])"), qPrintable(code()));
        QVERIFY(code().indexOf("mul = ") < code().indexOf("torch.cat"));
        for (int i = 0; i < 4; ++i)
            m_probe->press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(code(), m_before);
    }

    void droppedOnNothingItGetsANewReader() {
        CanvasView& canvas = m_probe->canvas();
        const QRectF begin = placeOf("cos");
        const QPoint start = QPointF(begin.center().x(), begin.bottom() - 3).toPoint();
        const QPoint nowhere(canvas.width() - 30, start.y());
        QTest::mousePress(&canvas, Qt::LeftButton, {}, start);
        moveTo(nowhere);
        QTest::mouseRelease(&canvas, Qt::LeftButton, {}, nowhere);
        QVERIFY(m_probe->window().findChild<Finder*>()->isVisible());
        m_probe->type("torch.neg");
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            QCOMPARE(findIn<QLineEdit>(dialog, "input *").text(), "cos");
            QVERIFY(findIn<QComboBox>(dialog, "Where it goes").currentText().startsWith("beside"));
            QPushButton* insert = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
            QTRY_VERIFY(insert->isEnabled());
            insert->click();
        });
        QTest::keyClick(m_probe->window().focusWidget(), Qt::Key_Return);
        QTRY_VERIFY2(code().contains("neg = torch.neg(cos)"), qPrintable(code()));
        QVERIFY(code().contains("add = torch.add(cos, 1, alpha = 2)"));
    }

    /// Before the button is released: a ring around the node, in the colour of what will come of it.
    void whatWillBeDoneIsShown() {
        const Tokens& tokens = m_probe->canvas().tokens();
        QVERIFY(isNear(ringWhileDragging("x", "cos"), tokens.selection));
        undo();
        QVERIFY(isNear(ringWhileDragging("cos", "sin"), tokens.fault));
        QCOMPARE(m_probe->toast(), "cos depends on sin");
        QCOMPARE(code(), m_before);
    }

    void byKeysItIsAsked() {
        m_probe->select("sin");
        m_probe->press(Qt::Key_W);
        m_probe->type("layer");
        withMenu([](QMenu& menu) {
            // The first is chosen; weight is the next.
            QTest::keyClick(&menu, Qt::Key_Down);
            QTest::keyClick(&menu, Qt::Key_Return);
        });
        QTest::keyClick(m_probe->window().focusWidget(), Qt::Key_Return);
        QTRY_VERIFY2(code().contains("(add, (3,), weight = sin, "), qPrintable(code()));
        undo();
        // The second of two reads the first.
        m_probe->select("cos");
        m_probe->selection().selectAlso(m_probe->node("x").node);
        m_probe->press(Qt::Key_W);
        QVERIFY2(code().contains("cos = torch.cos(x)"), qPrintable(code()));
    }

    void readersOfWhatGoesReadWhatIsChosen() {
        withDialog([](QDialog& dialog) {
            for (QAbstractButton* each : static_cast<QMessageBox&>(dialog).buttons())
                if (each->text() == "Reconnect to…")
                    return each->click();
            dialog.reject();
        });
        m_probe->select("cos");
        m_probe->press(Qt::Key_Delete);
        QTest::keyClicks(m_probe->window().focusWidget(), "x");
        QTest::keyClick(m_probe->window().focusWidget(), Qt::Key_Return);
        QVERIFY2(code().contains("add = torch.add(x, 1, alpha = 2)"), qPrintable(code()));
        QVERIFY(!m_probe->node("cos").node);
        undo();
    }

    void anotherOperatorHasTheSameArguments() {
        m_probe->select("add");
        m_probe->window().docks().show(Docks::NodePane);
        setTarget("torch.mul");
        auto& fault = *m_probe->find<QTreeWidget>("nodeRows").parentWidget()->findChild<QLabel*>("fault");
        QVERIFY2(fault.isVisible() && fault.text().contains("'alpha'"), qPrintable(fault.text()));
        QCOMPARE(code(), m_before);
        setTarget("torch.ops.aten.sub.Scalar");
        QVERIFY2(code().contains("sub.Scalar(cos, 1, 2)") || code().contains("sub.Scalar(cos, 1, alpha = 2)"),
                 qPrintable(code()));
        m_probe->canvas().setFocus();
        undo();
    }

    void argumentsOfFunctionsHaveNames() {
        m_probe->select("layer_norm");
        m_probe->window().docks().show(Docks::NodePane);
        auto& rows = m_probe->find<QTreeWidget>("nodeRows");
        const QTreeWidgetItem* section = rows.topLevelItem(0);
        QCOMPARE(section->text(0), "Arguments");
        QStringList names;
        for (int i = 0; i < section->childCount(); ++i)
            names << section->child(i)->text(0) + "=" + section->child(i)->text(1);
        QCOMPARE(names, (QStringList{"input=add", "normalized_shape=(3,)", "weight=None", "bias=None",
                                     "eps=1e-05"}));
    }

private:
    QString code() { return m_probe->code().text(); }
    void undo() {
        m_probe->press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(code(), m_before);
        rest();
    }
    void rest() {
        QVERIFY(m_probe->waitForLayout());
        QTRY_VERIFY(isAtRest(m_probe->canvas()));
    }
    QRectF placeOf(const QString& name) {
        const CanvasView& canvas = m_probe->canvas();
        const int box = canvas.geometry().picture()->diagram.boxOf(m_probe->node(name).node);
        return canvas.camera().toScreen(canvas.geometry().rect(box));
    }
    void moveTo(QPoint place) {
        CanvasView& canvas = m_probe->canvas();
        QMouseEvent move(QEvent::MouseMove, place, canvas.mapToGlobal(place), Qt::NoButton, Qt::LeftButton,
                         Qt::NoModifier);
        QApplication::sendEvent(&canvas, &move);
    }
    /// From the handle of one to the middle of the other.
    void drag(const QString& from, const QString& to) { ringWhileDragging(from, to); }
    QColor ringWhileDragging(const QString& from, const QString& to) {
        CanvasView& canvas = m_probe->canvas();
        const QRectF begin = placeOf(from), end = placeOf(to);
        const QPoint start = QPointF(begin.center().x(), begin.bottom() - 3).toPoint();
        QTest::mousePress(&canvas, Qt::LeftButton, {}, start);
        moveTo(start + QPoint(0, 20));
        moveTo(end.center().toPoint());
        const QImage image = canvas.grab().toImage();
        // Off the middle, where wires come in.
        const QColor ring(image.pixel(QPointF(end.left() - 3, end.center().y()).toPoint()));
        QTest::mouseRelease(&canvas, Qt::LeftButton, {}, end.center().toPoint());
        return ring;
    }
    /// Its edges are smooth.
    static bool isNear(const QColor& a, const QColor& b) {
        return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue()) <
               90;
    }
    void setTarget(const QString& text) {
        auto& target = m_probe->find<QLineEdit>("nodeTarget");
        target.setFocus();
        target.selectAll();
        QTest::keyClicks(&target, text);
        QTest::keyClick(&target, Qt::Key_Return);
    }

    std::unique_ptr<WindowProbe> m_probe;
    QString m_before;
};

FX_TEST(TestWires)
} // namespace fx::ui::wires_test
#include "tst_wires.moc"
