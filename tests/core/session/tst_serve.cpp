// SPDX-License-Identifier: GPL-3.0-or-later
// The port of a server: nobody is let in who does not know the token or has another version, and nothing that
// is said there ends it.
#include "core/module/edit.h"
#include "core/process/token_file.h"
#include "core/session/debug_wire.h"
#include "core/session/remote_client.h"
#include "core/session/replica_message.h"
#include "core/torch/values/devices.h"
#include "tests/support/debuggee_probe.h"
#include "tests/support/served_net.h"
#include "tests/support/slow_line.h"
#include "tests/support/strangers.h"
#include "tests/support/test_program.h"

#include <array>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <future>
#include <random>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fx::serve_test {

namespace {

/// What a server answers to bytes that are no greeting of ours; none: it hangs up.
std::string answerTo(const std::string& address, const Message& message) {
    Channel channel(connectTo(address), false);
    channel.send(message);
    const std::optional<Message> answer = channel.receive();
    return answer ? answer->body : std::string();
}

RunRequest onOnes() {
    RunRequest out;
    out.inputs["x"] = "torch.ones(2, 8)";
    out.pausesAtEntry = false;
    return out;
}

/// Whether a server still lets somebody in who may, and runs a model.
bool works(const ServedNet& host) {
    const auto to = RemoteHost::connect(host.address(), "secret");
    const OpenedModel opened = to->open(host.net());
    DebuggeeProbe heard([&](Debuggee::Listener listen) {
        return std::make_unique<RemoteDebuggee>(to, RemoteOptions(), std::move(listen));
    });
    heard.start(onOnes());
    return heard.wait<Finished>().result.starts_with("tensor(");
}

/// Of a client that is to lose its patience soon.
constexpr HostPatience kShortPatience{std::chrono::seconds(20), std::chrono::seconds(2)};

void signOften(ServeOptions& options) {
    options.signs = std::chrono::milliseconds(200);
}

/// Opens for some seconds.
OpeningRequest longOpening(const ServedNet& host) {
    const std::string path = host.folder() + "/long.py";
    std::ofstream(path) << "import torch\n\ndef long(x):\n    for i in range(120):\n"
                           "        torch.ones(1200, 1200) @ torch.ones(1200, 1200)\n    return x\n";
    return {path + ":long", {}, {}};
}

/// A message of a greeting, as bytes.
std::string greetingBytes(const std::string& token) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return {};
    Channel from(ends[0], false);
    const Descriptor to(ends[1]);
    from.send(greetingMessage({remoteVersion(), token, ""}));
    std::array<char, 4096> bytes;
    const ssize_t count = ::recv(to.number(), bytes.data(), bytes.size(), 0);
    return std::string(bytes.data(), count > 0 ? static_cast<size_t>(count) : 0);
}

} // namespace

