// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures as files: what is no picture, and disks that do not take them.
#include "core/base/error.h"
#include "tests/support/file_limit.h"
#include "tests/support/test_program.h"
#include "tests/widgets/canvas/canvas_probe.h"
#include "widgets/canvas/picture_file.h"

#include <QDir>

namespace fx::ui::picture_file_test {

namespace {

QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestPictureFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pdfHasOnePage() {
        CanvasProbe probe("control_flow");
        const QString path = probe.settings.path("graph.pdf");
        writePicture(probe.view, {.path = path});
        const QByteArray bytes = bytesOf(path);
        QVERIFY(bytes.startsWith("%PDF") && bytes.size() > 5000);
        QCOMPARE(bytes.count("/Type /Page\n"), 1);
    }

    void whatCannotBeWrittenIsRefused() {
        CanvasProbe probe("control_flow");
        QVERIFY_THROWS_EXCEPTION(Error, writePicture(probe.view, {.path = "/nowhere/graph.svg"}));
        QVERIFY_THROWS_EXCEPTION(Error, writePicture(probe.view, {.path = probe.settings.path("graph.bmp")}));
        QVERIFY_THROWS_EXCEPTION(
            Error, writePicture(probe.view, {.path = probe.settings.path("g.png"), .scale = 1e4}));
        QCOMPARE(QDir(probe.settings.path("")).entryList({"g*"}), QStringList());
    }

    void sizesMayBeLimited_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"graph.svg", "graph.pdf", "graph.png"})
            QTest::newRow(name) << QString(name);
    }
    void sizesMayBeLimited() {
        QFETCH(QString, name);
        CanvasProbe probe("control_flow");
        const QString path = probe.settings.path(name);
        writePicture(probe.view, {.path = path});
        const auto size = static_cast<uint64_t>(bytesOf(path).size());
        QVERIFY(size > 1000);
        for (const bool isNew : {true, false}) {
            QVERIFY(QFile::remove(path));
            if (!isNew) {
                QFile old(path);
                QVERIFY(old.open(QIODevice::WriteOnly) && old.write("old") == 3);
            }
            for (uint64_t i = 0; i < 20; ++i) {
                const FileLimit limit(size * i / 20);
                try {
                    writePicture(probe.view, {.path = path});
                    QFAIL("it was written");
                } catch (const Error& error) {
                    QVERIFY2(QString(error.what()).startsWith(path + ": cannot write: File too large"),
                             error.what());
                }
                QCOMPARE(QDir(probe.settings.path("")).entryList({"*graph*"}, QDir::Files | QDir::Hidden),
                         isNew ? QStringList() : QStringList(name));
                QCOMPARE(bytesOf(path), isNew ? "" : "old");
            }
            writePicture(probe.view, {.path = path});
            QCOMPARE(static_cast<uint64_t>(bytesOf(path).size()), size);
        }
    }
};

FX_TEST(TestPictureFile)
} // namespace fx::ui::picture_file_test
#include "tst_picture_file.moc"
