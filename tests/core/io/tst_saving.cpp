// SPDX-License-Identifier: GPL-3.0-or-later
// Saving beside other files and other saves: rights, links, leftovers, folders with more in them. What a disk
// that fails leaves is asked by tests/fuzz/tst_writer_faults.cpp.
#include "core/base/error.h"
#include "core/export/export_folder.h"
#include "core/io/fxg/fxg.h"
#include "core/io/mapped_file.h"
#include "core/io/output_file.h"
#include "core/io/zip_writer.h"
#include "core/module/edit.h"
#include "tests/support/model_state.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>
#include <QTemporaryDir>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <sys/stat.h>
#include <thread>

namespace fx::saving_test {

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

    void aPrivateFileIsPrivateWhileItIsWritten() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("net.fxg").toStdString();
        writeFile(path, "old");
        QCOMPARE(::chmod(path.c_str(), 0600), 0);
        OutputFile file(path);
        file.write("new");
        file.finish([](const std::string& temporary) {
            struct stat info {};
            QCOMPARE(::stat(temporary.c_str(), &info), 0);
            QCOMPARE(int(info.st_mode & 07777), 0600);
        });
        QCOMPARE(readFile(path), std::string("new"));
    }

    void aLinkToNothingGetsItsFile() {
        const QTemporaryDir folder;
        const std::string link = folder.filePath("link.fxg").toStdString();
        std::filesystem::create_symlink("net.fxg", link);
        writeFile(link, "new");
        QVERIFY(std::filesystem::is_symlink(link));
        QCOMPARE(readFile(folder.filePath("net.fxg").toStdString()), std::string("new"));
    }

    void refusesWhatIsNoFile_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("words");
        QTest::newRow("device") << "/dev/null"
                                << "is not a regular file";
        QTest::newRow("pipe") << "pipe"
                              << "is not a regular file";
        QTest::newRow("link to a device") << "link"
                                          << "is not a regular file";
        QTest::newRow("folder") << "folder"
                                << "is a folder, not a file";
        QTest::newRow("in no folder") << "none/net.fxg"
                                      << "cannot write: No such file or directory";
        QTest::newRow("in a file") << "file/net.fxg"
                                   << "cannot write: Not a directory";
    }
    void refusesWhatIsNoFile() {
        QFETCH(QString, path);
        QFETCH(QString, words);
        const QTemporaryDir folder;
        const auto at = [&](const QString& name) { return folder.filePath(name).toStdString(); };
        QCOMPARE(::mkfifo(at("pipe").c_str(), 0600), 0);
        std::filesystem::create_symlink("/dev/null", at("link"));
        std::filesystem::create_directory(at("folder"));
        writeFile(at("file"), "file");
        const auto before = contentOf(folder.path().toStdString());
        const std::string target = path.startsWith('/') ? path.toStdString() : at(path);
        try {
            writeFile(target, "new");
            QFAIL("it was written");
        } catch (const Error& error) {
            QCOMPARE(error.place(), target);
            QCOMPARE(QString::fromStdString(error.message()), words);
        }
        QVERIFY(contentOf(folder.path().toStdString()) == before);
        QVERIFY(std::filesystem::is_character_file("/dev/null"));
    }

    /// Each is whole, with its example.
    void savesOfOneFileDoNotMeet() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("net.fxg").toStdString();
        constexpr int kRounds = 20;
        const auto saveOften = [&path](int64_t elements) {
            OpenedModel model = modelWith(elements);
            model.examples = [elements] { return Values{Value(c10::IValue(at::full({elements}, 1.0)))}; };
            for (int i = 0; i < kRounds; ++i) {
                Progress progress;
                writeFxg(model, path, progress);
            }
        };
        std::atomic<bool> isOver = false;
        std::thread saving([&] {
            std::thread other(saveOften, 5);
            saveOften(7);
            other.join();
            isOver = true;
        });
        int opened = 0;
        for (bool isLast = false; !isLast; ++opened) {
            isLast = isOver;
            if (!std::filesystem::exists(path))
                continue;
            Progress progress;
            const OpenedModel model = readFxg(std::make_shared<ZipArchive>(path), progress);
            const TensorId weight = model.model.resolve(model.model.root(), "w").tensor;
            const Values example = model.examples();
            QCOMPARE(example.at(0).data().toTensor().numel(), model.model.tensor(weight).value().numel());
        }
        saving.join();
        QVERIFY(opened > 1);
        QCOMPARE(contentOf(folder.path().toStdString()).size(), size_t(1));
    }

    /// A disk, or another process, that changes bytes while they are written.
    void refusesWhatIsReadBackOtherwise_data() {
        QTest::addColumn<bool>("isZip");
        QTest::newRow("text") << false;
        QTest::newRow("record") << true;
    }
    void refusesWhatIsReadBackOtherwise() {
        QFETCH(bool, isZip);
        const QTemporaryDir folder;
        const std::string path = folder.filePath("net.fxg").toStdString(), bytes(300'000, 'x');
        writeFile(path, "old");
        const auto spoil = [&] {
            for (const auto& entry : std::filesystem::directory_iterator(folder.path().toStdString()))
                if (entry.path() != path)
                    std::fstream(entry.path(), std::ios::in | std::ios::out).seekp(200) << 'y';
        };
        try {
            if (isZip) {
                ZipWriter zip(path);
                zip.begin("a");
                zip.append(bytes);
                spoil();
                zip.end();
                zip.finish();
            } else {
                OutputFile file(path);
                file.write(bytes);
                spoil();
                file.finish();
            }
            QFAIL("it was written");
        } catch (const Error& error) {
            QCOMPARE(QString::fromStdString(error.what()),
                     QString::fromStdString(path) +
                         (isZip ? ": a: is damaged: its checksum is wrong; copy or save the file again"
                                : ": cannot write: other bytes are read back than were written; save "
                                  "elsewhere, and check the disk"));
        }
        QCOMPARE(contentOf(folder.path().toStdString()).size(), size_t(1));
        QCOMPARE(readFile(path), std::string("old"));
    }

    void zipsInMemoryAreThoseOfFiles() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("a.zip").toStdString();
        const auto fill = [](ZipWriter& zip) {
            zip.add("empty", "");
            zip.add("folder/small", "abc");
            zip.begin("large");
            for (int i = 0; i < 50; ++i)
                zip.append(std::string(static_cast<size_t>(i) * 997, static_cast<char>('a' + i % 26)));
            zip.end();
        };
        ZipWriter file(path), memory;
        fill(file);
        fill(memory);
        file.finish();
        QVERIFY(memory.takeBytes() == readFile(path));
        const ZipArchive archive(path);
        QCOMPARE(archive.read("empty"), std::string());
        QCOMPARE(archive.size("large"), uint64_t(997) * 49 * 50 / 2);
    }

    void leavesASaveInProgressAlone() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("net.fxg").toStdString();
        const std::string left = folder.filePath("old.fxg.fxscope-part-00000000000000ff").toStdString();
        {
            std::ofstream(left) << "of a process that was killed";
            OutputFile file(path);
            QVERIFY(!std::filesystem::exists(left));
            file.write("one");
            writeFile(folder.filePath("other.fxg").toStdString(), "other");
            exportFolder(modelWith(3).model, folder.filePath("net").toStdString(), "Net", "");
            file.finish();
        }
        QCOMPARE(readFile(path), std::string("one"));
        OutputFile(path).write("two"); // and given up
        QCOMPARE(contentOf(folder.path().toStdString()).size(), size_t(5));
        QCOMPARE(readFile(path), std::string("one"));
    }

    void aFolderKeepsWhatElseIsInIt() {
        namespace fs = std::filesystem;
        const QTemporaryDir parent;
        const auto at = [&](const char* name) { return fs::path(parent.filePath(name).toStdString()); };
        fs::create_directories(at("net/tests/deep"));
        writeFile(at("net/tests/deep/test.py").string(), "a test");
        writeFile(at("net/module.py").string(), "older");
        fs::create_symlink("tests", at("net/link"));
        fs::create_hard_link(at("net/tests/deep/test.py"), at("twin"));
        fs::permissions(at("net"), fs::perms(0750));
        fs::permissions(at("net/tests"), fs::perms(0700));
        fs::create_symlink("net", at("by link"));
        exportFolder(modelWith(3).model, at("by link").string(), "Net", "");
        QVERIFY(fs::is_symlink(at("by link")));
        QVERIFY(readFile(at("net/module.py").string()).find("class Net") != std::string::npos);
        QVERIFY(fs::exists(at("net/state.pt")) && fs::exists(at("net/__init__.py")));
        QCOMPARE(readFile(at("net/tests/deep/test.py").string()), std::string("a test"));
        QVERIFY(fs::equivalent(at("net/tests/deep/test.py"), at("twin")));
        QCOMPARE(fs::read_symlink(at("net/link")).string(), std::string("tests"));
        QCOMPARE(int(fs::status(at("net")).permissions()), 0750);
        QCOMPARE(int(fs::status(at("net/tests")).permissions()), 0700);
        QCOMPARE(contentOf(parent.path().toStdString()).size(), size_t(5));
    }

    void refusesFoldersThatCannotBeExchanged() {
        namespace fs = std::filesystem;
        const QTemporaryDir parent;
        const fs::path folder = parent.filePath("net").toStdString(), before = fs::current_path();
        fs::create_directories(folder / "in");
        writeFile((parent.path().toStdString() + "/file"), "file");
        const auto reason = [](const std::string& path) -> std::string {
            try {
                exportFolder(modelWith(3).model, path, "Net", "");
                return {};
            } catch (const Error& error) {
                return error.message();
            }
        };
        const std::string current = "cannot be replaced as a whole: the current folder is in it";
        for (const fs::path& here : {folder, folder / "in"}) {
            fs::current_path(here);
            QCOMPARE(reason(folder.string()), current);
            QCOMPARE(reason("."), current);
            QCOMPARE(reason("../net/."), here == folder ? current : std::string());
        }
        fs::current_path(before);
        fs::remove_all(folder / "net");
        QCOMPARE(reason(parent.path().toStdString() + "/file"), std::string("is a file, not a folder"));
        QCOMPARE(contentOf(parent.path().toStdString()).size(), size_t(1));
    }
};

FX_TEST(TestSaving)
} // namespace fx::saving_test
#include "tst_saving.moc"
