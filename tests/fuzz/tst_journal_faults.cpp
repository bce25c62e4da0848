// SPDX-License-Identifier: GPL-3.0-or-later
// A journal of edits on a disk that fails, as the files of tst_writer_faults.cpp: what was written to it
// stays, and one that cannot be made leaves nothing.
#include "core/base/error.h"
#include "core/io/mapped_file.h"
#include "core/session/journal_file.h"
#include "tests/support/disk_faults.h"
#include "tests/support/file_limit.h"
#include "tests/support/own_disk.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

namespace fx::journal_faults_test {

namespace fs = std::filesystem;

namespace {

using Records = std::vector<std::string>;

std::map<std::string, std::string> filesIn(const std::string& folder) {
    std::map<std::string, std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        out[entry.path().string()] = readFile(entry.path().string());
    return out;
}

std::optional<JournalFile> made(const std::string& folder, const std::string& record, std::string& fault) {
    try {
        return JournalFile(folder, record);
    } catch (const Error& error) {
        fault = error.what();
        return std::nullopt;
    }
}

std::string faultOfAppending(JournalFile& journal, const std::string& record) {
    try {
        journal.append(record);
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

const std::string kRecord(100'000, 'x');
const Records kTwo{"first", "second"};

} // namespace

class TestJournalFaults : public QObject {
    Q_OBJECT

public:
    static void beforeApplication() { OwnDisk::make(); }

private Q_SLOTS:
    void init() {
        if (!OwnDisk::path().empty())
            OwnDisk::clear();
        m_place.emplace(QString::fromStdString(OwnDisk::place()));
        m_folder = m_place->path().toStdString();
    }
    void cleanupTestCase() {
        m_place.reset();
        OwnDisk::remove();
    }

    void anyOperationMayFail_data() {
        QTest::addColumn<int>("code");
        QTest::newRow("full") << ENOSPC;
        QTest::newRow("damaged") << EIO;
    }
    void anyOperationMayFail() {
        QFETCH(int, code);
        std::optional<JournalFile> journal;
        for (int at = 0; !journal; ++at) {
            std::string fault;
            {
                const DiskFaults faults(at, code);
                journal = made(m_folder, "first", fault);
            }
            const bool isThere = journal.has_value();
            QCOMPARE(filesIn(m_folder).size(), size_t(isThere));
            QVERIFY2(isThere || fault.find(std::strerror(code)) != std::string::npos, fault.c_str());
            QVERIFY(isThere || DiskFaults::haveHappened());
            if (isThere && DiskFaults::haveHappened()) { // while its folder was synced, which some cannot do
                QCOMPARE(journal->read().records, Records{"first"});
                journal->remove();
                journal.reset();
            }
        }
        Records records{"first"};
        for (int at = 0; records.size() < 2; ++at) {
            std::string fault;
            {
                const DiskFaults faults(at, code);
                fault = faultOfAppending(*journal, kRecord);
            }
            QCOMPARE(fault.empty(), !DiskFaults::haveHappened());
            if (fault.empty())
                records.push_back(kRecord);
            QVERIFY(journal->read().records == records);
            QCOMPARE(journal->read().tornBytes, uint64_t(0));
        }
        // What it could not cut off stays torn, and is gone with the next record.
        for (int at = 0; at < 4; ++at) {
            {
                const FileLimit limit(fs::file_size(journal->path()) + 50);
                const DiskFaults faults(at, code);
                QVERIFY(!faultOfAppending(*journal, kRecord).empty());
            }
            QVERIFY(journal->read().records == records);
            QCOMPARE(faultOfAppending(*journal, "after"), std::string());
            records.emplace_back("after");
            QVERIFY(journal->read().records == records);
            QCOMPARE(journal->read().tornBytes, uint64_t(0));
        }
        {
            const DiskFaults faults(0, code);
            QVERIFY_THROWS_EXCEPTION(Error, journal->sync());
        }
        journal->sync();
    }

    void sizesMayBeLimited() {
        std::string fault;
        std::optional<JournalFile> whole = made(m_folder, kRecord, fault);
        const uint64_t size = fs::file_size(whole->path());
        whole->remove();
        for (uint64_t i = 0; i < 20; ++i) {
            const FileLimit limit(size * i / 20);
            QVERIFY(!made(m_folder, kRecord, fault));
            QVERIFY2(fault.find("File too large") != std::string::npos, fault.c_str());
            QVERIFY(filesIn(m_folder).empty());
        }
        std::optional<JournalFile> journal = made(m_folder, "first", fault);
        journal->append("second");
        const auto before = filesIn(m_folder);
        const uint64_t used = fs::file_size(journal->path());
        for (uint64_t i = 0; i < 20; ++i) {
            const FileLimit limit(used + kRecord.size() * i / 20);
            fault = faultOfAppending(*journal, kRecord);
            QVERIFY2(fault.find("File too large") != std::string::npos, fault.c_str());
            QVERIFY(journal->read().records == kTwo);
            QVERIFY(filesIn(m_folder) == before);
        }
    }

    void theDiskMayBeFull() {
        if (OwnDisk::path().empty())
            QSKIP("no disk of its own may be made here");
        std::string fault;
        QVERIFY(OwnDisk::resize(OwnDisk::kWholeSize));
        std::optional<JournalFile> journal = made(m_folder, "first", fault);
        journal->append("second");
        const auto before = filesIn(m_folder);
        const uint64_t used = OwnDisk::usedBytes();
        for (uint64_t i = 0; i < 20; ++i) {
            QVERIFY(OwnDisk::resize(used + kRecord.size() * i / 20 / OwnDisk::kPage * OwnDisk::kPage));
            for (const bool isNew : {true, false}) {
                if (isNew)
                    QVERIFY(!made(m_folder, kRecord, fault));
                else
                    fault = faultOfAppending(*journal, kRecord);
                QVERIFY2(fault.find("No space left on device") != std::string::npos, fault.c_str());
                QVERIFY(journal->read().records == kTwo);
                QVERIFY(filesIn(m_folder) == before);
            }
        }
        QVERIFY(OwnDisk::resize(OwnDisk::kWholeSize));
        journal.reset(); // so that nothing is open for writing
        QVERIFY(OwnDisk::setReadOnly(true));
        const bool isMade = made(m_folder, kRecord, fault).has_value();
        QVERIFY(OwnDisk::setReadOnly(false));
        QVERIFY(!isMade);
        QVERIFY2(fault.find("Read-only file system") != std::string::npos, fault.c_str());
        QVERIFY(filesIn(m_folder) == before);
    }

    /// Else a machine that stops leaves a name without a record.
    void theDiskHasTheFirstRecordFirst() {
        std::string fault;
        {
            const DiskFaults none(DiskFaults::kNever, 0);
            QVERIFY(made(m_folder, "first", fault));
        }
        const Records all = DiskFaults::operations();
        const auto moved = std::ranges::find(all, "rename"), written = std::find(all.begin(), moved, "write");
        QVERIFY(moved != all.end() && written != moved);
        QVERIFY(std::find(written, moved, "sync") != moved);
        QVERIFY(std::find(moved, all.end(), "sync folder") != all.end());
    }

    /// Of processes that begin in the same second, and of clocks that jump, each journal is found.
    void journalsOfSeveralProcesses() {
        constexpr int kProcesses = 4, kEach = 25;
        for (int process = 0; process < kProcesses; ++process)
            if (::fork() == 0) {
                std::string fault;
                for (int i = 0; i < kEach && fault.empty(); ++i)
                    if (auto journal =
                            made(m_folder, std::to_string(process) + '.' + std::to_string(i), fault))
                        journal->append("more");
                ::_exit(fault.empty() ? 0 : 1);
            }
        for (int process = 0; process < kProcesses; ++process) {
            int status = 0;
            QVERIFY(::wait(&status) > 0);
            QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        }
        const std::vector<std::string> paths = JournalFile::in(m_folder);
        QCOMPARE(paths.size(), size_t(kProcesses * kEach));
        const auto year = [](int number) {
            return fs::file_time_type::clock::now() + std::chrono::days(365 * (number - 2026));
        };
        std::set<std::string> first;
        std::vector<JournalFile> taken;
        for (size_t i = 0; i < paths.size(); ++i) {
            fs::last_write_time(paths[i], year(i % 2 ? 1971 : 2100));
            std::optional<JournalFile> journal = JournalFile::take(paths[i]);
            QVERIFY(journal);
            QVERIFY(!JournalFile::take(paths[i])); // nobody else has it now
            QCOMPARE(journal->read().records.size(), size_t(2));
            first.insert(journal->read().records[0]);
            taken.push_back(std::move(*journal));
        }
        QCOMPARE(first.size(), paths.size());
    }

private:
    std::optional<QTemporaryDir> m_place;
    std::string m_folder;
};

FX_TEST(TestJournalFaults)
} // namespace fx::journal_faults_test

#include "tst_journal_faults.moc"
