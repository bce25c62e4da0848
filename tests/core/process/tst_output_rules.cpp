// SPDX-License-Identifier: GPL-3.0-or-later
// What a confined process may change: the outputs where they really are, and nothing that others have there.
#include "core/base/temporary_entry.h"
#include "core/io/mapped_file.h"
#include "core/io/output_file.h"
#include "core/process/output_rules.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>

#include <filesystem>
#include <optional>

namespace fx::output_rules_test {

namespace fs = std::filesystem;

using Right = OutputRules::Right;
class TestOutputRules : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// link -> far/deep, far/deep/alias.fxg -> ../x.fxg, loose.fxg -> link/../x.fxg
    void init() {
        m_folder.emplace();
        m_top = fs::canonical(m_folder->path().toStdString());
        fs::create_directories(m_top / "far" / "deep");
        fs::create_symlink("far/deep", m_top / "link");
        fs::create_symlink("../x.fxg", m_top / "far" / "deep" / "alias.fxg");
        fs::create_symlink("link/../x.fxg", m_top / "loose.fxg");
    }

    void anOutputIsWhereTheWriterMakesIt_data() {
        QTest::addColumn<std::string>("path");
        QTest::addColumn<std::string>("written");
        QTest::newRow("plain") << std::string("x.fxg") << std::string("x.fxg");
        QTest::newRow("below a link") << std::string("link/x.fxg") << std::string("far/deep/x.fxg");
        QTest::newRow("back from a link") << std::string("link/../x.fxg") << std::string("far/x.fxg");
        QTest::newRow("twice back") << std::string("link/../../x.fxg") << std::string("x.fxg");
        QTest::newRow("back from a folder") << std::string("far/../x.fxg") << std::string("x.fxg");
        QTest::newRow("dots and slashes") << std::string("./link//./..//x.fxg") << std::string("far/x.fxg");
        QTest::newRow("link to a file") << std::string("link/alias.fxg") << std::string("far/x.fxg");
        QTest::newRow("link through a link") << std::string("loose.fxg") << std::string("far/x.fxg");
    }
    void anOutputIsWhereTheWriterMakesIt() {
        QFETCH(std::string, path);
        QFETCH(std::string, written);
        const std::string output = (m_top / path).string();
        OutputRules rules;
        rules.addOutput(output);
        {
            OutputFile file(output);
            int parts = 0;
            for (const auto& entry : fs::recursive_directory_iterator(m_top))
                if (entry.path().filename().string().find(".fxscope-part-") != std::string::npos) {
                    ++parts;
                    QCOMPARE(rules.rightOn(OutputRules::placeOf(entry.path())), Right::Create);
                }
            QCOMPARE(parts, 1);
            file.write("new");
            file.finish();
        }
        QCOMPARE(readFile((m_top / written).string()), std::string("new"));
        QCOMPARE(rules.rightOn(OutputRules::targetOf(OutputRules::placeOf(output))), Right::Change);
        // Nowhere else.
        for (const char* name : {"x.fxg", "far/x.fxg", "far/deep/x.fxg"})
            QCOMPARE(rules.rightOn(m_top / name), name == written ? Right::Change : Right::None);
    }

    void placesAreThoseOfTheKernel_data() {
        QTest::addColumn<std::string>("path");
        for (const char* path :
             {"link/.", "link/", "link/..", "link/../", "link/../deep/.", "far/deep/..", "."})
            QTest::newRow(path) << std::string(path);
    }
    void placesAreThoseOfTheKernel() {
        QFETCH(std::string, path);
        QCOMPARE(OutputRules::placeOf(m_top / path), fs::canonical(m_top / path));
        QCOMPARE(OutputRules::placeOf(m_top / "link"), m_top / "link");
    }

    /// Names that only look like those of killed saves are a user's; others are of saves in progress.
    void nothingOfOthersMayBeRemoved() {
        const std::string whole = "other.fxg.fxscope-part-0123456789abcdef";
        for (const char* name : {"notes.fxscope-part-", "notes.fxscope-part-12",
                                 "notes.fxscope-part-0123456789abcdefa", "victim"})
            writeFile((m_top / name).string(), "precious");
        writeFile((m_top / whole).string(), "left");
        std::optional<TemporaryEntry> saving;
        saving.emplace(TemporaryEntry::Kind::File, (m_top / "saved.fxg").string(), 0600, "saved.fxg");
        writeFile((m_top / whole).string(), "left"); // as making the other one has cleared it
        fs::create_directories(m_top / "folder.fxscope-part-0123456789abcdef" / "deep");
        OutputRules rules;
        rules.addOutput((m_top / "net.fxg").string());
        QVERIFY(!fs::exists(m_top / whole));
        QVERIFY(!fs::exists(m_top / "folder.fxscope-part-0123456789abcdef"));
        QVERIFY(fs::exists(saving->path()));
        for (const auto& entry : fs::recursive_directory_iterator(m_top))
            QVERIFY2(!rules.mayRemove(OutputRules::placeOf(entry.path())), entry.path().c_str());
        QVERIFY(rules.mayRemove(m_top / "net.fxg"));
        QCOMPARE(readFile((m_top / "notes.fxscope-part-").string()), std::string("precious"));
    }

private:
    std::optional<QTemporaryDir> m_folder;
    fs::path m_top;
};

FX_TEST(TestOutputRules)
} // namespace fx::output_rules_test
#include "tst_output_rules.moc"
