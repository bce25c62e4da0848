// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of torch.compile. tests/oracle/check_trace_logs.py has real ones; here is what needs a compiler there.
#include "core/io/trace_log/compile_model.h"
#include "core/io/trace_log/stage_links.h"
#include "core/module/counterparts.h"
#include "core/rewrite/waiting_calls.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace fx::trace_log_test {

namespace {

constexpr const char* kHead = "V1125 18:02:49.303000 19028 torch/_logging/_internal.py:1328] ";

/// A record, with its payload behind tabs.
std::string record(const std::string& json, const std::string& payload = {}) {
    std::string out = kHead + json + '\n';
    if (!payload.empty()) {
        size_t start = 0;
        for (size_t end = 0; end != std::string::npos; start = end + 1) {
            end = payload.find('\n', start);
            out += '\t' + payload.substr(start, end == std::string::npos ? end : end - start) + '\n';
        }
    }
    return out;
}

std::string artifact(const std::string& name, const std::string& payload, int attempt = 0) {
    return record(R"({"artifact": {"name": ")" + name +
                      R"(", "encoding": "string"}, "frame_id": 0, "frame_compile_id": 0, "attempt": )" +
                      std::to_string(attempt) + R"(, "has_payload": "0"})",
                  payload);
}

std::string graph(const std::string& kind, const std::string& payload) {
    return record(R"({")" + kind +
                      R"(": {}, "frame_id": 0, "frame_compile_id": 0, "attempt": 0, "has_payload": "0"})",
                  payload);
}

std::string code(const std::string& parameters, const std::string& body) {
    return "class GraphModule(torch.nn.Module):\n    def forward(self, " + parameters + "):\n" + body;
}

const std::string kDynamo =
    code("L_x_: \"f32[2][1]cpu\"", "        # File: /m.py:3 in f, code: y = x.relu()\n"
                                   "        y: \"f32[2][1]cpu\" = L_x_.relu();  L_x_ = None\n"
                                   "        return (y,)\n");
const std::string kForward = code("primals_1: \"f32[2][1]cpu\"",
                                  "        # File: /m.py:3 in f, code: y = x.relu()\n"
                                  "        relu: \"f32[2][1]cpu\" = torch.ops.aten.relu.default(primals_1)\n"
                                  "        return (relu, primals_1)\n");
const std::string kBackward =
    code("primals_1: \"f32[2][1]cpu\", tangents_1: \"f32[2][1]cpu\"",
         "        mul: \"f32[2][1]cpu\" = torch.ops.aten.mul.Tensor(primals_1, tangents_1)\n"
         "        return (mul,)\n");

std::string wholeLog() {
    return record(R"({"str": ["/m.py", 0]})") +
           record(R"({"chromium_event": {}, "has_payload": "0"})", "{}") +
           record(
               R"({"dynamo_start": {"stack": [{"line": 9, "name": "<module>", "filename": 0, "loc": "f"}, {"line": 2, "name": "f", "filename": 0}]}, "frame_id": 0, "frame_compile_id": 0, "attempt": 0})") +
           graph("dynamo_output_graph", kDynamo) + graph("aot_forward_graph", kForward) +
           graph("aot_backward_graph", kBackward) + artifact("before_post_grad_graph", kForward) +
           artifact("inductor_post_grad_graph", kForward) +
           record(
               R"({"inductor_output_code": {"filename": "/tmp/c1.py"}, "frame_id": 0, "frame_compile_id": 0, "attempt": 0, "has_payload": "0"})",
               "# AOT ID: ['0_forward']\nx = 1") +
           artifact("inductor_provenance_tracking_node_mappings",
                    R"({"preToPost": {"y": ["relu"]}, "version": 2.0})") +
           record(
               R"({"dynamo_cpp_guards_str": {}, "frame_id": 0, "frame_compile_id": 0, "attempt": 0, "has_payload": "0"})",
               "\nTREE_GUARD_MANAGER:\n+- RootGuardManager\n| +- GuardManager: source=L['x'], type=Tensor\n| "
               "| "
               "+- TENSOR_MATCH: check_tensor(L['x'])\n| +- TYPE_MATCH: f") +
           record(
               R"({"compilation_metrics": {"co_name": "f", "co_filename": "/m.py", "co_firstlineno": 1, "entire_frame_compile_time_s": 0.25}, "frame_id": 0, "frame_compile_id": 0, "attempt": 0})") +
           artifact("before_post_grad_graph", kBackward) + artifact("inductor_post_grad_graph", kBackward) +
           artifact("recompile_reasons", "0/0: tensor 'x' size mismatch");
}

OpenedModel opened(const std::string& text) {
    Progress progress;
    return readTraceLogs({text}, "trace.log", progress);
}

} // namespace

