// SPDX-License-Identifier: GPL-3.0-or-later
// A session over TCP: it tells what a run here tells, outlives its connection, and needs one round trip for a
// step. tst_serve.cpp is about those who have no business there.
#include "core/io/fxg/fxg.h"
#include "core/module/edit.h"
#include "core/session/remote_client.h"
#include "core/torch/values/devices.h"
#include "tests/support/debuggee_probe.h"
#include "tests/support/oracle.h"
#include "tests/support/served_net.h"
#include "tests/support/slow_line.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>
#include <QTemporaryDir>

#include <cstring>

namespace fx::remote_test {

namespace {

/// A client with a model.
struct Client {
    explicit Client(std::shared_ptr<RemoteHost> to, OpenedModel model, RemoteOptions options = {})
        : host(std::move(to)), opened(std::make_shared<OpenedModel>(std::move(model))),
          heard(
              [&](Debuggee::Listener listen) {
                  return std::make_unique<RemoteDebuggee>(host, std::move(options), std::move(listen));
              },
              host->run()) {}

    std::string name(NodeRef node) const { return opened->model.graph(node.module).node(node.node).name; }
    NodeRef node(const std::string& name) const {
        return {opened->model.root(), opened->model.graph().find(name)};
    }
    std::string evaluate(const std::string& expression) {
        return std::get<Answer>(heard.ask(Evaluate{++asked, expression})).text;
    }

    std::shared_ptr<RemoteHost> host;
    std::shared_ptr<OpenedModel> opened;
    DebuggeeProbe heard;
    int asked = 0;
};

std::unique_ptr<Client> clientOf(const ServedNet& host, const std::string& address,
                                 RemoteOptions options = {}) {
    const auto to = RemoteHost::connect(address, "secret");
    return std::make_unique<Client>(to, to->open(host.net()), std::move(options));
}

RunRequest onOnes(bool pauses = true) {
    RunRequest out;
    out.inputs["x"] = "torch.ones(2, 8)";
    out.pausesAtEntry = pauses;
    out.seed = 7;
    return out;
}

} // namespace

class TestRemote : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tellsWhatASessionHereTells() {
        const ServedNet host;
        const auto there = clientOf(host, host.address());
        OpeningWorker opening(FXSCOPE_BUILD "/bin/fxscope-worker");
        Progress progress;
        const auto opened = std::make_shared<const OpenedModel>(opening.open(host.net(), progress));
        DebuggeeProbe here(
            [](Debuggee::Listener listen) { return std::make_unique<LocalDebuggee>(std::move(listen)); });
        here.debuggee->setModel(opened);
        const std::string expected = storyOf(here, *opened, onOnes());
        QVERIFY(has(expected, "finished"));
        FX_SAME(textDifference(storyOf(there->heard, *there->opened, onOnes()), expected));
    }

    void setsAndEvaluates() {
        const ServedNet host;
        const auto client = clientOf(host, host.address());
        client->heard.start(onOnes());
        client->heard.wait<Paused>();
        client->heard.step();
        QCOMPARE(client->evaluate("x.shape"), std::string("torch.Size([2, 8])"));
        client->heard.debuggee->send(SetValue{9, client->node("x"), "torch.zeros(2, 8)"});
        QVERIFY(!client->heard.wait<Answer>().isError);
        QCOMPARE(client->evaluate("float(x.sum())"), std::string("0.0"));
    }

    void tellsWhichNodeIsAtWork() {
        const ServedNet host;
        const auto to = RemoteHost::connect(host.address(), "secret");
        Client client(to, to->open(host.net(2048)));
        QVERIFY(!client.heard.debuggee->running().node);
        RunRequest request = onOnes(false);
        request.inputs["x"] = "torch.ones(8192, 2048)"; // for which a layer takes a while
        client.heard.start(request);
        NodeRef running;
        QTRY_VERIFY_WITH_TIMEOUT((running = client.heard.debuggee->running()).node, 30000);
        QVERIFY(client.opened->model.graph(running.module).contains(running.node));
        client.heard.wait<Finished>();
        QTRY_VERIFY(!client.heard.debuggee->running().node);
    }

