// SPDX-License-Identifier: GPL-3.0-or-later
// The tensor pane beside its picture: weights that are set and saved without a run, what a node reads and
// gives as small pictures, words for the places of an axis.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/panes/tensor_image.h"
#include "widgets/panes/tensor_pane.h"
#include "widgets/panes/thumbnail_strip.h"
#include "widgets/support/qt_text.h"

#include <ATen/ATen.h>
#include <QFile>
#include <QLineEdit>
#include <QToolButton>

namespace fx::ui::values_test {

using State = DebugService::State;

class TestValues : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->open(samplePath("resnet"));
    }
    void cleanup() { m_probe.reset(); }

    void shiftF2SetsAWeightWithoutARun() {
        WindowProbe& probe = *m_probe;
        probe.selection().clear();
        QVERIFY(!probe.window().actions()["setValue"]->isEnabled());
        probe.selection().selectTensor("fc.bias");
        QTRY_VERIFY(probe.window().actions()["setValue"]->isEnabled());
        probe.canvas().setFocus();
        probe.press(Qt::Key_F2, Qt::ShiftModifier);
        auto& line = probe.find<QLineEdit>("newValue");
        QTRY_VERIFY(line.hasFocus());
        QTest::keyClicks(&line, "torch.zeros_like(value)");
        QTest::keyClick(&line, Qt::Key_Return);
        QTRY_VERIFY(at::equal(weight("fc.bias"), at::zeros_like(weight("fc.bias"))));
        QCOMPARE(probe.debug().state(), State::Idle);
        probe.canvas().setFocus();
        probe.press(Qt::Key_Z, Qt::ControlModifier);
        QTRY_VERIFY(!at::equal(weight("fc.bias"), at::zeros_like(weight("fc.bias"))));
        // A value of a node needs a run.
        probe.select("relu");
        QTRY_VERIFY(!probe.window().actions()["setValue"]->isEnabled());
    }

    void aWeightIsSavedWithoutARun() {
        WindowProbe& probe = *m_probe;
        probe.selection().selectTensor("fc.bias");
        auto& save = button("Save .npy");
        QTRY_VERIFY(save.isEnabled());
        const QString path = probe.settings().path("bias.npy");
        answerFileDialog(path);
        QTest::mouseClick(&save, Qt::LeftButton);
        QTRY_VERIFY2(probe.toast().contains("saved "), qPrintable(probe.toast()));
        QFile file(path);
        QVERIFY(file.open(QFile::ReadOnly));
        const at::Tensor bias = weight("fc.bias").contiguous();
        const QByteArray numbers(static_cast<const char*>(bias.const_data_ptr()),
                                 static_cast<qsizetype>(bias.nbytes()));
        const QByteArray bytes = file.readAll();
        QVERIFY(bytes.startsWith("\x93NUMPY") && bytes.endsWith(numbers));
        QCOMPARE(probe.debug().state(), State::Idle);
        // And why not, where it cannot be.
        const Model& now = probe.workspace().document().model();
        probe.debug().values().save({}, probe.settings().path("none/bias.npy"), false,
                                    now.resolve(now.root(), "fc.bias").tensor);
        QTRY_VERIFY2(probe.toast().contains("cannot write"), qPrintable(probe.toast()));
    }

    void whatANodeReadsAndGivesIsShownSmall() {
        WindowProbe& probe = *m_probe;
        probe.select("add_5");
        QVERIFY(thumbnails().isEmpty()); // nothing has run
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(State::Over));
        const Graph& graph = probe.workspace().document().model().graph();
        QStringList expected;
        for (const InputUse& use : graph.node(probe.node("add_5").node).inputs)
            expected << "input " + qt(graph.node(use.node).name);
        expected << "output add_5";
        QTRY_COMPARE(thumbnails(), expected);
        const QToolButton& first = *strip().findChildren<QToolButton*>().first();
        QVERIFY(!first.icon().isNull() && first.isEnabled());
        // One leads to its node, by the keyboard, too.
        auto& to = *strip().findChildren<QToolButton*>().first();
        to.setFocus();
        QTest::keyClick(&to, Qt::Key_Space);
        QCOMPARE("input " + probe.selected(), expected.first());
        // There are none until what it reads has been looked at.
        QTRY_COMPARE(thumbnails().value(thumbnails().size() - 1), "output " + probe.selected());
        probe.selection().clear();
        QTRY_VERIFY(thumbnails().isEmpty());
    }

    void placesHaveWords() {
        WindowProbe& probe = *m_probe;
        probe.selection().selectTensor("bn1.running_var");
        QTRY_COMPARE(image().panels().size(), size_t(1));
        QTRY_COMPARE(image().panels()[0].picture.columns, int64_t(16));
        const double top = image().cellRect(0, {0, 0}).top();
        auto& words = probe.find<QLineEdit>("tensorWords");
        words.setFocus();
        QTest::keyClicks(&words, "the quick brown fox jumps over a lazy dog and so on until its very end");
        QCOMPARE(image().labels().text(image().panels()[0].picture.axes[0], 3), "fox");
        QVERIFY(image().cellRect(0, {0, 0}).top() > top); // they stand above the columns
        image().setFocus();
        QTest::keyClick(&image(), Qt::Key_Home);
        QTest::keyClick(&image(), Qt::Key_Right);
        QVERIFY2(image().accessibleDescription().startsWith("[quick]   "),
                 qPrintable(image().accessibleDescription()));
        // Of an axis with another number of places it is the numbers.
        words.clear();
        QTest::keyClicks(&words, "one, two");
        QVERIFY(image().accessibleDescription().startsWith("[1]   "));
    }

private:
    at::Tensor weight(const char* path) {
        const Model& now = m_probe->workspace().document().model();
        return now.tensor(now.resolve(now.root(), path).tensor).value().detach();
    }
    TensorImage& image() { return m_probe->find<TensorImage>("tensorImage"); }
    ThumbnailStrip& strip() { return *m_probe->window().findChild<ThumbnailStrip*>(); }
    QStringList thumbnails() {
        QStringList out;
        for (const QToolButton* each : strip().findChildren<QToolButton*>())
            if (each->isVisible())
                out << each->accessibleName();
        return out;
    }
    QToolButton& button(const QString& text) {
        for (QToolButton* each : m_probe->window().view()->tensor().findChildren<QToolButton*>())
            if (each->text() == text)
                return *each;
        qFatal("there is no such button");
    }

    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestValues)
} // namespace fx::ui::values_test
#include "tst_values.moc"
