// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of printed graphs: where they are in a file, and what is read of them. tests/oracle/check_printed.py
// holds many against torch.
#include "core/base/error.h"
#include "core/codegen/python_code.h"
#include "core/io/printed/annotations.h"
#include "core/io/printed/printed.h"
#include "core/io/printed/printed_file.h"
#include "core/ir/graph_text.h"
#include "core/module/edit.h"
#include "core/module/lint.h"
#include "tests/support/test_program.h"

namespace fx::printed_graphs_test {

namespace {

OpenedModel readText(const std::string& text, const std::string& choice = {}) {
    Progress progress;
    return readPrintedGraph(text, "g.txt", choice, progress);
}

std::string classOf(const std::string& body, const std::string& parameters = "self, x") {
    return "class GraphModule(torch.nn.Module):\n    def forward(" + parameters + "):\n" + body;
}

QString graphOf(const std::string& text) {
    return QString::fromStdString(graphText(readText(text).model.graph()));
}

QString faultOf(const std::string& text, const std::string& choice = {}) {
    try {
        readText(text, choice);
        return {};
    } catch (const Error& error) {
        return QString::fromStdString(error.what());
    }
}

QString valueText(const char* annotation) {
    const std::optional<ValueMeta> value = annotatedValue(annotation);
    return value ? QString::fromStdString(valueMetaText(*value)) : QString("none");
}

const std::string kLog =
    "V1124 11:45:08.354000 1 torch/_dynamo/x.py:2] [0/0] [__graph_code]  ===== compiled_0 =====\n"
    "V1124 11:45:08.354000 1 torch/_dynamo/x.py:2] [0/0] [__graph_code]  /a/b.py class "
    "GraphModule(torch.nn.Module):\n"
    "V1124 11:45:08.354000 1 torch/_dynamo/x.py:2] [0/0] [__graph_code]     def forward(self, x):\n"
    "V1124 11:45:08.354000 1 torch/_dynamo/x.py:2] [0/0] [__graph_code] \n"
    "V1124 11:45:08.354000 1 torch/_dynamo/x.py:2] [0/0] [__graph_code]         return (x,)\n"
    "something else\n"
    "V1124 11:45:09.000000 1 torch/y.py:3] {\"aot_joint_graph\": {}, \"frame_id\": 2, "
    "\"frame_compile_id\": 1, \"has_payload\": \"4c\"}\n"
    "\tclass inner_f(torch.nn.Module):\n"
    "\t    def forward(\n"
    "\t        self,\n"
    "\t        a: \"f32[2]\",  # PlainAOTInput(idx=0)\n"
    "\t    ):\n"
    "\t        return torch.relu(\n";

} // namespace

class TestPrintedGraphs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void annotationsBecomeValues() {
        QCOMPARE(valueText("f32[1, 4]"), QString("f32[1, 4]"));
        QCOMPARE(valueText("bf16[Max(1, s0), 2*s1][2*s1, 1]cuda:1"), QString("bf16[Max(1, s0), 2*s1]"));
        QCOMPARE(valueText("DTensor(f32[2, 4][4, 1]cpu, S(0))"), QString("f32[2, 4]"));
        QCOMPARE(valueText("Sym(s0 + 1)"), QString("s0 + 1"));
        QCOMPARE(valueText("Sym(3)"), QString("3"));
        for (const char* wrong : {"torch.Tensor", "f32", "f32[2", "f32[2,,3]", "f99[2]", "f32[2][1, 1]",
                                  "f32[2]moon", "f32[]]", ""})
            QCOMPARE(valueText(wrong), QString("none"));
        const std::optional<ValueMeta> value = annotatedValue("i64[2, 3][1, 2]cuda:1");
        const TensorMeta& tensor = std::get<TensorMeta>(value->value);
        QCOMPARE(shapeText(tensor.stride), std::string("[1, 2]"));
        QCOMPARE(tensor.device, c10::Device("cuda:1"));
    }

    void commentsBecomePlaces() {
        const std::string place = "  File \"/a b/net.py\", line 12, in forward\n    return x[0]\n";
        QCOMPARE(stackTraceOfComment("    # File: /a b/net.py:12 in forward, code: return x[0]"), place);
        QCOMPARE(
            stackTraceOfComment(
                "# Annotation: {'a': 1} recompute: X File: /a b/net.py:12 in forward, code: return x[0]"),
            place);
        // As PyTorch 2.1 wrote it.
        QCOMPARE(stackTraceOfComment("# File: C:\\net.py:3, code: x"),
                 std::string("  File \"C:\\net.py\", line 3\n    x\n"));
        QCOMPARE(stackTraceOfComment("# No stacktrace found for following nodes"), std::string());
        QVERIFY(!stackTraceOfComment("# something"));
        QVERIFY(!stackTraceOfComment("y = 1  # File: a.py:1 in f, code: x"));
    }

