// SPDX-License-Identifier: GPL-3.0-or-later
// Everything is linked: whatever is chosen in one pane, all others show it too.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/canvas/breadcrumbs.h"
#include "widgets/canvas/minimap.h"
#include "widgets/panes/modules_pane.h"
#include "widgets/panes/source_pane.h"
#include "widgets/panes/tensor_pane.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QSet>
#include <QTableView>
#include <QTreeView>
#include <QTreeWidget>

namespace fx::ui::linking_test {

namespace {

QTreeWidgetItem* row(QTreeWidget& tree, const QString& section, const QString& name) {
    for (int i = 0; i < tree.topLevelItemCount(); ++i)
        for (int j = 0;
             tree.topLevelItem(i)->text(0).startsWith(section) && j < tree.topLevelItem(i)->childCount(); ++j)
            if (tree.topLevelItem(i)->child(j)->text(0) == name)
                return tree.topLevelItem(i)->child(j);
    return nullptr;
}

QString argument(QTreeWidget& tree, const QString& name) {
    QTreeWidgetItem* item = row(tree, "Arguments", name);
    return item ? item->text(1) : QString();
}

/// The text of all labels of a widget that can be seen.
QString shownText(QWidget& widget) {
    QString out;
    for (QLabel* label : widget.findChildren<QLabel*>())
        if (label->isVisibleTo(&widget))
            out += label->text() + '\n';
    return out;
}

} // namespace

class TestLinking : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->open(samplePath("resnet"));
    }
    void cleanup() { m_probe.reset(); }

    void allPanesShowTheSelectedNode() {
        WindowProbe& probe = *m_probe;
        probe.select("conv2d_3");
        // Code.
        const int line = probe.workspace().code().lineOf(probe.node("conv2d_3").node);
        QCOMPARE(probe.code().marked(CodeView::Mark::Selected), std::vector<int>{line});
        QVERIFY(probe.code().text().split('\n')[line].trimmed().startsWith("conv2d_3 = "));
        // Source, as recorded at export.
        QVERIFY(probe.code(Docks::Source).text().contains("self.conv2(out)"));
        QCOMPARE(probe.code(Docks::Source).marked(CodeView::Mark::Selected).size(), size_t(1));
        QVERIFY(probe.find<QComboBox>("Frames of the stack trace").currentText().startsWith("models.py:"));
        // Inspector.
        QCOMPARE(probe.find<QLineEdit>("nodeName").text(), "conv2d_3");
        QCOMPARE(probe.find<QLineEdit>("nodeTarget").text(), "torch.ops.aten.conv2d.default");
        auto& rows = probe.find<QTreeWidget>("nodeRows");
        QCOMPARE(argument(rows, "weight"), "layer1_0_conv2_weight");
        QCOMPARE(argument(rows, "padding"), "[1, 1]");
        QVERIFY(row(rows, "Inputs", "layer1_0_conv2_weight"));
        QVERIFY(row(rows, "Users", "batch_norm_3"));
        QVERIFY(row(rows, "Metadata", "stack_trace"));
        // Modules, breadcrumbs, tensor pane.
        auto& modules = probe.find<QTreeView>("Modules");
        QCOMPARE(modules.currentIndex().data().toString(), "conv2");
        QCOMPARE(modules.currentIndex().parent().data().toString(), "0");
        const QString crumbs = shownText(*probe.window().findChild<Breadcrumbs*>());
        for (const char* part : {"resnet.pt2", ">layer1<", ">0<", ">conv2<", "conv2d_3"})
            QVERIFY2(crumbs.contains(part), qPrintable(crumbs));
        const QString tensor = shownText(*probe.window().findChild<TensorPane*>());
        QVERIFY2(tensor.contains("conv2d_3\n") && tensor.contains("recorded: f32[1, 16, 16, 16]") &&
                     tensor.contains("No value yet"),
                 qPrintable(tensor));
    }

    void aLineOfCodeSelectsItsNode() {
        WindowProbe& probe = *m_probe;
        QWidget& editor = *probe.code().focusProxy();
        editor.setFocus();
        probe.select("relu");
        editor.setFocus();
        QTest::keyClick(&editor, Qt::Key_Home, Qt::ControlModifier);
        for (int i = 0; i < 4; ++i)
            QTest::keyClick(&editor, Qt::Key_Down);
        // The weights are one line: the fifth that is seen is the second call.
        const int second = probe.workspace().code().lineOf(probe.node("conv2d").node) + 1;
        const QString name = probe.code().text().split('\n')[second].trimmed().section(' ', 0, 0);
        QTRY_COMPARE(probe.selected(), name);
    }

    void weightsOfTheCodeAreOneLineUntilOneIsSelected() {
        WindowProbe& probe = *m_probe;
        probe.open(samplePath("resnet"));
        const auto seen = [&] {
            QSet<int> lines;
            for (int y = 2; y < probe.code().height(); y += 4)
                lines.insert(probe.code().lineAt(QPoint(probe.code().width() / 2, y)));
            return lines;
        };
        const Graph& graph = probe.workspace().document().model().graph();
        NodeId weight; // the last before the first call
        for (const Node& node : graph) {
            if (node.opcode == Opcode::CallFunction)
                break;
            weight = node.opcode == Opcode::GetAttr ? node.id : weight;
        }
        const CodeService& code = probe.workspace().code();
        const int call = code.lineOf(probe.node("conv2d").node), last = code.lineOf(weight);
        QVERIFY(last > 100 && call == last + 1);
        QVERIFY(seen().contains(call) && !seen().contains(last));
        probe.selection().select({probe.workspace().document().model().root(), weight});
        QTRY_VERIFY(seen().contains(last));
    }

    void aModuleSelectsItsScope() {
        WindowProbe& probe = *m_probe;
        auto& modules = probe.find<QTreeView>("Modules");
        const QModelIndexList found =
            modules.model()->match(modules.model()->index(0, 0), Qt::DisplayRole, "layer3", 1,
                                   Qt::MatchRecursive | Qt::MatchExactly);
        QCOMPARE(found.size(), 1);
        modules.scrollTo(found[0]);
        QTest::mouseClick(modules.viewport(), Qt::LeftButton, Qt::NoModifier,
                          modules.visualRect(found[0]).center());
        QCOMPARE(probe.selection().scope(), "layer3");
        QVERIFY(shownText(*probe.window().findChild<Breadcrumbs*>()).contains("layer3"));
        const int box = probe.canvas().geometry().scopeBox("layer3");
        QTRY_VERIFY(
            QRectF(probe.canvas().rect())
                .intersects(probe.canvas().camera().toScreen(probe.canvas().geometry().titleRect(box))));
    }

    void moduleTreeTellsShapesAndSizes() {
        auto& modules = m_probe->find<QTreeView>("Modules");
        const QAbstractItemModel& model = *modules.model();
        const QModelIndex root = model.index(0, 0);
        const QModelIndex conv = model.index(0, 0, root);
        QCOMPARE(conv.data().toString(), "conv1");
        const QModelIndex weight = model.index(0, 0, conv);
        QCOMPARE(weight.data().toString(), "weight");
        QCOMPARE(weight.siblingAtColumn(1).data().toString(), "f32[16, 3, 7, 7]");
        QCOMPARE(weight.siblingAtColumn(2).data().toString(), "2.35 K");
        QVERIFY2(weight.data(Qt::ToolTipRole).toString().contains("2352 elements"),
                 qPrintable(weight.data(Qt::ToolTipRole).toString()));
    }

    void aUserInTheInspectorSelectsIt() {
        WindowProbe& probe = *m_probe;
        probe.select("conv2d_3");
        probe.window().docks().show(Docks::NodePane);
        auto& rows = probe.find<QTreeWidget>("nodeRows");
        QTreeWidgetItem* user = row(rows, "Users", "batch_norm_3");
        rows.scrollToItem(user);
        QTest::mouseClick(rows.viewport(), Qt::LeftButton, Qt::NoModifier,
                          rows.visualItemRect(user).center());
        QCOMPARE(probe.selected(), "batch_norm_3");
    }

    void aStepOfTheRunSelectsItsNode() {
        WindowProbe& probe = *m_probe;
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(DebugService::State::Over));
        probe.window().docks().show(Docks::Steps);
        auto& steps = probe.find<QTreeView>("Steps");
        const QModelIndex index = steps.model()->index(steps.model()->rowCount() - 4, 1);
        steps.scrollTo(index);
        QTest::mouseClick(steps.viewport(), Qt::LeftButton, Qt::NoModifier, steps.visualRect(index).center());
        QCOMPARE(probe.selected(), index.data().toString());
    }

    void tensorPaneShowsStatisticsAndSlices() {
        WindowProbe& probe = *m_probe;
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(DebugService::State::Over));
        probe.select("relu");
        auto& pane = *probe.window().findChild<TensorPane*>();
        QTRY_VERIFY(shownText(pane).contains("f32[1, 16, 32, 32]   cpu   stride (16384, 1024, 32, 1)"));
        for (const char* name : {"min", "max", "mean", "std", "NaN", "Inf"})
            QVERIFY2(!probe.find<QLabel>(name).text().isEmpty(), name);
        QCOMPARE(probe.find<QLabel>("min").text(), "0");
        QCOMPARE(probe.find<QLabel>("NaN").text(), "0");
        auto& table = probe.find<QTableView>("Elements");
        auto& index = probe.find<QLineEdit>("tensorIndex");
        QTest::keyClicks(&index, "0, 2:5, 3, :");
        QTest::keyClick(&index, Qt::Key_Return);
        QTRY_COMPARE(table.model()->rowCount(), 3);
        QCOMPARE(table.model()->columnCount(), 32);
        index.clear();
        QTest::keyClicks(&index, "9");
        QTest::keyClick(&index, Qt::Key_Return);
        QTRY_VERIFY2(shownText(pane).contains("out of"), qPrintable(shownText(pane)));
    }

    void valueIsSavedAsNpy() {
        WindowProbe& probe = *m_probe;
        probe.press(Qt::Key_F5);
        QVERIFY(probe.waitForState(DebugService::State::Over));
        probe.select("relu");
        auto& pane = *probe.window().findChild<TensorPane*>();
        QTRY_VERIFY(shownText(pane).contains("f32[1, 16, 32, 32]   cpu"));
        const QString path = probe.settings().path("relu.npy");
        answerFileDialog(path);
        pane.save();
        QTRY_VERIFY(QFile::exists(path));
        QTRY_COMPARE(QFileInfo(path).size(), 128 + 16 * 32 * 32 * 4);
    }

    void nestedGraphByDoubleClickAndBackByBreadcrumb() {
        WindowProbe& probe = *m_probe;
        probe.window().actions()["closeModel"]->trigger(); // one alone, so that its panes are the only ones
        probe.open(samplePath("control_flow"));
        probe.select("true_graph_0");
        probe.window().view()->showGraphOf(probe.node("true_graph_0"));
        QVERIFY(probe.waitForLayout());
        QVERIFY(probe.code().text().contains("mul"));
        auto& crumbs = *probe.window().findChild<Breadcrumbs*>();
        QVERIFY2(shownText(crumbs).contains("true_graph_0"), qPrintable(shownText(crumbs)));
        QLabel* path = crumbs.findChild<QLabel*>();
        path->setFocus();
        Q_EMIT path->linkActivated("graph:0");
        QVERIFY(probe.code().text().contains("while_loop"));
    }

private:
    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestLinking)
} // namespace fx::ui::linking_test
#include "tst_linking.moc"
