// SPDX-License-Identifier: GPL-3.0-or-later
// The table of Python's operators: its names go by Python's rules, and each is found by each of them.
#include "core/ir/python_operators.h"
#include "tests/support/test_program.h"

#include <string>

namespace fx::python_operators_test {

class PythonOperatorsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesGoByPythonsRules() {
        for (const OperatorRow& row : operatorRows()) {
            std::string word(row.function);
            if (word.ends_with('_')) // and_, which would be a keyword without
                word.pop_back();
            if (!row.method.empty())
                QCOMPARE(std::string(row.method), "__" + word + "__");
            if (!row.inPlace.empty()) {
                QCOMPARE(std::string(row.inPlace), "__i" + word + "__");
                QCOMPARE(std::string(row.reflected), "__r" + word + "__");
                QCOMPARE(std::string(row.inPlaceFunction()), "i" + word);
            }
        }
    }

    void findsOperatorsByTheirNames() {
        for (const OperatorRow& row : operatorRows()) {
            QVERIFY(operatorByName(row.function) == row.op);
            if (!row.method.empty())
                QVERIFY(operatorByMethod(row.method)->op == row.op &&
                        operatorByMethod(row.method)->side == OperatorMethod::Side::Left);
            if (row.inPlace.empty())
                continue;
            QVERIFY(operatorByInPlaceFunction(row.inPlaceFunction()) == row.op);
            QVERIFY(operatorByMethod(row.inPlace)->op == row.op &&
                    operatorByMethod(row.inPlace)->side == OperatorMethod::Side::InPlace);
            QVERIFY(operatorByMethod(row.reflected)->op == row.op &&
                    operatorByMethod(row.reflected)->side == OperatorMethod::Side::Right);
        }
        QVERIFY(!operatorByName("") && !operatorByMethod("") && !operatorByInPlaceFunction("ilt"));
    }

    void turnsComparisonsRound() {
        QVERIFY(swappedOperator(Operator::Lt) == Operator::Gt);
        QVERIFY(swappedOperator(Operator::Ge) == Operator::Le);
        QVERIFY(swappedOperator(Operator::Eq) == Operator::Eq);
        QVERIFY(!swappedOperator(Operator::Sub) && !swappedOperator(Operator::Is));
    }
};

FX_TEST(PythonOperatorsTest)
} // namespace fx::python_operators_test

#include "tst_python_operators.moc"
