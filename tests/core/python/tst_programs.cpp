// SPDX-License-Identifier: GPL-3.0-or-later
// Small programs print what CPython prints, fail as CPython fails, and hostile ones are stopped.
#include "core/base/error.h"
#include "core/io/json.h"
#include "core/torch/host/torch_hosts.h"
#include "tests/support/test_program.h"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace fx::programs_test {

namespace {

std::string readText(const std::string& path) {
    std::ifstream in(path);
    std::stringstream text;
    text << in.rdbuf();
    return std::move(text).str();
}

struct Outcome {
    std::string output;
    std::string error; ///< "TypeError: message"; empty: none
    std::string place;
};

Outcome runProgram(const std::string& source, const std::string& name) {
    TorchHosts torch;
    EvaluationLimits limits;
    limits.steps = 2'000'000;
    limits.bytes = 64u << 20;
    Evaluator evaluator(limits);
    torch.addTo(evaluator);
    Outcome out;
    try {
        evaluator.modules().runModule(parseSource(source, name), "__main__");
    } catch (const Error& error) {
        // The message without the source line and the caret that point at the place.
        std::string message = error.message();
        const size_t pointer = error.place().empty() ? std::string::npos : message.rfind('\n');
        if (pointer != std::string::npos)
            message = message.substr(0, message.rfind('\n', pointer - 1));
        out.error = error.kind() + (message.empty() ? "" : ": " + message);
        out.place = error.place();
    }
    out.output = evaluator.output();
    return out;
}

} // namespace

class ProgramsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void printsWhatCPythonPrints_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("output");
        QTest::addColumn<QString>("error");
        const Json programs = Json::parse(readText(FXSCOPE_PROGRAMS "/programs.json"));
        for (const Json& program : programs) {
            const auto text = [&](const char* key) {
                return program[key].is_string() ? QString::fromStdString(program[key].get<std::string>())
                                                : QString();
            };
            QTest::newRow(program["name"].get<std::string>().c_str())
                << text("source") << text("output") << text("error");
        }
        QVERIFY(programs.size() >= 600);
    }

    void printsWhatCPythonPrints() {
        QFETCH(QString, source);
        QFETCH(QString, output);
        QFETCH(QString, error);
        const Outcome outcome = runProgram(source.toStdString(), "program.py");
        if (error.isEmpty() != outcome.error.empty())
            QFAIL(qPrintable("error: " + QString::fromStdString(outcome.place + ' ' + outcome.error)));
        QCOMPARE(QString::fromStdString(outcome.error), error);
        QCOMPARE(QString::fromStdString(outcome.output), output);
    }

    void stopsHostilePrograms_data() {
        QTest::addColumn<QString>("path");
        for (const auto& entry : std::filesystem::directory_iterator(FXSCOPE_HOSTILE))
            QTest::newRow(entry.path().stem().c_str()) << QString::fromStdString(entry.path().string());
    }

    void stopsHostilePrograms() {
        QFETCH(QString, path);
        const Outcome outcome = runProgram(readText(path.toStdString()), path.toStdString());
        QVERIFY2(!outcome.error.empty(), "the program came to its end");
        QVERIFY(!outcome.place.empty());
    }
};

FX_TEST(ProgramsTest)
} // namespace fx::programs_test

#include "tst_programs.moc"