    void aLostConnectionIsMadeAgain() {
        const ServedNet host;
        SlowLine line(host.address());
        std::atomic<int> returns = 0;
        RemoteOptions options;
        options.patience = std::chrono::seconds(30);
        options.connection = [&](const std::string& fault) { returns += fault.empty(); };
        const auto client = clientOf(host, line.address(), options);
        client->heard.start(onOnes());
        client->heard.wait<Paused>();
        const NodeRef at = client->heard.step(), next = client->heard.step();
        client->heard.records.clear();
        line.cut();
        // It is told again where the run stands, and what ran.
        QCOMPARE(client->heard.wait<Paused>().frames.back().node, next);
        QCOMPARE(returns.load(), 1);
        QCOMPARE(client->heard.records.size(), size_t(3)); // of an input and two steps
        QCOMPARE(client->heard.records.back().node, at);
        QCOMPARE(client->evaluate("x.shape"), std::string("torch.Size([2, 8])"));
        client->heard.debuggee->send(Resume{Resume::Mode::Continue, {}});
        client->heard.wait<Finished>();
    }

    void anotherClientFindsTheRunWhereItWas() {
        const ServedNet host;
        std::string session;
        NodeRef at;
        {
            const auto client = clientOf(host, host.address());
            RunRequest request = onOnes();
            Breakpoint breakpoint;
            breakpoint.id = 1;
            breakpoint.node = client->node("add");
            request.breakpoints = {breakpoint};
            client->heard.start(request);
            client->heard.wait<Paused>();
            client->heard.step();
            at = client->heard.step();
            client->heard.debuggee->send(Evaluate{1, "torch.ones(3000, 3000) @ torch.ones(3000, 3000)"});
            session = client->host->session();
            client->host->keepSession();
        }
        const auto to = RemoteHost::connect(host.address(), "secret", session);
        Client client(to, to->recall());
        QCOMPARE(client.heard.wait<Paused>().frames.back().node, at);
        QCOMPARE(client.heard.records.size(), size_t(3));
        QCOMPARE(client.heard.breakpoints.size(), size_t(1));
        QCOMPARE(client.evaluate("x.shape"),
                 std::string("torch.Size([2, 8])")); // as it asked
        QCOMPARE(client.name(client.heard.step(Resume::Mode::Continue)), std::string("add"));
        client.heard.debuggee->send(Resume{Resume::Mode::Continue, {}});
        client.heard.wait<Finished>();
        client.heard.start(onOnes(false));
        client.heard.wait<Finished>();
    }

    void whoIsLostIsToldAndMayComeBack() {
        const ServedNet host;
        SlowLine line(host.address());
        const auto client = clientOf(host, line.address());
        client->heard.start(onOnes());
        const NodeRef at = client->heard.wait<Paused>().frames.back().node;
        line.setClosed(true);
        const auto failed = client->heard.wait<Failed>();
        QVERIFY2(has(failed.message, "is lost; the run goes on there") &&
                     has(failed.message, client->host->name().c_str()),
                 failed.message.c_str());
        QVERIFY(std::get<Answer>(client->heard.ask(Evaluate{1, "x"})).isError);
        QVERIFY(has(faultOf([&] { client->opened->model.tensor(TensorId{0}).value(); }), "is lost"));
        line.setClosed(false);
        client->heard.debuggee->send(Resume{Resume::Mode::Step, {}}); // goes nowhere
        static_cast<RemoteDebuggee&>(*client->heard.debuggee).reconnect();
        QCOMPARE(client->heard.wait<Paused>().frames.back().node, at);
        // So does a run that is started without asking for it.
        line.setClosed(true);
        client->heard.wait<Failed>();
        line.setClosed(false);
        client->heard.start(onOnes(false));
        client->heard.wait<Finished>();
    }

    void aSessionEnds_data() {
        QTest::addColumn<bool>("isKept");
        QTest::newRow("left") << false;
        QTest::newRow("not come back to") << true;
    }
    void aSessionEnds() {
        QFETCH(bool, isKept);
        const ServedNet host(
            [&](ServeOptions& options) { options.keep = std::chrono::seconds(isKept ? 0 : 3600); });
        auto to = RemoteHost::connect(host.address(), "secret");
        const std::string session = to->session();
        if (isKept)
            to->keepSession();
        to.reset();
        const auto fault = [&] {
            return faultOf(
                [&] { RemoteHost::connect(host.address(), "secret", session)->keepSession(isKept); });
        };
        QTRY_VERIFY(has(fault(), "has no session"));
    }

