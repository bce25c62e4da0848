// SPDX-License-Identifier: GPL-3.0-or-later
// Boxes coloured by groups: by the dtype and device of what they give, by the health of the run's values.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/canvas/colour_legend.h"

#include <QImage>

namespace fx::ui::colours_test {

namespace {

constexpr const char* kSource = R"(import torch

class Net(torch.nn.Module):
    def forward(self, x):
        below = x - 2
        nan = torch.sqrt(below)
        inf = below / 0
        zero = below * 0
        large = below * -70000
        whole = below.to(torch.int64)
        parts = torch.max(below, 0)
        return nan, inf, zero, large, whole, parts
)";

} // namespace

class TestColours : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->openNet(kSource, "torch.ones(2, 3)");
    }
    void cleanup() { m_probe.reset(); }

    void healthIsSeenAndSaid() {
        colourBy("Health");
        QVERIFY(m_probe->waitForState(DebugService::State::Over)); // it runs what has not run
        QCOMPARE(names(), (QStringList{"NaN", "Inf", "large, from 1e4", "all zero", "healthy"}));
        QCOMPARE(groupOf("sqrt"), "NaN");
        QCOMPARE(groupOf("truediv"), "Inf");
        QCOMPARE(groupOf("mul"), "all zero");
        QCOMPARE(groupOf("mul_1"), "large, from 1e4");
        QCOMPARE(state("mul_1").note, "up to 7e+04");
        QCOMPARE(groupOf("sub"), "healthy");
        QCOMPARE(groupOf("to"), QString()); // no numbers that could be NaN
        QCOMPARE(bandOf("sqrt"), m_probe->canvas().tokens().fault);
        QCOMPARE(bandOf("sub"), m_probe->canvas().tokens().healthy);
    }

    /// Against the model as it was opened, until another edit.
    void errorsAreThoseOfTheLastComparison() {
        colourBy("Error");
        QVERIFY2(m_probe->toast().contains("as it was opened: edit it"), qPrintable(m_probe->toast()));
        m_probe->select("truediv");
        m_probe->canvas().setFocus();
        m_probe->press(Qt::Key_M); // its reader gets what it would divide
        QVERIFY(m_probe->waitForLayout());
        colourBy("Error");
        QTRY_COMPARE_WITH_TIMEOUT(state("sub").note, QString("equal"), 60000);
        QCOMPARE(state("sqrt").note, QString("equal"));
        QCOMPARE(state("sub").heat, 0.0);
        QVERIFY(state("truediv").heat > 0.9);
        QVERIFY2(state("truediv").note == "differs" || state("truediv").note == "only here",
                 qPrintable(state("truediv").note));
        m_probe->press(Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(state("truediv").heat, 0.0);
        QCOMPARE(state("sub").note, QString());
    }

    void aSelectedBoxKeepsItsBand() {
        colourBy("Health");
        QVERIFY(m_probe->waitForState(DebugService::State::Over));
        m_probe->canvas().look().setZoom(1);
        QTRY_VERIFY(isAtRest(m_probe->canvas()));
        m_probe->select("sqrt");
        QCOMPARE(bandOf("sqrt"), m_probe->canvas().tokens().fault);
        const QPoint edge = place("sqrt").topLeft().toPoint() + QPoint(60, 0);
        QStringList down; // across the frame, which may stand between two pixels
        for (int y = -2; y <= 2; ++y)
            down << QColor(picture().pixel(edge + QPoint(0, y))).name();
        QVERIFY2(down.contains(m_probe->canvas().tokens().selection.name()), qPrintable(down.join(' ')));
    }

    void dtypesAreTheRunsOrRecorded() {
        colourBy("Dtype");
        m_probe->press(Qt::Key_F5);
        QVERIFY(m_probe->waitForState(DebugService::State::Over));
        QCOMPARE(names().first(3), (QStringList{"f32", "i64", "several dtypes"}));
        QCOMPARE(groupOf("sub"), "f32");
        QCOMPARE(groupOf("to"), "i64");
        QCOMPARE(groupOf("max_1"), "several dtypes");
        m_probe->open(samplePath("control_flow")); // whose file says it
        colourBy("Dtype");
        QCOMPARE(groupOf("linear"), "f32");
        QCOMPARE(groupOf("gt"), "b8");
    }

    void devicesHaveALegend() {
        m_probe->open(samplePath("control_flow"));
        colourBy("Kind of call");
        const QImage before = picture();
        colourBy("Device");
        QCOMPARE(names(), QStringList{"cpu"});
        const CanvasView& canvas = m_probe->canvas();
        const QRectF legend = legendPlace(groups(), canvas.font(), canvas.size());
        QVERIFY(canvas.rect().contains(legend.toAlignedRect()));
        QVERIFY(picture().copy(legend.toRect()) != before.copy(legend.toRect()));
        colourBy("Kind of call");
        QCOMPARE(names(), QStringList());
        QCOMPARE(picture().copy(legend.toRect()), before.copy(legend.toRect()));
    }

    /// The costliest box has all of its colour.
    void timeAndMemoryAreHeat() {
        const auto hottest = [&] {
            double out = 0;
            for (const char* name : {"sub", "sqrt", "truediv", "mul", "mul_1", "to", "max_1"})
                out = std::max(out, state(name).heat);
            return out;
        };
        colourBy("Time of the run");
        QVERIFY(m_probe->waitForState(DebugService::State::Over));
        QTRY_COMPARE(hottest(), 1.0);
        colourBy("Kind of call");
        QTRY_COMPARE(hottest(), 0.0);
        colourBy("Memory");
        QTRY_COMPARE_WITH_TIMEOUT(hottest(), 1.0, 60000);
        QVERIFY2(state("sub").note.endsWith('B'), qPrintable(state("sub").note));
    }

    void mutedAndStaleLookSo() {
        m_probe->press(Qt::Key_F5);
        QVERIFY(m_probe->waitForState(DebugService::State::Over));
        m_probe->select("mul");
        m_probe->selection().clear();
        const auto look = [&] {
            const QRect there = place("mul").toAlignedRect();
            return picture().copy(there);
        };
        const QImage ran = look();
        QVERIFY(!state("mul").isStale && !state("mul").isMuted);
        m_probe->select("sub");
        m_probe->canvas().setFocus();
        m_probe->press(Qt::Key_M);
        QVERIFY(m_probe->waitForLayout());
        QVERIFY(state("sub").isMuted && state("mul").isStale);
        m_probe->selection().clear();
        const QImage stale = look();
        QVERIFY(stale != ran);
        m_probe->press(Qt::Key_F5);
        QVERIFY(m_probe->waitForState(DebugService::State::Over));
        QTRY_VERIFY(!state("mul").isStale);
        QVERIFY(look() != stale);
    }

private:
    /// By the keyboard alone, in the command palette.
    void colourBy(const QString& what) {
        QVERIFY(m_probe->waitForLayout());
        m_probe->press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        m_probe->type(what);
        m_probe->press(Qt::Key_Return);
    }
    const Picture& diagram() { return *m_probe->canvas().geometry().picture(); }
    const std::vector<BoxGroup>& groups() { return m_probe->canvas().states().groups(diagram()); }
    QStringList names() {
        QStringList out;
        for (const BoxGroup& group : groups())
            out << group.name;
        return out;
    }
    int box(const QString& name) { return diagram().diagram.boxOf(m_probe->node(name).node); }
    const BoxState& state(const QString& name) { return m_probe->canvas().states().of(diagram(), box(name)); }
    QString groupOf(const QString& name) {
        const int group = state(name).group;
        return group < 0 ? QString() : names()[group];
    }
    QRectF place(const QString& name) {
        CanvasView& canvas = m_probe->canvas();
        canvas.look().ensureBoxVisible(box(name));
        [&] { QTRY_VERIFY(isAtRest(canvas)); }();
        return canvas.camera().toScreen(canvas.geometry().rect(box(name)));
    }
    QImage picture() { return m_probe->canvas().grab().toImage(); }
    /// The colour at the left edge of the box.
    QColor bandOf(const QString& name) {
        const QRectF there = place(name);
        return QColor(picture().pixel(QPointF(there.left() + 3, there.center().y()).toPoint()));
    }

    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestColours)
} // namespace fx::ui::colours_test
#include "tst_colours.moc"
