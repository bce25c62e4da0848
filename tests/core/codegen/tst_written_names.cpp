// SPDX-License-Identifier: GPL-3.0-or-later
// Names as Python text. That no command lets one out as code is asked by tests/oracle/check_hostile_names.py.
#include "core/base/error.h"
#include "core/base/shown_text.h"
#include "core/base/unicode.h"
#include "core/codegen/written_names.h"
#include "tests/support/test_program.h"

#include <cstring>

namespace fx::written_names_test {

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

    void longTextsAreCut() {
        const ShownLimits limits{10, 3, 100};
        const auto cut = [&](const std::string& text) { return shownPart(text, limits); };
        const std::string q(2'000'000, 'q'), wide = "\xe4\xb8\xad"; // of three bytes
        for (const std::string& whole :
             {std::string(), std::string("a\nb\nc"), std::string(42, 'x'), std::string("\n\n")})
            QCOMPARE(cut(whole), whole); // a mark would be no shorter
        QCOMPARE(cut(std::string(43, 'x')), std::string("xxxxxxxxxx... 33 B more"));
        QCOMPARE(cut(q), std::string("qqqqqqqqqq... 2.00 MB more"));
        QCOMPARE(cut("a\n" + q + "\nb"), std::string("a\nqqqqqqqqqq... 2.00 MB more\nb"));
        QCOMPARE(cut("1\n2\n3\n4\n5"), std::string("1\n2\n3\n... 2 more lines"));
        QCOMPARE(cut("1\n2\n3\n4"), std::string("1\n2\n3\n4"));
        std::string letters;
        for (int i = 0; i < 20; ++i)
            letters += wide;
        QCOMPARE(cut(letters), wide + wide + wide + "... 51 B more");
        QCOMPARE(cut("\xff" + std::string(60, '\x80')).substr(7),
                 std::string("... 54 B more")); // no UTF-8 at all
        std::string lines;
        for (int i = 0; i < 100'000; ++i)
            lines += "error: x\n";
        for (const std::string& text : {q, letters, lines, "a\n" + q})
            for (const ShownLimits& each : {limits, ShownLimits(), kErrorLimits, kLabelLimits})
                QCOMPARE(shownPart(shownPart(text, each), each), shownPart(text, each));
        QVERIFY(shownPart(lines + q + '\n' + lines).size() < 50'000);
        const Error error("place", q);
        QCOMPARE(error.message().size(), q.size());
        QVERIFY(std::strlen(error.what()) < 3000);
        QCOMPARE(wholeText(error), "place: " + q);
    }

    void errorsOfLibTorchAreToldInShort() {
        const std::string kernels = "\n\nCPU: registered at aten/src/ATen/RegisterCPU_0.cpp:5742 [kernel]\n"
                                    "Python: registered at aten/src/ATen/core/PythonFallbackKernel.cpp:192 "
                                    "[backend fallback]\n";
        const std::string frames =
            "\nException raised from call at Dispatcher.h:12 (most recent call first):\n"
            "frame #0: c10::Error::Error() + 0x68 (0x7f in libc10.so)\n"
            "frame #1: <unknown function>";
        QCOMPARE(briefFault("no kernel" + kernels), std::string("no kernel"));
        QCOMPARE(briefFault("no kernel" + kernels + "\nWhile executing %x"),
                 std::string("no kernel\nWhile executing %x"));
        QCOMPARE(briefFault("it failed" + frames), std::string("it failed"));
        QCOMPARE(briefFault("\na\n\nb\n"), std::string("\na\n\nb\n"));
        std::string overloads = "failed to match any schema:";
        for (int i = 0; i < 20; ++i)
            overloads += "\naten::add() overload\nPosition: 0\n";
        QCOMPARE(briefFault(overloads).substr(briefFault(overloads).rfind('\n')),
                 std::string("\n... 36 more lines"));
    }
};

FX_TEST(WrittenNamesTest)
} // namespace fx::written_names_test
#include "tst_written_names.moc"
