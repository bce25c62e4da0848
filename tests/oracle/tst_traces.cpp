// SPDX-License-Identifier: GPL-3.0-or-later
// Each case of tests/oracle/sources, traced by core, against what the real symbolic_trace says of it in
// traces.json: graph and code byte for byte, where each node was written and in which modules, values with
// the same state, and for what cannot be traced the kind and the words of the error.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/codegen/python_code.h"
#include "core/console/source_frames.h"
#include "core/interpret/interpreter.h"
#include "core/interpret/structure.h"
#include "core/io/mapped_file.h"
#include "core/io/torch/torch_archive.h"
#include "core/ir/graph_text.h"
#include "core/module/lint.h"
#include "core/torch/values/script_objects.h"
#include "core/torch/values/value_text.h"
#include "tests/support/opened_case.h"
#include "tests/support/oracle.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <map>
#include <regex>
#include <set>

namespace fx::traces_test {

namespace {

const Json& cases() {
    static const Json rows = Json::parse(readFile(FXSCOPE_ORACLE "/traces/traces.json"));
    return rows;
}

/// What became of a case: a model, or an error.
struct Outcome {
    std::optional<OpenedModel> opened;
    std::optional<Error> error;
};

/// Each case is traced once, whatever is asked of it.
const Outcome& traced(int index) {
    static std::map<int, Outcome> known;
    const auto [at, isNew] = known.try_emplace(index);
    if (isNew) {
        try {
            at->second.opened = openCase(cases()[index]);
        } catch (const Error& error) {
            at->second.error = error;
        }
    }
    return at->second;
}

/// Whether it asks for attributes of the Tracer that no command sets.
bool asksForMore(const Json& tracer) {
    static const std::set<std::string> known{"param_shapes_constant",    "proxy_buffer_attributes",
                                             "autowrap_functions",       "autowrap_modules",
                                             "check_mutable_operations", "trace_asserts"};
    return std::any_of(tracer.items().begin(), tracer.items().end(),
                       [&](const auto& item) { return !known.contains(item.key()); });
}

/// A row for each case that `takes` it.
template <class Takes>
void addRows(Takes takes) {
    QTest::addColumn<int>("index");
    for (int i = 0; i < static_cast<int>(cases().size()); ++i) {
        const Json& row = cases()[i];
        if (asksForMore(row["tracer"]))
            continue;
        const std::string name = row["name"].get<std::string>() + ": " + row["expression"].get<std::string>();
        if (takes(row))
            QTest::newRow(name.c_str()) << i;
    }
}

bool isTraceable(const Json& row) {
    return row["error"].is_null();
}

/// Code that torch.fx has generated is a place of its own there, and the source's lines here.
bool isPlaced(const Json& row) {
    return isTraceable(row) && !row["inlines"].get<bool>();
}

/// Both texts in full, with the first line that differs on top.
std::string bothTexts(const std::string& actual, const std::string& expected) {
    const std::string difference = textDifference(actual, expected);
    return difference.empty() ? "" : difference + "\n--- got\n" + actual + "\n--- expected\n" + expected;
}

void addMembers(const Model& model, ModuleId id, const std::string& path, Json& modules, Json& parameters) {
    modules.push_back(path);
    const std::string prefix = path.empty() ? "" : path + '.';
    for (const NamedTensor& entry : model.module(id).tensors)
        if (entry.role == TensorRole::Parameter && entry.tensor)
            parameters.push_back(prefix + entry.name);
    for (const NamedModule& child : model.module(id).children)
        if (!isScriptClass(model.module(child.module).type)) // an attribute in Python
            addMembers(model, child.module, prefix + child.name, modules, parameters);
}

/// The names of all modules and parameters, depth first.
std::string memberNames(const Model& model) {
    Json modules = Json::array(), parameters = Json::array();
    addMembers(model, model.root(), "", modules, parameters);
    return modules.dump() + parameters.dump();
}

std::string stackText(const ModuleStack& stack) {
    Json out = Json::array();
    for (const ModuleFrame& frame : stack)
        out.push_back({frame.key, frame.path, frame.type});
    return out.dump();
}

/// "relu: net.py:12" for each node.
std::string linesText(const Graph& graph, const Json& places) {
    std::string out;
    for (const Node& node : graph) {
        if (!places.contains(node.name))
            continue;
        const std::optional<SourceFrame> frame = sourceOf(node);
        out +=
            node.name + ": " + (frame ? frame->file + ':' + std::to_string(frame->line) : "unknown") + '\n';
    }
    return out;
}

std::string expectedLines(const Graph& graph, const Json& places) {
    std::string out;
    for (const Node& node : graph)
        if (places.contains(node.name)) {
            const Json& place = places[node.name];
            out += node.name + ": " + place[0].get<std::string>() + ':' +
                   std::to_string(place[1].get<int>()) + '\n';
        }
    return out;
}

/// The leaves of a result; sizes one by one, dtypes and devices as text.
Values comparable(const Value& result) {
    Values out;
    for (const Value& leaf : flattened(result)) {
        if (const auto* size = leaf.as<SizeObject>())
            for (const int64_t dimension : size->sizes)
                out.push_back(c10::IValue(dimension));
        else if (leaf.as<Argument>() || leaf.as<BigIntObject>() || (leaf.isData() && leaf.data().isDevice()))
            out.push_back(makeText(valueText(leaf)));
        else
            out.push_back(leaf);
    }
    return out;
}

/// The words of an error: without the source line and the caret below it, and without addresses.
std::string wordsOf(const std::string& message) {
    static const std::regex place("\n[^\n]*\n *\\^+$"), address("\\b0x[0-9a-f]{6,}");
    return std::regex_replace(std::regex_replace(message, place, ""), address, "0x...");
}

} // namespace

class TestTraces : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        at::set_num_threads(1);
        QVERIFY(cases().size() >= 400);
    }

    void printsGraph_data() { addRows(isTraceable); }
    void printsGraph() {
        QFETCH(int, index);
        const Outcome& result = traced(index);
        QVERIFY2(result.opened, result.error ? result.error->what() : "");
        const Model& model = result.opened->model;
        FX_SAME(bothTexts(graphText(model.graph()), cases()[index]["text"]));
        QVERIFY(lint(model, model.root()).empty());
    }

    void writesCode_data() {
        addRows([](const Json& row) { return isTraceable(row) && row["code"].is_string(); });
    }
    void writesCode() {
        QFETCH(int, index);
        const Outcome& result = traced(index);
        QVERIFY2(result.opened, result.error ? result.error->what() : "");
        const Model& model = result.opened->model;
        FX_SAME(bothTexts(PythonCode(model, model.root()).text(), cases()[index]["code"]));
    }

    void knowsModules_data() { addRows(isPlaced); }
    void knowsModules() {
        QFETCH(int, index);
        const Outcome& result = traced(index);
        QVERIFY2(result.opened, result.error ? result.error->what() : "");
        for (const Node& node : result.opened->model.graph())
            FX_SAME(textDifference(node.name + ' ' + stackText(moduleFrames(node)),
                                   node.name + ' ' +
                                       cases()[index]["stack"].value(node.name, Json::array()).dump()));
    }

    void knowsLines_data() { addRows(isPlaced); }
    void knowsLines() {
        QFETCH(int, index);
        const Outcome& result = traced(index);
        QVERIFY2(result.opened, result.error ? result.error->what() : "");
        const Graph& graph = result.opened->model.graph();
        const Json& places = cases()[index]["places"];
        FX_SAME(textDifference(linesText(graph, places), expectedLines(graph, places)));
    }

    void keepsModulesInOrder_data() {
        addRows([](const Json& row) { return isTraceable(row) && row["code"].is_string(); });
    }
    void keepsModulesInOrder() {
        QFETCH(int, index);
        const Outcome& result = traced(index);
        QVERIFY2(result.opened, result.error ? result.error->what() : "");
        const Json& row = cases()[index];
        FX_SAME(
            textDifference(memberNames(result.opened->model), row["modules"].dump() + row["tensors"].dump()));
    }

    void runs_data() {
        addRows([](const Json& row) { return isTraceable(row) && row["outputs"].is_string(); });
    }
    void runs() {
        QFETCH(int, index);
        const Outcome& result = traced(index);
        QVERIFY2(result.opened, result.error ? result.error->what() : "");
        const Model& model = result.opened->model;
        const Values inputs = *itemsOf(readTorchFile(cases()[index]["inputs"]));
        const Values expected = *itemsOf(readTorchFile(cases()[index]["outputs"]));
        Values actual;
        try {
            actual = comparable(structured(model.graph().signature(), Interpreter(model).run(inputs)));
        } catch (const Error& error) {
            QFAIL(error.what());
        }
        QCOMPARE(actual.size(), expected.size());
        for (size_t i = 0; i < actual.size(); ++i)
            FX_SAME(valueDifference(actual[i], expected[i]));
    }

    void failsAlike_data() {
        addRows([](const Json& row) { return !isTraceable(row); });
    }
    void failsAlike() {
        QFETCH(int, index);
        const Outcome& result = traced(index);
        const Json& expected = cases()[index]["error"];
        QVERIFY2(result.error, "no error");
        const Json& ours = cases()[index]["ours"];
        const std::string words =
            expected["type"].get<std::string>() + ": " + expected["message"].get<std::string>();
        FX_SAME(bothTexts(result.error->kind() + ": " + wordsOf(result.error->message()),
                          ours.is_string() ? ours.get<std::string>() : words));
    }

    /// At the line of the user's source that Python's traceback ends with.
    void failsAtLine_data() {
        addRows([](const Json& row) { return !isTraceable(row) && row["error"]["place"].is_array(); });
    }
    void failsAtLine() {
        QFETCH(int, index);
        const Outcome& result = traced(index);
        QVERIFY2(result.error, "no error");
        const Json& place = cases()[index]["error"]["place"];
        const std::string expected =
            place[0].get<std::string>() + ':' + std::to_string(place[1].get<int>()) + ':';
        QVERIFY2(result.error->place().starts_with(expected),
                 (result.error->place() + "\nexpected " + expected).c_str());
    }
};

FX_TEST(TestTraces)
} // namespace fx::traces_test
#include "tst_traces.moc"
