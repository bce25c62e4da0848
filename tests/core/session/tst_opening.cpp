// SPDX-License-Identifier: GPL-3.0-or-later
// Models that another process opens: what comes back, and what is said of what goes wrong there.
#include "core/codegen/python_code.h"
#include "core/io/mapped_file.h"
#include "core/io/output_file.h"
#include "core/io/tensor_bytes.h"
#include "core/module/edit.h"
#include "core/process/confine.h"
#include "core/process/crash_report.h"
#include "core/session/model_message.h"
#include "core/session/opening.h"
#include "tests/support/evaluates_code.h"
#include "tests/support/model_state.h"
#include "tests/support/opened_case.h"
#include "tests/support/oracle.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>
#include <QTemporaryDir>

#include <csignal>
#include <fcntl.h>
#include <map>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fx::opening_test {
namespace {
/// Which tensors share a storage, and where.
std::string sharingOf(const Model& model) {
    std::map<const void*, size_t> storages;
    std::string out;
    model.forEachModule(model.root(), [&](ModuleId id, const std::string& path) {
        for (const NamedTensor& entry : model.module(id).tensors) {
            if (!entry.tensor)
                continue;
            const at::Tensor tensor = model.tensor(entry.tensor).value();
            if (tensor.layout() != c10::kStrided || tensor.is_meta() || tensor.is_quantized())
                continue;
            const void* storage = tensor.storage().unsafeGetStorageImpl();
            const size_t number = storages.try_emplace(storage, storages.size()).first->second;
            out += path + '.' + entry.name + ": " + std::to_string(number) + " at " +
                   std::to_string(tensor.storage_offset()) + '\n';
        }
    });
    return out;
}

/// Empty, or the first tensor that differs.
std::string tensorDifference(const Model& actual, const Model& expected) {
    std::string out;
    expected.forEachModule(expected.root(), [&](ModuleId, const std::string& path) {
        const ModuleId there = actual.resolve(actual.root(), path).module;
        const ModuleId here = expected.resolve(expected.root(), path).module;
        for (const NamedTensor& entry : expected.module(here).tensors) {
            const NamedTensor* other = there ? actual.module(there).tensor(entry.name) : nullptr;
            if (!other || bool(other->tensor) != bool(entry.tensor)) {
                out = path + '.' + entry.name + " is missing";
                continue;
            }
            if (!entry.tensor)
                continue;
            const at::Tensor a = actual.tensor(other->tensor).value(),
                             e = expected.tensor(entry.tensor).value();
            if (a.requires_grad() != e.requires_grad() || a.is_conj() != e.is_conj() ||
                a.is_neg() != e.is_neg() ||
                (e.layout() == c10::kStrided && !e.is_quantized() && a.strides() != e.strides()))
                out = path + '.' + entry.name + " has other flags or strides";
            else if (const std::string difference = valueDifference(c10::IValue(a), c10::IValue(e));
                     !difference.empty())
                out = path + '.' + entry.name + ": " + difference;
        }
    });
    return out;
}

std::string codeOf(const Model& model) {
    std::string out;
    model.forEachModule(model.root(), [&](ModuleId id, const std::string& path) {
        if (model.module(id).graph)
            out += path + PythonCode(model, id).text() + '\n';
    });
    return out;
}

void compare(const OpenedModel& actual, const OpenedModel& expected) {
    FX_SAME(textDifference(codeOf(actual.model), codeOf(expected.model)));
    FX_SAME(tensorDifference(actual.model, expected.model));
    FX_SAME(textDifference(sharingOf(actual.model), sharingOf(expected.model)));
    QCOMPARE(actual.notes, expected.notes);
    QCOMPARE(actual.format, expected.format);
    QCOMPARE(actual.path, expected.path);
    QCOMPARE(actual.whyNoGraph.reason, expected.whyNoGraph.reason);
    QCOMPARE(actual.whyNoGraph.advice, expected.whyNoGraph.advice);
    QCOMPARE(actual.model.sources().size(), expected.model.sources().size());
    for (size_t i = 0; i < expected.model.sources().size(); ++i)
        QCOMPARE(actual.model.sources()[i].text, expected.model.sources()[i].text);
}

OpenedModel received(const OpenedModel& model) {
    return modelFrom(modelMessage(model, memoryFile("tensors")), model.path);
}

class Folder {
public:
    std::string write(const std::string& name, const std::string& text) {
        const std::string path = m_folder.filePath(QString::fromStdString(name)).toStdString();
        writeFile(path, text);
        return path;
    }
    std::string source(const std::string& name, const std::string& init) {
        const std::string head = "import torch\nclass M(torch.nn.Module):\n    def __init__(self):\n";
        return write(name, head + "        super().__init__()\n" + init +
                               "    def forward(self, x):\n        return x\n");
    }

private:
    QTemporaryDir m_folder;
};

std::string errorOf(const OpeningRequest& request, OpeningWorker& worker) {
    Progress progress;
    try {
        worker.open(request, progress);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

/// What a confined process could do after all.
int reaches() {
    int found = 0;
    const auto note = [&](int bit, bool holds) { found |= holds ? 1 << bit : 0; };
    QTemporaryDir folder;
    const std::string file = folder.filePath("file").toStdString();
    writeFile(file, "old");
    confineThisProcess(OpeningLimits(), 0);
    note(0, ::open(file.c_str(), O_WRONLY) >= 0 || ::open(file.c_str(), O_RDWR) >= 0);
    note(1, ::open((file + "2").c_str(), O_RDONLY | O_CREAT, 0600) >= 0 ||
                ::creat((file + "3").c_str(), 0600) >= 0);
    note(2, ::open(file.c_str(), O_RDONLY | O_TRUNC) >= 0 || ::truncate(file.c_str(), 0) == 0);
    note(3, ::unlink(file.c_str()) == 0 || ::rename(file.c_str(), (file + "4").c_str()) == 0);
    note(4, ::socket(AF_INET, SOCK_STREAM, 0) >= 0 || ::socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(0);
    note(5, child > 0);
    char* arguments[] = {nullptr};
    if (::fork() < 0) // it would be gone
        note(6, ::execv("/bin/true", arguments) == 0);
    note(7, ::kill(::getppid(), 0) == 0);
    return found;
}

} // namespace

class TestOpening : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sendsEveryModelAsItIs_data() {
        QTest::addColumn<QString>("row");
        const Json reopened = Json::parse(readFile(FXSCOPE_ORACLE "/reopened/expected.json"));
        for (const auto& [name, said] : reopened.items())
            QTest::newRow(name.c_str())
                << QString::fromStdString(Json{{"file", FXSCOPE_ORACLE "/reopened/" + name}}.dump());
        for (const char* file : {"traces/traces.json", "scripts/scripts.json"})
            for (const Json& row : Json::parse(readFile(std::string(FXSCOPE_ORACLE "/") + file)))
                QTest::newRow(
                    (file + (": " + row.value("name", "") + ' ' + row.value("expression", ""))).c_str())
                    << QString::fromStdString(row.dump());
    }
    void sendsEveryModelAsItIs() {
        QFETCH(QString, row);
        std::optional<OpenedModel> model;
        try {
            model = openCase(Json::parse(row.toStdString()));
        } catch (const Error&) {
            return; // other tests say whether that is right
        }
        try {
            compare(received(*model), *model);
        } catch (const std::exception& error) {
            QFAIL(error.what());
        }
    }

    void keepsTensorsOfAllKinds() {
        OpenedModel opened;
        Edit edit(opened.model);
        const at::Tensor whole = at::arange(12, at::kFloat);
        const at::Tensor complex = at::complex(at::rand({2, 2}), at::rand({2, 2}));
        const at::Tensor sparse = at::rand({3, 3}).to_sparse();
        const std::pair<const char*, at::Tensor> tensors[] = {
            {"whole", whole},
            {"view", whole.view({3, 4}).t()},
            {"part", whole.slice(0, 3, 9, 2)},
            {"expanded", at::ones({1}).expand({5})},
            {"empty", at::empty({0, 3})},
            {"scalar", at::scalar_tensor(2.5)},
            {"flags", at::ones({2}, at::kBool)},
            {"half", at::rand({3}).to(at::kHalf)},
            {"conj", complex.conj()},
            {"meta", at::empty({1000000, 1000000}, at::kMeta)},
            {"sparse", sparse},
            {"bsr", at::rand({4, 6}).to_sparse_bsr({2, 3})},
            {"leaf", at::rand({2}).set_requires_grad(true)},
            {"quantized", at::quantize_per_tensor(at::rand({4}), 0.1, 3, at::kQUInt8)},
            {"channels", at::quantize_per_channel(at::rand({2, 3}), at::tensor({0.1, 0.2}),
                                                  at::tensor({0, 1}), 0, at::kQInt8)},
        };
        for (const auto& [name, tensor] : tensors)
            edit.setTensor(name, edit.createTensor(TensorSlot(tensor)), TensorRole::Buffer);
        edit.setTensor("none", TensorId(), TensorRole::Parameter);
        edit.setTensor("lost",
                       edit.createTensor(
                           TensorSlot(describe(whole), []() -> at::Tensor { throw Error("f", "is cut"); })),
                       TensorRole::Buffer);
        edit.finish();
        const OpenedModel actual = received(opened);
        for (const auto& [name, tensor] : tensors) {
            const at::Tensor got =
                actual.model.tensor(actual.model.module(actual.model.root()).tensor(name)->tensor).value();
            QCOMPARE(got.layout(), tensor.layout());
            QCOMPARE(got.requires_grad(), tensor.requires_grad());
            QCOMPARE(got.is_conj(), tensor.is_conj());
            if (!tensor.is_meta() && tensor.layout() == c10::kStrided) {
                QVERIFY2(tensor.is_quantized() ? at::equal(got.int_repr(), tensor.int_repr())
                                               : at::equal(got, tensor),
                         name);
                QVERIFY2(got.strides() == tensor.strides(), name);
            } else if (!tensor.is_meta()) {
                QVERIFY(at::equal(got.to_dense(), tensor.to_dense()));
            }
        }
        const auto tensorOf = [&](const char* name) {
            return actual.model.tensor(actual.model.module(actual.model.root()).tensor(name)->tensor).value();
        };
        QVERIFY(tensorOf("whole").storage().data() == tensorOf("view").storage().data());
        QVERIFY(tensorOf("whole").storage().data() == tensorOf("part").storage().data());
        QVERIFY(!actual.model.module(actual.model.root()).tensor("none")->tensor);
        QVERIFY_THROWS_EXCEPTION(Error, tensorOf("lost"));
    }

    void survivesWhatItsCodeDoes_data() {
        QTest::addColumn<QString>("init");
        QTest::addColumn<QString>("words");
        QTest::newRow("crash") << "        torch._stack([])\n"
                               << "its code crashed in torch._stack (signal 11), at ";
        QTest::newRow("one tensor") << "        torch.zeros(30000, 30000)\n"
                                    << "would take 3.60 GB";
        QTest::newRow("many tensors")
            << "        a = []\n        while True:\n            a.append(torch.ones(1000, 1000))\n"
            << "its tensors would take";
        QTest::newRow("caught") << "        try:\n            torch.zeros(30000, 30000)\n        except "
                                   "BaseException:\n            pass\n"
                                << "would take 3.60 GB";
        QTest::newRow("slow")
            << "        x = torch.ones(1500, 1500)\n        while True:\n            x = x @ x\n"
            << "its code took longer than 2 s, and was stopped";
    }
    void survivesWhatItsCodeDoes() {
        QFETCH(QString, init);
        QFETCH(QString, words);
        Folder folder;
        OpeningRequest request{folder.source("net.py", init.toStdString()), {}, {}};
        request.options.trace.limits.time = std::chrono::seconds(words.contains("longer") ? 2 : 60);
        // By way of a worker, which lives on: this process has run parallel code, after which a child cannot.
        OpeningWorker worker(FXSCOPE_BUILD "/bin/fxscope-worker");
        const std::string error = errorOf(request, worker);
        QVERIFY2(QString::fromStdString(error).contains(words), error.c_str());
        request.path = folder.source("sound.py", "");
        QCOMPARE(errorOf(request, worker), std::string("no error"));
    }

    void givesWhatTheProgramWroteToMemory() {
        // Weights lie in a file that is mapped; what the program writes there is its own.
        Folder folder;
        const std::string path = folder.write("weights", std::string(1 << 16, '\0'));
        const auto sumOf = [&](bool writes) {
            const auto file = MappedFile::open(path);
            const at::Tensor tensor = PieceTensors(file, 4096, 4096).tensor({at::kFloat, {1024}, {1}, 0});
            if (writes)
                tensor[1000].fill_(3);
            OpenedModel opened;
            Edit edit(opened.model);
            edit.setTensor("w", edit.createTensor(TensorSlot(tensor)), TensorRole::Parameter);
            edit.finish();
            const OpenedModel actual = received(opened);
            const NamedTensor* w = actual.model.module(actual.model.root()).tensor("w");
            return actual.model.tensor(w->tensor).value().sum().item<double>();
        };
        QCOMPARE(sumOf(true), 3.0);
        QCOMPARE(sumOf(false), 0.0);
    }

    void foldersWithoutCodeAreNotEvaluated() {
        const QTemporaryDir folder;
        const std::string path = folder.path().toStdString();
        QVERIFY(!evaluatesCode(path));
        writeFile(path + "/module.py", "import torch\n");
        QVERIFY(evaluatesCode(path));
    }

    void workerListsModels() {
        Folder folder;
        OpeningWorker worker(FXSCOPE_BUILD "/bin/fxscope-worker");
        Progress progress;
        const OpeningRequest request{folder.source("net.py", ""), {}, {}};
        QCOMPARE(worker.modelsIn(request, progress), (std::vector<std::string>{"M()"}));
        const OpeningRequest crashes{folder.write("crash.py", "import torch\ntorch._stack([])\n"), {}, {}};
        QVERIFY_THROWS_EXCEPTION(Error, worker.modelsIn(crashes, progress));
    }

    void workerTakesEveryOption() {
        OpeningRequest request{"net.py:Net()", {}, {"a.so", "b.so"}, OpeningRequest::Wanted::Pattern, "f"};
        TraceOptions& trace = request.options.trace;
        trace.expression = "Net()";
        trace.concrete = {{"x", "1"}, {"", "(2,)"}};
        trace.leafTypes = {"A", "B"};
        trace.tracer = {true, true, true, false, true, "step"};
        trace.tracerExpression = "T";
        trace.wrapped = {"len"};
        trace.areNoneLeaves = request.options.isLifted = true;
        trace.stateFile = "s.pt";
        trace.sourceFile = "s.py";
        trace.isTraining = false;
        trace.seed = 7;
        trace.limits = {123, std::chrono::seconds(9)};
        const OpeningRequest again = OpeningRequest::fromText(request.text());
        QCOMPARE(again.text(), request.text());
        QCOMPARE(again.options.trace.concrete, trace.concrete);
        QCOMPARE(again.options.trace.isTraining, trace.isTraining);
        QVERIFY(again.options.trace.limits.time == trace.limits.time);
    }

    void workerIsStoppedAndStartedAnew() {
        Folder folder;
        OpeningWorker worker(FXSCOPE_BUILD "/bin/fxscope-worker");
        struct Impatient : Progress {
            Impatient() { cancel(); }
        } impatient;
        const OpeningRequest endless{
            folder.source("net.py", "        while True:\n            pass\n"), {}, {}};
        QVERIFY_THROWS_EXCEPTION(Cancelled, worker.open(endless, impatient));
        QCOMPARE(errorOf({folder.source("sound.py", ""), {}, {}}, worker), std::string("no error"));
        OpeningWorker missing("/nowhere/fxscope-worker");
        QVERIFY(errorOf({folder.source("sound.py", ""), {}, {}}, missing).find("cannot be started") !=
                std::string::npos);
    }

    void confinedProcessReachesNothing() {
        if (confinementText().find("seccomp,") == std::string::npos)
            QSKIP("no seccomp here");
        const ProcessEnd end = runInChild([] { return reaches(); });
        QCOMPARE(end.signal, 0);
        QCOMPARE(end.exitStatus, 0);
    }

    void believesNothing() {
        // Whatever becomes of the answer, it is an error or a model.
        Folder folder;
        Progress progress;
        const Message whole = modelMessage(
            openModel(folder.write("net.py",
                                   "import torch\nw = torch.ones(3, 4)\n\n\ndef f(x):\n    return x + w\n"),
                      {}, progress),
            memoryFile("tensors"));
        size_t models = 0, errors = 0;
        for (size_t i = 0; i < whole.body.size(); ++i)
            for (const char put : {'\x09', '\x20', '\x61', '\x81', '\xa1', '\xf6', '\xff'}) {
                Message changed = whole;
                changed.body[i] = put;
                try {
                    const OpenedModel model = modelFrom(changed, "changed");
                    modelState(model.model);
                    ++models;
                } catch (const Error&) {
                    ++errors;
                } catch (const c10::Error&) {
                    ++errors;
                }
            }
        QVERIFY(models > 0 && errors > models);
    }
};

FX_TEST(TestOpening)
} // namespace fx::opening_test
#include "tst_opening.moc"
