// SPDX-License-Identifier: GPL-3.0-or-later
// Files that others cut, write over, delete or replace while a model of them is open: what is read is what
// was there, or an error, and never a signal.
#include "core/base/error.h"
#include "core/base/file_leases.h"
#include "core/interpret/interpreter.h"
#include "core/io/fxg/fxg.h"
#include "core/io/tensor_files.h"
#include "core/io/torch/torch_archive.h"
#include "core/module/edit.h"
#include "core/open/open.h"
#include "core/session/replica_message.h"
#include "tests/support/model_state.h"
#include "tests/support/oracle.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>
#include <QElapsedTimer>
#include <QTemporaryDir>

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <unistd.h>

namespace fx::changed_files_test {

namespace fs = std::filesystem;

namespace {

constexpr int64_t kCount = 1 << 20; ///< many pages

using Contents = std::map<std::string, std::string>;

Contents contentsOf(const Model& model) {
    Contents out;
    model.forEachModule(model.root(), [&](ModuleId id, const std::string& path) {
        for (const NamedTensor& entry : model.module(id).tensors)
            if (entry.tensor)
                out[path + '.' + entry.name] = tensorContent(model.tensor(entry.tensor).value());
    });
    return out;
}

/// What was said, if anything.
std::string errorOf(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

void overwrite(const std::string& path) {
    const auto size = static_cast<size_t>(fs::file_size(path));
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out << std::string(size, '\x5A');
}

void change(const QString& how, const std::string& path) {
    if (how == "cut")
        fs::resize_file(path, fs::file_size(path) / 3);
    else if (how == "emptied")
        fs::resize_file(path, 0);
    else if (how == "overwritten")
        overwrite(path);
    else if (how == "deleted")
        fs::remove(path);
    else if (how == "replaced") {
        fs::copy_file(path, path + ".new");
        overwrite(path + ".new");
        fs::rename(path + ".new", path);
    }
}

/// Whether the bytes that were opened are gone with such a change.
bool spoils(const QString& how) {
    return how == "cut" || how == "emptied" || how == "overwritten";
}

bool canLease(const std::string& folder) {
    const int fd = ::open((folder + "/probe").c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, 0600);
    const bool can = ::fcntl(fd, F_SETLEASE, F_RDLCK) == 0;
    ::close(fd);
    return can;
}

} // namespace

class TestChangedFiles : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    std::string path(const std::string& name) {
        return m_folder->filePath(QString::fromStdString(name)).toStdString();
    }

