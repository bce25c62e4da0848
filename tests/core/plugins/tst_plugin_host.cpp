// SPDX-License-Identifier: GPL-3.0-or-later
// Plugins: which are found, what they add, and that one which cannot be used is named and left out.
#include "core/base/error.h"
#include "core/codegen/python_code.h"
#include "core/io/json.h"
#include "core/ir/graph_text.h"
#include "core/open/formats.h"
#include "core/passes/pass_runner.h"
#include "core/passes/registry.h"
#include "core/plugins/plugin.h"
#include "core/plugins/plugin_host.h"
#include "core/session/opening.h"
#include "core/torch/bind/call.h"
#include "tests/support/cli.h"
#include "tests/support/evaluates_code.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <elf.h>
#include <functional>
#include <link.h>
#include <sys/stat.h>

namespace fx::plugin_host_test {

namespace {

void write(const QString& path, const QByteArray& content) {
    QFile file(path);
    if (!file.open(QFile::WriteOnly) || file.write(content) != content.size())
        qFatal("cannot write %s", qPrintable(path));
}

PassReport applied(Model& model, const char* pass, const std::map<std::string, std::string>& texts = {}) {
    Progress progress;
    PassContext context{progress};
    return runPass(model, model.root(), findPass(pass), PassOptions(findPass(pass), texts), context);
}

} // namespace

class TestPluginHost : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_first, m_second;
    std::vector<FoundPlugin> m_found;

    /// What came of the plugin of that file in the first folder.
    const FoundPlugin& found(const QString& name) const {
        for (const FoundPlugin& plugin : m_found)
            if (plugin.path == m_first.filePath(name).toStdString())
                return plugin;
        qFatal("%s was not found", qPrintable(name));
    }
    QString modelFile(const QByteArray& lines) const {
        const QString path = m_first.filePath("model.calls");
        write(path, "CALLS\n" + lines);
        return path;
    }

    /// Files that look like plugins, and would end or block whoever loads them.
    void damage() const {
        QFile good(FXSCOPE_BUILD "/test_plugins/good.so");
        QVERIFY(good.open(QFile::ReadOnly));
        const QByteArray whole = good.readAll();
        ElfW(Ehdr) header;
        std::memcpy(&header, whole.constData(), sizeof header);
        const auto cut = [&](const char* name, qsizetype size) {
            write(m_first.filePath(name), whole.left(size));
        };
        cut("half.so", whole.size() / 2);
        cut("header.so", sizeof header);
        cut("little.so", 40);
        cut("last.so", whole.size() - 1);
        cut("empty.so", 0);
        const auto changed = [&](const char* name, const std::function<void(ElfW(Ehdr)&)>& change) {
            ElfW(Ehdr) other = header;
            change(other);
            QByteArray content = whole;
            std::memcpy(content.data(), &other, sizeof other);
            write(m_first.filePath(name), content);
        };
        changed("machine.so", [](auto& h) { h.e_machine = EM_S390; });
        changed("class.so", [](auto& h) { h.e_ident[EI_CLASS] = ELFCLASS32; });
        changed("program.so", [](auto& h) { h.e_type = ET_EXEC; });
        changed("segments.so", [](auto& h) { h.e_phoff = ~0ull - 7; });
        changed("many.so", [](auto& h) { h.e_phnum = 0xfffe; });
        changed("sections.so", [](auto& h) { h.e_shoff += 1 << 30; });
        changed("rows.so", [](auto& h) { h.e_phentsize = 1; });
        QByteArray content = whole;
        ElfW(Phdr) segment;
        std::memcpy(&segment, whole.constData() + header.e_phoff, sizeof segment);
        segment.p_type = PT_LOAD;
        segment.p_filesz = segment.p_memsz = ElfW(Xword)(1) << 40;
        std::memcpy(content.data() + header.e_phoff, &segment, sizeof segment);
        write(m_first.filePath("segment.so"), content);
        QVERIFY(::mkfifo(m_first.filePath("pipe.so").toUtf8().constData(), 0600) == 0);
        QVERIFY(QDir(m_first.path()).mkdir("folder.so"));
        QVERIFY(QFile::link("/dev/zero", m_first.filePath("zero.so")));
        QVERIFY(QFile::link("nowhere.so", m_first.filePath("dangling.so")));
        QVERIFY(QFile::link("loop.so", m_first.filePath("loop.so")));
    }

private Q_SLOTS:
    void initTestCase() {
        for (const char* name :
             {"good", "clashing", "foreign", "throwing", "old", "no", "crashing", "blocking", "talking"})
            QVERIFY(QFile::copy(FXSCOPE_BUILD "/test_plugins/" + QString(name) + ".so",
                                m_first.filePath(QString(name) + ".so")));
        write(m_first.filePath("broken.so"), "no library at all");
        damage();
        write(m_first.filePath("readme.txt"), "not looked at");
        QVERIFY(QFile::copy(FXSCOPE_BUILD "/test_plugins/good.so", m_second.filePath("good.so")));
        qputenv("FXSCOPE_PLUGIN_PATH", (m_first.path() + "::/nowhere:" + m_second.path()).toUtf8());
        qputenv("XDG_DATA_HOME", m_first.filePath("data").toUtf8());
        m_found = loadPlugins(false);
    }

