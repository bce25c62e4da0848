// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl+K finds nodes and modules, Ctrl+Shift+P commands.
#include "core/passes/registry.h"
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/panes/finder.h"

#include <QLabel>
#include <QLineEdit>

namespace fx::ui::finding_test {

class TestFinding : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->open(samplePath("resnet"));
    }
    void cleanup() { m_probe.reset(); }

    void findsBy_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("first"); ///< name of the best match, if that is sure
        QTest::addColumn<QString>("also");
        QTest::newRow("name") << "conv2d_3"
                              << "conv2d_3"
                              << "conv2d_3";
        QTest::newRow("part of a name") << "max_p"
                                        << "max_pool2d"
                                        << "max_pool2d";
        QTest::newRow("target") << "aten.adaptive_avg"
                                << "adaptive_avg_pool2d"
                                << "adaptive_avg_pool2d";
        QTest::newRow("module") << "layer2.0.downsample"
                                << "layer2.0.downsample"
                                << "layer2.0.downsample.0";
        QTest::newRow("class") << "bottleneck"
                               << ""
                               << "layer3.1";
        QTest::newRow("shape") << "f32[1, 10]"
                               << "linear"
                               << "linear";
        QTest::newRow("two words") << "call_function layer3.1.bn2"
                                   << "batch_norm_20"
                                   << "batch_norm_20";
    }

    void findsBy() {
        QFETCH(QString, words);
        QFETCH(QString, first);
        QFETCH(QString, also);
        WindowProbe& probe = *m_probe;
        auto& finder = open();
        probe.type(words);
        const QStringList shown = finder.shownNames();
        QVERIFY2(!shown.isEmpty() && shown.contains(also), qPrintable(shown.join(' ')));
        QVERIFY(first.isEmpty() || first == shown.first());
        first = shown.first();
        QTest::keyClick(probe.window().focusWidget(), Qt::Key_Return);
        QVERIFY(!finder.isVisible());
        QCOMPARE(probe.selection().scope().isEmpty() ? probe.selected() : probe.selection().scope(), first);
        // It is brought into sight, also out of a collapsed scope.
        QVERIFY(probe.waitForLayout());
        const Diagram& diagram = probe.canvas().geometry().picture()->diagram;
        const int box = probe.selection().scope().isEmpty() ? diagram.boxOf(probe.selection().currentNode())
                                                            : probe.canvas().geometry().scopeBox(first);
        QVERIFY(box >= 0);
        QTRY_VERIFY(probe.canvas().rect().contains(
            probe.canvas().camera().toScreen(probe.canvas().geometry().titleRect(box)).center().toPoint()));
    }

    void arrowsChooseAndEscapeLeaves() {
        WindowProbe& probe = *m_probe;
        auto& finder = open();
        probe.type("relu");
        const QStringList shown = finder.shownNames();
        QVERIFY(shown.size() > 3);
        QTest::keyClick(probe.window().focusWidget(), Qt::Key_Down);
        QTest::keyClick(probe.window().focusWidget(), Qt::Key_Down);
        QTest::keyClick(probe.window().focusWidget(), Qt::Key_Return);
        QCOMPARE(probe.selected(), shown[2]);
        open();
        QTest::keyClick(probe.window().focusWidget(), Qt::Key_Escape);
        QVERIFY(!finder.isVisible());
        QCOMPARE(probe.selected(), shown[2]);
        QVERIFY(probe.canvas().hasFocus());
    }

    void nothingMatches() {
        auto& finder = open();
        m_probe->type("no such thing");
        QVERIFY(finder.shownNames().isEmpty());
        QTest::keyClick(m_probe->window().focusWidget(), Qt::Key_Return);
        QVERIFY(finder.isVisible());
    }

    void paletteRunsACommand() {
        WindowProbe& probe = *m_probe;
        probe.press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        auto& finder = *probe.window().findChild<Finder*>();
        QTRY_VERIFY(finder.isVisible());
        const QStringList all = finder.shownNames();
        for (const QAction* action : probe.window().actions().all())
            if (action->isEnabled() && action != probe.window().actions()["palette"])
                QVERIFY2(all.contains(action->text().remove("…")), qPrintable(action->text()));
        QVERIFY(!probe.selection().expandedScopes().empty());
        probe.type("collapse all");
        QTest::keyClick(probe.window().focusWidget(), Qt::Key_Return);
        QVERIFY(probe.selection().expandedScopes().empty());
    }

    void paletteFindsAPassByTheNameOfTheCommandLine() {
        m_probe->press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        auto& finder = *m_probe->window().findChild<Finder*>();
        QTRY_VERIFY(finder.isVisible());
        for (const Pass& pass : passes()) {
            const QAction* action = m_probe->window().actions().pass(pass.name);
            m_probe->type(QString::fromStdString(pass.name));
            QVERIFY2(!action->isEnabled() || finder.shownNames().contains(action->text().remove("…")),
                     qPrintable(action->text()));
            QTest::keySequence(m_probe->window().focusWidget(), QKeySequence::SelectAll);
        }
    }

    void paletteWorksWithoutAModel() {
        WindowProbe& probe = *m_probe;
        probe.press(Qt::Key_W, Qt::ControlModifier);
        QVERIFY(!probe.window().workspace());
        probe.press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        auto& finder = *probe.window().findChild<Finder*>();
        QTRY_VERIFY(finder.isVisible());
        QVERIFY(finder.shownNames().contains("Open"));
        QVERIFY(!finder.shownNames().contains("Run"));
    }

    /// The notice counts as the list does, whose best match is no first node of the graph.
    void thePlaceIsThatOfTheList() {
        WindowProbe& probe = *m_probe;
        auto& finder = open();
        probe.type("flatten");
        const QStringList found = finder.shownNames();
        QCOMPARE(found.first(), "flatten");
        probe.press(Qt::Key_Escape);
        open();
        probe.type("layer2");
        const QString best = finder.shownNames().first();
        QVERIFY(finder.shownNames().size() > 2);
        QTest::keyClick(probe.window().focusWidget(), Qt::Key_Return);
        QVERIFY2(probe.toast().startsWith("1 of "), qPrintable(best + ": " + probe.toast()));
        QVERIFY(litNodes() > 0);
        // Who goes on with another node has ended the search.
        probe.select("flatten");
        QCOMPARE(litNodes(), 0);
    }

    void allThatIsFoundIsLitAndWalked() {
        WindowProbe& probe = *m_probe;
        auto& finder = open();
        QVERIFY(!probe.window().actions()["findNext"]->isEnabled());
        probe.type("aten.relu");
        const QStringList found = finder.shownNames();
        QVERIFY(found.size() > 10 && found.size() < 60);
        const auto count = [&] { return probe.find<QLabel>("Place among the matches").text(); };
        QCOMPARE(count(), QString("1 of %1").arg(found.size()));
        // Lit while one types, and nothing is selected by that.
        QCOMPARE(litNodes(), found.size());
        QCOMPARE(probe.selected(), "");
        QTest::keyClick(probe.window().focusWidget(), Qt::Key_Down);
        QCOMPARE(count(), QString("2 of %1").arg(found.size()));
        QTest::keyClick(probe.window().focusWidget(), Qt::Key_Return);
        QCOMPARE(probe.selected(), found[1]);
        probe.press(Qt::Key_F3);
        QVERIFY(!finder.isVisible());
        QCOMPARE(probe.selected(), found[2]);
        QVERIFY2(probe.toast().startsWith(QString("3 of %1").arg(found.size())), qPrintable(probe.toast()));
        probe.press(Qt::Key_F3, Qt::ShiftModifier);
        probe.press(Qt::Key_F3, Qt::ShiftModifier);
        probe.press(Qt::Key_F3, Qt::ShiftModifier);
        QCOMPARE(probe.selected(), found.last());
        probe.press(Qt::Key_F3);
        QCOMPARE(probe.selected(), found.first());
        QCOMPARE(litNodes(), found.size());
        // Escape lets them go, and only then the selection.
        probe.press(Qt::Key_Escape);
        QCOMPARE(litNodes(), 0);
        QCOMPARE(probe.selected(), found.first());
        // Walking on lights them again, from where one was.
        probe.press(Qt::Key_F3);
        QCOMPARE(probe.selected(), found[1]);
        QCOMPARE(litNodes(), found.size());
    }

    void aHiddenWeightIsNotTheFirst() {
        WindowProbe& probe = *m_probe;
        auto& finder = open();
        probe.type("bn1");
        const QStringList found = finder.shownNames();
        const auto isWeight = [&](const QString& name) {
            const NodeRef node = probe.node(name);
            return node.node &&
                   probe.workspace().document().model().graph().node(node.node).opcode == Opcode::GetAttr;
        };
        QVERIFY(isWeight(found.last()) && !isWeight(found.first()));
        const auto first = std::ranges::find_if(found, isWeight);
        QVERIFY(std::all_of(first, found.end(), isWeight));
        // By its own name it is found first all the same.
        QTest::keyClick(probe.window().focusWidget(), Qt::Key_Escape);
        open();
        probe.type(found.last());
        QCOMPARE(finder.shownNames().first(), found.last());
        // Where weights are shown, they are like all others.
        QTest::keyClick(probe.window().focusWidget(), Qt::Key_Escape);
        probe.window().actions()["weights"]->trigger();
        open();
        probe.type("bn1");
        const QStringList all = finder.shownNames();
        QCOMPARE(all.size(), found.size());
        QVERIFY(!std::all_of(std::ranges::find_if(all, isWeight), all.end(), isWeight));
    }

    void aScopeInAClosedOneLightsThat() {
        WindowProbe& probe = *m_probe;
        probe.selection().collapseAll();
        QVERIFY(probe.waitForLayout());
        open();
        probe.type("layer2.0.downsample");
        const CanvasGeometry& geometry = probe.canvas().geometry();
        const auto isLit = [&](const QString& scope) {
            return probe.canvas().states().of(*geometry.picture(), geometry.scopeBox(scope)).isMatch;
        };
        QVERIFY(isLit("layer2") && !isLit("layer3"));
    }

    void itWalksWhileTheFinderIsOpen() {
        WindowProbe& probe = *m_probe;
        auto& finder = open();
        probe.type("max_pool");
        probe.press(Qt::Key_F3);
        QVERIFY(finder.isVisible());
        QCOMPARE(probe.selected(), "max_pool2d");
    }

    void commandsAreNoMatches() {
        WindowProbe& probe = *m_probe;
        probe.press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        probe.type("relu");
        QVERIFY(probe.selection().matches().all().empty());
    }

    void aMarkedTitleLooksMarked() {
        WindowProbe& probe = *m_probe;
        probe.select("relu");
        probe.canvas().look().setZoom(1);
        QTRY_VERIFY(isAtRest(probe.canvas()));
        const QColor mark = probe.canvas().tokens().matchBack;
        QCOMPARE(pixelsOf(mark), 0);
        open();
        probe.type("relu");
        QVERIFY(pixelsOf(mark) > 100);
    }

    void whatIsFoundCanBeRead() {
        WindowProbe& probe = *m_probe;
        probe.selection().expandAll();
        QVERIFY(probe.waitForLayout());
        probe.canvas().look().setZoom(0.1);
        open();
        probe.type("conv2d_3");
        QTest::keyClick(probe.window().focusWidget(), Qt::Key_Return);
        QCOMPARE(probe.selected(), "conv2d_3");
        QTRY_VERIFY(probe.canvas().camera().scale() > 0.7);
        const Picture& picture = *probe.canvas().geometry().picture();
        const int box = picture.diagram.boxOf(probe.node("conv2d_3").node);
        const auto isInSight = [&] {
            return QRectF(probe.canvas().rect())
                .contains(probe.canvas().camera().toScreen(probe.canvas().geometry().rect(box)));
        };
        QTRY_VERIFY(isInSight());
    }

private:
    qsizetype litNodes() {
        const Picture& picture = *m_probe->canvas().geometry().picture();
        qsizetype count = 0;
        for (const Match& match : m_probe->selection().matches().all()) {
            const int box = picture.diagram.boxOf(match.node.node);
            count += box >= 0 && m_probe->canvas().states().of(picture, box).isMatch;
        }
        return count;
    }

    int pixelsOf(const QColor& color) {
        const QImage image = m_probe->canvas().grab().toImage();
        int count = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                count += image.pixelColor(x, y).rgb() == color.rgb();
        return count;
    }

    Finder& open() {
        m_probe->press(Qt::Key_K, Qt::ControlModifier);
        auto& finder = *m_probe->window().findChild<Finder*>();
        if (!QTest::qWaitFor([&] { return finder.isVisible(); }))
            qWarning("the finder does not open");
        return finder;
    }

    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestFinding)
} // namespace fx::ui::finding_test
#include "tst_finding.moc"
