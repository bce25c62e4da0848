// SPDX-License-Identifier: GPL-3.0-or-later
// What is around every pass: options, dialects, lint, one undo step, what changed, cancelling.
#include "core/base/error.h"
#include "core/codegen/python_code.h"
#include "core/io/fxg/fxg.h"
#include "core/ir/argument_text.h"
#include "core/ir/graph_text.h"
#include "core/module/lint.h"
#include "core/passes/pass_runner.h"
#include "core/passes/registry.h"
#include "tests/support/insert_calls.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>

namespace fx::pass_runner_test {

namespace {

/// x -> relu, and a neg that nobody reads.
Model smallModel() {
    Model model;
    Edit edit(model);
    const NodeId x = edit.placeholder("x");
    const NodeId relu = edit.createNode(Opcode::CallFunction, "torch.ops.aten.relu.default", {x}, {}, "relu");
    edit.createNode(Opcode::CallFunction, "torch.ops.aten.neg.default", {x}, {}, "neg");
    edit.output(relu);
    edit.finish();
    return model;
}

PassReport runOn(Model& model, const Pass& pass, const std::map<std::string, std::string>& texts = {}) {
    Progress progress;
    PassContext context{progress};
    return runPass(model, model.root(), pass, PassOptions(pass, texts), context);
}

std::string codeOf(const Model& model) {
    return PythonCode(model, model.root()).text();
}

/// What the work throws, in words.
QString faultOf(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing was thrown";
}

/// The passes that the metadata of a node names.
std::string originOf(const Model& model, std::string_view name) {
    const Graph& graph = model.graph();
    const auto* origin = graph.node(graph.find(name)).meta.find<Argument>(meta::kPasses);
    return origin ? reprText(*origin, [&](NodeId id) { return graph.node(id).name; }) : "";
}

const Pass kBreaking = {"break-it",
                        "Break it",
                        "let a node read what comes later",
                        kAnyDialect,
                        {},
                        [](Edit& edit, const PassOptions&, PassContext&) {
                            edit.moveAfter(edit.graph().find("x"), edit.graph().find("relu"));
                        }};

} // namespace

class TestPassRunner : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { registerInsertCalls(); }

    void everyDefaultIsAValueOfItsOption() {
        for (const Pass& pass : passes())
            for (const PassOption& option : pass.options)
                if (!option.byDefault.empty())
                    parseOption(option, option.byDefault);
    }

