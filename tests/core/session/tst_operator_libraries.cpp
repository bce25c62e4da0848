// SPDX-License-Identifier: GPL-3.0-or-later
// Libraries of operators that another process loads: this one knows their operators by schema, and lives
// whatever they do. Patterns are traced there, too.
#include "core/base/error.h"
#include "core/codegen/python_code.h"
#include "core/interpret/operator_libraries.h"
#include "core/module/edit.h"
#include "core/rewrite/pattern_source.h"
#include "core/session/opening.h"
#include "core/torch/bind/call.h"
#include "core/torch/bind/operators.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <QFile>
#include <QTemporaryDir>
#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include <algorithm>
#include <functional>

namespace fx::operator_libraries_test {

namespace {

constexpr char kScaled[] = "torch.ops.fxtest.scaled.default";

bool isLoadedHere(const QString& library) {
    QFile maps("/proc/self/maps");
    return maps.open(QFile::ReadOnly) && maps.readAll().contains(library.toUtf8());
}

std::string errorOf(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

Model calling(Target function) {
    Model out;
    Edit edit(out);
    edit.output(edit.callFunction(function, {edit.placeholder("x")}));
    edit.finish();
    return out;
}

struct Impatient : Progress {
    Impatient() { cancel(); }
};

} // namespace

class TestOperatorLibraries : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void knowsWhatAnotherProcessHasLoaded() {
        QVERIFY(!isKnownFunction("torch.ops.fxtest.scaled"));
        m_worker.learnLibrary(FXSCOPE_TEST_OPERATORS, m_progress);
        QVERIFY(!isLoadedHere(FXSCOPE_TEST_OPERATORS));
        QVERIFY(!c10::Dispatcher::singleton().findSchema({"fxtest::scaled", ""}));
        QCOMPARE(knownOperatorLibraries(), (std::vector<std::string>{FXSCOPE_TEST_OPERATORS}));
        QVERIFY(isKnownFunction("torch.ops.fxtest.scaled"));
        const std::pair<const char*, const char*> schemas[] = {
            {kScaled, "fxtest::scaled(Tensor x, float factor=2.) -> Tensor"},
            {"torch.ops.fxtest.scaled.tensor", "fxtest::scaled.tensor(Tensor x, Tensor factor) -> Tensor"},
            {"torch.ops.fxtest.shift_.default", "fxtest::shift_(Tensor(a!) x, int by=1) -> Tensor(a!)"},
            {"torch.ops.fxtest.total.default",
             "fxtest::total(Tensor[] parts, *, int? times=None) -> Tensor"}};
        for (const auto& [name, schema] : schemas) {
            const TorchOperator* op = findOperator(name);
            QVERIFY2(op, name);
            const c10::FunctionSchema expected = torch::jit::parseSchema(schema);
            QVERIFY2(*op->schema == expected, c10::toString(*op->schema).c_str());
            QCOMPARE(op->effect, OperatorEffect::Unknown);
        }
        QVERIFY(errorOf([] {
                    callFunction("torch.ops.fxtest.halves.default", {Value(c10::IValue(at::ones(2)))}, {});
                }).find("comes from a library that is not loaded here") != std::string::npos);
    }

    void knowsWhichLibraryAModelNeeds() {
        m_worker.learnLibrary(FXSCOPE_TEST_OPERATORS, m_progress);
        const std::vector<std::string> it{FXSCOPE_TEST_OPERATORS}, none;
        QCOMPARE(operatorLibrariesOf(calling(kScaled)), it);
        QCOMPARE(operatorLibrariesOf(calling("torch.ops.fxtest.scaled")), it);
        QCOMPARE(operatorLibrariesOf(calling("torch.ops.fxother.scaled.default")), none);
        QCOMPARE(operatorLibrariesOf(calling("torch.relu")), none);
    }

    void survivesWhatALibraryDoes() {
        const std::string error =
            errorOf([this] { m_worker.learnLibrary(FXSCOPE_DEADLY_LIBRARY, m_progress); });
        const std::string expected = FXSCOPE_DEADLY_LIBRARY
            ": the process that loaded it crashed in " FXSCOPE_DEADLY_LIBRARY " (signal 6)";
        QCOMPARE(error, expected);
        QVERIFY(!isLoadedHere(FXSCOPE_DEADLY_LIBRARY));
        const std::vector<std::string> known = knownOperatorLibraries();
        QVERIFY(std::find(known.begin(), known.end(), FXSCOPE_DEADLY_LIBRARY) == known.end());
        m_worker.learnLibrary(FXSCOPE_TEST_OPERATORS, m_progress);
    }

    void tellsWhatIsNoLibrary() {
        QTemporaryDir folder;
        const std::string path = folder.filePath("gone.so").toStdString();
        QCOMPARE(errorOf([&] { m_worker.learnLibrary(path, m_progress); }),
                 path + ": is no library: there is no such file");
    }

    void tracesPatternsAsItIsDoneHere_data() {
        QTest::addColumn<QString>("pattern");
        for (const char* pattern :
             {"lambda x, y: torch.relu(x + y)", "lambda x: aten.add.Tensor(x, torch.ones(2, 3))",
              "def pattern(x):\n    y = F.gelu(x, approximate='tanh')\n    return y[0], math.pi\n"})
            QTest::newRow(pattern) << QString(pattern);
    }
    void tracesPatternsAsItIsDoneHere() {
        QFETCH(QString, pattern);
        const Model here = tracePatternText(pattern.toStdString(), "pattern"),
                    there = m_worker.tracePattern(pattern.toStdString(), "pattern", m_progress);
        QCOMPARE(PythonCode(there, there.root()).text(), PythonCode(here, here.root()).text());
    }

    void tracesPatternsOfOperatorsThatAreLearnt() {
        m_worker.learnLibrary(FXSCOPE_TEST_OPERATORS, m_progress);
        const Model model =
            m_worker.tracePattern("lambda x: torch.ops.fxtest.scaled(x, 3.0)", "pattern", m_progress);
        QCOMPARE(operatorLibrariesOf(model).size(), size_t(1));
    }

    void survivesWhatAPatternDoes() {
        const std::string crash =
            errorOf([this] { m_worker.tracePattern("lambda x: torch._stack([])", "pattern", m_progress); });
        QVERIFY2(crash.starts_with("pattern: its code crashed in torch._stack (signal 11)"), crash.c_str());
        const std::string fault =
            errorOf([this] { m_worker.tracePattern("lambda x: nothing(x)", "pattern", m_progress); });
        QVERIFY2(fault.find("nothing") != std::string::npos, fault.c_str());
        Impatient impatient;
        QVERIFY_THROWS_EXCEPTION(
            Cancelled, m_worker.tracePattern("def f(x):\n    while True:\n        torch.ones(9).sum()\n",
                                             "pattern", impatient));
        QVERIFY(m_worker.tracePattern("lambda x: x", "pattern", m_progress).graph().size() == 2);
    }

    void listsDevices() {
        const std::vector<std::string> devices = m_worker.devices(m_progress);
        QVERIFY(!devices.empty());
        QCOMPARE(devices[0], std::string("cpu"));
    }

private:
    OpeningWorker m_worker{FXSCOPE_BUILD "/bin/fxscope-worker"};
    Progress m_progress;
};

FX_TEST(TestOperatorLibraries)
} // namespace fx::operator_libraries_test
#include "tst_operator_libraries.moc"
