// SPDX-License-Identifier: GPL-3.0-or-later
// Zip files beyond 4 GB: as PyTorch writes them, with the place of a record in 64 bits, and as we do. The
// gaps are holes, so that the files take no room.
#include "core/base/error.h"
#include "core/io/zip_archive.h"
#include "core/io/zip_writer.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>

namespace fx::zip_archive_test {

namespace {

constexpr qint64 kFar = (qint64(1) << 32) + 4096;

template <class... Ts>
QByteArray packed(Ts... numbers) {
    QByteArray out;
    (out.append(reinterpret_cast<const char*>(&numbers), sizeof numbers), ...);
    return out;
}

using U16 = uint16_t;
using U32 = uint32_t;
using U64 = uint64_t;

/// A stored record of one byte, 'x'.
QByteArray header(const QByteArray& name) {
    return packed(U32(0x04034B50), U16(45), U16(0), U16(0), U32(0), U32(0x8CDC1683), U32(1), U32(1),
                  U16(name.size()), U16(0)) +
           name + 'x';
}

/// Its row in the directory.
QByteArray directory(const QByteArray& name, U32 place, const QByteArray& extra) {
    return packed(U32(0x02014B50), U16(45), U16(45), U16(0), U16(0), U32(0), U32(0x8CDC1683), U32(1), U32(1),
                  U16(name.size()), U16(extra.size()), U16(0), U16(0), U16(0), U32(0), place) +
           name + extra;
}

QByteArray end(qint64 place, qint64 size, U64 count) {
    return packed(U32(0x06064B50), U64(44), U16(45), U16(45), U32(0), U32(0), count, count, U64(size),
                  U64(place)) +
           packed(U32(0x07064B50), U32(0), U64(place + size), U32(1)) +
           packed(U32(0x06054B50), U16(0), U16(0), U16(0xFFFF), U16(0xFFFF), U32(0xFFFFFFFF), U32(0xFFFFFFFF),
                  U16(0));
}

} // namespace

class TestZipArchive : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string written(const QByteArray& record, qint64 place) {
        QFile file(m_folder.filePath("far.zip"));
        if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate))
            return {};
        const QByteArray near = header("near");
        file.write(near);
        file.seek(kFar);
        file.write(header("far"));
        const QByteArray records = directory("near", 0, {}) + record;
        file.seek(place);
        file.write(records + end(place, records.size(), 2));
        file.close();
        return file.fileName().toStdString();
    }

private Q_SLOTS:
    void readsRecordsBeyondFourGigabytes() {
        // Another extra field first, then the one with the place only: the sizes fit into 32 bits.
        const QByteArray extra = packed(U16(0x4246), U16(2), U16(0)) + packed(U16(1), U16(8), U64(kFar));
        const ZipArchive zip(written(directory("far", 0xFFFFFFFF, extra), kFar + 100));
        QCOMPARE(zip.names(), (std::vector<std::string>{"far", "near"}));
        QCOMPARE(zip.read("near"), std::string("x"));
        QCOMPARE(zip.read("far"), std::string("x"));
        const ZipArchive::Piece piece = zip.map("far");
        QCOMPARE(piece.offset, size_t(kFar) + 33);
        piece.verify();
    }

    void refusesPlacesOutsideTheFile() {
        const QByteArray extra = packed(U16(1), U16(8), U64(kFar) << 8);
        const ZipArchive zip(written(directory("far", 0xFFFFFFFF, extra), kFar + 100));
        QVERIFY_THROWS_EXCEPTION(Error, zip.read("far"));
        // An extra field that is too short for the place leaves it where it cannot be.
        const ZipArchive cut(
            written(directory("far", 0xFFFFFFFF, packed(U16(1), U16(4), U32(7))), kFar + 100));
        QVERIFY_THROWS_EXCEPTION(Error, cut.read("far"));
    }

    void readsWhatItWrites() {
        const std::string path = m_folder.filePath("ours.zip").toStdString();
        ZipWriter writer(path);
        writer.add("first", "one");
        writer.add("folder/second", std::string(200000, 'b'));
        writer.finish();
        const ZipArchive zip(path);
        QCOMPARE(zip.read("first"), std::string("one"));
        QCOMPARE(zip.read("folder/second").size(), size_t(200000));
        QCOMPARE(zip.map("folder/second").offset % 64, size_t(0));
    }
};

FX_TEST(TestZipArchive)
} // namespace fx::zip_archive_test
#include "tst_zip_archive.moc"
