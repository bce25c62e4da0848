// SPDX-License-Identifier: GPL-3.0-or-later
// Files that clients send to a server, and clients that are gone in the middle of one.
#include "core/session/remote_client.h"
#include "tests/support/served_net.h"
#include "tests/support/test_program.h"

#include <QDirIterator>
#include <QTemporaryDir>

#include <array>
#include <filesystem>
#include <sys/socket.h>
#include <unistd.h>

namespace fx::uploads_test {

namespace fs = std::filesystem;

namespace {

constexpr size_t kSize = 1'000'000, kStep = 100'000;

/// What a channel sends for the message.
std::string bytesOf(const Message& message) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return {};
    std::string out;
    std::thread reading([&out, end = ends[1]] {
        std::array<char, 4096> piece;
        for (ssize_t count = 1; (count = ::recv(end, piece.data(), piece.size(), 0)) > 0;)
            out.append(piece.data(), static_cast<size_t>(count));
        ::close(end);
    });
    {
        Channel channel(ends[0], false);
        channel.send(message);
        channel.shutDown();
    }
    reading.join();
    return out;
}

Message uploadOf(const std::string& content) {
    Message out{MessageKind::Upload, 1, "net.py", memoryFile("test")};
    if (::write(out.file->number(), content.data(), content.size()) != static_cast<ssize_t>(content.size()))
        throw std::runtime_error("no file can be written");
    return out;
}

} // namespace

class TestUploads : public QObject {
    Q_OBJECT

    /// Files and folders of servers.
    int kept() const {
        int out = 0;
        // Not by std::filesystem, whose iterators throw where a server removes what they are at.
        QDirIterator at(m_temporary.path(), QDir::AllEntries | QDir::NoDotAndDotDot,
                        QDirIterator::Subdirectories);
        while (at.hasNext())
            out += at.next().contains("fxscope-uploaded-");
        return out;
    }

private Q_SLOTS:
    void initTestCase() { qputenv("TMPDIR", m_temporary.path().toUtf8()); }

    void aClientThatIsGoneInTheMiddleLeavesNothing() {
        const ServedNet host([](ServeOptions& options) { options.keep = std::chrono::seconds(0); });
        const std::string whole = bytesOf(uploadOf(std::string(kSize, 'x')));
        QVERIFY(whole.size() > kSize);
        for (size_t size = 0; size < whole.size(); size += kStep) {
            Channel channel(connectTo(host.address()), false);
            channel.send(greetingMessage({remoteVersion(), "secret", ""}));
            QVERIFY(channel.receive()->kind == MessageKind::Greeting);
            size_t sent = 0;
            while (sent < size)
                sent += static_cast<size_t>(::send(channel.number(), whole.data() + sent, size - sent, 0));
            if (size % (2 * kStep) == 0)
                channel.shutDown();
            QCOMPARE(kept(), 0);
        }
        // Another one is served, and its file is there as long as it is.
        const auto to = RemoteHost::connect(host.address(), "secret");
        const std::string path = to->upload(host.folder() + "/net.py");
        QVERIFY(fs::file_size(path) == fs::file_size(host.folder() + "/net.py"));
        QCOMPARE(kept(), 2);
        QVERIFY(to->open({path + ":Net(8)", {}, {}}).model.graph().outputNode());
    }

    void twoFilesOfOneNameAreTheLastOne() {
        const ServedNet host([](ServeOptions& options) { options.keep = std::chrono::seconds(0); });
        {
            const auto to = RemoteHost::connect(host.address(), "secret");
            const std::string path = to->upload(host.folder() + "/net.py");
            fs::resize_file(host.folder() + "/net.py", 10);
            QCOMPARE(to->upload(host.folder() + "/net.py"), path);
            QVERIFY(fs::file_size(path) == 10);
        }
        QTRY_COMPARE(kept(), 0);
    }

private:
    const QTemporaryDir m_temporary;
};

FX_TEST(TestUploads)
} // namespace fx::uploads_test
#include "tst_uploads.moc"