class TestServe : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void strangersAreTurnedAway() {
        const ServedNet host([](ServeOptions& options) { options.patience = std::chrono::seconds(1); });
        for (const char* token : {"", "secre", "secret1", "SECRET"}) {
            const std::string fault = faultOf([&] { RemoteHost::connect(host.address(), token); });
            QVERIFY2(has(fault, "the token is wrong") && has(fault, host.address().c_str()), fault.c_str());
        }
        const std::string version =
            answerTo(host.address(), greetingMessage({"fxscope 0.0.1", "secret", ""}));
        QVERIFY2(has(version, "and this is fxscope 0.0.1") && has(version, "install the same version"),
                 version.c_str());
        QVERIFY(!has(answerTo(host.address(), greetingMessage({"fxscope 0.0.1", "wrong", ""})), "install"));
        QVERIFY(has(faultOf([&] { RemoteHost::connect(host.address(), "secret", "0123456789abcdef"); }),
                    "has no session"));
        // Without a greeting nothing is obeyed, and a long one is not read.
        QVERIFY(has(answerTo(host.address(), {MessageKind::List, 1, "/"}), "does not greet"));
        QVERIFY(has(answerTo(host.address(), {MessageKind::Greeting, 0, "{"}), "greeting"));
        QVERIFY(
            !has(answerTo(host.address(), {MessageKind::Greeting, 0, std::string(1 << 20, 'x')}), "session"));
        // Nor does anybody wait for one who says nothing, or something else.
        for (const char* words : {"", "GET / HTTP/1.1\r\nHost: there\r\n\r\nand more"}) {
            const Descriptor socket(connectTo(host.address()));
            if (*words)
                ::send(socket.number(), words, std::strlen(words), MSG_NOSIGNAL);
            char byte = 0;
            while (::recv(socket.number(), &byte, 1, 0) > 0) {
            }
        }
        QVERIFY(works(host));
    }

    void theOwnerIsLetInAmongStrangers_data() {
        QTest::addColumn<QByteArray>("words");
        const std::string greeting = greetingBytes("wrong");
        QTest::newRow("say nothing") << QByteArray();
        QTest::newRow("say one byte") << QByteArray("f");
        QTest::newRow("begin a greeting") << QByteArray(greeting.data(), 30);
        QTest::newRow("leave out its end") << QByteArray(greeting.data(), qsizetype(greeting.size()) - 1);
        QTest::newRow("know another token") << QByteArray(greeting.data(), qsizetype(greeting.size()));
        QTest::newRow("are of another kind") << QByteArray("GET / HTTP/1.1\r\nHost: there\r\n\r\n");
    }
    void theOwnerIsLetInAmongStrangers() {
        QFETCH(QByteArray, words);
        const ServedNet host;
        const Strangers strangers(host.address(), words.toStdString());
        QTRY_VERIFY(strangers.made() > 250);
        for (int i = 0; i < 3; ++i) {
            const int before = strangers.made();
            QCOMPARE(RemoteHost::connect(host.address(), "secret")->devices(), availableDevices());
            QTRY_VERIFY(strangers.made() > before);
        }
    }

    void weakTokensAreRefused_data() {
        QTest::addColumn<QByteArray>("token");
        QTest::addColumn<int>("mode");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("reason");
        const QByteArray strong = "0123456789abcdef";
        QTest::newRow("strong") << strong << 0600 << ""
                                << "";
        QTest::newRow("read-only") << strong << 0400 << ""
                                   << "";
        QTest::newRow("short") << QByteArray("0123456789abcde\n") << 0600 << ""
                               << "15 letters, which can be guessed";
        QTest::newRow("empty") << QByteArray() << 0600 << ""
                               << "0 letters";
        QTest::newRow("blanks") << QByteArray(40, ' ') << 0600 << ""
                                << "0 letters";
        QTest::newRow("of all") << strong << 0644 << ""
                                << "can be read or written by other users";
        QTest::newRow("of the group") << strong << 0640 << ""
                                      << "can be read or written by other users";
        QTest::newRow("written by others") << strong << 0602 << ""
                                           << "can be read or written by other users";
        QTest::newRow("pipe") << strong << 0600 << "pipe"
                              << "is no regular file";
        QTest::newRow("folder") << strong << 0700 << "folder"
                                << "is no regular file";
        QTest::newRow("device") << strong << 0600 << "link to /dev/zero"
                                << "is no regular file";
        QTest::newRow("nowhere") << strong << 0600 << "link to /nowhere/token"
                                 << "cannot be made: File exists";
        QTest::newRow("no folder") << strong << 0600 << "no folder"
                                   << "cannot be made: No such file or directory";
    }
    void weakTokensAreRefused() {
        QFETCH(QByteArray, token);
        QFETCH(int, mode);
        QFETCH(QString, kind);
        QFETCH(QString, reason);
        const QTemporaryDir folder;
        const std::string path = folder.filePath(kind == "no folder" ? "none/token" : "token").toStdString();
        if (kind == "pipe")
            QCOMPARE(::mkfifo(path.c_str(), 0600), 0);
        else if (kind == "folder")
            std::filesystem::create_directory(path);
        else if (kind.startsWith("link to "))
            std::filesystem::create_symlink(kind.mid(8).toStdString(), path);
        else
            std::ofstream(path) << token.toStdString();
        if (!kind.startsWith("link") && kind != "no folder")
            QCOMPARE(::chmod(path.c_str(), mode_t(mode)), 0);
        std::string got;
        const std::string fault = faultOf([&] { got = tokenIn(path); });
        QVERIFY2(has(fault, reason.toUtf8().constData()) && has(fault, reason.isEmpty() ? "" : path.c_str()),
                 fault.c_str());
        QCOMPARE(got, reason.isEmpty() ? token.toStdString() : std::string());
    }

    void aTokenOfAnotherUserIsRefused() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("token").toStdString();
        QCOMPARE(tokenIn(path).size(), size_t(32)); // a fresh one
        QCOMPARE(tokenIn(path), tokenIn(path));
        if (::chown(path.c_str(), 12345, gid_t(-1)) != 0)
            QSKIP("only root can give a file away");
        QVERIFY(has(faultOf([&] { tokenIn(path); }), "belongs to another user"));
    }

    void aHostThatSaysNothing_data() {
        QTest::addColumn<int>("bytes");
        QTest::newRow("at all") << 0;
        QTest::newRow("after a byte") << 1;
        QTest::newRow("after the header of its greeting") << 40;
        QTest::newRow("in its greeting") << 60;
    }
    void aHostThatSaysNothing() {
        QFETCH(int, bytes);
        const ServedNet host;
        SlowLine line(host.address());
        line.setSilentAfter(bytes);
        const std::string fault = faultOf(
            [&] { RemoteHost::connect(line.address(), "secret", {}, nullptr, {std::chrono::seconds(1)}); });
        QVERIFY2(has(fault, "nobody greets there") && has(fault, line.address().c_str()), fault.c_str());
    }

    void aHostThatFallsSilent_data() {
        QTest::addColumn<int>("bytes");
        QTest::newRow("at once") << 0;
        QTest::newRow("in the header of its answer") << 20;
        QTest::newRow("in its answer") << 50;
    }
    void aHostThatFallsSilent() {
        QFETCH(int, bytes);
        const ServedNet host(signOften);
        const char* why =
            bytes == 0 ? "nothing came from there for 2 s" : "fell silent in the middle of a message";
        // All at once, over a line each, as each waits until its patience has ended.
        std::deque<SlowLine> lines;
        OpenedModel opened;
        const auto connect = [&] {
            return RemoteHost::connect(lines.emplace_back(host.address()).address(), "secret", {}, nullptr,
                                       kShortPatience);
        };
        std::vector<std::future<std::string>> faults;
        const auto ask = [&](const std::shared_ptr<RemoteHost>& to, std::function<void()> work) {
            lines.back().setSilentAfter(bytes);
            faults.push_back(std::async(std::launch::async, [to, work = std::move(work)] {
                std::string fault = faultOf(work);
                to->keepSession(); // it cannot be left
                return fault;
            }));
        };
        auto to = connect();
        ask(to, [&host, to] { to->open(host.net()); });
        to = connect();
        ask(to, [&host, to] { to->list(host.folder()); });
        to = connect();
        ask(to, [&host, to] { to->upload(host.folder() + "/net.py"); });
        to = connect();
        opened = to->open(host.net());
        ask(to, [&opened] { opened.model.tensor(TensorId{0}).value(); });
        // A run, and a question about it.
        const auto runs = connect();
        runs->open(host.net());
        DebuggeeProbe heard([&](Debuggee::Listener listen) {
            return std::make_unique<RemoteDebuggee>(runs, RemoteOptions(), std::move(listen));
        });
        RunRequest request = onOnes();
        request.pausesAtEntry = true;
        heard.start(request);
        heard.wait<Paused>();
        lines.back().setSilentAfter(bytes);
        heard.debuggee->send(Evaluate{1, "x"});
        const DebugEvent first = heard.next(), second = heard.next();
        const auto* answer = std::get_if<Answer>(&first);
        QVERIFY(answer && answer->isError);
        QVERIFY2(has(answer->text, why), answer->text.c_str());
        QVERIFY(std::get_if<Failed>(&second));
        runs->keepSession();
        for (std::future<std::string>& each : faults) {
            const std::string fault = each.get();
            QVERIFY2(has(fault, why), fault.c_str());
        }
    }

    void aHostThatIsSilentAgainIsGivenUp() {
        const ServedNet host(signOften);
        SlowLine line(host.address());
        const auto to = RemoteHost::connect(line.address(), "secret", {}, nullptr, kShortPatience);
        const auto greeting = static_cast<int64_t>(line.bytesFromHost());
        to->open(host.net());
        RemoteOptions options;
        options.patience = std::chrono::seconds(30);
        options.retrying = [&](const std::string&) { line.setSilentAfter(greeting); };
        DebuggeeProbe heard([&](Debuggee::Listener listen) {
            return std::make_unique<RemoteDebuggee>(to, options, std::move(listen));
        });
        RunRequest request = onOnes();
        request.pausesAtEntry = true;
        heard.start(request);
        heard.wait<Paused>();
        line.setSilentAfter(0);
        const auto failed = heard.wait<Failed>();
        QVERIFY2(has(failed.message, "nothing came from there"), failed.message.c_str());
        to->keepSession();
    }

    void aHostAtWorkIsWaitedFor() {
        const ServedNet host(signOften);
        const auto to = RemoteHost::connect(host.address(), "secret", {}, nullptr,
                                            {kShortPatience.greeting, std::chrono::seconds(1)});
        QVERIFY(to->open(longOpening(host)).model.graph().outputNode());
    }

    void aClientThatLeavesDisturbsNoOther() {
        const ServedNet host(signOften);
        auto first = RemoteHost::connect(host.address(), "secret");
        first->open(host.net()); // which has started the process that opens for all
        Channel channel(connectTo(host.address()), false);
        channel.send(greetingMessage({remoteVersion(), "secret", ""}));
        QVERIFY(channel.receive()->kind == MessageKind::Greeting);
        channel.send({MessageKind::Open, 1, longOpening(host).text()});
        std::optional<Message> answer = channel.receive();
        QVERIFY(answer && answer->kind == MessageKind::Progress); // it is at work
        first.reset();
        while (answer && answer->kind == MessageKind::Progress)
            answer = channel.receive();
        QVERIFY(answer);
        QVERIFY2(answer->kind == MessageKind::Reply, answer->body.c_str());
    }

    void aServerOfSomethingElse() {
        const ListeningSocket other("127.0.0.1:0");
        std::thread thread([&] {
            const Descriptor socket(other.accept());
            std::array<char, 4096> greeting;
            ::recv(socket.number(), greeting.data(), greeting.size(), 0);
            const std::string words = "SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3\r\nand more of it\r\n";
            ::send(socket.number(), words.data(), words.size(), MSG_NOSIGNAL);
        });
        const std::string fault = faultOf([&] { RemoteHost::connect(other.address(), "secret"); });
        thread.join();
        QVERIFY2(has(fault, "is no fxscope") && has(fault, other.address().c_str()), fault.c_str());
        QVERIFY(has(faultOf([] { RemoteHost::connect("nonsense", "secret"); }), "is no address"));
        QVERIFY(has(faultOf([] { RemoteHost::connect("127.0.0.1:1", "secret"); }), "cannot be connected to"));
    }

    void onlyThisMachineIsServedUnlessItIsSaid() {
        QVERIFY(has(ListeningSocket("0").address(), "127.0.0.1:"));
        QVERIFY(!ListeningSocket("127.0.0.1:0").isOpenToOthers());
        QVERIFY(ListeningSocket("0.0.0.0:0").isOpenToOthers());
        QVERIFY(has(faultOf([] { RemoteServer server{ServeOptions()}; }), "needs a token"));
    }

    void whoKnowsTheTokenCannotBreakTheServer() {
        const ServedNet host([](ServeOptions& options) { options.keep = std::chrono::seconds(0); });
        std::mt19937 random(1);
        OpenedModel known = RemoteHost::connect(host.address(), "secret")->open(host.net());
        const ModelExtent extent(known.model);
        Edit edit(known.model);
        edit.rename(edit.graph().find("add"), "total");
        const Message sound[] = {
            {MessageKind::Open, 1, host.net().text()},
            {MessageKind::Recall, 2, {}},
            {MessageKind::Fetch, 3, std::string(4, '\0')},
            {MessageKind::List, 4, "/"},
            updateMessage(updateOf(known.model, edit.finish(), false, extent), FileMemoryUse::Copied),
            {MessageKind::Upload, 5, "../../name"},
            {MessageKind::Run, 1, runBytes(onOnes())},
            {MessageKind::Command, 0, commandBytes(Evaluate{1, "x"})}};
        for (int round = 0; round < 200; ++round) {
            Channel channel(connectTo(host.address()), false);
            channel.send(greetingMessage({remoteVersion(), "secret", ""}));
            if (round % 20 == 0) // the rest has no model
                channel.send(sound[0]);
            Message message = sound[random() % std::size(sound)];
            if (message.kind == MessageKind::Open && round % 10 != 0)
                continue;
            for (size_t i = 0; i < 1 + random() % 3 && !message.body.empty(); ++i)
                message.body[random() % message.body.size()] = static_cast<char>(random());
            if (random() % 4 == 0)
                message.body.resize(message.body.size() / 2);
            if (random() % 8 == 0)
                message.kind = static_cast<MessageKind>(random());
            channel.send(message);
            channel.send({MessageKind::Leave, 0, {}});
            while (channel.receive()) {
            }
        }
        QVERIFY(works(host));
    }
};

FX_TEST(TestServe)
} // namespace fx::serve_test
#include "tst_serve.moc"