    void followsEdits() {
        const ServedNet host;
        SlowLine line(host.address());
        RemoteOptions options;
        options.patience = std::chrono::seconds(30);
        auto client = clientOf(host, line.address(), options);
        Model& model = client->opened->model;
        const auto edit = [&](const std::function<void(Edit&)>& change) {
            const ModelExtent known(model);
            Edit edit(model);
            change(edit);
            client->heard.debuggee->follow(updateOf(model, edit.finish(), false, known));
        };
        // A tensor that is new here, and one whose data was never fetched.
        edit([&](Edit& edit) {
            const TensorId two = edit.createTensor(TensorSlot(at::full({8}, 2.0f)));
            edit.setTensor("two", two, TensorRole::Buffer);
            const TensorId again = edit.createTensor(model.tensor(TensorId{0}));
            edit.setTensor("again", again, TensorRole::Buffer);
            const NodeId output = edit.graph().outputNode();
            edit.rename(edit.graph().find("add"), "total");
            const auto here = edit.insertingBefore(output);
            edit.setArgs(output, {edit.getAttr("two")});
        });
        client->heard.start(onOnes(false));
        QCOMPARE(client->heard.wait<Finished>().result,
                 std::string("tensor([2., 2., 2., 2., 2., 2., 2., 2.])"));
        line.cut();
        edit([&](Edit& edit) { edit.rename(edit.graph().find("relu"), "bent"); });
        client->heard.start(onOnes());
        client->heard.wait<Paused>();
        client->heard.step();
        client->heard.step();
        client->heard.step();
        QVERIFY(!std::get<Answer>(client->heard.ask(Evaluate{1, "bent.sum()"})).isError);
        // Who comes later gets the model as it is.
        client->host->keepSession();
        const std::string session = client->host->session();
        client.reset();
        const auto to = RemoteHost::connect(host.address(), "secret", session);
        const OpenedModel recalled = to->recall();
        QVERIFY(recalled.model.graph().find("bent") && recalled.model.graph().find("total"));
    }

    void aSessionThatIsGoneIsMadeAnew() {
        const ServedNet host([](ServeOptions& options) { options.keep = std::chrono::seconds(0); });
        SlowLine line(host.address());
        std::atomic<int> losses = 0;
        RemoteOptions options;
        options.patience = std::chrono::seconds(30);
        options.retrying = [&](const std::string&) { ++losses; };
        const auto client = clientOf(host, line.address(), options);
        Model& model = client->opened->model;
        const ModelExtent known(model);
        Edit edit(model);
        edit.rename(edit.graph().find("relu"), "bent");
        client->heard.debuggee->follow(updateOf(model, edit.finish(), false, known));
        client->heard.start(onOnes());
        client->heard.wait<Paused>();
        const std::string session = client->host->session();
        line.setClosed(true);
        QTRY_VERIFY(
            has(faultOf([&] { RemoteHost::connect(host.address(), "secret", session)->keepSession(); }),
                "has no session"));
        line.setClosed(false);
        QVERIFY(has(client->heard.wait<Failed>().message, "the run is gone with it"));
        QCOMPARE(losses.load(), 1);
        QVERIFY(std::get<Answer>(client->heard.ask(Evaluate{1, "x"})).isError);
        // A tensor of the model is there without a run.
        const auto looked = std::get<Inspection>(client->heard.ask(Inspect{5, {}, {}, TensorId{0}}));
        QVERIFY2(!has(looked.absence, "the run is gone with it"), looked.absence.c_str());
        QVERIFY(client->host->session() != session);
        client->heard.start(onOnes());
        client->heard.wait<Paused>();
        for (int i = 0; i < 3; ++i)
            client->heard.step();
        QVERIFY(!std::get<Answer>(client->heard.ask(Evaluate{2, "bent.sum()"})).isError);
    }

    void isGivenUpWhileNobodyAnswers() {
        const ListeningSocket silent("127.0.0.1:0");
        Progress unwanted;
        unwanted.cancel();
        QVERIFY_THROWS_EXCEPTION(Cancelled, RemoteHost::connect(silent.address(), "secret", {}, &unwanted));
        const ServedNet host;
        const auto to = RemoteHost::connect(host.address(), "secret");
        QCOMPARE(to->devices(), availableDevices());
        QVERIFY_THROWS_EXCEPTION(Cancelled, to->open(host.net(), &unwanted));
        QVERIFY_THROWS_EXCEPTION(Cancelled, to->upload(host.folder() + "/net.py", &unwanted));
    }

    void aStepIsOneRoundTrip() {
        const ServedNet host;
        SlowLine line(host.address(), std::chrono::milliseconds(100));
        const auto client = clientOf(host, line.address());
        client->heard.start(onOnes());
        client->heard.wait<Paused>();
        for (int i = 0; i < 3; ++i) {
            const int before = line.questions();
            client->heard.step();
            QCOMPARE(line.questions(), before + 1);
        }
        const int before = line.questions();
        client->evaluate("x.sum()");
        QCOMPARE(line.questions(), before + 1);
    }

