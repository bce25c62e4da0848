// SPDX-License-Identifier: GPL-3.0-or-later
// TorchScript programs of tests/oracle/scripts, opened by core, against what the real torch.jit and torch.fx
// say of them in scripts.json: a run gives what the program gives, the graph is that of symbolic_trace where
// both trace the same module, and a branch on data is an error with the line of the source.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/codegen/python_code.h"
#include "core/interpret/interpreter.h"
#include "core/interpret/structure.h"
#include "core/io/mapped_file.h"
#include "core/io/torch/torch_archive.h"
#include "core/ir/graph_text.h"
#include "core/module/lint.h"
#include "core/open/open.h"
#include "tests/support/opened_case.h"
#include "tests/support/oracle.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <map>

namespace fx::scripts_test {

namespace {

const Json& cases() {
    static const Json rows = Json::parse(readFile(FXSCOPE_ORACLE "/scripts/scripts.json"));
    return rows;
}

const Json& states() {
    static const Json rows = Json::parse(readFile(FXSCOPE_ORACLE "/scripts/states.json"));
    return rows;
}

OpenedModel openScript(const std::string& path, Json row = Json::object()) {
    row["file"] = path;
    return openCase(row);
}

const OpenedModel& opened(int index) {
    static std::map<int, OpenedModel> known;
    if (!known.contains(index))
        known[index] = openScript(cases()[index]["file"], cases()[index]);
    return known[index];
}

const Json& caseNamed(const std::string& name) {
    for (const Json& row : cases())
        if (row["name"] == name)
            return row;
    throw std::out_of_range("no case " + name);
}

template <class Takes>
void addRows(Takes takes) {
    QTest::addColumn<int>("index");
    for (int i = 0; i < static_cast<int>(cases().size()); ++i)
        if (!cases()[i].value("refused", false) && takes(cases()[i]))
            QTest::newRow(cases()[i]["name"].get<std::string>().c_str()) << i;
}

bool isTraceable(const Json& row) {
    return row["error"].is_null();
}

std::string openError(const std::string& path, const Json& row = Json::object()) {
    try {
        openScript(path, row);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

} // namespace

class TestScripts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        at::set_num_threads(1);
        QVERIFY(cases().size() >= 60);
    }

    void loadsStates_data() {
        QTest::addColumn<int>("index");
        for (int i = 0; i < static_cast<int>(states().size()); ++i)
            QTest::newRow(states()[i]["name"].get<std::string>().c_str()) << i;
    }
    /// --state on a program: the weights of load_state_dict, and its words.
    void loadsStates() {
        QFETCH(int, index);
        const Json& row = states()[index];
        OpenOptions options;
        options.trace.stateFile = row["state"];
        Progress progress;
        std::string fault;
        OpenedModel loaded;
        try {
            loaded = openModel(FXSCOPE_ORACLE "/scripts/stateful.pt", options, progress);
        } catch (const Error& error) {
            fault = error.message();
        }
        FX_SAME(
            textDifference(fault, row["error"].is_null() ? std::string() : row["error"].get<std::string>()));
        if (!row["error"].is_null())
            return;
        const Values values = *itemsOf(readTorchFile(row["state"].get<std::string>() + ".values"));
        FX_SAME(valueDifference(Interpreter(loaded.model).run({values[0]}), values[1]));
    }

    /// There is no class behind a call that could be run or exported.
    void tracesThroughLeavesOfTheUsers() {
        Json row = caseNamed("nested_script");
        const std::string text = graphText(openCase(row).model.graph());
        row["leaf"] = {"Inner"};
        const OpenedModel opened = openCase(row);
        FX_SAME(textDifference(graphText(opened.model.graph()), text));
        QCOMPARE(opened.notes.size(), size_t(2));
        QVERIFY2(contains(opened.notes[0], "calls of inner.0 (") &&
                     contains(opened.notes[0], "Inner) are traced through"),
                 opened.notes[0].c_str());
    }

    void refusesSourcesOfPrograms() {
        OpenOptions options;
        options.trace.sourceFile = "net.py";
        Progress progress;
        try {
            openModel(FXSCOPE_ORACLE "/scripts/stateful.pt", options, progress);
            QFAIL("opens");
        } catch (const Error& error) {
            QCOMPARE(QString(error.what()),
                     QString("--source: means nothing for a TorchScript program, which holds its own code; "
                             "leave --source out"));
        }
    }

    void runsAsProgram_data() { addRows(isTraceable); }
    void runsAsProgram() {
        QFETCH(int, index);
        std::string fault;
        try {
            opened(index);
        } catch (const Error& error) {
            fault = error.what();
        }
        QVERIFY2(fault.empty(), fault.c_str());
        const Model& model = opened(index).model;
        QVERIFY(lint(model, model.root()).empty());
        const Values inputs = *itemsOf(readTorchFile(cases()[index]["inputs"]));
        const Values expected = *itemsOf(readTorchFile(cases()[index]["outputs"]));
        for (int run = 0; run < 2; ++run) { // a run leaves the model as it was
            Values given = inputs;
            for (Value& input : given)
                if (input.isTensor())
                    input = c10::IValue(input.data().toTensor().clone());
            Values actual;
            try {
                actual = flattened(structured(model.graph().signature(), Interpreter(model).run(given)));
            } catch (const Error& error) {
                QFAIL(error.what());
            }
            QCOMPARE(actual.size(), expected.size());
            for (size_t i = 0; i < actual.size(); ++i)
                if (cases()[index]["close"] == true)
                    QVERIFY(
                        at::allclose(actual[i].data().toTensor(), expected[i].data().toTensor(), 1e-4, 1e-5));
                else
                    FX_SAME(valueDifference(actual[i], expected[i]));
        }
    }

