// SPDX-License-Identifier: GPL-3.0-or-later
// The flags and the help of apply come from the rows of the passes: also for one that was registered a moment
// ago.
#include "app/cli/commands.h"
#include "core/base/error.h"
#include "core/io/json.h"
#include "core/io/mapped_file.h"
#include "core/io/output_file.h"
#include "core/open/open.h"
#include "core/plugins/pass_folders.h"
#include "core/userpasses/user_pass.h"
#include "tests/support/cli.h"
#include "tests/support/insert_calls.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QScopeGuard>
#include <QTemporaryDir>

#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace fx::cli::apply_command_test {

namespace {

const std::string kModel = FXSCOPE_BUILD "/samples/control_flow.pt2";

struct Parsed {
    int code = 0;     ///< of CLI11; 0: done
    std::string text; ///< help or fault
};

Parsed parseHere(std::vector<std::string> arguments) {
    CLI::App app("", "fxscope");
    app.require_subcommand(1);
    const auto readUserPasses = addApply(app);
    std::ostringstream out;
    Parsed parsed;
    try {
        readUserPasses(arguments);
        std::reverse(arguments.begin(), arguments.end());
        app.parse(arguments);
    } catch (const CLI::ParseError& error) {
        parsed.code = app.exit(error, out, out);
    } catch (const Error& error) {
        parsed.code = 1;
        out << error.what();
    }
    parsed.text = out.str();
    return parsed;
}

/// What fxscope does with such arguments, in a child of this process: a run confines its process for good.
Parsed parse(const std::vector<std::string>& arguments) {
    int ends[2];
    if (::pipe(ends) != 0)
        return {-1, "no pipe"};
    const pid_t child = ::fork();
    if (child == 0) {
        const Parsed parsed = parseHere(arguments);
        std::cout.flush();
        std::cerr.flush();
        const bool isSent = ::write(ends[1], parsed.text.data(), parsed.text.size()) ==
                            static_cast<ssize_t>(parsed.text.size());
        ::_exit(isSent ? parsed.code : 255);
    }
    ::close(ends[1]);
    Parsed parsed;
    char part[4096];
    for (ssize_t size; (size = ::read(ends[0], part, sizeof part)) > 0;)
        parsed.text.append(part, static_cast<size_t>(size));
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    parsed.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return parsed;
}

Graph graphIn(const std::string& path) {
    Progress progress;
    return openModel(path, {}, progress).model.graph();
}

} // namespace

class TestApplyCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { registerInsertCalls(); }

    void aRowIsFlagsAndHelp() {
        const std::string help = parse({"apply", kModel, "insert-calls", "--help"}).text;
        for (const char* part : {"call a function on the values of some nodes", "--after NODES", "REQUIRED",
                                 "the nodes whose values it takes", "--function relu|neg", "without it relu"})
            QVERIFY2(help.find(part) != std::string::npos, help.c_str());
        QVERIFY(parse({"apply", "--help"}).text.find("insert-calls") != std::string::npos);
    }

    void whatAPassHasMeasuredIsWritten() {
        QTemporaryDir folder;
        const QString net = folder.filePath("net.py"), csv = folder.filePath("t.csv"),
                      json = folder.filePath("t.json");
        writeFile(net.toStdString(), "import torch\nnet = torch.nn.Linear(4, 4)\n");
        const CliResult done =
            runCli({"apply", net + ":net", "--input", "input_1=randn(2, 4)", "--table", "trade-off=" + csv,
                    "--table", "trade-off=" + json, "quantize", "--sweep", "trade-off"});
        QVERIFY2(done.code == 0, qPrintable(done.err));
        QVERIFY(readFile(csv.toStdString()).starts_with("quantized,sqnr,"));
        QCOMPARE(Json::parse(readFile(json.toStdString())).size(), size_t(2));
        const CliResult none = runCli({"apply", net + ":net", "--table", "trade-off=" + csv, "dead-code"});
        QCOMPARE(none.code, 1);
        QVERIFY2(none.err.contains("no pass has measured a table of that name"), qPrintable(none.err));
    }

    void folderPassesAreFoundByName() {
        QTemporaryDir data;
        qputenv("XDG_DATA_HOME", data.path().toUtf8());
        qputenv("FXSCOPE_PLUGIN_PATH", (data.path() + "/plug").toUtf8());
        const auto restore = qScopeGuard([] {
            qunsetenv("XDG_DATA_HOME");
            qunsetenv("FXSCOPE_PLUGIN_PATH");
        });
        const auto write = [&](const QString& path, const QByteArray& text) {
            const QFileInfo at(data.path() + '/' + path);
            QVERIFY(QDir().mkpath(at.path()));
            QFile file(at.filePath());
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
        };
        write("fxscope/passes/one.py", R"py(import torch.fx

def tag(gm, word: str, times=2):
    """Write a word.

    More of it.
    """
    for node in gm.graph.nodes:
        node.meta['tag'] = word * times

def plain(number: int):
    return number

class Base(torch.fx.Transformer):
    'Copies.'

class Derived(Base):
    pass

class Counting(torch.fx.Interpreter):
    def __init__(self, gm, factor=2):
        pass

class CountingOn(Counting):
    pass

def bare(g: 'torch.fx.Graph'):
    pass
)py");
        write("plug/passes/one.py", "def hidden(gm):\n    pass\n");
        write("plug/passes/two.py", "def tag(gm):\n    pass\ndef other(traced):\n    raise ValueError(1)\n");
        write("plug/passes/wrong.py", "x = 1\ndef f(gm)\n    pass\n");
        write("plug/passes/_own.py", "def g(gm):\n    pass\n");
        std::vector<std::string> listed;
        for (const PassFile& file : passFiles()) {
            if (file.path.find(data.path().toStdString()) != 0)
                continue; // those that come along
            listed.push_back(file.name +
                             (file.fault.empty() ? "" : " " + file.fault.substr(file.path.size())));
            for (const ListedPass& pass : file.passes)
                listed.push_back("  " + pass.name + (pass.takesOptions ? "…: " : ": ") + pass.summary());
        }
        QCOMPARE(listed.size(), size_t(11));
        QVERIFY(listed[10].starts_with("wrong :2:"));
        listed.pop_back();
        const std::vector<std::string> expected = {"one",
                                                   "  tag…: Write a word.",
                                                   "  Base: Copies.",
                                                   "  Derived: ",
                                                   "  Counting…: ",
                                                   "  CountingOn…: ",
                                                   "  bare: ",
                                                   "two",
                                                   "  tag: ",
                                                   "  other: "};
        QCOMPARE(listed, expected);
        const std::string help = parse({"apply", kModel, "tag", "--help"}).text;
        QVERIFY2(help.find("--word STRING") != std::string::npos, help.c_str());
        const std::string out = (data.path() + "/out.fxg").toStdString();
        QCOMPARE(parse({"apply", kModel, "tag", "--word", "ab", "-o", out}).code, 0);
        QVERIFY(std::ranges::any_of(graphIn(out),
                                    [](const Node& node) { return node.meta.find("tag") != nullptr; }));
        const Parsed failed = parse({"apply", kModel, "other"});
        QVERIFY2(failed.code == 1 && failed.text.find("ValueError: 1") != std::string::npos,
                 failed.text.c_str());
    }

    void docstringsDescribeOptions() {
        const QTemporaryDir folder;
        QFile file(folder.filePath("described.py"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"py(import torch.fx

def google(gm, rate: float = 0.5, name: str = '', plain=1):
    """Does it.

    rate: this is text of no heading. name: only
    those below.

    Args:
        rate (float): another
        plain: one
            of two lines

    Returns:
        name: nothing
    """

class Sphinx(torch.fx.Transformer):
    """Does it, too."""
    def __init__(self, gm, bits: int = 8, mode='x'):
        """
        :param int bits: how many
        :param mode: which
        :returns: nothing
        """
        super().__init__(gm)
)py");
        file.close();
        std::map<std::string, std::string> said;
        for (const Pass& pass : userPassesIn(file.fileName().toStdString())) {
            QVERIFY(pass.summary.starts_with("Does it") && !pass.summary.ends_with('.'));
            for (const PassOption& option : pass.options)
                said[option.name] = option.help;
        }
        const std::map<std::string, std::string> expected = {{"rate", "this is text of no heading"},
                                                             {"name", "only those below"},
                                                             {"plain", "one of two lines"},
                                                             {"bits", "how many"},
                                                             {"mode", "which"}};
        QCOMPARE(said, expected);
    }

    void optionsReachThePass() {
        const QTemporaryDir folder;
        const std::string out = folder.filePath("a.fxg").toStdString();
        // Twice, each time with its own options, and with those of the command among them.
        const Parsed parsed = parse({"apply", kModel, "insert-calls", "--after", "linear", "-o", out,
                                     "insert-calls", "--function=neg", "--after", "gt,linear"});
        QVERIFY2(parsed.code == 0, parsed.text.c_str());
        const Graph graph = graphIn(out), before = graphIn(kModel);
        QCOMPARE(graph.size(), before.size() + 3);
        QCOMPARE(graph.findNodes(Opcode::CallFunction, "torch.ops.aten.neg.default").size(), 2u);
    }

    void passesFollowOneAnother() {
        const CliResult result =
            runCli({"apply", QString::fromStdString(kModel), "lint", "shape-prop", "lint"});
        QVERIFY2(result.code == 0, qPrintable(result.err));
        const QStringList lines = result.err.split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 3);
        QVERIFY2(lines[1].startsWith("shape-prop: changed, "), qPrintable(result.err));
        QVERIFY2(lines[2].startsWith("lint: no change, "), qPrintable(result.err));
    }

    void wrongUseIsToldBeforeAnythingIsOpened_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("fault");
        QTest::newRow("missing") << QStringList{"insert-calls"} << "--after is required";
        QTest::newRow("no choice") << QStringList{"insert-calls", "--after", "x", "--function", "tanh"}
                                   << "--function: 'tanh' is not one of relu, neg";
        QTest::newRow("no option") << QStringList{"dead-code", "--after", "x"} << "--after";
        QTest::newRow("no pass") << QStringList{} << "PASS is required";
        QTest::newRow("unknown") << QStringList{"nonsense"}
                                 << "there is no pass 'nonsense'; the passes are: replace";
    }
    void wrongUseIsToldBeforeAnythingIsOpened() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, fault);
        std::vector<std::string> words = {"apply", "/gone.pt2"};
        for (const QString& each : arguments)
            words.push_back(each.toStdString());
        const Parsed parsed = parse(words);
        QVERIFY(parsed.code != 0);
        QVERIFY2(parsed.text.find(fault.toStdString()) != std::string::npos, parsed.text.c_str());
    }

    void wrongUseHasItsExitStatus() {
        const QString model = QString::fromStdString(kModel);
        QCOMPARE(runCli({"apply", model, "decompose"}).code, 2);
        QCOMPARE(runCli({"apply", model, "nonsense"}).code, 1);
        QCOMPARE(runCli({"apply", model, "replace", "--pattern-text", "lambda x: x + 1"}).code, 1);
    }

    void replaceIsAPassAmongOthers() {
        const CliResult result = runCli({"apply", QString::fromStdString(kModel), "replace", "--pattern-text",
                                         "lambda x, y: aten.sub.Tensor(x, y)", "--replacement-text",
                                         "lambda x, y: aten.add.Tensor(x, y)", "dead-code"});
        QVERIFY2(result.code == 0, qPrintable(result.err));
        QVERIFY2(result.err.contains("replaced") && result.err.contains("\ndead-code: "),
                 qPrintable(result.err));
    }

    /// Someone else's file starts no program.
    void aRecipeStartsPythonIfItMay() {
        QTemporaryDir folder;
        const std::string recipe = folder.filePath("a.fxrecipe").toStdString();
        writeFile(recipe,
                  R"({"fxrecipe": 1, "steps": [{"pass": "lower", "options": {"to": "aotinductor"}}]})");
        const std::string asks = parse({"apply", kModel, "--recipe", recipe}).text;
        QVERIFY2(
            asks.find("a.fxrecipe: wants python3 started, by lower --to aotinductor; give --allow-python") !=
                std::string::npos,
            asks.c_str());
        const std::string may = parse({"apply", "none.pt2", "--recipe", recipe, "--allow-python"}).text;
        QVERIFY2(may.find("none.pt2") != std::string::npos && may.find("python") == std::string::npos,
                 may.c_str());
        QVERIFY(parse({"apply", kModel, "--allow-python", "lint"}).text.find("--recipe") !=
                std::string::npos);
    }

    void tellsAllAboutAPass() {
        const QString text = runCli({"passes", "decompose"}).out;
        QVERIFY2(text.contains("--rules  path, required") && text.contains("module level, aten"),
                 qPrintable(text));
        // What is so without a flag has one to be otherwise, and is said as it is without.
        const QString flag = "--no-measure  bool\n      without it: run the model once more";
        QVERIFY(runCli({"passes", "quantize"}).out.contains(flag));
        const Json one = Json::parse(runCli({"passes", "replace", "--json"}).out.toStdString());
        QCOMPARE(one["options"].size(), 6u);
        QCOMPARE(one["options"][4]["type"].get<std::string>(), std::string("bool"));
        const Json all = Json::parse(runCli({"passes", "--json"}).out.toStdString());
        QVERIFY(all.size() >= 5 && all[0]["name"] == "replace");
        QCOMPARE(runCli({"passes", "nonsense"}).code, 1);
    }

    void drawsForGraphviz() {
        const CliResult done = runCli({"apply", QString::fromStdString(kModel), "draw", "--name", "a\"b"});
        QVERIFY2(done.out.startsWith("digraph \"a\\\"b\" {\nrankdir=\"TB\";\n") && done.out.endsWith("}\n\n"),
                 qPrintable(done.out + done.err));
        QVERIFY(done.out.contains("|op_code=output\\n|target=output\\n"));
    }

    void modulesOfTorchFxHavePasses() {
        const CliResult told = runCli({"passes", "torch.fx.experimental.normalize"});
        QVERIFY2(told.out.contains("NormalizeArgs: ") &&
                     told.out.contains("--no-normalize-to-only-use-kwargs"),
                 qPrintable(told.out + told.err));
        const CliResult done = runCli({"apply", QString::fromStdString(kModel),
                                       "torch.fx.passes.dialect.common.cse_pass:CSEPass",
                                       "torch.fx.passes.tools_common:stable_topological_sort"});
        QVERIFY2(done.code == 0 && done.err.contains("CSEPass: ") &&
                     done.err.contains("\nstable_topological_sort: "),
                 qPrintable(done.err));
        QCOMPARE(runCli({"passes", "torch.fx.passes.nothing:Such"}).code, 1);
        QVERIFY(runCli({"passes", "torch.fx.passes.shape_prop:Such"}).err.contains("has no 'Such'"));
    }
};

FX_TEST(TestApplyCommand)
} // namespace fx::cli::apply_command_test
#include "tst_apply_command.moc"
