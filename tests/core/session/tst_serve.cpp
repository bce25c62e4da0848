// SPDX-License-Identifier: GPL-3.0-or-later
// The port of a server: nobody is let in who does not know the token or has another version, and nothing that
// is said there ends it.
#include "core/module/edit.h"
#include "core/session/debug_wire.h"
#include "core/session/remote_client.h"
#include "core/session/replica_message.h"
#include "tests/support/debuggee_probe.h"
#include "tests/support/served_net.h"

#include <QtTest>

#include <array>
#include <cstring>
#include <random>
#include <sys/socket.h>

using namespace fx;

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
        const Message sound[] = {{MessageKind::Open, 1, host.net().text()},
                                 {MessageKind::Recall, 2, {}},
                                 {MessageKind::Fetch, 3, std::string(4, '\0')},
                                 {MessageKind::List, 4, "/"},
                                 updateMessage(MessageKind::Update,
                                               updateOf(known.model, edit.finish(), false, extent),
                                               Json::object(), FileMemoryUse::Copied),
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

QTEST_GUILESS_MAIN(TestServe)
#include "tst_serve.moc"
