// SPDX-License-Identifier: GPL-3.0-or-later
// Panes of plugins: the example that counts operators, beside plugins that cannot be used.
#include "core/plugins/plugin_host.h"
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/document/graph_intents.h"

#include <QDir>
#include <QMenu>
#include <QTemporaryDir>
#include <QTreeWidget>

#include <sys/stat.h>

namespace fx::ui::plugin_panes_test {

class TestPluginPanes : public QObject {
    Q_OBJECT

private:
    static QTreeWidget& counts(WindowProbe& probe) { return probe.find<QTreeWidget>("operatorCounts"); }
    static int rowOf(const QTreeWidget& tree, const QString& name) {
        for (int row = 0; row < tree.topLevelItemCount(); ++row)
            if (tree.topLevelItem(row)->text(0) == name)
                return row;
        return -1;
    }

private Q_SLOTS:
    void initTestCase() {
        // Beside those that come along, others that cannot be used: the window is there as without them.
        const QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir("window"));
        QFile good(FXSCOPE_BUILD "/test_plugins/good.so");
        QVERIFY(good.open(QFile::ReadOnly));
        const QByteArray whole = good.readAll();
        for (const char* place : {"", "window/pane-"}) {
            const auto path = [&](const char* name) { return folder.filePath(QString(place) + name); };
            for (const auto& [name, size] :
                 {std::pair("half.so", whole.size() / 2), {"empty.so", qsizetype(0)}}) {
                QFile file(path(name));
                QVERIFY(file.open(QFile::WriteOnly) && file.write(whole.left(size)) == size);
            }
            QVERIFY(QFile::copy(FXSCOPE_BUILD "/test_plugins/crashing.so", path("crashing.so")));
            QVERIFY(::mkfifo(path("pipe.so").toUtf8().constData(), 0600) == 0);
        }
        qputenv("FXSCOPE_PLUGIN_PATH", folder.path().toUtf8());
        int faults = 0;
        for (const FoundPlugin& plugin : loadPlugins(true)) {
            const bool isBroken = plugin.path.starts_with(folder.path().toStdString());
            QVERIFY2(plugin.fault.empty() != isBroken, (plugin.path + ": " + plugin.fault).c_str());
            faults += isBroken;
        }
        QCOMPARE(faults, 8);
        QCOMPARE(pluginPanes().size(), 1u);
    }

    void itIsAPaneLikeOthers() {
        WindowProbe probe;
        QDockWidget& dock = *probe.window().docks().docks().back();
        QCOMPARE(dock.windowTitle(), "Operators");
        QVERIFY(dock.objectName().startsWith("plugin:"));
        QVERIFY(dock.isHidden()); // no model is open
        probe.open(samplePath("resnet"));
        QVERIFY(!dock.isHidden());
        probe.window().docks().show(dock);
        QVERIFY(counts(probe).isVisible());
    }

    void itCountsTheShownGraph() {
        WindowProbe probe;
        probe.open(samplePath("resnet"));
        probe.window().docks().show(*probe.window().docks().docks().back());
        QTreeWidget& tree = counts(probe);
        QTRY_VERIFY(tree.height() > 100);
        int sum = 0, last = 1 << 30;
        for (int row = 0; row < tree.topLevelItemCount(); ++row) {
            const int count = tree.topLevelItem(row)->text(2).toInt();
            QVERIFY(count <= last);
            sum += last = count;
        }
        const Graph& graph = probe.workspace().document().model().graph();
        QCOMPARE(static_cast<size_t>(sum), graph.findNodes(Opcode::CallFunction).size());
        const QString convolution = "torch.ops.aten.conv2d.default";
        const int row = rowOf(tree, convolution);
        QVERIFY(row >= 0);
        // A click goes to the next of them.
        tree.scrollToItem(tree.topLevelItem(row));
        const QRect place = tree.visualItemRect(tree.topLevelItem(row));
        QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, place.center());
        const QString first = probe.selected();
        QVERIFY2(first.startsWith("conv2d"), qPrintable(first));
        QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, place.center());
        QVERIFY2(probe.selected().startsWith("conv2d") && probe.selected() != first,
                 qPrintable(probe.selected()));
        // And it follows edits.
        const QString relu = "torch.ops.aten.relu.default";
        const int before = tree.topLevelItem(rowOf(tree, relu))->text(2).toInt();
        QCOMPARE(setTarget(probe.workspace().document(),
                           {probe.workspace().document().model().root(), probe.node("relu").node},
                           "torch.ops.aten.sigmoid.default"),
                 QString());
        QCOMPARE(tree.topLevelItem(rowOf(tree, relu))->text(2).toInt(), before - 1);
    }

    void itGoesWithItsModel() {
        WindowProbe probe;
        probe.open(samplePath("resnet"));
        probe.open(samplePath("control_flow")); // in a tab of its own
        QCOMPARE(probe.window().findChildren<QTreeWidget*>("operatorCounts").size(), 2);
        probe.window().actions()["previousTab"]->trigger();
        probe.window().actions()["closeModel"]->trigger();
        QTRY_COMPARE(probe.window().findChildren<QTreeWidget*>("operatorCounts").size(), 1);
        QVERIFY(rowOf(counts(probe), "torch.ops.aten.conv2d.default") < 0);
        probe.window().actions()["closeModel"]->trigger();
        QTRY_VERIFY(probe.window().findChildren<QTreeWidget*>("operatorCounts").isEmpty());
    }
};

FX_TEST(TestPluginPanes)
} // namespace fx::ui::plugin_panes_test
#include "tst_plugin_panes.moc"