    void looksInItsFoldersInOrder() {
        const std::vector<std::string> folders = pluginFolders();
        QCOMPARE(folders.size(), 5u);
        QCOMPARE(folders[0], m_first.path().toStdString());
        QCOMPARE(folders[2], m_second.path().toStdString());
        QCOMPARE(folders[3], m_first.filePath("data/fxscope/plugins").toStdString());
        QCOMPARE(folders[4], std::string(FXSCOPE_BUILD "/plugins"));
    }

    void takesAllRowsOfAPlugin() {
        const FoundPlugin& good = found("good.so");
        QCOMPARE(good.fault, std::string());
        QCOMPARE(good.passes, std::vector<std::string>{"good-pass"});
        QCOMPARE(good.formats, std::vector<std::string>{"calls"});
        QCOMPARE(formats().back().endings, std::vector<std::string>{".calls"});
        QCOMPARE(good.functions, std::vector<std::string>{"goodlib.twice"});
    }

    void leavesOutWhatCannotBeUsed_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("fault");
        QTest::newRow("throws") << "throwing.so"
                                << "there is no licence";
        QTest::newRow("version") << "old.so"
                                 << QString(
                                        "it was built for version 0 (PyTorch 1.0), and this is version ") +
                                        kPluginVersion;
        QTest::newRow("other headers")
            << "foreign.so"
            << "it was built for version " + QString(kPluginVersion).section(' ', 0, 0) +
                   " (PyTorch 0.0), and";
        QTest::newRow("no plugin") << "no.so"
                                   << "it is no plugin: it has no function fxscope_plugin";
        QTest::newRow("no library") << "broken.so"
                                    << "file too short";
        for (const char* cut : {"half", "last", "header", "segments", "many", "sections", "rows", "segment"})
            QTest::newRow(cut) << QString(cut) + ".so"
                               << "it is no whole library: the file is cut off or damaged";
        for (const char* little : {"little", "empty"})
            QTest::newRow(little) << QString(little) + ".so"
                                  << "it is no library: file too short";
        for (const char* strange : {"pipe", "folder", "zero"})
            QTest::newRow(strange) << QString(strange) + ".so"
                                   << "it is no regular file";
        for (const char* link : {"dangling", "loop"})
            QTest::newRow(link) << QString(link) + ".so"
                                << "it cannot be opened: ";
        for (const char* other : {"machine", "class"})
            QTest::newRow(other) << QString(other) + ".so"
                                 << "it was built for another kind of processor";
        QTest::newRow("program") << "program.so"
                                 << "it is no shared library";
        QTest::newRow("crash") << "crashing.so"
                               << "the process that loaded it crashed (signal 6)";
        QTest::newRow("endless") << "blocking.so"
                                 << "the process that loaded it took longer than 5 s, and was stopped";
        QTest::newRow("long version") << "talking.so"
                                      << "it was built for version " + QString(100, 'x') + "..., and this is";
        QTest::newRow("clash") << "clashing.so"
                               << "pass 'dead-code': there is one already";
    }
    void leavesOutWhatCannotBeUsed() {
        QFETCH(QString, file);
        QFETCH(QString, fault);
        const FoundPlugin& plugin = found(file);
        QVERIFY2(QString::fromStdString(plugin.fault).contains(fault), plugin.fault.c_str());
        QVERIFY(plugin.passes.empty());
        // Each is named in one line.
        int lines = 0;
        for (const std::string& line : faultLines(m_found))
            lines += QString::fromStdString(line).startsWith("plugin " + m_first.filePath(file) +
                                                             " is left out: ") &&
                     line.find('\n') == std::string::npos;
        QCOMPARE(lines, 1);
        QVERIFY_THROWS_EXCEPTION(Error, findPass("sound"));
    }

    void theFirstOfOneNameCounts() {
        const std::string second = m_second.filePath("good.so").toStdString();
        const auto plugin = std::find_if(m_found.begin(), m_found.end(),
                                         [&](const FoundPlugin& each) { return each.path == second; });
        QVERIFY(plugin != m_found.end());
        QCOMPARE(plugin->fault, found("good.so").path + " has the same name and was found first");
    }

    void aFormatIsReadInAConfinedChild() {
        const std::string path = modelFile("torch.relu\ngoodlib.twice\n").toStdString();
        QVERIFY(evaluatesCode(path));
        Progress progress;
        const OpenedModel opened = openConfined({path, {}, {}}, progress);
        QCOMPARE(opened.format, std::string("calls"));
        QCOMPARE(opened.model.graph().findNodes(Opcode::CallFunction).size(), 2u);
        const std::string crashing = modelFile("crash\n").toStdString();
        QVERIFY_THROWS_EXCEPTION(Error, openConfined({crashing, {}, {}}, progress));
        OpenOptions options;
        options.trace.wrapped = {"f"};
        QVERIFY_THROWS_EXCEPTION(Error, openModel(path, options, progress));
    }

    void aFunctionIsWhatItsNameMeans() {
        const Value result = callFunction("goodlib.twice", {Value(c10::IValue(at::ones({2})))}, {});
        QVERIFY(at::equal(result.data().toTensor(), at::full({2}, 2.0)));
        QVERIFY(isKnownFunction("goodlib.twice"));
    }

    void theProgramsKnowThem() {
        const QString model = modelFile("torch.relu\ngoodlib.twice\n");
        QVERIFY(runCli({"formats"}).out.contains("calls\n  read:     by a plugin\n  endings:  .calls\n"));
        const CliResult run = runCli({"run", model, "--input", "x=ones(2)"});
        QVERIFY2(run.code == 0 && run.out.contains("2., 2."), qPrintable(run.out + run.err));
        const CliResult apply =
            runCli({"apply", model, "good-pass", "--name", "other", "-o", m_first.filePath("o.fxg")});
        QVERIFY2(apply.code == 0 && apply.err.contains("good-pass: changed"), qPrintable(apply.err));
        // Those that cannot be used, and the second of one name.
        QCOMPARE(apply.err.count("is left out: "), qsizetype(m_found.size() - 2));
        const CliResult graph = runCli({"graph", m_first.filePath("o.fxg")});
        QVERIFY2(graph.out.contains("%other : "), qPrintable(graph.out));
    }

    void onlyCommandsThatNeedThemLoadThem() {
        for (const QStringList& words : {QStringList{"--version"},
                                         {"--help"},
                                         {"-h"},
                                         {"serve", "--help"},
                                         {"serve", "--port"},
                                         {"open", "--help"},
                                         {}})
            QVERIFY(!runCli(words).err.contains("is left out: "));
        QVERIFY(runCli({"passes"}).err.contains("is left out: "));
    }

    void tellsOfAll() {
        const CliResult text = runCli({"plugins"});
        QCOMPARE(text.code, 0);
        QVERIFY2(text.err.isEmpty() && text.out.contains("/nowhere (no such folder)") &&
                     text.out.contains("left out: there is no licence") &&
                     text.out.contains("pass good-pass"),
                 qPrintable(text.out + text.err));
        const Json json = Json::parse(runCli({"plugins", "--json"}).out.toStdString());
        QCOMPARE(json["folders"].size(), 5u);
        QCOMPARE(json["folders"][1]["exists"].get<bool>(), false);
        QVERIFY(json["plugins"].size() >= 8);
        QVERIFY(json["plugins"][0]["fault"].get<std::string>().size() > 5); // broken.so
    }

    /// The example: installed where programs look by themselves.
    void nodesAreNamedAfterModules() {
        Progress progress;
        Model model = openModel(FXSCOPE_BUILD "/samples/transformer.pt2", {}, progress).model;
        const std::string before = graphText(model.graph());
        const PassReport report = applied(model, "rename-by-module");
        QVERIFY(report.changed.size() > 10);
        for (const auto& [graph, id] : report.changed) {
            const Node& node = model.graph().node(id);
            std::string path = node.meta.find<ModuleStack>(meta::kModuleStack)->back().path;
            std::replace(path.begin(), path.end(), '.', '_');
            QVERIFY2(node.name.starts_with(path), node.name.c_str());
        }
        QVERIFY(!applied(model, "rename-by-module").hasChanged());
        undo(model, report.changes);
        QCOMPARE(graphText(model.graph()), before);
        const std::string one = model.graph().node(report.changed.front().second).name;
        QCOMPARE(applied(model, "rename-by-module", {{"only", one}, {"parts", "1"}}).changed.front(),
                 report.changed.front());
    }
};

FX_TEST(TestPluginHost)
} // namespace fx::plugin_host_test
#include "tst_plugin_host.moc"
