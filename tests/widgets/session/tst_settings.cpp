// SPDX-License-Identifier: GPL-3.0-or-later
// Settings on a disk that fails: the old ones stay whole, and nothing is left beside them.
#include "tests/support/disk_faults.h"
#include "tests/support/file_limit.h"
#include "tests/support/own_disk.h"
#include "tests/support/test_program.h"
#include "tests/support/widgets_probe.h"
#include "widgets/session/debug_service.h"
#include "widgets/session/settings.h"

#include <cerrno>

namespace fx::ui::settings_test {

class TestSettings : public QObject {
    Q_OBJECT

public:
    static void beforeApplication() { OwnDisk::make(); }

    QByteArray content() const {
        QFile file(m_path);
        return file.open(QFile::ReadOnly) ? file.readAll() : QByteArray();
    }
    /// What is beside the settings, of any name.
    QStringList others() const {
        const QFileInfo info(m_path);
        QStringList out = info.dir().entryList(QDir::Files | QDir::Hidden | QDir::System);
        out.removeOne(info.fileName());
        return out;
    }
    static void setAll(int theme) {
        Settings::setTheme(theme);
        Settings::addRecentFile(QString("/models/%1.pt2").arg(theme, 300, 10, QChar('0')));
    }

private Q_SLOTS:
    void init() {
        m_settings = std::make_unique<OwnSettings>();
        m_path = Settings::path(); // not asked again, as asking writes what is still to be kept
        Settings::setTheme(1);
        QVERIFY(content().contains("\"theme\": 1"));
    }

    void aFullDiskKeepsTheOldOnes() { // the first, as it is told once
        const QByteArray before = content();
        QTest::ignoreMessage(QtWarningMsg, qPrintable("note: " + m_path +
                                                      ": cannot be written, so that settings are not kept"));
        {
            const FileLimit full(0);
            Settings::setTheme(2);
            Settings::setPassFile("told once"); // though it is not kept, either
        }
        QCOMPARE(content(), before);
        Settings::setTheme(2);
        QVERIFY(content().contains("\"theme\": 2"));
        QCOMPARE(others(), QStringList());
    }

    void thoseOfEarlierVersionsAreTakenOver() {
        QVERIFY(QFile::remove(m_path));
        {
            QSettings old;
            old.setValue("theme", 2);
            old.setValue("recent", QStringList{"/a.pt2", "/b, c.pt2"});
            old.setValue("window/state", QByteArray("\x01\0\xff", 3));
        }
        for (int i = 0; i < 2; ++i) {
            Settings::takeOver();
            QCOMPARE(Settings::theme(), 2 + i);
            QCOMPARE(Settings::recentFiles(), (QStringList{"/a.pt2", "/b, c.pt2"}));
            QCOMPARE(Settings::windowState(), QByteArray("\x01\0\xff", 3));
            Settings::setTheme(3); // which stays, as they are taken over once
        }
        QSettings().clear();
        QVERIFY(QFile::remove(QSettings().fileName()));
    }

    void allKindsComeBack() {
        DebugMemory memory;
        memory.inputs = {{"x", "torch.ones(2)"}, {"größe=a b", "\"quoted\" \n\t\\"}};
        memory.breakpoints = {"relu"};
        memory.libraries = {};
        memory.seed = "7";
        Settings::saveDebugMemory("/net.pt2", memory);
        Settings::saveWindow(QByteArray("\0geometry\xfe", 10), "state");
        QVERIFY(requestOf(Settings::debugMemory("/net.pt2")).computesAs(requestOf(memory)));
        QCOMPARE(Settings::debugMemory("/net.pt2").breakpoints, memory.breakpoints);
        QCOMPARE(Settings::windowGeometry(), QByteArray("\0geometry\xfe", 10));
        QCOMPARE(Settings::windowState(), QByteArray("state"));
        QFile file(m_path); // no settings of ours: none are there, and the next ones are kept
        QVERIFY(file.open(QFile::WriteOnly | QFile::Truncate) && file.write("{\"theme\":") > 0);
        file.close();
        QCOMPARE(Settings::theme(), 0);
        Settings::setTheme(2);
        QCOMPARE(Settings::theme(), 2);
    }

    void sizesMayBeLimited() {
        setAll(1);
        setAll(2);
        const qint64 size = content().size();
        m_settings.reset();
        init();
        setAll(1);
        const QByteArray before = content();
        QVERIFY(size > before.size());
        for (qint64 i = 0; i < 20; ++i) {
            // Less than what has to be written, which holds the old content.
            const FileLimit limit(static_cast<rlim_t>(before.size() * i / 20));
            setAll(2);
            QCOMPARE(content(), before);
            QCOMPARE(others(), QStringList());
        }
        setAll(2);
        QCOMPARE(content().size(), size);
    }

    void anyOperationMayFail_data() {
        QTest::addColumn<int>("code");
        QTest::newRow("full") << ENOSPC;
        QTest::newRow("damaged") << EIO;
    }
    void anyOperationMayFail() {
        QFETCH(int, code);
        const QByteArray before = content();
        Settings::setTheme(2);
        const QByteArray after = content();
        QVERIFY(before != after);
        int at = 0;
        for (bool isOver = false; !isOver; ++at) {
            Settings::setTheme(1);
            QCOMPARE(content(), before);
            {
                const DiskFaults faults(at, code);
                Settings::setTheme(2);
            }
            isOver = !DiskFaults::haveHappened();
            // Qt tries again where it could not.
            QVERIFY2(content() == before || content() == after, content().constData());
            QVERIFY(!isOver || content() == after);
            QCOMPARE(others(), QStringList());
        }
        QVERIFY(at > 2);
    }

    void theDiskMayBeFullOrReadOnly() {
        if (OwnDisk::path().empty())
            QSKIP("no disk of its own may be made here");
        OwnDisk::clear();
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope,
                           QString::fromStdString(OwnDisk::path()));
        m_path = Settings::path();
        setAll(1);
        const QByteArray before = content();
        QVERIFY(before.contains("\"theme\": 1"));
        QVERIFY(OwnDisk::resize(OwnDisk::usedBytes()));
        setAll(2);
        QCOMPARE(content(), before);
        QCOMPARE(others(), QStringList());
        QVERIFY(OwnDisk::resize(OwnDisk::kWholeSize));
        QVERIFY(OwnDisk::setReadOnly(true));
        setAll(2);
        QVERIFY(OwnDisk::setReadOnly(false));
        QCOMPARE(content(), before);
        QCOMPARE(others(), QStringList());
        setAll(2);
        QVERIFY(content().contains("\"theme\": 2"));
    }

    void cleanupTestCase() {
        m_settings.reset();
        OwnDisk::remove();
    }

private:
    std::unique_ptr<OwnSettings> m_settings;
    QString m_path;
};

FX_TEST(TestSettings)
} // namespace fx::ui::settings_test

#include "tst_settings.moc"
