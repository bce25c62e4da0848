// SPDX-License-Identifier: GPL-3.0-or-later
// Each model of tests/oracle/models.py, read and run by core, against what torch.fx says of it: texts byte
// for byte, values bit for bit. Whether the exported folders compute the same is asked in check_exports.py.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/codegen/python_code.h"
#include "core/export/export_folder.h"
#include "core/interpret/shape_prop.h"
#include "core/interpret/structure.h"
#include "core/io/fxg/fxg.h"
#include "core/io/torch/torch_archive.h"
#include "core/ir/dtype.h"
#include "core/ir/graph_text.h"
#include "core/module/lint.h"
#include "core/open/open.h"
#include "tests/support/oracle.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <QTemporaryDir>

#include <set>

namespace fx::oracle_test {

namespace {

/// What a run gives: flat outputs, and the buffers afterwards by path.
struct Outcome {
    Values outputs;
    std::map<std::string, at::Tensor> buffers;
};

Outcome runModel(const OpenedModel& opened, const std::string& name) {
    at::manual_seed(7);
    const auto context = std::make_shared<RunContext>(opened.model);
    const Value result = Interpreter(context, opened.model.root()).run(oracleInputs(opened, name));
    Outcome outcome{flattened(structured(opened.model.graph().signature(), result)), {}};
    opened.model.forEachModule(opened.model.root(), [&](ModuleId id, const std::string& path) {
        for (const NamedTensor& entry : opened.model.module(id).tensors)
            if (entry.tensor)
                outcome.buffers[path.empty() ? entry.name : path + '.' + entry.name] =
                    context->state.tensor(entry.tensor, entry.role);
    });
    return outcome;
}

const Value& field(const Value& dict, const std::string& key) {
    for (const auto& [name, value, hash] : dict.as<DictObject>()->entries())
        if (name.data().toStringRef() == key)
            return value;
    throw Error(key, "is not in the recorded outputs");
}

void compareOutcome(const Outcome& outcome, const std::string& name) {
    const Value recorded = readTorchFile(oraclePath(name, "outputs.pt"));
    const Values expected = *itemsOf(field(recorded, "outputs"));
    QCOMPARE(outcome.outputs.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i)
        FX_SAME(valueDifference(outcome.outputs[i], expected[i]));
    const Value& buffers = field(recorded, "buffers");
    for (const auto& [key, value, hash] : buffers.as<DictObject>()->entries()) {
        const auto actual = outcome.buffers.find(key.data().toStringRef());
        QVERIFY2(actual != outcome.buffers.end(), key.data().toStringRef().c_str());
        FX_SAME(valueDifference(c10::IValue(actual->second), value));
    }
}

std::string codeOf(const Model& model, ModuleId module) {
    return PythonCode(model, module).text();
}

std::string textWithTensors(const Graph& graph) {
    std::vector<std::string> lines;
    for (const Node& node : graph)
        lines.push_back(formatNode(graph, node.id, true));
    return join(lines, "\n");
}

/// The name of the node at each line of the code, as JSON.
std::string lineOwners(const Model& model) {
    const PythonCode code(model, model.root());
    Json owners = Json::array();
    for (int line = 0; line < static_cast<int>(split(code.text(), '\n').size()) - 1; ++line) {
        const NodeId node = code.nodeAtLine(line);
        owners.push_back(node ? Json(model.graph().node(node).name) : Json());
        if (node && code.lineOf(node) != line)
            return "lineOf " + model.graph().node(node).name + " is not " + std::to_string(line);
    }
    return owners.dump();
}

void compareTexts(const Model& model, const Json& expected) {
    FX_SAME(textDifference(graphText(model.graph()), expected["graph"]));
    FX_SAME(textDifference(tabularText(model.graph()), expected["table"]));
    FX_SAME(textDifference(codeOf(model, model.root()), expected["code"]));
    // Formulas of sizes are written for people: "s77 // 2 + 1" where sympy has more parentheses.
    if (!contains(expected["with_tensors"].get<std::string>(), "//"))
        FX_SAME(textDifference(textWithTensors(model.graph()), expected["with_tensors"]));
    FX_SAME(textDifference(lineOwners(model), expected["owners"].dump()));
}

/// [dtype, shape, stride] of each tensor in a value.
Json shapesIn(const ValueMeta& value) {
    Json out = Json::array();
    if (const auto* tensor = std::get_if<TensorMeta>(&value.value)) {
        Json shape = Json::array(), stride = Json::array();
        for (const Dimension& size : tensor->shape)
            shape.push_back(std::get<int64_t>(size));
        for (const Dimension& step : tensor->stride)
            stride.push_back(std::get<int64_t>(step));
        out.push_back({dtypeText(tensor->dtype), shape, stride});
    } else if (const auto* items = std::get_if<std::vector<ValueMeta>>(&value.value)) {
        for (const ValueMeta& item : *items)
            for (Json& shape : shapesIn(item))
                out.push_back(std::move(shape));
    }
    return out;
}

} // namespace

class TestOracle : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        at::set_num_threads(1);
        QVERIFY(oracleModels().size() >= 25);
    }

    void printsGraph_data() { addOracleRows(); }
    void printsGraph() {
        QFETCH(QString, name);
        const OpenedModel opened = openOracle(name.toStdString());
        compareTexts(opened.model, oracleExpectation(name.toStdString())["module"]);
        QVERIFY(lint(opened.model, opened.model.root()).empty());
    }

    void printsNestedGraphs_data() { addOracleRows(); }
    void printsNestedGraphs() {
        QFETCH(QString, name);
        const Json expected = oracleExpectation(name.toStdString())["nested"];
        const OpenedModel opened = openOracle(name.toStdString());
        std::set<std::string> seen;
        opened.model.forEachModule(opened.model.root(), [&](ModuleId id, const std::string& path) {
            if (path.empty() || !opened.model.module(id).graph)
                return;
            seen.insert(path);
            QVERIFY2(expected.contains(path), path.c_str());
            FX_SAME(textDifference(graphText(opened.model.graph(id)), expected[path]["graph"]));
            FX_SAME(textDifference(codeOf(opened.model, id), expected[path]["code"]));
        });
        QCOMPARE(seen.size(), expected.size());
    }

    void printsLiftedGraph_data() { addOracleRows(); }
    void printsLiftedGraph() {
        QFETCH(QString, name);
        const OpenedModel opened = openOracle(name.toStdString(), true);
        compareTexts(opened.model, oracleExpectation(name.toStdString())["lifted"]);
    }

    void runs_data() { addOracleRows(); }
    void runs() {
        QFETCH(QString, name);
        const OpenedModel opened = openOracle(name.toStdString());
        if (oracleExpectation(name.toStdString())["runs"])
            compareOutcome(runModel(opened, name.toStdString()), name.toStdString());
        else
            QVERIFY_THROWS_EXCEPTION(Error, runModel(opened, name.toStdString()));
    }

    /// Where torch.fx's ShapeProp sees a tensor, ours sees the same.
    void propagatesShapes_data() { addOracleRows(); }
    void propagatesShapes() {
        QFETCH(QString, name);
        const Json expected = oracleExpectation(name.toStdString());
        if (!expected["runs"])
            return;
        OpenedModel opened = openOracle(name.toStdString());
        Edit edit(opened.model);
        propagateShapes(edit, oracleInputs(opened, name.toStdString()));
        size_t count = 0;
        for (const Node& node : edit.graph()) {
            const auto* value = node.meta.find<ValueMeta>(meta::kTensorMeta);
            QVERIFY2(value, node.name.c_str());
            const Json shapes = expected["shapes"].value(node.name, Json::array());
            FX_SAME(
                textDifference(node.name + ' ' + shapesIn(*value).dump(), node.name + ' ' + shapes.dump()));
            count += expected["shapes"].contains(node.name);
        }
        QCOMPARE(count, expected["shapes"].size());
    }

    void savesAndReopens_data() { addOracleRows(); }
    void savesAndReopens() {
        QFETCH(QString, name);
        const QTemporaryDir folder;
        const std::string path = folder.filePath("model.fxg").toStdString();
        const OpenedModel opened = openOracle(name.toStdString());
        Progress progress;
        writeFxg(opened, path, progress);
        const OpenedModel reopened = openModel(path, {}, progress);
        FX_SAME(textDifference(tabularText(reopened.model.graph()), tabularText(opened.model.graph())));
        std::map<std::string, std::string> codes;
        opened.model.forEachModule(opened.model.root(), [&](ModuleId id, const std::string& modulePath) {
            if (opened.model.module(id).graph)
                codes[modulePath] = graphText(opened.model.graph(id)) + codeOf(opened.model, id);
        });
        reopened.model.forEachModule(reopened.model.root(), [&](ModuleId id, const std::string& modulePath) {
            if (!reopened.model.module(id).graph)
                return;
            FX_SAME(textDifference(graphText(reopened.model.graph(id)) + codeOf(reopened.model, id),
                                   codes[modulePath]));
            codes.erase(modulePath);
        });
        QVERIFY(codes.empty());
        auto copy = opened.model.graph().begin();
        for (const Node& node : reopened.model.graph()) {
            QVERIFY2(node.meta == copy->meta, node.name.c_str());
            QCOMPARE(node.users.size(), copy->users.size());
            ++copy;
        }
        if (oracleExpectation(name.toStdString())["runs"])
            compareOutcome(runModel(reopened, name.toStdString()), name.toStdString());
    }

    /// The folders stay for check_exports.py, which compares what they compute.
    void exportsFolder_data() { addOracleRows(); }
    void exportsFolder() {
        QFETCH(QString, name);
        const std::string folder = FXSCOPE_BUILD "/exports/model_" + name.toStdString();
        std::filesystem::remove_all(folder);
        const OpenedModel opened = openOracle(name.toStdString());
        exportFolder(opened.model, folder, "Net", opened.path);
        for (const char* file : {"__init__.py", "module.py"})
            QVERIFY2(std::filesystem::exists(folder + '/' + file), file);
    }
};

FX_TEST(TestOracle)
} // namespace fx::oracle_test
#include "tst_oracle.moc"
