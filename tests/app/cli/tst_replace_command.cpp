// SPDX-License-Identifier: GPL-3.0-or-later
// fxscope replace, on the sources of tests/oracle/replaces: the model, the pattern and the replacement are
// traced from Python, and what is printed is what the real torch.fx made of the same functions.
#include "core/base/text.h"
#include "core/io/mapped_file.h"
#include "tests/support/cli.h"
#include "tests/support/oracle.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>

namespace fx::replace_command_test {

class TestReplaceCommand : public QObject {
    Q_OBJECT

private:
    Json m_rows = Json::array();

    static QString part(const std::string& name, const char* what) {
        return QStringLiteral(FXSCOPE_SOURCE "/tests/oracle/replaces/") + name.c_str() +
               QStringLiteral(".py:") + what;
    }
    static std::string matchesText(const Json& expected) {
        std::string text;
        for (size_t i = 0; i < expected["matches"].size(); ++i) {
            text += "match " + std::to_string(i + 1) + '\n';
            for (const Json& entry : expected["matches"][i]["nodes"])
                text += "  " + entry[0].get<std::string>() + " -> " + entry[1].get<std::string>() + '\n';
        }
        const size_t count = expected["matches"].size();
        text += std::to_string(count) + (count == 1 ? " match replaced\n" : " matches replaced\n");
        return count == 0 ? text : text + expected["graph"].get<std::string>() + '\n';
    }

private Q_SLOTS:
    void initTestCase() {
        for (Json& row : Json::parse(readFile(FXSCOPE_ORACLE "/replaces.json")))
            if (row.value("is_source", false))
                m_rows.push_back(row);
        QVERIFY(m_rows.size() >= 60);
    }

    void equalsTorchFx_data() { addRowsOf(m_rows); }
    void equalsTorchFx() {
        QFETCH(size_t, index);
        const std::string name = m_rows[index]["name"];
        const Json& expected = m_rows[index]["expected"];
        const CliResult result = runCli({"replace", part(name, "model"), "--pattern", part(name, "pattern"),
                                         "--replacement", part(name, "replacement")});
        if (expected.contains("error")) {
            QCOMPARE(result.code, 1);
            const std::string message(trim(expected["error"][1].get<std::string>()));
            QVERIFY2(result.err.contains(QString::fromStdString(message)), qPrintable(result.err));
            return;
        }
        QVERIFY2(result.code == 0, qPrintable(result.err));
        FX_SAME(textDifference(result.out.toStdString(), matchesText(expected)));
    }

    void writesWhatItOpensAgain() {
        QTemporaryDir folder;
        const QString out = folder.filePath("out.fxg");
        const CliResult written =
            runCli({"replace", part("chain_of_two", "model"), "--pattern", part("chain_of_two", "pattern"),
                    "--replacement", part("chain_of_two", "replacement"), "-o", out});
        QVERIFY2(written.code == 0, qPrintable(written.err));
        QVERIFY(written.out.endsWith("2 matches replaced\n"));
        // What was put in is itself a pattern, from a file of another format.
        const CliResult found =
            runCli({"replace", out, "--pattern-text", "lambda x: torch.tanh(x)", "--match-only"});
        QCOMPARE(
            found.out,
            QString("match 1\n  tanh -> tanh\n  x -> x\nmatch 2\n  tanh -> tanh_1\n  x -> y\n2 matches\n"));
        const CliResult whole = runCli({"replace", out, "--pattern", out, "--match-only"});
        QVERIFY2(whole.out.endsWith("1 match\n"), qPrintable(whole.out + whole.err));
    }

    void explainsWhyNothingMatches() {
        const CliResult result = runCli({"replace", part("literal_types", "model"), "--pattern-text",
                                         "lambda x: torch.mul(x, 5)", "--match-only", "--explain"});
        QCOMPARE(result.code, 0);
        QVERIFY2(
            result.out.startsWith("0 matches\nmul for 'mul': 0 of 1 nodes fit; argument 1 of 'mul' is 3, the "
                                  "pattern has 5\n"),
            qPrintable(result.out));
        QCOMPARE(result.err, QString("note: the pattern is not found\n"));
    }

    void ignoresLiterals() {
        const QStringList arguments = {"replace", part("literal_types", "model"), "--pattern-text",
                                       "lambda x: torch.mul(x, 5)", "--match-only"};
        QVERIFY(runCli(arguments).out.endsWith("0 matches\n"));
        QVERIFY(runCli(arguments + QStringList("--ignore-literals")).out.endsWith("3 matches\n"));
    }

    void refusesHalfAQuestion() {
        QCOMPARE(runCli({"replace", part("literal_types", "model")}).code, 2);
        QCOMPARE(runCli({"replace", part("literal_types", "model"), "--pattern-text", "lambda x: x"}).code,
                 2);
        const CliResult result =
            runCli({"replace", part("literal_types", "model"), "--pattern-text", "lambda x: x",
                    "--replacement-text", "lambda x: x", "-o", "out.xyz"});
        QCOMPARE(result.code, 1);
        QVERIFY(result.err.contains("out.xyz"));
    }
};

FX_TEST(TestReplaceCommand)
} // namespace fx::replace_command_test
#include "tst_replace_command.moc"
