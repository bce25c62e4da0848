// SPDX-License-Identifier: GPL-3.0-or-later
// GraphModules, modules and folders that the real torch saved, opened here, against what torch's own load and
// trace give: graph text and code byte for byte, outputs bit for bit.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/codegen/python_code.h"
#include "core/interpret/interpreter.h"
#include "core/interpret/structure.h"
#include "core/io/json.h"
#include "core/io/torch/torch_archive.h"
#include "core/ir/graph_text.h"
#include "core/module/edit.h"
#include "core/module/lint.h"
#include "core/open/open.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>
#include <QProcess>
#include <QTemporaryDir>

namespace fx::reopened_test {

class ReopenedTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QFile file(m_folder.filePath("expected.json"));
        QVERIFY(file.open(QFile::ReadOnly));
        m_expected = Json::parse(file.readAll().toStdString());
        QVERIFY(m_expected.size() >= 30);
    }

    void givesTheGraph_data() { rows(); }
    void givesTheGraph() {
        const OpenedModel opened = open();
        QVERIFY2(opened.whyNoGraph.reason.empty(), opened.whyNoGraph.reason.c_str());
        const Json& want = expected();
        QCOMPARE(QString::fromStdString(graphText(opened.model.graph())),
                 QString::fromStdString(want["graph"].get<std::string>()));
        QCOMPARE(QString::fromStdString(PythonCode(opened.model, opened.model.root()).text()),
                 QString::fromStdString(want["code"].get<std::string>()));
        const std::vector<LintFault> issues = lint(opened.model, opened.model.root());
        QVERIFY2(issues.empty(), issues.empty() ? "" : issues[0].message.c_str());
    }

    void givesTheModules_data() { rows(); }
    void givesTheModules() {
        const OpenedModel opened = open();
        Json paths = Json::array();
        addPaths(opened.model, opened.model.root(), "", paths);
        QCOMPARE(QString::fromStdString(paths.dump()), QString::fromStdString(expected()["modules"].dump()));
    }

    void givesTheOutputs_data() { rows("runs"); }
    void givesTheOutputs() {
        TraceOptions options;
        const OpenedModel opened = open();
        const Values inputs = *itemsOf(readTorchFile(path() + ".inputs"));
        const Values wanted = *itemsOf(readTorchFile(path() + ".outputs"));
        OpenedModel evaluated = opened;
        setEvaluating(evaluated.model);
        at::manual_seed(1);
        const Value result = Interpreter(evaluated.model).run(inputs);
        std::vector<at::Tensor> outputs;
        for (const Value& leaf : flattened(result))
            if (leaf.isTensor())
                outputs.push_back(leaf.data().toTensor());
        QCOMPARE(outputs.size(), wanted.size());
        for (size_t i = 0; i < outputs.size(); ++i) {
            const at::Tensor want = wanted[i].data().toTensor();
            QCOMPARE(outputs[i].scalar_type(), want.scalar_type());
            // The last bits of an LSTM differ with where its memory lies.
            QVERIFY2(at::equal(outputs[i].detach(), want.detach()) ||
                         (outputs[i].is_floating_point() && at::allclose(outputs[i], want, 0, 1e-7, true)),
                     ("output " + std::to_string(i)).c_str());
        }
    }

    /// What is in a file that holds several modules, or none of that name.
    void namesEntries_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("says");
        QTest::newRow("several")
            << "two_entries.zip.pt"
            << "holds 2 modules: 'nets.0', 'nets.1'; it is a dict of 'nets' (a list of 2 "
               "items), 'ema' (a dict of 1 item), 'step' (1); name the one to open: ";
        QTest::newRow("missing") << "checkpoint.zip.pt:net"
                                 << "has no entry 'net'; it holds a dict of 'model' (a "
                                    "torch.nn.modules.container.Sequential), 'epoch' (3); ";
        QTest::newRow("package") << "package_all.pt"
                                 << "is a package of torch.package with 3 pickles: model/graph.pkl, "
                                    "model/net.pkl, model/parts.pkl; name the one to open: ";
        QTest::newRow("missing pickle")
            << "package_all.pt:model/no.pkl"
            << "is a package of torch.package without the pickle 'model/no.pkl'; it "
               "holds model/graph.pkl";
        QTest::newRow("parts") << "package_all.pt:model/parts.pkl"
                               << "holds 2 modules: 'a', 'b'; it is a dict of 'a' (a GraphModule), 'b' (a "
                                  "torch.nn.modules.linear.Linear); name the one to open: ";
    }
    void namesEntries() {
        QFETCH(QString, file);
        QFETCH(QString, says);
        try {
            openFile(file.toStdString().c_str(), {});
            QFAIL("opens");
        } catch (const Error& error) {
            QVERIFY2(contains(error.what(), says.toStdString()), error.what());
        }
    }

    void tellsWhatLiesBesideAModel() {
        const OpenedModel opened = openFile("checkpoint.zip.pt", {});
        QVERIFY2(contains(join(opened.notes, "\n"),
                          "a checkpoint: the model is its entry 'model'; beside it there are 'epoch' (3)"),
                 join(opened.notes, "\n").c_str());
        const OpenedModel state = openFile("beside_state.zip.pt", {});
        QVERIFY(!state.whyNoGraph.reason.empty());
        QVERIFY2(contains(join(state.notes, "\n"), "the file holds 1 module, too: 'criterion'; to open one"),
                 join(state.notes, "\n").c_str());
    }

    void tellsWhatDiffersFromTorch() {
        const OpenedModel opened = openFile("inplace.pt", {});
        const std::string notes = join(opened.notes, "\n");
        QVERIFY2(contains(notes, "5 in-place operators") && contains(notes, "198077"), notes.c_str());
    }

    void givesNestedGraphs() {
        const OpenedModel opened = openFile("graphs.zip.pt", {});
        const ModuleId first = opened.model.resolve(opened.model.root(), "first").module;
        QVERIFY(first && opened.model.module(first).graph);
        QCOMPARE(
            graphText(opened.model.graph(first)),
            std::string("graph():\n"
                        "    %input_1 : [num_users=1] = placeholder[target=input]\n"
                        "    %_0 : [num_users=1] = call_module[target=0](args = (%input_1,), kwargs = {})\n"
                        "    %_1 : [num_users=1] = call_module[target=1](args = (%_0,), kwargs = {})\n"
                        "    return _1"));
    }

    void givesGraphsThatTorchItselfCannotLoad() {
        const OpenedModel opened = openFile("branches.pt", {});
        QVERIFY2(opened.whyNoGraph.reason.empty(), opened.whyNoGraph.reason.c_str());
        QVERIFY(
            contains(graphText(opened.model.graph()),
                     "call_function[target=torch.ops.higher_order.cond](args = (%gt_scalar, %true_graph_0, "
                     "%false_graph_0, (%arg0_1,)), kwargs = {})"));
        const Value result = Interpreter(opened.model).run({c10::IValue(at::ones({3}))});
        QVERIFY(at::equal(result.data().toTensor(), at::full({3}, 2)));
        QVERIFY(contains(join(opened.notes, "\n"), "PythonKeyTracer"));
    }

    void readsGraphsOfOldVersions() {
        // Before 1.8 the code was called so, and came without the lines that import what it names.
        const QString script =
            "import sys; sys.path.insert(0, sys.argv[1])\n"
            "from pickles import *\n"
            "body = dict_of(training=TRUE, _parameters=EMPTY_DICT, _buffers=EMPTY_DICT, "
            "_modules=EMPTY_DICT,\n"
            "    code=text('def forward(self, x):\\n    y = torch.relu(x)\\n    return (y, inf)\\n'))\n"
            "pickle = call(name('torch.fx.graph_module.reduce_graph_module'), body)\n"
            "open(sys.argv[2], 'wb').write(legacy_file(pickle))\n";
        QProcess python;
        python.start(FXSCOPE_PYTHON, {"-c", script, QStringLiteral(FXSCOPE_SOURCE "/tests/support"),
                                      m_own.filePath("old.pt")});
        QVERIFY(python.waitForFinished() && python.exitCode() == 0);
        Progress progress;
        const OpenedModel opened = openModel(m_own.filePath("old.pt").toStdString(), {}, progress);
        QVERIFY2(opened.whyNoGraph.reason.empty(), opened.whyNoGraph.reason.c_str());
        QCOMPARE(
            graphText(opened.model.graph()),
            std::string(
                "graph():\n"
                "    %x : [num_users=1] = placeholder[target=x]\n"
                "    %relu : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})\n"
                "    return (relu, inf)"));
    }

    void asksForTheSourceOfClasses() {
        const OpenedModel opened = openFile("net_module.zip.pt", {});
        QVERIFY2(contains(opened.whyNoGraph.reason, "reopened_source."), opened.whyNoGraph.reason.c_str());
        QVERIFY(contains(opened.whyNoGraph.advice, "--source FILE.py"));
        QVERIFY(opened.model.resolve(opened.model.root(), "blocks.2.mask").tensor);
    }

    void readsClassesFromLegacyFiles() {
        const OpenedModel opened = openFile("net_module.legacy.pt", {});
        QVERIFY2(opened.whyNoGraph.reason.empty(), opened.whyNoGraph.reason.c_str());
        QCOMPARE(graphText(opened.model.graph()),
                 m_expected["net_module.legacy.pt"]["graph"].get<std::string>());
    }

    void namesTheClassThatASourceLacks() {
        TraceOptions options;
        // Siblings of a source are found by themselves: this one has none.
        QFile other(m_own.filePath("other.py"));
        options.sourceFile = other.fileName().toStdString();
        QVERIFY(other.open(QFile::WriteOnly) && other.write("import torch\n") > 0);
        other.close();
        const OpenedModel opened = openFile("net_module.zip.pt", options);
        QVERIFY2(contains(opened.whyNoGraph.reason, "defines no class Net"),
                 opened.whyNoGraph.reason.c_str());
    }

    void namesFunctionsOfPackagesThatAreNotHere() {
        const OpenedModel opened = openFile("packaged.zip.pt", {});
        QCOMPARE(graphText(opened.model.graph()), m_expected["packaged.zip.pt"]["graph"].get<std::string>());
        QCOMPARE(opened.notes.back(),
                 std::string("functions that the code imports and that are not here stay names: "
                             "stored_package.layers.depth.drop_rows (--path DIR or --source FILE.py says "
                             "what they are)"));
        const OpenedModel module = openFile("packaged_module.zip.pt", {});
        QVERIFY2(contains(module.whyNoGraph.advice, "or the folder of its package: --path DIR"),
                 module.whyNoGraph.advice.c_str());
    }

    void opensModulePyAlone() {
        const OpenedModel opened = openFile("folder_constants/module.py", {});
        QCOMPARE(graphText(opened.model.graph()), m_expected["folder_constants"]["graph"].get<std::string>());
    }

    void readsNothingOutsideOfAFolder() {
        QFile code(m_folder.filePath("folder_pickled/module.py"));
        QVERIFY(code.open(QFile::ReadOnly));
        const QByteArray text = code.readAll();
        QVERIFY(QDir(m_own.path()).mkpath("outside/inner"));
        QVERIFY(QFile::copy(m_folder.filePath("linear.zip.pt"), m_own.filePath("outside/evil.pt")));
        QVERIFY(QFile::link(m_folder.filePath("linear.zip.pt"), m_own.filePath("outside/inner/linked.pt")));
        for (const char* name : {"../evil.pt", "/etc/passwd", "linked.pt", "gone.pt"}) {
            QFile changed(m_own.filePath("outside/inner/module.py"));
            QVERIFY(changed.open(QFile::WriteOnly));
            QByteArray bad = text;
            bad.replace("folder_pickled/1.pt", QByteArray("somewhere/") + name);
            QVERIFY(bad != text);
            QVERIFY(changed.write(bad) > 0);
            changed.close();
            try {
                Progress progress;
                openModel(m_own.filePath("outside/inner").toStdString(), {}, progress);
                QFAIL(name);
            } catch (const Error& error) {
                QVERIFY2(contains(error.what(), "not in the folder"), error.what());
            }
        }
    }

