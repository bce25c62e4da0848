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
#include "core/session/journal_file.h"
#include "tests/support/disk_faults.h"
#include "tests/support/file_limit.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <QTemporaryDir>
#include <QtTest>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace fx;
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

/// A disk in memory that only this process sees; empty where it may not have one.
std::string ownDisk;

void makeOwnDisk() {
    const uid_t user = ::geteuid();
    const gid_t group = ::getegid();
    const auto put = [](const char* path, const std::string& text) {
        const int file = ::open(path, O_WRONLY);
        const bool isPut = file >= 0 && ::write(file, text.data(), text.size()) == ssize_t(text.size());
        ::close(file);
        return isPut;
    };
    if (::unshare(user == 0 ? CLONE_NEWNS : CLONE_NEWUSER | CLONE_NEWNS) != 0)
        return;
    if (user != 0 && (!put("/proc/self/setgroups", "deny") ||
                      !put("/proc/self/uid_map", "0 " + std::to_string(user) + " 1") ||
                      !put("/proc/self/gid_map", "0 " + std::to_string(group) + " 1")))
        return;
    std::string path = (fs::temp_directory_path() / "fxscope-disk-XXXXXX").string();
    if (!::mkdtemp(path.data()))
        return;
    if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
        ::mount("tmpfs", path.c_str(), "tmpfs", 0, "size=64m") == 0)
        ownDisk = path;
    else
        ::rmdir(path.c_str());
}

/// For a QTemporaryDir; on that disk if there is one, as syncing a real one takes long.
QString aPlace() {
    const std::string folder = ownDisk.empty() ? fs::temp_directory_path().string() : ownDisk;
    return QString::fromStdString(folder + "/faults-XXXXXX");
}

} // namespace

class TestWriterFaults : public QObject {
    Q_OBJECT

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

    void cleanupTestCase() {
        if (ownDisk.empty())
            return;
        ::umount(ownDisk.c_str());
        ::rmdir(ownDisk.c_str());
    }

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
        if (ownDisk.empty())
            QSKIP("no disk of its own may be made here");
        const Writer writer = writers()[static_cast<size_t>(index)];
        const std::string path = ownDisk + '/' + writer.file;
        const auto resize = [](uint64_t bytes) {
            return ::mount("none", ownDisk.c_str(), nullptr, MS_REMOUNT,
                           ("size=" + std::to_string(bytes)).c_str()) == 0;
        };
        constexpr uint64_t kLarge = uint64_t(64) << 20;
        const auto used = [] {
            const fs::space_info space = fs::space(ownDisk);
            return space.capacity - space.free;
        };
        QVERIFY(resize(kLarge));
        for (const auto& entry : fs::directory_iterator(ownDisk))
            fs::remove_all(entry);
        putOthers(ownDisk, writer.file);
        const uint64_t others = used();
        writer.write(m_new, path);
        const uint64_t needed = used() - others;
        writer.write(m_old, path);
        const Contents before = contentsOf(ownDisk);
        const uint64_t usedBefore = used();
        for (uint64_t i = 0; i < 20; ++i) {
            constexpr uint64_t kPage = 4096;
            QVERIFY(resize(usedBefore + needed * i / 20 / kPage * kPage));
            const std::string fault = faultOf(writer, m_new, path);
            QVERIFY2(isLineOf(fault, path, "cannot write: No space left on device"), fault.c_str());
            QVERIFY(contentsOf(ownDisk) == before);
        }
        QVERIFY(resize(kLarge));
        QCOMPARE(::mount("none", ownDisk.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr), 0);
        const std::string fault = faultOf(writer, m_new, path);
        QCOMPARE(::mount("none", ownDisk.c_str(), nullptr, MS_REMOUNT, nullptr), 0);
        QVERIFY2(isLineOf(fault, path, "cannot write: Read-only file system"), fault.c_str());
        QVERIFY(contentsOf(ownDisk) == before);
        writer.write(m_new, path);
        QVERIFY(contentsOf(ownDisk) != before);
    }

    void journalsLoseNoRecord() {
        const QTemporaryDir place(aPlace());
        const std::string folder = place.path().toStdString();
        for (int at = 0;; ++at) {
            std::optional<JournalFile> journal;
            {
                const DiskFaults faults(at, ENOSPC);
                try {
                    journal.emplace(folder, "first");
                } catch (const Error& error) {
                    QVERIFY2(std::string(error.what()).find("No space left on device") != std::string::npos,
                             error.what());
                }
            }
            QCOMPARE(journal.has_value(), !DiskFaults::haveHappened());
            QCOMPARE(contentsOf(folder).size(), size_t(journal.has_value()));
            if (!journal)
                continue;
            std::vector<std::string> records{"first"};
            for (int appended = 0;; ++appended) {
                bool isWritten = true;
                {
                    const DiskFaults faults(appended, ENOSPC);
                    try {
                        journal->append(std::string(10'000, 'x'));
                    } catch (const Error&) {
                        isWritten = false;
                    }
                }
                QCOMPARE(isWritten, !DiskFaults::haveHappened());
                if (isWritten)
                    records.emplace_back(10'000, 'x');
                QVERIFY(journal->read().records == records);
                if (isWritten)
                    break;
            }
            break;
        }
    }
};

int main(int argc, char** argv) {
    makeOwnDisk();
    QCoreApplication application(argc, argv);
    TestWriterFaults test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_writer_faults.moc"
