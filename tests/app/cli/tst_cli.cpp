// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of fxscope: what goes to standard output, what to standard error, and the exit status.
#include "core/io/fxg/fxg.h"
#include "core/module/muted.h"
#include "core/open/open.h"
#include "tests/support/cli.h"
#include "tests/support/oracle.h"
#include "tests/support/test_program.h"

#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRectF>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QXmlStreamReader>

namespace fx::cli_test {

namespace {

/// "@NAME" is a model of the oracle, "%NAME" a file in the test's folder.
QStringList expanded(const QString& arguments, const QTemporaryDir& folder) {
    QStringList out;
    for (QString part : arguments.split(' ', Qt::SkipEmptyParts)) {
        if (part.startsWith('@') && !part.contains('='))
            part = QString::fromStdString(oraclePath(part.mid(1).toStdString(), "pt2"));
        out << part.replace("%", folder.path() + '/').replace("ORACLE", FXSCOPE_ORACLE).replace("~", " ");
    }
    return out;
}

/// A file with such a text.
QString written(const QTemporaryDir& folder, const QByteArray& text) {
    QFile file(folder.filePath("source.py"));
    if (!file.open(QFile::WriteOnly) || file.write(text) != text.size())
        qFatal("the source cannot be written");
    return file.fileName();
}

struct CommandRow {
    const char* arguments;
    int code;
    const char* out; ///< part of standard output
    const char* err; ///< part of standard error; empty: nothing at all is said there
};

const CommandRow kCommands[] = {
    {"--version", 0, "fxscope 0.1.0", ""},
    {"", 2, "", "A subcommand is required"},
    {"nonsense", 2, "", "nonsense"},
    {"info", 2, "", "MODEL is required"},
    {"graph @cond --format yaml", 2, "", "yaml"},
    {"info @resnet", 0, "input       x  f32[s77, 3, 32, 32]\n", ""},
    {"info @transformer", 0, "parameters  7984 (31.9 KB)\n", ""},
    {"info @custom_op", 0, "fxscope_test.twice", ""},
    {"graph @cond --module true_graph_0", 0, "torch.ops.aten.sin.default", ""},
    {"graph @cond --module nowhere", 1, "",
     "error: --module nowhere: is no module with a graph; there are: true_graph_0"},
    {"graph @cond --format dot", 0, "digraph", ""},
    {"graph @cond --format json", 0, "\"nodes\": [", ""},
    {"code @cond --module false_graph_0", 0, "torch.ops.higher_order.cond", ""},
    {"run @scalars --input x=tensor(3.0) --input n=tensor(5)", 0,
     "(tensor(15.), tensor(2), tensor(9.), tensor(-5), tensor(0.3333), tensor(1))", ""},
    {"run @scalars --inputs ORACLE/scalars.inputs.pt", 0, "(tensor(6.)", ""},
    {"run @random --seed 3 --save %a.pt", 0, "", ""},
    {"run @resnet --input x=randn(5,3,32,32) --seed 1 --threads 1", 0, "tensor([[", ""},
    {"run @resnet --input x=randn(5,4,32,32)", 1, "", "error: input 'x': expected f32[s"},
    {"run @resnet --input y=1", 1, "", "error: the model has no input 'y'; its inputs are: x"},
    {"run @resnet --input x", 1, "", "error: --input x: is not of the form NAME=SPEC"},
    {"run @resnet --input x=@%gone.npy", 1, "", "gone.npy"},
    {"run @resnet --input x=1~+", 1, "", "error: "},
    {"run @resnet --input x=open('f')", 1, "", "error: "},
    {"run @resnet --device tpu:0", 1, "", "error: "},
    {"run @resnet --save %a.txt", 1, "", "cannot hold this result"},
    {"run @custom_op", 1, "", "load the library that registers it"},
    {"shapes @resnet --input x=randn(3,3,32,32)", 0, "f32[3, 10]", ""},
    {"analyze @resnet --by scope --on t4", 0, "bound", ""},
    {"analyze @resnet --on abacus", 1, "", "the devices are: a100, h100"},
    {"analyze @resnet --on h100 --as float99", 1, "", "is no dtype"},
    {"analyze @resnet --on h100 --fused --select nowhere", 1, "", "neither a node"},
    {"shapes @cond", 0, "graph true_graph_0", ""},
    {"draw @transformer -o %a.svg", 0, "", ""},
    {"draw @transformer -o %a.png --no-weights", 0, "", ""},
    {"draw @transformer -o %a.dot --all --no-fold", 0, "", ""},
    {"draw @transformer -o %a.pdf --all", 0, "", ""},
    {"draw @transformer -o %a.dot --expand layers.1.mlp", 0, "", ""},
    {"draw @transformer -o %a.gif", 1, "", "end it in .svg, .png, .pdf or .dot"},
    {"draw @transformer -o %a.svg --expand gone", 1, "", "is no module scope of the graph"},
    {"draw @transformer -o %no/such/folder/a.svg", 1, "", "error: "},
    {"export @transformer %pack --name Net", 0, "", ""},
    {"export @transformer %pack --name not-a-name", 1, "", "cannot name a class"},
    {"export @transformer /proc/nowhere/x", 1, "", "error: /proc/nowhere/x"},
    {"passes", 0, "dead-code", ""},
    {"formats", 0, ".pt2 (torch.export.save", ""},
    {"formats --json", 0, "\"evaluates_code\": true", ""},
    {"apply @unused_results dead-code", 0, "", "dead-code: "},
    {"apply @cond lint", 0, "", "lint: no change"},
    {"apply @cond nonsense", 1, "", "error: "},
    {"apply @cond shape-prop lint -o %a.fxg", 0, "", "shape-prop: changed"},
    {"apply @cond dead-code -o %a.py", 0, "", "dead-code"},
    {"apply @cond dead-code -o %a/", 0, "", "dead-code"},
    {"apply @cond dead-code -o %a.what", 1, "", "has no ending that says what to write"},
    {"debug @cond --commands %gone.txt", 1, "", "cannot be read"},
    {"info %gone.pt2", 1, "", "gone.pt2"},
};

/// Each way to write a file.
const char* const kWriting[] = {"export @transformer %a.fxg",
                                "export @transformer %a.pt2",
                                "export @transformer %a.pt",
                                "export @transformer %a.pt --format torchscript",
                                "export @transformer %a.pt --format torchscript --freeze",
                                "export @transformer %a.py",
                                "export @transformer %a",
                                "draw @transformer -o %a.svg",
                                "draw @transformer -o %a.png",
                                "draw @transformer -o %a.pdf",
                                "draw @transformer -o %a.dot",
                                "run @resnet --save %a.pt",
                                "run @resnet --save %a.npy",
                                "run @resnet --save-inputs %a.pt",
                                "run @resnet --save-reference %a.pt",
                                "run @resnet --save-state %a.pt",
                                "reduce @resnet --failing True -o %a.fxg",
                                "apply @transformer dead-code --save-recipe %a.json",
                                "compare @resnet @resnet --html %a.html"};

using Files = QMap<QString, QByteArray>;

Files filesIn(const QTemporaryDir& folder) {
    Files out;
    QDirIterator at(folder.path(), QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden | QDir::System,
                    QDirIterator::Subdirectories);
    while (at.hasNext()) {
        QFile file(at.next());
        out[at.filePath()] = file.open(QFile::ReadOnly) ? file.readAll() : QByteArray();
    }
    return out;
}

const char* const kSubcommands[] = {"open",  "info",   "graph", "code",   "draw",    "run",    "shapes",
                                    "debug", "export", "apply", "passes", "formats", "analyze"};

} // namespace

class TestCli : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void answers_data() {
        QTest::addColumn<size_t>("index");
        for (size_t i = 0; i < std::size(kCommands); ++i)
            QTest::addRow("%zu %s", i, kCommands[i].arguments) << i;
    }
    void answers() {
        QFETCH(size_t, index);
        const CommandRow& row = kCommands[index];
        const QTemporaryDir folder;
        const CliResult result = runCli(expanded(row.arguments, folder));
        const std::string all = (result.out + "\n--- stderr\n" + result.err).toStdString();
        QVERIFY2(result.code == row.code, all.c_str());
        QVERIFY2(result.out.contains(row.out), all.c_str());
        QVERIFY2(result.err.contains(row.err) && (*row.err || result.err.isEmpty()), all.c_str());
        if (row.code == 1) {
            QVERIFY2(('\n' + result.err).contains("\nerror: ") && result.out.isEmpty(), all.c_str());
        }
    }