    void printsGraphOfSymbolicTrace_data() {
        addRows([](const Json& row) { return row["text"].is_string(); });
    }
    void printsGraphOfSymbolicTrace() {
        QFETCH(int, index);
        const std::string actual = graphText(opened(index).model.graph());
        FX_SAME(textDifference(actual, cases()[index]["text"]));
    }

    void shrinksToPaperCount_data() {
        addRows([](const Json& row) { return row["lines"] != 0; });
    }
    void shrinksToPaperCount() {
        QFETCH(int, index);
        const Graph& graph = opened(index).model.graph();
        const std::string text = graphText(graph);
        const auto lines = std::count(text.begin(), text.end(), '\n') + (text.ends_with('\n') ? 0 : 1);
        QCOMPARE(static_cast<int>(lines), cases()[index]["lines"].get<int>());
        QCOMPARE(graph.findNodes(Opcode::GetAttr).size(), size_t{267});
        QCOMPARE(graph.findNodes(Opcode::CallFunction).size(), size_t{175});
        QCOMPARE(graph.size(), size_t{444});
    }

    void failsWithSourceLine_data() {
        addRows([](const Json& row) { return row["error"].is_string(); });
    }
    void failsWithSourceLine() {
        QFETCH(int, index);
        const Json& row = cases()[index];
        const std::string error = openError(row["file"], row);
        QVERIFY2(contains(error, row["error"].get<std::string>()), error.c_str());
        QVERIFY2(contains(error, row["origin"].get<std::string>() + ", line "), error.c_str());
    }

    void writesCodeThatNamesEverything() {
        const OpenedModel model = openScript(caseNamed("conv_script")["file"]);
        const std::string code = PythonCode(model.model, model.model.root()).text();
        QVERIFY2(contains(code, "torch.flatten("), code.c_str());
    }

    void keepsTiedWeightsTied() {
        const OpenedModel model = openScript(caseNamed("tied_script")["file"]);
        const Attribute embed = model.model.resolve(model.model.root(), "embed.weight");
        const Attribute head = model.model.resolve(model.model.root(), "head.weight");
        QVERIFY(embed.tensor);
        QVERIFY(embed.tensor == head.tensor);
    }

    void copiesModuleTree() {
        const OpenedModel model = openScript(caseNamed("residual_script")["file"]);
        const Attribute norm = model.model.resolve(model.model.root(), "blocks.1.norm");
        QVERIFY(norm.module);
        QCOMPARE(model.model.module(norm.module).type,
                 std::string("torch.nn.modules.normalization.GroupNorm"));
        const Argument* groups = model.model.module(norm.module).value("num_groups");
        QVERIFY(groups && *groups->as<int64_t>() == 2);
        QCOMPARE(model.model.module(model.model.root()).type, std::string("Residual"));
    }

    void knowsSourceAndModules() {
        const OpenedModel model = openScript(caseNamed("residual_script")["file"]);
        const Node& node = model.model.graph().node(model.model.graph().find("blocks_1_conv"));
        const auto* stack = node.meta.find<ModuleStack>(meta::kModuleStack);
        QVERIFY(stack);
        QCOMPARE(stack->size(), size_t{2});
        QCOMPARE((*stack)[0].type, std::string("simple.Block"));
        QCOMPARE((*stack)[1].path, std::string("blocks.1.conv"));
        const auto* trace = node.meta.find<std::string>(meta::kStackTrace);
        QVERIFY(trace);
        QVERIFY2(contains(*trace, "x = block(x)\n") &&
                     contains(*trace, "return x + self.act(self.norm(self.conv(x)))\n"),
                 trace->c_str());
    }

    void refusesCodeThatRunsWhileLoading() {
        const std::string error = openError(caseNamed("restoring")["file"]);
        QVERIFY2(contains(error, "__setstate__"), error.c_str());
    }

    void refusesMobilePrograms() {
        const std::string error = openError(caseNamed("mobile")["file"]);
        QVERIFY2(contains(error, "PyTorch Mobile") && contains(error, "open the TorchScript file"),
                 error.c_str());
    }

    void specializesSizes() {
        const Json& row = caseNamed("checks_script");
        const OpenedModel plain = openScript(row["file"]);
        QVERIFY(contains(graphText(plain.model.graph()), "target=size"));
        const OpenedModel fixed = openScript(row["file"], {{"concrete", {{"x", "torch.zeros(3, 4)"}}}});
        QVERIFY(!contains(graphText(fixed.model.graph()), "target=size"));
    }
};

FX_TEST(TestScripts)
} // namespace fx::scripts_test
#include "tst_scripts.moc"
