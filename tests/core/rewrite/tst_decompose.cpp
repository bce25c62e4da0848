// SPDX-License-Identifier: GPL-3.0-or-later
// Calls decomposed by Python functions: the sources of tests/oracle/decompositions, done by the real torch.fx
// and here; then what torch.fx cannot do.
#include "core/base/error.h"
#include "core/codegen/python_code.h"
#include "core/io/mapped_file.h"
#include "core/io/output_file.h"
#include "core/ir/graph_text.h"
#include "core/module/lint.h"
#include "core/rewrite/decompose.h"
#include "core/trace/trace_source.h"
#include "tests/support/oracle.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>
#include <QTemporaryDir>

namespace fx::decompose_test {

class TestDecompose : public QObject {
    Q_OBJECT

private:
    Json m_rows;
    QTemporaryDir m_folder;

    static Model modelIn(const std::string& path) {
        SourceRequest request;
        request.path = path;
        request.expression = "model";
        return traceSource(request).model;
    }
    std::string written(const char* text) {
        const std::string path = m_folder.filePath("case.py").toStdString();
        writeFile(path, text);
        return path;
    }
    static std::string refusal(const std::string& path) {
        Model model = modelIn(path);
        try {
            Edit edit(model);
            decompose(edit, path);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

private Q_SLOTS:
    void initTestCase() {
        m_rows = Json::parse(readFile(FXSCOPE_ORACLE "/decompositions.json"));
        QVERIFY(m_rows.size() >= 10);
    }

    void equalsTorchFx_data() { addRowsOf(m_rows); }
    void equalsTorchFx() {
        QFETCH(size_t, index);
        const Json& row = m_rows[index];
        const std::string path =
            FXSCOPE_SOURCE "/tests/oracle/decompositions/" + row["name"].get<std::string>() + ".py";
        if (row.contains("error")) {
            const QString said = QString::fromStdString(refusal(path));
            // A result without a node is an AttributeError of Python's there.
            const bool isOurs = row["error"][0] == "AttributeError";
            const std::string expected =
                isOurs ? "the rule returns no tensor of the graph" : row["error"][1].get<std::string>();
            QVERIFY2(said.contains(QString::fromStdString(expected)), qPrintable(said));
            QVERIFY2(said.contains("node '"), qPrintable(said));
            return;
        }
        Model model = modelIn(path);
        const std::string before = graphText(model.graph());
        Edit edit(model);
        decompose(edit, path);
        const Changes changes = edit.finish();
        FX_SAME(textDifference(graphText(model.graph()), row["graph"]));
        FX_SAME(textDifference(PythonCode(model, model.root()).text(), row["code"]));
        requireSound(model, model.root());
        undo(model, changes);
        FX_SAME(textDifference(graphText(model.graph()), before));
    }

    void givesNewNodesNamesThatNobodyHas() {
        const std::string path = FXSCOPE_SOURCE "/tests/oracle/decompositions/names_go_round.py";
        Model model = modelIn(path);
        Edit edit(model);
        QVERIFY(decompose(edit, path));
        {
            const auto point = edit.insertingBefore(edit.graph().outputNode());
            for (const char* target : {"operator.mul", "operator.gt", "torch.abs", "torch.neg", "torch.relu"})
                for (int i = 0; i < 3; ++i)
                    edit.callFunction(target, {edit.graph().first()});
        }
        edit.finish();
        requireSound(model, model.root());
    }

    /// The model has a constant of the same name, which stays its own.
    void decomposesMethodsAndConstants() {
        const std::string path =
            written("import torch\n"
                    "def model(x):\n    return x.softplus(2) + x.softplus(2) * torch.zeros(3)\n"
                    "rules = {'softplus': lambda x, beta: torch.log(1 + x * beta) + torch.ones(3)}\n");
        Model model = modelIn(path);
        Edit edit(model);
        QVERIFY(decompose(edit, path));
        edit.finish();
        requireSound(model, model.root());
        const std::vector<NodeId> constants = model.graph().findNodes(Opcode::GetAttr);
        QCOMPARE(constants.size(), size_t(3));
        std::vector<float> firsts;
        for (NodeId id : constants) {
            const Attribute found = model.resolve(model.root(), model.graph().node(id).target.name());
            firsts.push_back(model.tensor(found.tensor).value()[0].item<float>());
        }
        QCOMPARE(firsts, (std::vector<float>{1, 1, 0}));
    }

    void saysWhatIsWrongWithTheRules() {
        const char* const kModel = "import torch\ndef model(x):\n    return torch.relu(x)\n";
        const auto said = [&](const std::string& rules) {
            return QString::fromStdString(refusal(written((kModel + rules).c_str())));
        };
        QVERIFY(said("").contains("has no dict from functions to functions"));
        QVERIFY(said("a = {torch.relu: model}\nb = {torch.neg: model}\n")
                    .contains("several tables of rules: a, b"));
        QVERIFY(said("a = {torch.relu: lambda x: (x, x)}\n").contains("returns no tensor of the graph"));
    }
};

FX_TEST(TestDecompose)
} // namespace fx::decompose_test
#include "tst_decompose.moc"