    void textsAreValues_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("fault");
        const auto row = [](const char* name, OptionType type, const char* text, const char* fault) {
            QTest::newRow(name) << static_cast<int>(type) << text << fault;
        };
        row("bool", OptionType::Bool, "true", "");
        row("no bool", OptionType::Bool, "yes", "--some: 'yes' is not true or false");
        row("int", OptionType::Int, " -12 ", "");
        row("no int", OptionType::Int, "1.5", "--some: '1.5' is not a whole number");
        row("too large", OptionType::Int, "99999999999999999999",
            "--some: '99999999999999999999' is not a whole number");
        row("float", OptionType::Float, "1e-3", "");
        row("no float", OptionType::Float, "1e-3x", "--some: '1e-3x' is not a number");
        row("choice", OptionType::Choice, "mean", "");
        row("no choice", OptionType::Choice, "median", "--some: 'median' is not one of mean, max");
        row("nodes", OptionType::Nodes, "a, b,,", "");
    }
    void textsAreValues() {
        QFETCH(int, type);
        QFETCH(QString, text);
        QFETCH(QString, fault);
        const PassOption option{"some", static_cast<OptionType>(type), "", "", {"mean", "max"}};
        const QString said = faultOf([&] { parseOption(option, text.toStdString()); });
        QCOMPARE(said, fault.isEmpty() ? QString("nothing was thrown") : fault);
    }

    void optionsHaveTheirTypes() {
        const Pass pass{"p",
                        "P",
                        "p",
                        kAnyDialect,
                        {{"deep", OptionType::Bool, ""},
                         {"times", OptionType::Int, "", "3"},
                         {"rate", OptionType::Float, ""},
                         {"only", OptionType::Nodes, ""}},
                        nullptr};
        const PassOptions options(pass, {{"rate", "0.5"}, {"only", "neg, x"}});
        QVERIFY(!options.flag("deep"));
        QCOMPARE(options.integer("times"), 3);
        QCOMPARE(options.number("rate"), 0.5);
        const Model model = smallModel();
        QCOMPARE(options.nodes("only", model.graph()).size(), 2u);
        QVERIFY(!options.has("deep") && options.has("times"));
        QVERIFY_THROWS_EXCEPTION(std::logic_error, options.flag("times"));
        QVERIFY_THROWS_EXCEPTION(std::logic_error, options.text("nowhere"));
    }

    void wrongOptionsAreNamed() {
        const Pass& pass = findPass("insert-calls");
        Model model = smallModel();
        QCOMPARE(faultOf([&] { runOn(model, pass); }),
                 "--after: is needed by insert-calls; the nodes whose values it takes");
        QCOMPARE(faultOf([&] {
                     runOn(model, pass, {{"after", "x"}, {"befor", "y"}});
                 }),
                 "--befor: is no option of insert-calls; it has --after, --function");
        QCOMPARE(faultOf([&] {
                     runOn(model, pass, {{"after", "x, nobody"}});
                 }),
                 "--after: there is no node 'nobody' in this graph");
        QCOMPARE(faultOf([&] {
                     runOn(model, pass, {{"after", "x"}, {"function", "tanh"}});
                 }),
                 "--function: 'tanh' is not one of relu, neg");
    }

    void rowsThatCannotBeUsedAreRefused() {
        const auto refused = [](Pass pass) { return faultOf([&] { addPass(std::move(pass)); }); };
        const auto run = [](Edit&, const PassOptions&, PassContext&) {};
        QVERIFY(refused({"dead-code", "T", "s", kAnyDialect, {}, run}).contains("there is one already"));
        QVERIFY(refused({"Dead Code", "T", "s", kAnyDialect, {}, run}).contains("is no name for a flag"));
        QVERIFY(refused({"p", "T", "s", kAnyDialect, {}, nullptr}).contains("lacks its function"));
        QVERIFY(refused({"p", "T", "s", kAnyDialect, {{"n", OptionType::Int, "", "many"}}, run})
                    .contains("pass 'p': --n: 'many' is not a whole number"));
        QVERIFY(
            refused(
                {"p", "T", "s", kAnyDialect, {{"n", OptionType::Int, ""}, {"n", OptionType::Int, ""}}, run})
                .contains("--n is taken"));
        QVERIFY(refused({"p", "T", "s", kAnyDialect, {{"n", OptionType::Choice, ""}}, run})
                    .contains("has no choices"));
    }

    void saysWhatChangedAndUndoesItAtOnce() {
        Model model = smallModel();
        const std::string before = graphText(model.graph());
        PassReport report = runOn(model, findPass("insert-calls"), {{"after", "x"}, {"function", "neg"}});
        QCOMPARE(report.text(), "1 node added, 2 nodes changed");
        QCOMPARE(report.results.front(), "neg_default follows x");
        QVERIFY(report.seconds > 0);
        QCOMPARE(originOf(model, "neg_default"), "['insert-calls']");
        QCOMPARE(originOf(model, "relu"), "['insert-calls']");
        QCOMPARE(originOf(model, "x"), "");
        undo(model, report.changes);
        QCOMPARE(graphText(model.graph()), before);
        QCOMPARE(originOf(model, "relu"), "");
        redo(model, report.changes);
        QCOMPARE(originOf(model, "neg_default"), "['insert-calls']");
        QCOMPARE(runOn(model, findPass("dead-code")).text(), "1 node removed");
        QCOMPARE(runOn(model, findPass("dead-code")).text(), "no change");
    }

    void theOriginIsKeptInFilesAndNotInCode() {
        Model model = smallModel();
        runOn(model, findPass("insert-calls"), {{"after", "relu"}});
        runOn(model, findPass("insert-calls"), {{"after", "relu_default"}});
        QCOMPARE(originOf(model, "relu_default"), "['insert-calls']");
        const std::string code = codeOf(model);
        QVERIFY(code.find("insert") == std::string::npos);
        const QTemporaryDir folder;
        const std::string path = folder.filePath("m.fxg").toStdString();
        Progress progress;
        OpenedModel opened;
        opened.model = model;
        opened.path = path;
        writeFxg(opened, path, progress);
        const OpenedModel again = readFxg(std::make_shared<ZipArchive>(path), progress);
        QCOMPARE(originOf(again.model, "relu_default_1"), "['insert-calls']");
        QCOMPARE(codeOf(again.model), code);
    }

    void aGraphThatLintsWorseIsRefused() {
        Model model = smallModel();
        const std::string before = graphText(model.graph());
        const QString fault = faultOf([&] { runOn(model, kBreaking); });
        QVERIFY2(fault.contains("break-it: would leave the graph with a fault: ") && fault.contains("'x'"),
                 qPrintable(fault));
        QCOMPARE(graphText(model.graph()), before);
    }

    void faultsThatWereThereBeforeAreNoReason() {
        Model model = smallModel();
        {
            Edit edit(model);
            edit.moveAfter(edit.graph().find("x"), edit.graph().find("relu"));
            edit.finish();
        }
        QCOMPARE(runOn(model, findPass("insert-calls"), {{"after", "neg"}}).added.size(), 1u);
    }

    void aGraphOfAnotherDialectIsRefused() {
        Pass pass = findPass("insert-calls");
        pass.dialects = {Dialect::ModuleLevel};
        Model model = smallModel();
        const QString fault = faultOf([&] { runOn(model, pass, {{"after", "x"}}); });
        QVERIFY2(fault.contains("takes graphs of the dialect 'module level', and this one is 'aten'"),
                 qPrintable(fault));
        Model other;
        Edit edit(other);
        edit.output(edit.callFunction("torch.relu", {edit.placeholder("x")}));
        edit.finish();
        QVERIFY(dialectOf(other.graph()).dialect == Dialect::ModuleLevel);
        QVERIFY(dialectOf(Model().graph()).isEither);
        QCOMPARE(runOn(other, pass, {{"after", "x"}}).added.size(), 1u);
    }

    void cancelledItWasNeverThere() {
        class Impatient : public Progress {
            void report(double, const std::string&) override { cancel(); }
        };
        const Pass pass{
            "slow", "Slow", "s", kAnyDialect, {}, [](Edit& edit, const PassOptions&, PassContext& context) {
                edit.eraseNode(edit.graph().find("neg"));
                context.progress.step(0.5, "half");
            }};
        Model model = smallModel();
        const std::string before = graphText(model.graph());
        Impatient progress;
        PassContext context{progress};
        QVERIFY_THROWS_EXCEPTION(Cancelled,
                                 runPass(model, model.root(), pass, PassOptions(pass, {}), context));
        QCOMPARE(graphText(model.graph()), before);
    }
};

FX_TEST(TestPassRunner)
} // namespace fx::pass_runner_test
#include "tst_pass_runner.moc"
