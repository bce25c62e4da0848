// SPDX-License-Identifier: GPL-3.0-or-later
// The item models, under Qt's own tester, and what their cells say.
#include "tests/support/test_program.h"
#include "tests/support/widgets_probe.h"
#include "widgets/models/list_rows.h"
#include "widgets/models/module_tree.h"

#include <QAbstractItemModelTester>

namespace fx::ui::models_test {

namespace {

QModelIndex child(const ModuleTree& tree, const QModelIndex& parent, const QString& name) {
    for (int row = 0; row < tree.rowCount(parent); ++row)
        if (tree.index(row, 0, parent).data().toString() == name)
            return tree.index(row, 0, parent);
    return {};
}

} // namespace

class TestModels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void moduleTreeIsAWholeModel_data() {
        QTest::addColumn<QString>("sample");
        for (const char* name : {"resnet", "transformer", "control_flow"})
            QTest::newRow(name) << name;
    }

    void moduleTreeIsAWholeModel() {
        QFETCH(QString, sample);
        ModuleTree tree;
        QAbstractItemModelTester tester(&tree, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(tree.rowCount(), 0);
        const OpenedModel opened = openSample(sample);
        for (int i = 0; i < 2; ++i)
            tree.setModel(opened.model, ScopeTree(opened.model.graph()), sample);
        QCOMPARE(tree.rowCount(), 1);
        QCOMPARE(tree.index(0, 0).data().toString(), sample);
        QVERIFY(tree.rowCount(tree.index(0, 0)) >= 2);
    }

    void moduleTreeFindsByPath() {
        const OpenedModel opened = openSample("resnet");
        ModuleTree tree;
        tree.setModel(opened.model, ScopeTree(opened.model.graph()), "resnet");
        const QModelIndex conv = tree.find("layer1.0.conv2");
        QVERIFY(conv.isValid());
        QCOMPARE(conv.data().toString(), "conv2");
        QCOMPARE(conv.parent().data().toString(), "0");
        QCOMPARE(conv.siblingAtColumn(ModuleTree::Type).data().toString(), "Conv2d");
        QVERIFY(tree.entry(conv).hasScope);
        const QModelIndex weight = child(tree, conv, "weight");
        QCOMPARE(tree.entry(weight).path, "layer1.0.conv2.weight");
        QCOMPARE(weight.siblingAtColumn(ModuleTree::Type).data().toString(), "f32[16, 16, 3, 3]");
        QCOMPARE(tree.entry(weight).count, quint64(16 * 16 * 9));
        QCOMPARE(tree.entry(conv).count, quint64(16 * 16 * 9));
        QVERIFY(!tree.find("layer1.0.conv9").isValid());
        QCOMPARE(tree.find(""), tree.index(0, 0));
        // Modules have as many parameters as what is in them, buffers apart.
        const QModelIndex norm = tree.find("bn1");
        QCOMPARE(tree.entry(norm).count, quint64(32));
        QVERIFY(tree.entry(norm).bytes > 32 * 4);
    }

    void tiedTensorsCountOnce() {
        const OpenedModel opened = openSample("transformer");
        ModuleTree tree;
        tree.setModel(opened.model, ScopeTree(opened.model.graph()), "transformer");
        const ModuleEntry& embedding = tree.entry(tree.find("embedding.weight"));
        const ModuleEntry& head = tree.entry(tree.find("head.weight"));
        QCOMPARE(embedding.tiedWith.isEmpty(), !head.tiedWith.isEmpty());
        quint64 sum = 0;
        const QModelIndex root = tree.index(0, 0);
        for (int row = 0; row < tree.rowCount(root); ++row) {
            const ModuleEntry& entry = tree.entry(tree.index(row, 0, root));
            if (entry.kind == ModuleEntry::Kind::Module)
                sum += entry.count;
        }
        QCOMPARE(tree.entry(root).count, sum);
        QCOMPARE(tree.entry(tree.find("head")).count + tree.entry(tree.find("embedding")).count,
                 quint64(256 * 64));
    }

    void nestedGraphsAreMarked() {
        const OpenedModel opened = openSample("control_flow");
        ModuleTree tree;
        tree.setModel(opened.model, ScopeTree(opened.model.graph()), "control_flow");
        QVERIFY(tree.entry(tree.find("true_graph_0")).graph);
        QVERIFY(!tree.entry(tree.find("linear")).graph);
    }

    void stepRows() {
        StepRows rows;
        QAbstractItemModelTester tester(&rows, QAbstractItemModelTester::FailureReportingMode::QtTest);
        rows.setFaultColor(Qt::red);
        rows.append({});
        QCOMPARE(rows.rowCount(), 0);
        rows.append(
            {{{}, "conv", "f32[1]", "1 ms", "finite", true}, {{}, "log", "f32[2]", "2 ms", "NaN", false}});
        rows.append({{{}, "add", "f32[3]", "3 ms", "finite", true}});
        QCOMPARE(rows.rowCount(), 3);
        QCOMPARE(rows.index(2, 0).data().toInt(), 3);
        QCOMPARE(rows.index(1, 1).data().toString(), "log");
        QCOMPARE(rows.index(1, 4).data(Qt::ForegroundRole).value<QColor>(), QColor(Qt::red));
        QVERIFY(!rows.index(0, 4).data(Qt::ForegroundRole).isValid());
        QCOMPARE(rows.headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(), "Value");
        rows.setRows({});
        QCOMPARE(rows.rowCount(), 0);
    }

    void problemRows() {
        ProblemRows rows;
        QAbstractItemModelTester tester(&rows, QAbstractItemModelTester::FailureReportingMode::QtTest);
        rows.setRows({{ProblemRow::Kind::Fault, {}, "gt", "reads 'cond', which comes later"}});
        QCOMPARE(rows.index(0, 1).data().toString(), "gt");
        QCOMPARE(rows.index(0, 2).data().toString(), "reads 'cond', which comes later");
        QCOMPARE(rows.index(0, 2).data(Qt::ToolTipRole).toString(), "reads 'cond', which comes later");
    }
};

FX_TEST(TestModels)
} // namespace fx::ui::models_test
#include "tst_models.moc"