    void graphsAreFoundInLogs() {
        const PrintedFile file(kLog);
        QCOMPARE(file.sections().size(), size_t(2));
        QCOMPARE(file.sections()[0].name, std::string("compiled_0"));
        QCOMPARE(file.sections()[1].name, std::string("aot_joint_graph"));
        QCOMPARE(file.sections()[1].about, std::string("frame 2/1"));
        const OpenedModel first = readText(kLog);
        QCOMPARE(graphText(first.model.graph()),
                 std::string("graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return (x,)"));
        QVERIFY(first.notes[0].find("2 aot_joint_graph (frame 2/1) in line 8") != std::string::npos);
        // Places are those of the file.
        QVERIFY2(faultOf(kLog, "aot_joint_graph").startsWith("g.txt:13:"), qPrintable(faultOf(kLog, "2")));
        QVERIFY(faultOf(kLog, "3").startsWith("g.txt: holds no graph '3', but 2 graphs"));
    }

    void nothingIsEvaluatedOrFolded() {
        const std::string body = "        l_x_ = x\n"
                                 "        full = torch.ops.aten.full.default([], 1.0);  full = None\n"
                                 "        pow_1 = -2 ** l_x_\n"
                                 "        root = math_sqrt(pow_1)\n"
                                 "        root += (1+2j);  iadd = root\n"
                                 "        conv = getattr(self.layers, \"0\")(iadd);  root = iadd = None\n"
                                 "        return {'a': conv, 'b': [1, inf]}\n";
        QCOMPARE(
            graphOf(classOf(body)),
            QString(
                "graph():\n"
                "    %l_x_ : [num_users=1] = placeholder[target=x]\n"
                "    %full : [num_users=0] = call_function[target=torch.ops.aten.full.default](args = ([], "
                "1.0), kwargs = {})\n"
                "    %pow_1 : [num_users=1] = call_function[target=operator.pow](args = (-2, %l_x_), kwargs "
                "= {})\n"
                "    %root : [num_users=1] = call_function[target=math.sqrt](args = (%pow_1,), kwargs = {})\n"
                "    %iadd : [num_users=1] = call_function[target=operator.iadd](args = (%root, (1+2j)), "
                "kwargs = {})\n"
                "    %conv : [num_users=1] = call_module[target=layers.0](args = (%iadd,), kwargs = {})\n"
                "    return {'a': conv, 'b': [1, inf]}"));
    }

    void nestedGraphsAreSubmodules() {
        const std::string text = classOf("        inner = self.inner\n"
                                         "        y = torch.ops.higher_order.cond(x, inner, inner, (x,))\n"
                                         "        return y\n\n"
                                         "    class 0(torch.nn.Module):\n"
                                         "        def forward(self, a):\n            return a\n"
                                         "    class inner(torch.nn.Module):\n"
                                         "        def forward(self, a):\n            return a\n");
        const OpenedModel opened = readText(text);
        for (const char* path : {"0", "inner"})
            QVERIFY(opened.model.module(opened.model.resolve(opened.model.root(), path).module).graph);
        lint(opened.model, opened.model.root());
    }

    void weightsHaveShapesAlone() {
        OpenedModel opened = readText(classOf("        w: \"f32[2, 3]\" = self.layer.w\n"
                                              "        c = self.layer\n"
                                              "        y = x * w\n        return (y, c)\n"));
        const TensorId id = opened.model.resolve(opened.model.root(), "layer.w").tensor;
        QCOMPARE(shapeText(opened.model.tensor(id).meta().stride), std::string("[3, 1]"));
        QVERIFY_THROWS_EXCEPTION(Error, opened.model.tensor(id).value());
        lint(opened.model, opened.model.root());
        Edit edit(opened.model);
        edit.rename(edit.graph().find("y"), "z");
        edit.finish();
        QVERIFY(PythonCode(opened.model, opened.model.root()).text().find("z = x * w") != std::string::npos);
    }

    void faultsHavePlaces() {
        QVERIFY(faultOf(classOf("        y = torch.relu(torch.abs(x))\n")).startsWith("g.txt:3:24: "));
        QVERIFY(faultOf(classOf("        y = torch.relu(z)\n")).contains("'z' is no node of this graph"));
        QVERIFY(faultOf(classOf("        y = torch.relu(x)\n        z = y\n")).startsWith("g.txt:4:9: "));
        const std::string head = "graph():\n    %x : [num_users=1] = placeholder[target=x]\n";
        QVERIFY(
            faultOf(head + "    %y : [num_users=1] = call_function[target=f](args = (%z,), kwargs = {})\n")
                .startsWith("g.txt:3:"));
        QVERIFY(faultOf(head + "    %y [num_users=1]\n").startsWith("g.txt:3:"));
    }

    void sourceOfPeopleIsNoPrint() {
        const std::string printed = classOf("        # File: /a.py:1 in f, code: x\n        return x\n");
        QVERIFY(holdsPrintedGraph(printed, true));
        QVERIFY(!holdsPrintedGraph(classOf("        return x\n"), true));
        QVERIFY(!holdsPrintedGraph(printed + "    def __init__(self):\n        pass\n", true));
        QVERIFY(!holdsPrintedGraph("def forward(self, x):\n    return x\n", true));
        QVERIFY(!holdsPrintedGraph("some text\n", false));
    }
};

FX_TEST(TestPrintedGraphs)
} // namespace fx::printed_graphs_test
#include "tst_printed_graphs.moc"