    void weightsComeWhenTheyAreNeeded() {
        const ServedNet host;
        SlowLine line(host.address());
        const auto to = RemoteHost::connect(line.address(), "secret");
        const int width = 600; // 1.4 MB a weight
        const OpenedModel opened = to->open(host.net(width));
        const uint64_t opening = line.bytesFromHost();
        QVERIFY2(opening < 100'000, std::to_string(opening).c_str());
        OpeningWorker worker(FXSCOPE_BUILD "/bin/fxscope-worker");
        Progress progress;
        const OpenedModel expected = worker.open(host.net(width), progress);
        const Model &model = opened.model, &same = expected.model;
        QCOMPARE(model.tensorCount(), same.tensorCount());
        std::vector<at::Tensor> tensors;
        for (int32_t i = 0; static_cast<size_t>(i) < model.tensorCount(); ++i) {
            tensors.push_back(model.tensor(TensorId{i}).value());
            QVERIFY(at::equal(tensors.back(), same.tensor(TensorId{i}).value()));
            if (i == 0)
                QVERIFY(line.bytesFromHost() < opening + 2'900'000); // not the other weight
        }
        // What shares its data does so here.
        const auto sharing = [](const Model& model) {
            std::string out;
            for (int32_t i = 0; static_cast<size_t>(i) < model.tensorCount(); ++i)
                for (int32_t k = 0; k < i; ++k)
                    out += model.tensor(TensorId{i}).value().is_alias_of(model.tensor(TensorId{k}).value())
                               ? '1'
                               : '0';
            return out;
        };
        QVERIFY(has(sharing(same), "1"));
        QCOMPARE(sharing(model), sharing(same));
        // The connection is not asked again, and may be gone.
        line.setClosed(true);
        QTRY_VERIFY(to->isLost());
        QTemporaryDir folder;
        writeFxg(opened, folder.filePath("saved.fxg").toStdString(), progress);
    }

    void theModelsProcessDies() {
        const ServedNet host;
        const auto client = clientOf(host, host.address());
        RunRequest request = onOnes();
        request.libraries = {FXSCOPE_DEADLY_OPERATORS};
        client->heard.start(request);
        client->heard.wait<Paused>();
        client->heard.step();
        client->heard.debuggee->send(Evaluate{1, "torch.ops.fxdeadly.signal(x, 9)"});
        const auto failed = client->heard.wait<Failed>();
        QVERIFY2(has(failed.message, "the model's process ended while it evaluated"), failed.message.c_str());
        QVERIFY(client->heard.wait<Answer>().isError);
        client->heard.start(request);
        client->heard.wait<Paused>();
    }

    void filesAreThereOrUploaded() {
        const ServedNet host;
        const auto to = RemoteHost::connect(host.address(), "secret");
        const FolderListing listing = to->list(host.folder());
        QCOMPARE(listing.path, host.folder());
        QCOMPARE(listing.entries.size(), size_t(1));
        QCOMPARE(listing.entries.front().name, std::string("net.py"));
        QCOMPARE(listing.entries.front().size, uint64_t(std::strlen(kNet)));
        QVERIFY(has(faultOf([&] { to->list("/nowhere"); }), "/nowhere: cannot be listed"));
        const std::string path = to->upload(host.folder() + "/net.py");
        QVERIFY(path != host.folder() + "/net.py");
        QVERIFY(to->open({path + ":Net(4)", {}, {}}).model.graph().outputNode());
        QVERIFY(has(faultOf([&] { to->upload("/nowhere/net.py"); }), "cannot be read"));
        QVERIFY(has(faultOf([&] { to->upload(host.folder()); }), "is no file"));
        QVERIFY(has(faultOf([&] { to->open({"/nowhere/net.pt2", {}, {}}); }), "/nowhere/net.pt2"));
        QVERIFY(has(faultOf([&] { to->open({path + ":None_()", {}, {}}); }), "None_"));
    }

    void aSocketInTheFileSystem() {
        QTemporaryDir folder;
        const std::string address = "unix:" + folder.filePath("socket").toStdString();
        {
            const ServedNet host([&](ServeOptions& options) { options.listen = address; });
            clientOf(host, address)->heard.start(onOnes(false));
        }
        QVERIFY(!QFile::exists(folder.filePath("socket")));
    }
};

FX_TEST(TestRemote)
} // namespace fx::remote_test
#include "tst_remote.moc"