    /// x -> relu -> add(relu, w), with a large w.
    OpenedModel large() {
        SmallModel small;
        Edit edit(small.model);
        edit.setTensor("w", edit.createTensor(TensorSlot(at::arange(kCount, at::kFloat))),
                       TensorRole::Parameter);
        edit.finish();
        OpenedModel out;
        out.model = std::move(small.model);
        return out;
    }
    std::string written(const QString& format) {
        const std::string file = path("m." + format.toStdString());
        Progress progress;
        if (format == "fxg")
            writeFxg(large(), file, progress);
        else if (format == "pt2")
            fs::copy_file(oraclePath("transformer", "pt2"), file);
        else
            writeTorchFile(file, makeDict({{Value(c10::IValue("w")),
                                            Value(c10::IValue(at::arange(kCount, at::kFloat)))}}));
        return file;
    }
    OpenedModel opened(const std::string& file) {
        Progress progress;
        return openModel(file, {}, progress);
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void readsWhatWasThereOrFails_data() {
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("how");
        for (const char* format : {"fxg", "pt2", "pt"})
            for (const char* how : {"cut", "emptied", "overwritten", "deleted", "replaced"})
                QTest::addRow("%s %s", format, how) << QString(format) << QString(how);
    }
    void readsWhatWasThereOrFails() {
        QFETCH(QString, format);
        QFETCH(QString, how);
        const std::string file = written(format);
        const OpenedModel unread = opened(file), read = opened(file);
        const Contents before = contentsOf(read.model);
        change(how, file);
        for (const OpenedModel* model : {&unread, &read}) {
            Contents after;
            const std::string said = errorOf([&] { after = contentsOf(model->model); });
            if (spoils(how))
                QVERIFY2(said.find("was changed on disk") != std::string::npos, said.c_str());
            else
                QCOMPARE(after, before);
        }
    }

    void savesWhatWasThereOrFails_data() { readsWhatWasThereOrFails_data(); }
    void savesWhatWasThereOrFails() {
        QFETCH(QString, format);
        QFETCH(QString, how);
        const std::string file = written(format), copy = path("copy.fxg");
        OpenedModel model = opened(file);
        model.whyNoGraph = {};
        const Contents before = contentsOf(model.model);
        change(how, file);
        Progress progress;
        const std::string said = errorOf([&] { writeFxg(model, copy, progress); });
        QCOMPARE(fs::exists(copy), !spoils(how));
        if (spoils(how))
            QVERIFY2(said.find("was changed on disk") != std::string::npos, said.c_str());
        else
            QCOMPARE(contentsOf(opened(copy).model), before);
    }

    /// The file changes after one process has named it and before the other reads it.
    void isHandedOverOrFails_data() { readsWhatWasThereOrFails_data(); }
    void isHandedOverOrFails() {
        QFETCH(QString, format);
        QFETCH(QString, how);
        const std::string file = written(format);
        const OpenedModel sent = opened(file);
        const Contents before = contentsOf(sent.model);
        const Message message = replicaMessage(sent);
        change(how, file);
        Contents after;
        const std::string said = errorOf([&] { after = contentsOf(replicaFrom(message).model); });
        if (spoils(how))
            QVERIFY2(said.find(how == "emptied" ? "is empty" : "changed on disk while it was opened") !=
                         std::string::npos,
                     said.c_str());
        else
            QCOMPARE(after, before);
    }

    /// By its path it cannot be read, and its sender does not have it open any more.
    void isToldWhyItCannotBeRead() {
        std::optional<OpenedModel> sent = opened(written("fxg"));
        const Message message = replicaMessage(*sent);
        sent.reset();
        fs::remove(path("m.fxg"));
        fs::create_directory(path("m.fxg"));
        const std::string said = errorOf([&] { replicaFrom(message); });
        QCOMPARE(said, errorOf([&] { MappedFile::open(path("m.fxg"), path("m.fxg")); }));
    }

    /// The file is replaced while a message is written that names it.
    void versionsOfAFileAreKeptApart() {
        const auto write = [&](float number) {
            writeTorchFile(path("new.pt"), makeDict({{Value(c10::IValue("w")),
                                                      Value(c10::IValue(at::full({kCount}, number)))}}));
            fs::rename(path("new.pt"), path("m.pt"));
        };
        const auto read = [&] { return opened(path("m.pt")).model.tensor(TensorId(0)).value(); };
        write(1);
        const at::Tensor first = read();
        const TensorSlot second(TensorMeta(), [&] {
            write(2);
            return read();
        });
        const auto memory = memoryFile("test");
        const JsonDocument json(
            jsonText(tensorsMessage({TensorSlot(first), second}, memory->number(), FileMemoryUse::Read)),
            "message");
        const std::vector<TensorSlot> got = tensorsFromMessage(json, json.root(), memory->number());
        QCOMPARE(got[0].value()[kCount - 1].item<float>(), 1.0f);
        QCOMPARE(got[1].value()[kCount - 1].item<float>(), 2.0f);
    }

    void runFailsAfterTheFileWasCut() {
        const std::string file = written("fxg");
        const OpenedModel model = opened(file);
        const Values inputs{Value(c10::IValue(at::zeros({kCount})))};
        const at::Tensor before = Interpreter(model.model).run(inputs).data().toTensor();
        QCOMPARE(before[kCount - 1].item<float>(), 2.0f * (kCount - 1));
        change("cut", file);
        const std::string said = errorOf([&] { Interpreter(model.model).run(inputs); });
        QVERIFY2(said.find("was changed on disk") != std::string::npos, said.c_str());
    }

    void inputsOfARunAreSeenToo() {
        const std::string file = path("x.npy");
        writeNpy(file, at::ones({kCount}));
        const at::Tensor input = readNpy(file);
        const OpenedModel model = large();
        change("emptied", file);
        const std::string said = errorOf([&] { Interpreter(model.model).run({Value(c10::IValue(input))}); });
        QVERIFY2(said.find("x.npy: was changed on disk") != std::string::npos, said.c_str());
    }

    void stateOfAnExportIsWrittenOrFails() {
        const std::string file = written("pt");
        const at::Tensor weight = opened(file).model.tensor(TensorId(0)).value();
        change("cut", file);
        const std::string said =
            errorOf([&] { writeTorchFile(path("state.pt"), Value(c10::IValue(weight))); });
        QVERIFY2(said.find("was changed on disk") != std::string::npos, said.c_str());
        QVERIFY(!fs::exists(path("state.pt")));
    }

    // From here on the process keeps its files.

    void keepsWhatWasThere_data() { readsWhatWasThereOrFails_data(); }
    void keepsWhatWasThere() {
        QFETCH(QString, format);
        QFETCH(QString, how);
        if (!canLease(m_folder->path().toStdString()))
            QSKIP("the system gives no leases here");
        keepOpenFilesUnchanged();
        const std::string file = written(format), copy = path("copy.fxg");
        OpenedModel unread = opened(file), read = opened(file);
        const Contents before = contentsOf(read.model);
        change(how, file);
        QCOMPARE(contentsOf(read.model), before);
        QCOMPARE(contentsOf(unread.model), before);
        unread.whyNoGraph = {};
        Progress progress;
        writeFxg(unread, copy, progress);
        QCOMPARE(contentsOf(opened(copy).model), before);
    }

    void runsOnWhatWasThere() {
        if (!canLease(m_folder->path().toStdString()))
            QSKIP("the system gives no leases here");
        keepOpenFilesUnchanged();
        const std::string file = written("fxg");
        const OpenedModel model = opened(file);
        const Values inputs{Value(c10::IValue(at::zeros({kCount})))};
        const Value before = Interpreter(model.model).run(inputs);
        change("overwritten", file);
        FX_SAME(valueDifference(Interpreter(model.model).run(inputs), before));
    }

    void closedFileIsWrittenToAtOnce() {
        keepOpenFilesUnchanged();
        const std::string file = written("fxg");
        {
            const OpenedModel model = opened(file);
            contentsOf(model.model);
        }
        // Whom the system holds up for want of an answer waits for most of a minute.
        QElapsedTimer timer;
        timer.start();
        change("cut", file);
        QVERIFY(timer.elapsed() < 20000);
    }
};

FX_TEST(TestChangedFiles)
} // namespace fx::changed_files_test
#include "tst_changed_files.moc"