private:
    static void addPaths(const Model& model, ModuleId id, const std::string& path, Json& out) {
        out.push_back(path);
        for (const NamedModule& child : model.module(id).children)
            addPaths(model, child.module, path.empty() ? child.name : path + '.' + child.name, out);
    }
    void rows(const char* key = nullptr) {
        QTest::addColumn<QString>("file");
        for (const auto& [file, what] : m_expected.items())
            if (!key || what.contains(key))
                QTest::newRow(file.c_str()) << QString::fromStdString(file);
    }
    std::string path() const {
        QFETCH(QString, file);
        return m_folder.filePath(file).toStdString();
    }
    const Json& expected() const {
        QFETCH(QString, file);
        return m_expected.at(file.toStdString());
    }
    OpenedModel openFile(const char* name, const TraceOptions& trace) const {
        Progress progress;
        return openModel(m_folder.filePath(name).toStdString(), {false, trace}, progress);
    }
    /// What it throws is shown as a failure.
    OpenedModel open() const {
        TraceOptions trace;
        if (expected().contains("source"))
            trace.sourceFile =
                m_folder.filePath(QString::fromStdString(expected()["source"].get<std::string>()))
                    .toStdString();
        if (expected().contains("packages"))
            trace.packageFolders.push_back(
                m_folder.filePath(QString::fromStdString(expected()["packages"].get<std::string>()))
                    .toStdString());
        Progress progress;
        return openModel(path(), {false, trace}, progress);
    }
    static void setEvaluating(Model& model) {
        Edit edit(model);
        std::vector<ModuleId> modules;
        model.forEachModule(model.root(), [&](ModuleId id, const std::string&) { modules.push_back(id); });
        for (ModuleId id : modules) {
            edit.enter(id);
            edit.setTraining(false);
        }
        edit.finish();
    }

    QDir m_folder{QStringLiteral(FXSCOPE_ORACLE "/reopened")}; ///< what the real torch wrote
    QTemporaryDir m_own;
    Json m_expected;
};

FX_TEST(ReopenedTest)
} // namespace fx::reopened_test
#include "tst_reopened.moc"
