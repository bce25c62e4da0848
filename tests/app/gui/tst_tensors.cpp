// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors to look at: weights without a run, pictures by any axes, ranges of colours, the cursor, tabs that
// are locked, expressions, and two values held against each other.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/panes/histogram.h"
#include "widgets/panes/tensor_image.h"
#include "widgets/panes/tensor_pane.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSlider>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <QTreeView>

namespace fx::ui::tensors_test {

using State = DebugService::State;

class TestTensors : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->open(samplePath("resnet"));
    }
    void cleanup() { m_probe.reset(); }

    void aWeightIsShownWithoutARun() {
        WindowProbe& probe = *m_probe;
        clickModule("bn1", "running_var");
        QTRY_VERIFY2(labels().contains("running_var\nf32[16]   cpu"), qPrintable(labels()));
        QTRY_COMPARE(image().panels().size(), size_t(1));
        QVERIFY(!probe.find<QLabel>("min").text().isEmpty());
        QCOMPARE(probe.find<QTableView>("Elements").model()->columnCount(), 16);
        QCOMPARE(probe.debug().state(), State::Idle);
        // All panes are at the node that reads it.
        QVERIFY(probe.selected().contains("running_var"));
    }

    void aBufferThatNoNodeReadsIsShownToo() {
        clickModule("bn1", "num_batches_tracked");
        QTRY_VERIFY2(labels().contains("num_batches_tracked\ni64[]"), qPrintable(labels()));
        QTRY_COMPARE(image().panels().size(), size_t(1));
        QCOMPARE(cursorText(), "[]   0");
    }

    void theWeightsOfANodeAreShownAtOnce() {
        WindowProbe& probe = *m_probe;
        probe.select("conv2d_3");
        QTRY_VERIFY2(labels().contains("No value yet: this node has not run (recorded: f32[1, 16, 16, 16])"),
                     qPrintable(labels()));
        QTRY_VERIFY(labels().contains("f32[16, 16, 3, 3]"));
        QTRY_COMPARE(panel().picture.rows, int64_t(48)); // all kernels, input by output
        probe.select("batch_norm");
        auto& what = probe.find<QComboBox>("Which tensor of it");
        QTRY_VERIFY(what.isVisible());
        QCOMPARE(what.itemText(0), "value");
        what.setFocus();
        for (int i = 0; i < what.count() && what.currentText() != "running_var"; ++i) {
            QTest::keyClick(&what, Qt::Key_Down);
        }
        QCOMPARE(what.currentText(), "running_var");
        QTRY_VERIFY2(labels().contains("This is its running_var"), qPrintable(labels()));
        // Once it has run, its value comes first.
        probe.select("conv2d_3");
        runAll();
        QTRY_VERIFY(labels().contains("f32[1, 16, 16, 16]   cpu"));
    }

    void axesAreChosen() {
        WindowProbe& probe = *m_probe;
        showRelu();
        const TensorPicture usual = image().panels()[0].picture;
        QCOMPARE(usual.rows, int64_t(128)); // 16 tiles of 32 by 32
        QCOMPARE(usual.columns, int64_t(128));
        // The channel as one place, with a slider.
        choose("Axis 1", "one place");
        QTRY_COMPARE(panel().picture.rows, int64_t(32));
        auto& slider = probe.find<QSlider>("Place of axis 1");
        QVERIFY(slider.isVisible());
        slider.setFocus();
        QTest::keyClick(&slider, Qt::Key_Right);
        QTest::keyClick(&slider, Qt::Key_Right);
        QTRY_COMPARE(axis(1).place, int64_t(2));
        QTRY_VERIFY2(cursorText().startsWith("[0, 2, 0, 0]   "), qPrintable(cursorText()));
        // Down beside each other, and as colours.
        choose("Axis 1", "down");
        QTRY_COMPARE(panel().picture.rows, int64_t(16 * 32));
        choose("Axis 1", "colours");
        QTRY_COMPARE(panel().picture.planes, 3);
        QCOMPARE(cursorText().count(", "), 5);
        // There is one grid.
        choose("Axis 1", "grid");
        choose("Axis 2", "grid");
        QVERIFY(probe.find<QComboBox>("Axis 1").currentText().endsWith("one place"));
    }

    void theCursorGoesByKeysAndToTheExtremes() {
        WindowProbe& probe = *m_probe;
        showRelu();
        image().setFocus();
        image().setCursorCell({0, 0});
        QTest::keyClick(&image(), Qt::Key_Right);
        QTest::keyClick(&image(), Qt::Key_Down);
        QVERIFY2(cursorText().startsWith("[0, 0, 1, 1]   "), qPrintable(cursorText()));
        const QString most = probe.find<QLabel>("max").text();
        QTest::mouseClick(&probe.find<QToolButton>("Go to the maximum"), Qt::LeftButton);
        QCOMPARE(QString::number(cursorText().section("   ", 1).toDouble(), 'g', 5), most);
        // To a place that is not shown, too.
        choose("Axis 1", "one place");
        QTRY_COMPARE(panel().picture.rows, int64_t(32));
        QTest::mouseClick(&image(), Qt::LeftButton, {}, image().cellRect(0, {5, 2}).center().toPoint());
        QVERIFY2(cursorText().startsWith("[0, 0, 2, 5]   "), qPrintable(cursorText()));
        QTest::mouseClick(&probe.find<QToolButton>("Go to the maximum"), Qt::LeftButton);
        QTRY_COMPARE(QString::number(cursorText().section("   ", 1).toDouble(), 'g', 5), most);
        QTest::mouseClick(&probe.find<QToolButton>("Go to the minimum"), Qt::LeftButton);
        QTRY_COMPARE(cursorText().section("   ", 1).toDouble(), 0.0); // of a relu
        QVERIFY(!probe.find<QToolButton>("Go to the first NaN").isEnabled());
    }

    void coloursFitAndCanBeLocked() {
        WindowProbe& probe = *m_probe;
        showRelu();
        ColourScale scale = image().panels()[0].scale;
        QCOMPARE(scale.low, 0.0); // of one sign
        QVERIFY(!scale.isSigned());
        probe.select("conv2d");
        QTRY_VERIFY(panel().scale.isSigned());
        scale = image().panels()[0].scale;
        QCOMPARE(scale.low, -scale.high);
        // By keys and by dragging.
        auto& range = probe.find<Histogram>("range");
        range.setFocus();
        QTest::keyClick(&range, Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(image().panels()[0].scale.high < scale.high);
        QTest::mousePress(&range, Qt::LeftButton, {}, {9, range.height() / 2});
        QTest::mouseMove(&range, {range.width() / 4, range.height() / 2});
        QTest::mouseRelease(&range, Qt::LeftButton, {}, {range.width() / 4, range.height() / 2});
        QVERIFY(image().panels()[0].scale.low > scale.low);
        const ColourScale own = image().panels()[0].scale;
        // Another tensor fits its own, unless they are locked.
        QTest::mouseClick(&probe.find<QToolButton>("Lock the colours"), Qt::LeftButton);
        probe.select("conv2d_1");
        QTRY_VERIFY(labels().contains("conv2d_1\n"));
        QTRY_COMPARE(axis(2).size, int64_t(16));
        QVERIFY(image().panels()[0].scale == own);
        QTest::mouseClick(&probe.find<QToolButton>("Lock the colours"), Qt::LeftButton);
        QTest::mouseClick(&probe.find<QToolButton>("Fit the colours"), Qt::LeftButton);
        QVERIFY(!(image().panels()[0].scale == own));
        const QImage linear = range.grab().toImage();
        QTest::mouseClick(&probe.find<QToolButton>("Logarithmic counts"), Qt::LeftButton);
        QVERIFY(probe.find<QToolButton>("Logarithmic counts").isChecked());
        QVERIFY(range.grab().toImage() != linear);
    }

    void whatIsNoNumberIsASignAndIsFound() {
        WindowProbe& probe = *m_probe;
        showRelu();
        setView("torch.where((value > 1.5) & (value < 1.6), value * float('nan'), value)");
        QTRY_VERIFY(probe.find<QLabel>("NaN").text().toInt() > 0);
        choose("Axis 1", "one place");
        QTRY_COMPARE(panel().picture.rows, int64_t(32));
        QTest::mouseClick(&probe.find<QToolButton>("Go to the first NaN"), Qt::LeftButton);
        QTRY_VERIFY2(cursorText().endsWith("   nan"), qPrintable(cursorText()));
        // Beside its colour it has a shape: in its cell there are three.
        image().clearFocus();
        image().setCursorCell({0, 0});
        setView("value[0, 0, :4, :4] * float('nan')");
        QTRY_COMPARE(panel().picture.rows, int64_t(4));
        QTRY_COMPARE(probe.find<QLabel>("NaN").text(), "16");
        QVERIFY(coloursIn(image().cellRect(0, {2, 2})) >= 3);
        // And each kind has another one.
        setView("torch.tensor([[float('nan'), float('inf'), 0.], [-float('inf'), 1., 0.]])");
        QTRY_COMPARE(panel().picture.columns, int64_t(3));
        image().setCursorCell({2, 0});
        const QImage nan = cellImage({0, 0}), inf = cellImage({1, 0}), minusInf = cellImage({0, 1});
        QVERIFY(nan != inf && nan != minusInf && inf != minusInf);
        // What is beyond the range of the colours has a sign, too, and not only the colour of its end.
        QCOMPARE(coloursIn(image().cellRect(0, {1, 1}).adjusted(2, 2, -2, -2)), 1);
        auto& range = probe.find<Histogram>("range");
        range.setFocus();
        for (int i = 0; i < 4; ++i)
            QTest::keyClick(&range, Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(image().panels()[0].scale.high < 1);
        QVERIFY(coloursIn(image().cellRect(0, {1, 1}).adjusted(2, 2, -2, -2)) >= 3);
    }

    void anExpressionIsAView() {
        WindowProbe& probe = *m_probe;
        showRelu();
        setView("value.sum(1) > 4");
        QTRY_VERIFY2(labels().contains("b8[1, 32, 32]") || labels().contains("bool[1, 32, 32]"),
                     qPrintable(labels()));
        QVERIFY2(cursorText().endsWith("True") || cursorText().endsWith("False"), qPrintable(cursorText()));
        setView("value.nosuch()");
        QTRY_VERIFY2(labels().contains("nosuch"), qPrintable(labels()));
        QVERIFY(probe.find<QLineEdit>("tensorView").isVisible()); // so that it can be mended
        setView("");
        QTRY_VERIFY(labels().contains("f32[1, 16, 32, 32]   cpu"));
        // Of complex numbers the part that is wanted.
        setView("torch.complex(value, -value)");
        QTRY_VERIFY(probe.find<QComboBox>("Part of complex numbers").isVisible());
        QTest::mouseClick(&probe.find<QToolButton>("Go to the maximum"), Qt::LeftButton);
        const double magnitude = cursorText().section("   ", 1).toDouble();
        auto& part = probe.find<QComboBox>("Part of complex numbers");
        part.setFocus();
        QTest::keyClick(&part, Qt::Key_Down);
        QTRY_VERIFY(std::abs(cursorText().section("   ", 1).toDouble() * std::sqrt(2) - magnitude) < 1e-4);
        setView("(value * 10).to(torch.int64)");
        QTRY_VERIFY(labels().contains("i64[1, 16, 32, 32]"));
        setView("torch.quantize_per_tensor(value, 0.5, 3, torch.quint8)");
        QTRY_VERIFY2(labels().contains("quantized: scale 0.5, zero point 3"), qPrintable(labels()));
    }

    void twoValuesAndTheirDifference() {
        WindowProbe& probe = *m_probe;
        showRelu();
        auto& against = probe.find<QLineEdit>("tensorAgainst");
        against.setFocus();
        QTest::keyClicks(&against, "batch_norm");
        QTest::keyClick(&against, Qt::Key_Return);
        QTRY_COMPARE(image().panels().size(), size_t(3));
        const auto& panels = image().panels();
        QVERIFY(panels[0].scale == panels[1].scale && panels[1].scale == panels[2].scale);
        QVERIFY(panels[2].title.startsWith("difference, at most "));
        // relu(x) - x is -min(x, 0), wherever one looks.
        image().setFocus();
        for (int i = 0; i < 5; ++i) {
            QTest::keyClick(&image(), Qt::Key_Right);
            const QPoint at = image().cursorCell();
            const double x = panels[1].picture.cell(at.y(), at.x());
            QCOMPARE(panels[2].picture.cell(at.y(), at.x()), std::max(-x, 0.0));
        }
        QVERIFY2(cursorText().contains("value ") && cursorText().contains("difference "),
                 qPrintable(cursorText()));
        QTest::mouseClick(&probe.find<QToolButton>("Own scale for the difference"), Qt::LeftButton);
        QVERIFY(!(image().panels()[2].scale == image().panels()[0].scale));
        against.clear();
        QTRY_COMPARE(image().panels().size(), size_t(1));
        against.setFocus();
        QTest::keyClicks(&against, "linear");
        QTest::keyClick(&against, Qt::Key_Return);
        QTRY_VERIFY2(labels().contains("another shape"), qPrintable(labels()));
    }

    void lockedTabsStay() {
        WindowProbe& probe = *m_probe;
        showRelu();
        choose("Axis 1", "one place");
        QTRY_COMPARE(panel().picture.rows, int64_t(32));
        auto& tabs = probe.find<QTabBar>("Tensors");
        QVERIFY(!tabs.isVisible());
        lockButton().click();
        QVERIFY(tabs.isVisible());
        QCOMPARE(tabs.tabText(tabs.currentIndex()), "relu");
        probe.select("conv2d_1");
        QVERIFY(labels().contains("relu\n"));
        QCOMPARE(image().panels()[0].picture.rows, int64_t(32));
        // Back to the one that follows, which has a view of its own.
        tabs.setFocus();
        QTest::keyClick(&tabs, Qt::Key_Left);
        QTRY_VERIFY2(labels().contains("conv2d_1\n"), qPrintable(labels()));
        QTRY_COMPARE(axis(2).size, int64_t(16));
        QTest::keyClick(&tabs, Qt::Key_Right);
        QTRY_COMPARE(axis(2).size, int64_t(32));
        QTRY_COMPARE(panel().picture.rows, int64_t(32));
        // A node that goes takes its tab along; Del closes one.
        QTest::keyClick(&tabs, Qt::Key_Delete);
        QCOMPARE(tabs.count(), 1);
        QVERIFY(!tabs.isVisible());
        QTRY_VERIFY(labels().contains("conv2d_1\n"));
    }

private:
    TensorImage& image() { return m_probe->find<TensorImage>("tensorImage"); }
    // What is waited for may not be drawn yet: without a panel, an empty one.
    TensorImage::Panel panel() {
        return image().panels().empty() ? TensorImage::Panel() : image().panels()[0];
    }
    PictureAxis axis(size_t i) {
        const TensorImage::Panel first = panel();
        return i < first.picture.axes.size() ? first.picture.axes[i] : PictureAxis();
    }
    QString cursorText() { return m_probe->find<QLabel>("Element at the cursor").text(); }
    QToolButton& lockButton() {
        for (QToolButton* button : m_probe->window().view()->tensor().findChildren<QToolButton*>())
            if (button->text() == "Lock" && button->accessibleName().isEmpty())
                return *button;
        qFatal("there is no button to lock");
    }
    /// All that is written in the tensor pane.
    QString labels() {
        QStringList out;
        for (QLabel* label : m_probe->window().view()->tensor().findChildren<QLabel*>())
            if (label->isVisible())
                out << label->text();
        return out.join('\n');
    }
    void runAll() {
        m_probe->press(Qt::Key_F5);
        QVERIFY(m_probe->waitForState(State::Over));
    }
    void showRelu() {
        runAll();
        m_probe->select("relu");
        QTRY_VERIFY(labels().contains("f32[1, 16, 32, 32]   cpu"));
        QTRY_COMPARE(image().panels().size(), size_t(1));
    }
    void setView(const QString& expression) {
        auto& line = m_probe->find<QLineEdit>("tensorView");
        line.setFocus();
        line.selectAll();
        QTest::keyClick(&line, Qt::Key_Delete);
        QTest::keyClicks(&line, expression);
        QTest::keyClick(&line, Qt::Key_Return);
    }
    void choose(const QString& axis, const QString& word) {
        auto& box = m_probe->find<QComboBox>(axis);
        box.setFocus();
        QTest::keyClick(&box, Qt::Key_Home);
        for (int i = 0; i < box.count() && !box.currentText().endsWith(word); ++i)
            QTest::keyClick(&box, Qt::Key_Down);
        QVERIFY(box.currentText().endsWith(word));
    }
    void clickModule(const QString& module, const QString& tensor) {
        auto& view = m_probe->find<QTreeView>("Modules");
        for (const QModelIndex& at : view.model()->match(view.model()->index(0, 0), Qt::DisplayRole, module,
                                                         -1, Qt::MatchRecursive | Qt::MatchExactly))
            for (int row = 0; row < view.model()->rowCount(at); ++row)
                if (const QModelIndex found = view.model()->index(row, 0, at);
                    found.data().toString() == tensor) {
                    view.scrollTo(found);
                    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(found).center());
                    return;
                }
        QFAIL("the module has no such tensor");
    }
    QImage cellImage(QPoint cell) { return image().grab(image().cellRect(0, cell).toRect()).toImage(); }
    /// How many colours are painted there.
    int coloursIn(const QRectF& rect) {
        const QImage seen = image().grab(rect.toRect()).toImage();
        QSet<QRgb> colours;
        for (int y = 0; y < seen.height(); ++y)
            for (int x = 0; x < seen.width(); ++x)
                colours.insert(seen.pixel(x, y));
        return static_cast<int>(colours.size());
    }

    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestTensors)
} // namespace fx::ui::tensors_test
#include "tst_tensors.moc"
