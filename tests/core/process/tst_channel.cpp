// SPDX-License-Identifier: GPL-3.0-or-later
// Messages over a socket, with files that nobody can change any more.
#include "core/base/error.h"
#include "core/process/channel.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace fx::channel_test {

class TestChannel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        int ends[2];
        QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
        m_here.emplace(ends[0], true);
        m_there.emplace(ends[1], true);
    }

    void filesComeSealed() {
        const auto file = memoryFile("test");
        writeAll(*file, "content");
        QVERIFY(m_here->send({MessageKind::Ask, 7, "body", file}));
        const std::optional<Message> message = m_there->receive();
        QVERIFY(message && message->number == 7 && message->body == "body" && message->file);
        QCOMPARE(contentOf(*message->file), std::string("content"));
        QVERIFY_THROWS_EXCEPTION(Error, writeAll(*file, "more"));
        QVERIFY(m_here->send({MessageKind::Ask, 8, {}, file})); // which is sealed already
        QVERIFY(m_there->receive());
    }

    void aFileOnDiskIsRefused() {
        const QTemporaryDir folder;
        const auto file = std::make_shared<const Descriptor>(
            ::open(folder.filePath("file").toStdString().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
        writeAll(*file, "content");
        QVERIFY(m_here->send({MessageKind::Ask, 7, "body", file}));
        QVERIFY_THROWS_EXCEPTION(Error, m_there->receive());
    }

    void whoTakesNothingIsGivenUp() {
        m_here->setPatience(std::chrono::milliseconds(50));
        QVERIFY(!m_here->send({MessageKind::Ask, 0, std::string(10'000'000, 'x')}));
    }

private:
    std::optional<Channel> m_here, m_there;
};

FX_TEST(TestChannel)
} // namespace fx::channel_test
#include "tst_channel.moc"
