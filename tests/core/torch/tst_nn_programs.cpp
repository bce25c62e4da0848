// SPDX-License-Identifier: GPL-3.0-or-later
// Programs about torch.nn, run by the evaluator with our text of it, print what they print under PyTorch.
#include "core/base/error.h"
#include "core/torch/bind/call.h"
#include "core/torch/host/torch_hosts.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

#include <memory>

namespace fx::nn_programs_test {

namespace {

struct Outcome {
    std::string output;
    std::string error; ///< "TypeError: message"; empty: none
};

/// An evaluator with torch.nn loaded, for many programs.
struct Machine {
    TorchHosts torch;
    Evaluator evaluator{{.steps = 10'000'000'000}};

    Machine() {
        torch.addTo(evaluator);
        evaluator.types().addBuiltin("seed", [](Evaluator&, Values& args, NamedValues&) -> Value {
            at::manual_seed(static_cast<uint64_t>(args.at(0).data().toInt()));
            return {};
        });
    }

    Outcome run(const std::string& source) {
        Outcome out;
        const at::NoGradGuard noGrad; // nothing is trained here
        evaluator.output().clear();
        try {
            guarded([&] { evaluator.modules().runModule(parseSource(source, "program.py"), "__main__"); });
        } catch (const Error& error) {
            // The message without the source line and the caret that point at the place.
            std::string message = error.message();
            const size_t pointer = error.place().empty() ? std::string::npos : message.rfind('\n');
            if (pointer != std::string::npos)
                message = message.substr(0, message.rfind('\n', pointer - 1));
            out.error = error.kind() + ": " + message;
        }
        out.output = evaluator.output();
        return out;
    }
};

} // namespace

class NnProgramsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void printsWhatPyTorchPrints_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("output");
        QTest::addColumn<QString>("error");
        QFile file(FXSCOPE_NN_PROGRAMS);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonArray programs = QJsonDocument::fromJson(file.readAll()).array();
        for (const QJsonValue& program : programs)
            QTest::newRow(qPrintable(program["name"].toString()))
                << program["source"].toString() << program["output"].toString()
                << program["error"].toString();
        QVERIFY(programs.size() >= 600);
        at::set_num_threads(1);
    }

    void printsWhatPyTorchPrints() {
        QFETCH(QString, source);
        QFETCH(QString, output);
        QFETCH(QString, error);
        if (!m_machine)
            m_machine = std::make_unique<Machine>();
        const Outcome outcome = m_machine->run(source.toStdString());
        QCOMPARE(QString::fromStdString(outcome.error), error);
        const QStringList wanted = output.split('\n'),
                          printed = QString::fromStdString(outcome.output).split('\n');
        for (qsizetype line = 0; line < std::min(wanted.size(), printed.size()); ++line)
            QCOMPARE(printed[line], wanted[line]);
        QCOMPARE(printed.size(), wanted.size());
    }

    // Classes and modules refer to themselves; what an evaluator has made would else add up.
    void nothingIsLeftOfAnEvaluator() {
        std::vector<c10::weak_intrusive_ptr<Object>> made;
        {
            Machine machine;
            QCOMPARE(machine.run("import torch\nclass Net(torch.nn.Module):\n    pass\nNet()\n").error, "");
            made.emplace_back(machine.evaluator.type("object").object());
            for (const char* name : {"torch.nn.modules.module.Module", "torch.nn.modules.linear.Linear"})
                made.emplace_back(machine.evaluator.modules().libraryClass(name)->object());
            for (const std::string& module : machine.evaluator.modules().known())
                if (const Value known = *machine.evaluator.modules().known(module); known.object())
                    made.emplace_back(known.object());
        }
        QVERIFY(made.size() > 5);
        for (const auto& object : made)
            QVERIFY(object.expired());
    }

private:
    std::unique_ptr<Machine> m_machine;
};

FX_TEST(NnProgramsTest)
} // namespace fx::nn_programs_test

#include "tst_nn_programs.moc"
