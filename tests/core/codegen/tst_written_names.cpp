// SPDX-License-Identifier: GPL-3.0-or-later
// Names as Python text. That no command lets one out as code is asked by tests/oracle/check_hostile_names.py.
#include "core/base/unicode.h"
#include "core/codegen/written_names.h"

#include <QtTest>

using namespace fx;

class WrittenNamesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void knowsWhatMayStandBare_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<bool>("isBare");
        for (const char* name : {"x", "_x1", "größe", "имя", "名前", "match", "__init__"})
            QTest::newRow(name) << QByteArray(name) << true;
        for (const char* name : {"", "1x", "a b", "a.b", "if", "None", "__debug__", "ｅxec", "ﬁle", "ſelf",
                                 "x\u0301", "a\u202eb", "x\n", "x\xff", "x\xc3", "\xed\xa0\x80"})
            QTest::newRow(name) << QByteArray(name) << false;
    }
    void knowsWhatMayStandBare() {
        QFETCH(QByteArray, name);
        QFETCH(bool, isBare);
        QCOMPARE(isWrittenBare(name.toStdString()), isBare);
    }

    void followsPaths() {
        QCOMPARE(pathExpression("self", "layer1.conv"), std::string("self.layer1.conv"));
        QCOMPARE(pathExpression("self", "0.if"), std::string("getattr(getattr(self, \"0\"), \"if\")"));
        QCOMPARE(pathExpression("self", "x\"), f(), (\"y"),
                 std::string("getattr(self, \"x\\\"), f(), (\\\"y\")"));
        QCOMPARE(pathExpression("self", "it's\n\\"), std::string("getattr(self, \"it's\\n\\\\\")"));
        QCOMPARE(attributeExpression("self", "a.b"), std::string("getattr(self, \"a.b\")"));
        QCOMPARE(torchExpression("torch.nn.relu"), std::string("torch.nn.relu"));
        QCOMPARE(torchExpression("torch.relu(x); f"), std::string("getattr(torch, \"relu(x); f\")"));
    }

    void handsKeywordsOver() {
        std::string out;
        appendKeyword(out, "dim", "1");
        appendKeyword(out, "k=f(), b", "2");
        QCOMPARE(out, std::string("dim = 1**{'k=f(), b': 2}"));
    }

    void givesParametersDifferentNames() {
        const std::vector<std::string> names = parameterNames({"x", "x", "a b", "a_b_", "if", ""});
        QCOMPARE(names, (std::vector<std::string>{"x", "x_", "a_b_", "a_b__", "if_", "_unnamed_"}));
    }

    void tellsLiteralsFromCode() {
        for (const char* text :
             {"12", "-1", "b'a\\x00'", "{1, 2}", "set()", "(1, [2.5, None], {'k': True})", "1e-05"})
            QVERIFY2(isLiteralText(text), text);
        for (const char* text : {"", "f()", "Config(a=1)", "1, 2", "1)", "(1", "'a' 'b'x", "'''a'''", "'a",
                                 "1\n", "x", "[i for i in x]", "f'{x}'", "1 if x else 2", "{1: 2}; x"})
            QVERIFY2(!isLiteralText(text), text);
    }

    void escapesWhatControlsATerminal() {
        QCOMPARE(oneLine("a\x1b[2J\n\u202e größe\t\xff"), std::string("a\\x1b[2J\\n\\u202e größe\t\\xff"));
        QCOMPARE(shownLines("a\nb\r"), std::string("a\nb\\r"));
        QCOMPARE(validUtf8("\x1b\xed\xa0\x80\xc3'"), std::string("\x1b\\ud800\\xc3'"));
    }
};

QTEST_GUILESS_MAIN(WrittenNamesTest)
#include "tst_written_names.moc"
