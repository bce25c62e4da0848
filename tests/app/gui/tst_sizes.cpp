// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes as formulas: on wires and in the inspector, kept up to date while one edits; and sizes that are
// declared and are others.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/document/graph_intents.h"

#include <QLabel>
#include <QLineEdit>
#include <QTreeView>
#include <QTreeWidget>

namespace fx::ui::sizes_test {

namespace {

constexpr int kPatience = 30000;
constexpr char kHalves[] = "f32[N, 16, ((H + 1)//2), ((W + 1)//2)]"; // of the resnet's first layer

} // namespace

class TestSizes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_probe = std::make_unique<WindowProbe>(); }
    void cleanup() { m_probe.reset(); }

    void nothingIsFoundUnasked() {
        m_probe->open(samplePath("transformer"));
        QVERIFY(m_probe->waitForLayout());
        QCoreApplication::processEvents();
        QVERIFY(!m_probe->workspace().sizes().isWorking());
    }

    void namesGiveFormulas() {
        m_probe->open(samplePath("resnet"));
        name("x=[N,3,H,W]");
        QTRY_COMPARE_WITH_TIMEOUT(valueOf("conv2d"), kHalves, kPatience);
        m_probe->selection().expandAll();
        QVERIFY(m_probe->waitForLayout());
        QVERIFY2(wireOf("conv2d").contains("N"), qPrintable(wireOf("conv2d")));
        m_probe->select("conv2d");
        QVERIFY(inspectorSays(kHalves));
        // After an edit, and after it was taken back.
        QCOMPARE(setArgument(m_probe->workspace().document(), m_probe->node("conv2d"), 3, {}, "[1, 1]"),
                 QString());
        QTRY_COMPARE_WITH_TIMEOUT(valueOf("conv2d"), "f32[N, 16, H, W]", kPatience);
        m_probe->workspace().document().undoStack().undo();
        QTRY_COMPARE_WITH_TIMEOUT(valueOf("conv2d"), kHalves, kPatience);
        // Without names there are none.
        m_probe->find<QLineEdit>("sizeNames").clear();
        QVERIFY(valueOf("conv2d").isEmpty());
    }

    void whatIsAskedIsListedWithItsNode() {
        m_probe->open(samplePath("transformer"));
        name("tokens=[N,T]");
        auto& list = *m_probe->find<QTreeView>("What is asked of sizes").model();
        QTRY_VERIFY_WITH_TIMEOUT(list.rowCount() > 0, kPatience);
        auto& view = m_probe->find<QTreeView>("What is asked of sizes");
        view.setFocus();
        view.setCurrentIndex(list.index(0, 1));
        m_probe->press(Qt::Key_Return);
        QCOMPARE(m_probe->selected(), list.index(0, 1).data().toString());
        QVERIFY(inspectorSays(list.index(0, 2).data().toString().section("   ", 0, 0)));
    }

    void symbolsOfTheFileHoldAndFollowEdits() {
        m_probe->open(samplePath("control_flow"));
        QCOMPARE(m_probe->workspace().sizes().names(), "recorded");
        m_probe->window().docks().show(Docks::Sizes);
        auto& list = *m_probe->find<QTreeView>("What is asked of sizes").model();
        QCOMPARE(list.index(0, 2).data().toString(), "1 <= s77 <= 1024");
        QTRY_VERIFY_WITH_TIMEOUT(valueOf("x").contains("s77"), kPatience);
    }

    void whatMeansNothingIsTold() {
        m_probe->open(samplePath("resnet"));
        name("y=[N]");
        const QLabel* told = nullptr;
        const auto isTold = [&] {
            for (const QLabel* label : m_probe->window().findChildren<QLabel*>())
                if (label->isVisible() && label->text().contains("no input 'y'"))
                    told = label;
            return told != nullptr;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isTold(), kPatience);
    }

    void namesAreRemembered() {
        m_probe->open(samplePath("resnet"));
        name("x=[N,3,64,64]");
        QTRY_COMPARE_WITH_TIMEOUT(valueOf("conv2d"), "f32[N, 16, 32, 32]", kPatience);
        m_probe->restart();
        m_probe->open(samplePath("resnet"));
        QCOMPARE(m_probe->find<QLineEdit>("sizeNames").text(), "x=[N,3,64,64]");
        QVERIFY(valueOf("conv2d").isEmpty()); // nobody has asked
        m_probe->window().docks().show(Docks::Sizes);
        QTRY_COMPARE_WITH_TIMEOUT(valueOf("conv2d"), "f32[N, 16, 32, 32]", kPatience);
    }

    void declaredSizesThatAreOthersAreProblems() {
        m_probe->open(samplePath("resnet"));
        m_probe->selection().expandAll();
        QVERIFY(m_probe->waitForLayout());
        m_probe->select("conv2d");
        withDialog([](QDialog& dialog) {
            QCOMPARE(findIn<QLineEdit>(dialog, "Nodes").text(), "conv2d");
            findIn<QLineEdit>(dialog, "Sizes").setText("(N, 17, Dyn, Dyn)");
            dialog.accept();
        });
        m_probe->window().actions().pass("declare-sizes")->trigger();
        auto& problems = *m_probe->find<QTreeView>("Problems").model();
        QTRY_VERIFY_WITH_TIMEOUT(problems.rowCount() > 0, kPatience);
        QCOMPARE(problems.index(0, 1).data().toString(), "conv2d");
        QVERIFY2(problems.index(0, 2).data().toString().contains("17 is not 16"),
                 qPrintable(problems.index(0, 2).data().toString()));
        QVERIFY(m_probe->waitForLayout());
        QVERIFY(wireOf("conv2d").contains("declared"));
        m_probe->workspace().document().undoStack().undo();
        QCOMPARE(problems.rowCount(), 0);
    }

private:
    void name(const QString& text) {
        m_probe->window().docks().show(Docks::Sizes);
        auto& field = m_probe->find<QLineEdit>("sizeNames");
        field.setFocus();
        field.clear();
        QTest::keyClicks(&field, text);
        QTest::keyClick(&field, Qt::Key_Return);
    }
    QString valueOf(const QString& node) {
        const ValueMeta* value = m_probe->workspace().sizes().valueOf(m_probe->node(node));
        return value ? qt(valueMetaText(*value)) : QString();
    }
    QString wireOf(const QString& node) {
        const Picture& picture = *m_probe->canvas().geometry().picture();
        for (size_t i = 0; i < picture.diagram.edges.size(); ++i)
            if (picture.diagram.edges[i].value == m_probe->node(node).node)
                return m_probe->canvas().states().wireLabel(picture, static_cast<int>(i));
        return {};
    }
    bool inspectorSays(const QString& text) {
        for (QTreeWidgetItemIterator row(&m_probe->find<QTreeWidget>("nodeRows")); *row; ++row)
            if ((*row)->text(1) == text)
                return true;
        return false;
    }
    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestSizes)
} // namespace fx::ui::sizes_test
#include "tst_sizes.moc"