class TestTraceLog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsCompilations() {
        const CompileLog log = readCompileLog(wholeLog());
        QCOMPARE(log.damaged, size_t(0));
        QCOMPARE(log.compiles.size(), size_t(1));
        const FrameCompile& compile = log.compiles[0];
        QCOMPARE(compile.number(), std::string("0/0"));
        QCOMPARE(compile.function.function, std::string("f"));
        QCOMPARE(compile.function.line, int64_t(1));
        QCOMPARE(compile.stages.size(), size_t(7));
        QVERIFY(compile.stages[2].isBackward && compile.stages[5].isBackward && compile.stages[6].isBackward);
        QVERIFY(!compile.stages[4].isBackward);
        QCOMPARE(compile.guardCount, int64_t(2));
        QCOMPARE(compile.seconds.value_or(0), 0.25);
        QCOMPARE(compile.recompileReasons, std::vector<std::string>{"0/0: tensor 'x' size mismatch"});
        QCOMPARE(compile.provenance.at("y"), std::vector<std::string>{"relu"});
        QVERIFY(compile.code.size() == 1 && compile.code[0].text == "# AOT ID: ['0_forward']\nx = 1");
    }

    void knowsWhatAStageIsMadeFrom() {
        const CompileLog log = readCompileLog(wholeLog());
        const std::vector<CompileStage>& stages = log.compiles[0].stages;
        QVERIFY(!stageBefore(stages, 0));
        QCOMPARE(stageBefore(stages, 3), std::optional<size_t>(1)); // before post-grad of the forward graph
        QCOMPARE(stageBefore(stages, 4), std::optional<size_t>(3));
        QCOMPARE(stageBefore(stages, 5), std::optional<size_t>(2)); // and of the backward graph
        QCOMPARE(stageBefore(stages, 6), std::optional<size_t>(5));
    }

    void linksNodesOfStages() {
        const OpenedModel model = opened(wholeLog());
        const auto namesOf = [&](const std::string& path, const std::string& node) {
            const ModuleId module = model.model.resolve(model.model.root(), path).module;
            std::map<std::string, std::vector<std::string>> out;
            for (const Counterparts& found :
                 CounterpartFinder(model.model, module).of(model.model.graph(module).find(node)))
                for (const NodeId id : found.nodes)
                    out[found.title].push_back(model.model.graph(found.module).node(id).name);
            return out;
        };
        const auto ofDynamo = namesOf("frame_0_0.dynamo_output_graph", "y");
        QCOMPARE(ofDynamo.at("frame_0_0.inductor_post_grad_graph"), std::vector<std::string>{"relu"});
        const auto ofForward = namesOf("frame_0_0.before_post_grad_graph", "relu");
        QVERIFY(ofForward.contains("frame_0_0.aot_forward_graph"));
        QVERIFY(ofForward.contains("frame_0_0.inductor_post_grad_graph"));
        QVERIFY(namesOf("frame_0_0.backward_before_post_grad_graph", "mul")
                    .contains("frame_0_0.aot_backward_graph"));
    }

    void readsWhatItCan() {
        // The last record has been cut off, one is no JSON, and one graph is none.
        const std::string text =
            wholeLog() + kHead + "{\"artifact\": {\"na\n" + kHead + "{]\n" +
            graph("aot_joint_graph", "class <broken\n") +
            record(R"({"dynamo_output_graph": {}, "frame_id": 1, "frame_compile_id": 0})",
                   "class GraphModule(torch.nn.Module):\n    def forward(self, x):\n        "
                   "for y in x:\n            pass\n        return x");
        const OpenedModel model = opened(text);
        const auto isNoted = [&](const char* part) {
            return std::any_of(model.notes.begin(), model.notes.end(),
                               [&](const std::string& note) { return note.find(part) != std::string::npos; });
        };
        QVERIFY(isNoted("2 records of the log could not be read"));
        QVERIFY(isNoted("dynamo_output_graph is not read"));
        QVERIFY(isNoted("2 compilations, 7 graphs"));
    }

    /// Their inputs are those of the program that was compiled: nothing is missing.
    void graphsOfALogWaitForNothing() {
        const OpenedModel model = opened(wholeLog());
        QVERIFY(waitingCalls(model.model, model.model.root()).empty());
    }

    void nodesKnowTheNotesThatSpeakOfThem() {
        const OpenedModel model = opened(wholeLog());
        const Graph& graph = model.model.graph();
        const auto* note = graph.node(graph.find("recompile_1")).meta.find<std::string>(meta::kLogNote);
        QVERIFY(note && note->find("compiled again") != std::string::npos);
        QVERIFY(std::ranges::find(model.notes, *note) != model.notes.end());
    }

    void refusesALogOfNothing() {
        QVERIFY_EXCEPTION_THROWN(opened(record(R"({"str": ["a", 0]})")), Error);
        QVERIFY(!isTraceLog("graph():\n"));
        QVERIFY(!isTraceLog(""));
    }
};

FX_TEST(TestTraceLog)
} // namespace fx::trace_log_test
#include "tst_trace_log.moc"
