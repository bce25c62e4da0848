// SPDX-License-Identifier: GPL-3.0-or-later
// Every writer on a disk that fails: at each of its operations, when it is full, when it can only be read,
// and with a limit of sizes; and killed at each of them. The old file or folder stays whole, and nothing is
// left beside it.
#include "core/export/export_folder.h"
#include "core/export/export_forms.h"
#include "core/interpret/compiled_program.h"
#include "core/io/fxg/fxg.h"
#include "core/io/mapped_file.h"
#include "core/io/output_file.h"
#include "core/io/tensor_files.h"
#include "core/io/torch/torch_archive.h"
#include "core/open/formats.h"
#include "core/open/pass_context.h"
#include "core/open/script_compiler.h"
#include "core/passes/pass_runner.h"
#include "core/passes/registry.h"
#include "tests/support/disk_faults.h"
#include "tests/support/file_limit.h"
#include "tests/support/own_disk.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <QTemporaryDir>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <sys/wait.h>
#include <unistd.h>

namespace fx::writer_faults_test {

namespace fs = std::filesystem;

namespace {

using Contents = std::map<std::string, std::string>;

/// Paths and bytes of all files, links among them.
Contents contentsOf(const fs::path& folder) {
    Contents out;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const std::string name = entry.path().lexically_relative(folder).string();
        out[name] = entry.is_symlink()        ? "link to " + fs::read_symlink(entry).string()
                    : entry.is_regular_file() ? readFile(entry.path().string())
                                              : "folder";
    }
    return out;
}

/// x -> add(x, w) -> relu -> ... over torch.ops.aten, with an example.
OpenedModel modelOf(double value, int64_t count, int calls) {
    OpenedModel out;
    Edit edit(out.model);
    const NodeId x = edit.placeholder("x");
    edit.setTensor("w", edit.createTensor(TensorSlot(at::full({count}, value))), TensorRole::Parameter);
    NodeId last = edit.callFunction("torch.ops.aten.add.Tensor", {x, edit.getAttr("w")});
    for (int i = 0; i < calls; ++i)
        last = edit.callFunction("torch.ops.aten.relu.default", {last});
    edit.output(last);
    edit.finish();
    const Values example{Value(c10::IValue(at::ones({count})))};
    out.examples = [example] { return example; };
    Progress progress;
    PassContext context = passContext(out, {}, {}, progress);
    context.inputs = [example](const Model&) { return GraphInputs{example}; };
    const Pass& pass = findPass("capture");
    runPass(out.model, out.model.root(), pass, PassOptions(pass, {}), context);
    return out;
}

/// In the names of files that are being written.
constexpr const char* kPart = ".fxscope-part-";

struct Writer {
    std::string name;
    std::string file; ///< name of what is written
    std::function<void(const OpenedModel& model, const std::string& path)> write;
};

std::vector<Writer> writers() {
    std::vector<Writer> out;
    for (const ExportForm& form : exportForms()) {
        if (form.isFolder())
            continue;
        out.push_back({form.word, "net" + form.endings.front(),
                       [write = form.write](const OpenedModel& model, const std::string& path) {
                           Progress progress;
                           write(model, path, progress);
                       }});
    }
    const auto weightOf = [](const OpenedModel& model) {
        return model.model.tensor(model.model.resolve(model.model.root(), "w").tensor).value();
    };
    out.push_back({"folder", "net", [](const OpenedModel& model, const std::string& path) {
                       exportFolder(model.model, path, "Net", "");
                   }});
    out.push_back({"value, .npy", "value.npy", [=](const OpenedModel& model, const std::string& path) {
                       writeNpy(path, weightOf(model));
                   }});
    out.push_back({"results", "values.pt", [=](const OpenedModel& model, const std::string& path) {
                       writeTorchFile(path, Value(c10::IValue(weightOf(model))));
                   }});
    // Recipes, reports, tables, pictures, code of passes and devices.
    out.push_back({"text", "text.svg", [=](const OpenedModel& model, const std::string& path) {
                       const at::Tensor weight = weightOf(model);
                       writeFile(path, {static_cast<const char*>(weight.data_ptr()), weight.nbytes()});
                   }});
    out.push_back({"compiled graph", "program.pt", [](const OpenedModel& model, const std::string& path) {
                       Progress progress;
                       compileToScript(kScriptForm, model.model, GraphInputs{model.examples()}, path,
                                       progress);
                   }});
    return out;
}

/// Why the model could not be written; empty if it was.
std::string faultOf(const Writer& writer, const OpenedModel& model, const std::string& path) {
    try {
        writer.write(model, path);
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

/// True if one line names the file, or one in the folder, and the cause.
bool isLineOf(const std::string& fault, const std::string& path, const std::string& cause) {
    return fault.starts_with(path) && fault.find(cause) != std::string::npos &&
           fault.find('\n') == std::string::npos && fault.find(kPart) == std::string::npos;
}

QString aPlace() {
    return QString::fromStdString(OwnDisk::place());
}

} // namespace

class TestWriterFaults : public QObject {
    Q_OBJECT

public:
    static void beforeApplication() { OwnDisk::make(); }

    OpenedModel m_old, m_new;

    static void addWriters() {
        QTest::addColumn<int>("index");
        const std::vector<Writer> all = writers();
        for (size_t i = 0; i < all.size(); ++i)
            QTest::newRow(all[i].name.c_str()) << int(i);
    }

    /// Files that are none of a writer's business, one of them where fxscope once put its own.
    static void putOthers(const fs::path& folder, const std::string& file) {
        writeFile((folder / "victim.txt").string(), "precious");
        fs::create_symlink("victim.txt", folder / (file + ".examples"));
        writeFile((folder / (file + kPart + "notes")).string(), "notes");
        fs::create_symlink("victim.txt", folder / (file + kPart + "0123456789abcdef"));
        if (fs::path(file).has_extension())
            return;
        // A folder that has more in it than what is exported.
        fs::create_directories(folder / file / "notes" / "old");
        writeFile((folder / file / "notes" / "old" / "read.txt").string(), "read");
        fs::create_symlink("read.txt", folder / file / "notes" / "old" / "link");
    }

private Q_SLOTS:
    void initTestCase() {
        at::set_num_threads(1); // as children of it are killed
        m_old = modelOf(1.5, 3000, 1);
        m_new = modelOf(2.5, 20'000, 8);
    }

    void cleanupTestCase() { OwnDisk::remove(); }

    void anyOperationMayFail_data() { addWriters(); }
    void anyOperationMayFail() {
        QFETCH(int, index);
        const Writer writer = writers()[static_cast<size_t>(index)];
        const QTemporaryDir place(aPlace());
        const std::string folder = place.path().toStdString(), path = folder + '/' + writer.file;
        putOthers(folder, writer.file);
        const Contents others = contentsOf(folder);
        int at = 0;
        for (bool isOver = false; !isOver; ++at) {
            const int code = at % 2 ? EIO : ENOSPC;
            writer.write(m_old, path);
            const Contents before = contentsOf(folder);
            std::string fault;
            {
                const DiskFaults faults(at, code);
                fault = faultOf(writer, m_new, path);
            }
            const Contents after = contentsOf(folder);
            QCOMPARE(after.size(), before.size());
            // Not each file system can sync a folder, and the file is in its place by then.
            QVERIFY2(fault.empty() == (after != before), (std::to_string(at) + ": " + fault).c_str());
            if (!fault.empty()) {
                QVERIFY2(isLineOf(fault, path, std::strerror(code)), fault.c_str());
                QVERIFY(DiskFaults::haveHappened());
            }
            isOver = !DiskFaults::haveHappened();
        }
        QVERIFY(at > 4);
        Contents after = contentsOf(folder);
        for (const auto& [name, content] : others)
            QVERIFY2(after[name] == content, name.c_str());
    }

    void mayBeKilledAtAnyOperation_data() { addWriters(); }
    void mayBeKilledAtAnyOperation() {
        QFETCH(int, index);
        const Writer writer = writers()[static_cast<size_t>(index)];
        const QTemporaryDir place(aPlace()), elsewhere(aPlace());
        const std::string folder = place.path().toStdString(), path = folder + '/' + writer.file;
        putOthers(folder, writer.file);
        writer.write(m_old, path);
        const Contents old = contentsOf(folder);
        putOthers(elsewhere.path().toStdString(), writer.file);
        writer.write(m_new, elsewhere.filePath(QString::fromStdString(writer.file)).toStdString());
        const Contents fresh = contentsOf(elsewhere.path().toStdString());
        for (int at = 0;; ++at) {
            const pid_t child = ::fork();
            QVERIFY(child >= 0);
            if (child == 0) {
                const DiskFaults faults(at, DiskFaults::kKill);
                ::_exit(faultOf(writer, m_new, path).empty() ? 0 : 1);
            }
            int status = 0;
            QCOMPARE(::waitpid(child, &status, 0), child);
            if (WIFEXITED(status)) {
                QCOMPARE(WEXITSTATUS(status), 0);
                break;
            }
            Contents left = contentsOf(folder);
            std::erase_if(left, [&](const auto& each) {
                return each.first.find(kPart) != std::string::npos && !old.contains(each.first);
            });
            QVERIFY2(left == old || left == fresh, std::to_string(at).c_str());
            // What was left is cleared by the next save.
            writer.write(m_old, path);
            QVERIFY(contentsOf(folder) == old);
        }
        QVERIFY(contentsOf(folder) == fresh);
    }

    void sizesMayBeLimited_data() { addWriters(); }
    void sizesMayBeLimited() {
        QFETCH(int, index);
        const Writer writer = writers()[static_cast<size_t>(index)];
        const QTemporaryDir place(aPlace());
        const std::string folder = place.path().toStdString(), path = folder + '/' + writer.file;
        putOthers(folder, writer.file);
        writer.write(m_new, path);
        uint64_t largest = 0;
        for (const auto& [name, content] : contentsOf(folder))
            largest = std::max<uint64_t>(largest, content.size());
        writer.write(m_old, path);
        const Contents before = contentsOf(folder);
        for (uint64_t i = 0; i < 20; ++i) {
            std::string fault;
            {
                const FileLimit limit(largest * i / 20);
                fault = faultOf(writer, m_new, path);
            }
            QVERIFY2(isLineOf(fault, path, "cannot write: File too large"), fault.c_str());
            QVERIFY(contentsOf(folder) == before);
        }
    }

    void theDiskMayBeFull_data() { addWriters(); }
    void theDiskMayBeFull() {
        QFETCH(int, index);
        if (OwnDisk::path().empty())
            QSKIP("no disk of its own may be made here");
        const Writer writer = writers()[static_cast<size_t>(index)];
        const std::string folder = OwnDisk::path(), path = folder + '/' + writer.file;
        QVERIFY(OwnDisk::resize(OwnDisk::kWholeSize));
        OwnDisk::clear();
        putOthers(folder, writer.file);
        const uint64_t others = OwnDisk::usedBytes();
        writer.write(m_new, path);
        const uint64_t needed = OwnDisk::usedBytes() - others;
        writer.write(m_old, path);
        const Contents before = contentsOf(folder);
        const uint64_t usedBefore = OwnDisk::usedBytes();
        for (uint64_t i = 0; i < 20; ++i) {
            QVERIFY(OwnDisk::resize(usedBefore + needed * i / 20 / OwnDisk::kPage * OwnDisk::kPage));
            const std::string fault = faultOf(writer, m_new, path);
            QVERIFY2(isLineOf(fault, path, "cannot write: No space left on device"), fault.c_str());
            QVERIFY(contentsOf(folder) == before);
        }
        QVERIFY(OwnDisk::resize(OwnDisk::kWholeSize));
        QVERIFY(OwnDisk::setReadOnly(true));
        const std::string fault = faultOf(writer, m_new, path);
        QVERIFY(OwnDisk::setReadOnly(false));
        QVERIFY2(isLineOf(fault, path, "cannot write: Read-only file system"), fault.c_str());
        QVERIFY(contentsOf(folder) == before);
        writer.write(m_new, path);
        QVERIFY(contentsOf(folder) != before);
    }

    /// Of two processes that save at the same time each succeeds, and whoever reads finds one of both.
    void twoSavesDoNotMeet_data() { addWriters(); }
    void twoSavesDoNotMeet() {
        QFETCH(int, index);
        const Writer writer = writers()[static_cast<size_t>(index)];
        const QTemporaryDir place(aPlace());
        const std::string folder = place.path().toStdString(), path = folder + '/' + writer.file;
        putOthers(folder, writer.file);
        writer.write(m_new, path);
        Contents fresh = contentsOf(folder);
        writer.write(m_old, path);
        Contents old = contentsOf(folder);
        std::vector<pid_t> saving;
        for (const OpenedModel* model : {&m_old, &m_new}) {
            saving.push_back(::fork());
            QVERIFY(saving.back() >= 0);
            if (saving.back() == 0) {
                std::string fault;
                for (int i = 0; i < 10 && fault.empty(); ++i)
                    fault = faultOf(writer, *model, path);
                if (!fault.empty())
                    std::fprintf(stderr, "%s\n", fault.c_str());
                ::_exit(fault.empty() ? 0 : 1);
            }
        }
        while (!saving.empty()) {
            if (fs::is_regular_file(path)) {
                const std::string content = readFile(path);
                QVERIFY(content == old[writer.file] || content == fresh[writer.file]);
            }
            int status = 0;
            if (std::erase(saving, ::waitpid(-1, &status, WNOHANG)))
                QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        }
        const Contents left = contentsOf(folder);
        QVERIFY(left == old || left == fresh);
    }

    /// The bytes reach the disk before they take the place of the old ones, and the names after that: a
    /// machine that stops in between has one of both files.
    void theDiskHasItFirst_data() { addWriters(); }
    void theDiskHasItFirst() {
        QFETCH(int, index);
        const Writer writer = writers()[static_cast<size_t>(index)];
        const QTemporaryDir place(aPlace());
        const std::string path = place.filePath(QString::fromStdString(writer.file)).toStdString();
        for (const OpenedModel* model : {&m_old, &m_new}) {
            {
                const DiskFaults none(DiskFaults::kNever, 0);
                writer.write(*model, path);
            }
            const std::vector<std::string> all = DiskFaults::operations();
            const auto moved = std::find_if(all.rbegin(), all.rend(), [](const std::string& name) {
                                   return name == "rename" || name == "link";
                               }).base();
            const auto written = std::find(all.begin(), moved, "write");
            QVERIFY(written != moved);
            QVERIFY(std::find(written, moved, "sync") != moved);
            QVERIFY(std::find(moved, all.end(), "sync folder") != all.end());
            QVERIFY(std::find(moved, all.end(), "write") == all.end());
        }
    }
};

FX_TEST(TestWriterFaults)
} // namespace fx::writer_faults_test

#include "tst_writer_faults.moc"
