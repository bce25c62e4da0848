// SPDX-License-Identifier: GPL-3.0-or-later
// A file is the old one or the new one, never less: what a full disk leaves, rights, links.
#include "core/base/error.h"
#include "core/export/export_folder.h"
#include "core/io/fxg/fxg.h"
#include "core/io/mapped_file.h"
#include "core/module/edit.h"
#include "tests/support/file_limit.h"
#include "tests/support/model_state.h"

#include <ATen/ATen.h>
#include <QTemporaryDir>
#include <QtTest>

#include <cerrno>
#include <filesystem>
#include <map>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace fx;

namespace {

bool isDiskBroken = false;

} // namespace

/// In the place of the system's, for libfxcore too.
extern "C" int fsync(int descriptor) {
    if (!isDiskBroken)
        return static_cast<int>(::syscall(SYS_fsync, descriptor));
    errno = EIO;
    return -1;
}

namespace {

OpenedModel modelWith(int64_t elements) {
    SmallModel small;
    Edit edit(small.model);
    edit.setTensor("w", edit.createTensor(TensorSlot(at::full({elements}, 1.5))), TensorRole::Parameter);
    edit.finish();
    OpenedModel out;
    out.model = std::move(small.model);
    return out;
}

std::map<std::string, std::string> contentOf(const std::filesystem::path& folder) {
    std::map<std::string, std::string> out;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            out[entry.path().lexically_relative(folder).string()] = readFile(entry.path().string());
    return out;
}

} // namespace

class TestSaving : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fullDiskLeavesTheOldFile() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("net.fxg").toStdString();
        Progress progress;
        writeFxg(modelWith(100), path, progress);
        const auto before = contentOf(folder.path().toStdString());
        {
            const FileLimit limit(20'000);
            try {
                writeFxg(modelWith(100'000), path, progress);
                QFAIL("it was written all the same");
            } catch (const Error& error) {
                QVERIFY2(QString(error.what()).contains("is the disk full?"), error.what());
            }
        }
        QVERIFY(contentOf(folder.path().toStdString()) == before);
        writeFxg(modelWith(100'000), path, progress);
        QVERIFY(readFile(path).size() > 400'000);
    }

    void fullDiskLeavesTheOldFolder() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("net").toStdString();
        exportFolder(modelWith(100).model, path, "Net", "");
        const auto before = contentOf(path);
        QVERIFY(before.contains("state.pt"));
        SmallModel other;
        Edit edit(other.model);
        edit.setTensor("w", edit.createTensor(TensorSlot(at::full({3000}, 2.5))), TensorRole::Parameter);
        for (int i = 0; i < 2000; ++i) // so that module.py is what does not fit, after state.pt did
            edit.insertArg(other.output, 0, edit.callFunction("torch.neg", {other.x}));
        edit.finish();
        {
            const FileLimit limit(20'000);
            QVERIFY_THROWS_EXCEPTION(Error, exportFolder(other.model, path, "Net", ""));
        }
        QVERIFY(contentOf(path) == before);
    }

    /// The file was written whole, and did not reach the disk.
    void failedSyncLeavesTheOldFile() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("net.fxg").toStdString();
        Progress progress;
        writeFxg(modelWith(100), path, progress);
        const auto before = contentOf(folder.path().toStdString());
        isDiskBroken = true;
        const auto mend = qScopeGuard([] { isDiskBroken = false; });
        try {
            writeFxg(modelWith(200), path, progress);
            QFAIL("it was taken for written");
        } catch (const Error& error) {
            QCOMPARE(std::string(error.what()), path + ": cannot write: Input/output error");
        }
        QVERIFY(contentOf(folder.path().toStdString()) == before);
    }

    void keepsRightsAndLinks() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("net.fxg").toStdString();
        const std::string link = folder.filePath("link.fxg").toStdString();
        writeFile(path, "old");
        QCOMPARE(::chmod(path.c_str(), 0640), 0);
        std::filesystem::create_symlink("net.fxg", link);
        Progress progress;
        writeFxg(modelWith(10), link, progress);
        QVERIFY(std::filesystem::is_symlink(link));
        struct stat info {};
        QCOMPARE(::stat(path.c_str(), &info), 0);
        QCOMPARE(int(info.st_mode & 07777), 0640);
        QVERIFY(info.st_size > 100);
        QCOMPARE(contentOf(folder.path().toStdString()).size(), size_t(2));
    }
};

QTEST_GUILESS_MAIN(TestSaving)
#include "tst_saving.moc"
