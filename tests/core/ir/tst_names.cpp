// SPDX-License-Identifier: GPL-3.0-or-later
// The names that a graph gives out, case by case (rules N1 to N5 and N8 of torch.fx). Random cases are in
// tst_edit_scripts.cpp.
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/ir/target.h"
#include "tests/support/test_program.h"

namespace fx::names_test {

class TestNames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void givesOut_data() {
        QTest::addColumn<QString>("wishes");
        QTest::addColumn<QString>("names");
        const char* rows[][2] = {
            {"add add add_1 add", "add add_1 add_2 add_3"},
            {"x x_1 x_1 x_01", "x x_1 x_2 x_01"},
            {"foo_1_1 foo_1 foo_1", "foo_1_1 foo_1 foo_2"},
            {"x_5 x_5 x", "x_5 x_6 x"},
            {"_2 _2", "_2 _2_1"},
            {"list sum for inf", "list_1 sum_1 for_1 inf_1"},
            {"seq.0 1abc *args **kw", "seq_0 _1abc _args _kw"},
            {"add.Tensor a--b", "add_Tensor a_b"},
            {"_ __init__ torch", "_ __init__ torch_1"},
            {"getattr getattr", "getattr_1 getattr_2"},
        };
        for (const auto& row : rows)
            QTest::newRow(row[0]) << row[0] << row[1];
    }
    void givesOut() {
        QFETCH(QString, wishes);
        NameTable table;
        std::vector<std::string> given;
        const std::string text = wishes.toStdString();
        for (std::string_view wish : split(text, ' '))
            given.push_back(table.create(wish));
        QFETCH(QString, names);
        QCOMPARE(QString::fromStdString(join(given, " ")), names);
    }

    void derivesFromTarget_data() {
        QTest::addColumn<QString>("target");
        QTest::addColumn<bool>("isFunction");
        QTest::addColumn<QString>("name");
        QTest::newRow("overload") << "torch.ops.aten.sum.dim_IntList" << true << "sum.dim_int_list";
        QTest::newRow("camel case") << "BatchNorm2d" << false << "batch_norm2d";
        QTest::newRow("acronym") << "LSTMCell" << false << "lstmcell";
        QTest::newRow("all caps") << "ALL_CAPS" << false << "all_caps";
        QTest::newRow("method") << "__call__" << false << "call";
        QTest::newRow("function keeps underscores") << "operator.__add__" << true << "__add__";
    }
    void derivesFromTarget() {
        QFETCH(QString, target);
        QFETCH(bool, isFunction);
        QFETCH(QString, name);
        QCOMPARE(QString::fromStdString(nameFromTarget(Target(target.toStdString()), isFunction)), name);
    }

    void givesBack() {
        NameTable table;
        table.create("add");
        const NameGrant first = table.propose("add");
        table.take(first);
        const NameGrant second = table.propose("add_7");
        table.take(second);
        table.giveBack(second);
        table.giveBack(first);
        QVERIFY(!table.isTaken("add_1"));
        QCOMPARE(table.create("add"), std::string("add_1"));
    }
};

FX_TEST(TestNames)
} // namespace fx::names_test
#include "tst_names.moc"