    void helpsWithExamples_data() {
        QTest::addColumn<QString>("command");
        for (const char* command : kSubcommands)
            QTest::newRow(command) << command;
    }
    void helpsWithExamples() {
        QFETCH(QString, command);
        const CliResult result = runCli({command, "--help"});
        QCOMPARE(result.code, 0);
        QVERIFY(result.err.isEmpty());
        QVERIFY2(result.out.contains("Example") && result.out.contains("  fxscope " + command),
                 qPrintable(result.out));
        QVERIFY(runCli({"--help"}).out.contains(command));
    }

    /// Standard output holds the text and nothing else, byte for byte.
    void printsTheOracleText_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"resnet", "cond", "unicode_strings"})
            QTest::newRow(name) << name;
    }
    void printsTheOracleText() {
        QFETCH(QString, name);
        const Json expected = oracleExpectation(name.toStdString());
        const QString path = QString::fromStdString(oraclePath(name.toStdString(), "pt2"));
        const auto printed = [&](QStringList arguments) {
            const CliResult result = runCli(arguments << path);
            return (result.code == 0 ? result.out : "it failed\n").toStdString() + result.err.toStdString();
        };
        FX_SAME(textDifference(printed({"graph"}), expected["module"]["graph"].get<std::string>() + '\n'));
        FX_SAME(textDifference(printed({"graph", "--format", "tabular"}), expected["module"]["table"]));
        FX_SAME(textDifference(printed({"code"}), expected["module"]["code"]));
        FX_SAME(textDifference(printed({"graph", "--lifted"}),
                               expected["lifted"]["graph"].get<std::string>() + '\n'));
    }

    void writesJson() {
        const CliResult result =
            runCli({"graph", "--format", "json", QString::fromStdString(oraclePath("dtypes", "pt2"))});
        const Json nodes = Json::parse(result.out.toStdString())["nodes"];
        const OpenedModel opened = openOracle("dtypes");
        QCOMPARE(nodes.size(), opened.model.graph().size());
        QCOMPARE(nodes.back()["op"].get<std::string>(), std::string("output"));
        QVERIFY(nodes.back()["users"].empty());
    }

    void writesPictures_data() {
        QTest::addColumn<QString>("ending");
        QTest::addColumn<QByteArray>("begin");
        QTest::newRow("svg") << "svg" << QByteArray("<?xml");
        QTest::newRow("png") << "png" << QByteArray("\x89PNG");
        QTest::newRow("pdf") << "pdf" << QByteArray("%PDF");
        QTest::newRow("dot") << "dot" << QByteArray("digraph");
    }
    void writesPictures() {
        QFETCH(QString, ending);
        QFETCH(QByteArray, begin);
        const QTemporaryDir folder;
        const QString path = folder.filePath("a." + ending);
        QCOMPARE(
            runCli({"draw", QString::fromStdString(oraclePath("gru_bidirectional", "pt2")), "-o", path}).code,
            0);
        QFile file(path);
        QVERIFY(file.open(QFile::ReadOnly));
        QVERIFY(file.readAll().startsWith(begin));
    }

    void aPassDrawsAPicture() {
        const QTemporaryDir folder;
        const QString source = written(folder, "import torch\n"
                                               "def f(x, y):\n"
                                               "    return torch.einsum('ij,ij->i', x, y) & torch.relu(y)\n");
        const CliResult drawn = runCli({"apply", source + ":f", "draw", "--svg"});
        QVERIFY2(drawn.code == 0, qPrintable(drawn.err));
        QXmlStreamReader reader(drawn.out.trimmed());
        QList<QRectF> boxes;
        QString texts;
        bool isBox = false;
        while (!reader.atEnd()) {
            if (reader.readNext() != QXmlStreamReader::StartElement)
                continue;
            const QXmlStreamAttributes at = reader.attributes();
            const auto number = [&](const char* name) { return at.value(QLatin1String(name)).toDouble(); };
            if (reader.name() == u"rect" && isBox)
                boxes << QRectF(number("x"), number("y"), number("width"), number("height"));
            isBox = (isBox && reader.name() != u"rect") || at.value(QLatin1String("class")) == u"node";
            if (reader.name() == u"text")
                texts += reader.readElementText() + '\n';
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QCOMPARE(boxes.size(), 6);
        for (int i = 0; i < boxes.size(); ++i)
            for (int j = 0; j < i; ++j)
                QVERIFY(!boxes[i].intersects(boxes[j]));
        QVERIFY2(texts.contains("args=(ij,ij->i,)"), qPrintable(texts));
    }

    void aTracerOfAModule() {
        const QTemporaryDir folder;
        const QString source = written(folder, "import torch\n"
                                               "class Even(torch.nn.Module):\n"
                                               "    def forward(self, x):\n"
                                               "        assert x.shape[0] % 2 == 0, 'even'\n"
                                               "        return x\n") +
                               ":Even()";
        const auto graph = [&](const QString& tracer) {
            return runCli({"graph", source, "--tracer", tracer});
        };
        const CliResult rewritten = graph("torch.fx.experimental.rewriter:RewritingTracer");
        QVERIFY2(rewritten.out.contains("call_function[target=torch._assert](args = (%eq, even)"),
                 qPrintable(rewritten.out + rewritten.err));
        QVERIFY(graph("torch.fx:Tracer").err.contains("cannot be used as inputs to control flow"));
        QVERIFY(graph("torch.fx:Graph").err.contains("not a torch.fx.Tracer"));
        QVERIFY(graph("nowhere:Tracer").err.contains("No module named 'nowhere'"));
    }

    void savesWhatItOpensAgain() {
        const QTemporaryDir folder;
        const QString saved = folder.filePath("m.fxg"),
                      model = QString::fromStdString(oraclePath("transformer", "pt2"));
        QCOMPARE(runCli({"apply", model, "lint", "-o", saved}).code, 0);
        QCOMPARE(runCli({"graph", saved}).out, runCli({"graph", model}).out);
        QCOMPARE(runCli({"run", saved}).out, runCli({"run", model}).out);
    }

    void exportLeavesMutedCallsOut() {
        QTemporaryDir folder;
        const std::string muted = folder.filePath("muted.fxg").toStdString();
        Progress progress;
        OpenedModel opened = openModel(oraclePath("resnet", "pt2"), {}, progress);
        {
            Edit edit(opened.model);
            mute(edit, edit.graph().find("relu"));
            edit.finish();
        }
        writeFxg(opened, muted, progress);
        const QString in = QString::fromStdString(muted);
        const CliResult shown = runCli({"code", in}),
                        written = runCli({"export", in, folder.filePath("m.py")});
        QVERIFY2(shown.out.contains("    relu = ("), qPrintable(shown.out + shown.err));
        QVERIFY2(written.code == 0, qPrintable(written.err));
        QFile file(folder.filePath("m.py"));
        QVERIFY(file.open(QFile::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY2(text.contains("def forward(") && !text.contains("    relu = "), text.constData());
        // A file that keeps all keeps that, too.
        QCOMPARE(runCli({"export", in, folder.filePath("again.fxg")}).code, 0);
        const Model again = openModel(folder.filePath("again.fxg").toStdString(), {}, progress).model;
        QVERIFY(mutedCall(again.graph().node(again.graph().find("relu"))));
    }

    void debugsFromAScript() {
        const QTemporaryDir folder;
        QFile script(folder.filePath("script.txt"));
        QVERIFY(script.open(QFile::WriteOnly));
        script.write("b add_2\nc\np add_2\np x.shape\nw\nq\n");
        script.close();
        const QString model = QString::fromStdString(oraclePath("repeated_blocks", "pt2"));
        CliResult result = runCli({"debug", model, "--commands", script.fileName()});
        QCOMPARE(result.code, 0);
        QVERIFY2(result.out.contains("(fx) b add_2\n*** there is no node named 'add_2' here"),
                 qPrintable(result.out));
        result = runCli({"debug", model}, "b scope=3\nc\np linear_6.shape\ns\np linear_6.shape\nc\n");
        QCOMPARE(result.code, 0);
        QVERIFY2(result.out.contains("stopped at breakpoint 1: linear_6"), qPrintable(result.out));
        QVERIFY2(result.out.contains("torch.Size([2, 8])"), qPrintable(result.out));
        QVERIFY2(result.out.contains("finished: tensor("), qPrintable(result.out));
    }

    void failsWhenTheDebuggedRunFails() {
        const CliResult result =
            runCli({"debug", QString::fromStdString(oraclePath("custom_op", "pt2"))}, "c\nq\n");
        QCOMPARE(result.code, 1);
        QVERIFY2(result.out.contains("twice"), qPrintable(result.out));
    }

    void saysThatTheDiskIsFull() {
        if (!QFile::exists("/dev/full"))
            QSKIP("there is no /dev/full here");
        QProcess process;
        process.setStandardOutputFile("/dev/full");
        process.start(FXSCOPE_BUILD "/bin/fxscope",
                      {"graph", QString::fromStdString(oraclePath("cond", "pt2"))});
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 1);
        QCOMPARE(process.readAllStandardError(),
                 QByteArray("error: standard output: cannot write all of it; is the disk full?\n"));
    }

    void saysWhatCannotBeWritten_data() {
        QTest::addColumn<QString>("arguments");
        for (const char* arguments : kWriting)
            QTest::newRow(arguments) << QString(arguments);
    }
    void saysWhatCannotBeWritten() {
        QFETCH(QString, arguments);
        const QTemporaryDir folder;
        const QStringList words = expanded(arguments, folder);
        const auto fails = [&](qint64 limit) {
            const CliResult result = runCli(words, {}, {"prlimit", "--fsize=" + QString::number(limit)});
            QStringList lines = result.err.split('\n', Qt::SkipEmptyParts);
            static const QRegularExpression report("^(note: |dead-code: |reduced from )");
            lines.removeIf([](const QString& line) { return line.contains(report); });
            QVERIFY2(result.code == 1 && lines.size() == 1, qPrintable(result.err + result.out));
            QVERIFY2(lines[0].startsWith("error: " + folder.filePath("a")) &&
                         lines[0].contains(": cannot write: File too large"),
                     qPrintable(lines[0]));
        };
        fails(20);
        QCOMPARE(filesIn(folder), Files());
        // Once more over what is there.
        const CliResult whole = runCli(words);
        QVERIFY2(whole.code == 0, qPrintable(whole.err));
        const Files before = filesIn(folder);
        QVERIFY(!before.isEmpty());
        qint64 largest = 0;
        for (const QByteArray& content : before)
            largest = std::max(largest, content.size());
        fails(largest / 2);
        QCOMPARE(filesIn(folder), before);
    }
};

FX_TEST(TestCli)
} // namespace fx::cli_test
#include "tst_cli.moc"
