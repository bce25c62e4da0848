// SPDX-License-Identifier: GPL-3.0-or-later
// The table of formats: which row a file is of, what follows from a row, and what is refused for it.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/fxg/fxg.h"
#include "core/io/output_file.h"
#include "core/module/edit.h"
#include "core/open/formats.h"
#include "tests/fuzz/mutate.h"
#include "tests/support/evaluates_code.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>

#include <algorithm>

namespace fx::formats_test {

using namespace std::string_literals;

class TestFormats : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    std::string written(const char* name, const std::string& content) const {
        const std::string path = m_folder.filePath(name).toStdString();
        writeFile(path, content);
        return path;
    }
    std::string ownFile() const {
        OpenedModel opened;
        Edit edit(opened.model);
        edit.output(edit.callFunction("torch.relu", {edit.placeholder("x")}));
        edit.finish();
        Progress progress;
        const std::string path = m_folder.filePath("model.fxg").toStdString();
        formatWriting(path)->write(opened, path, progress);
        return path;
    }
    static QString nameOf(const std::string& path) {
        Candidate candidate = candidateFor(path, {});
        const Format* format = findFormat(candidate);
        return format ? QString::fromStdString(format->name) : QString();
    }
    /// What opening says, if it refuses.
    static QString refusal(const std::string& path, const OpenOptions& options) {
        try {
            Progress progress;
            openModel(path, options, progress);
            return {};
        } catch (const Error& error) {
            return QString::fromStdString(error.what());
        }
    }

private Q_SLOTS:
    void rowsAreWhole() {
        const std::vector<std::string> known = openOptionNames();
        std::vector<std::string> names;
        for (const Format& format : formats()) {
            QVERIFY2(!format.inWords.empty() && !format.reads.empty() && !format.endings.empty() &&
                         format.recognises && format.read,
                     format.name.c_str());
            QCOMPARE(bool(format.write) && format.writes.empty(), false);
            for (const std::string& option : format.options)
                QVERIFY2(std::find(known.begin(), known.end(), option) != known.end(), option.c_str());
            names.push_back(format.name);
        }
        std::sort(names.begin(), names.end());
        QVERIFY(std::adjacent_find(names.begin(), names.end()) == names.end());
        QVERIFY(formatNames().ends_with(" or " + formats().back().name));
    }

    void filesAreToldByContent() {
        // The names say something else.
        QCOMPARE(nameOf(ownFile()), QString(".fxg"));
        QCOMPARE(nameOf(written("a.pt2", zipOf({{"t/data.pkl", "\x80\x02K\x01."}}))), QString("torch.save"));
        const auto script =
            zipOf({{"m/data.pkl", "x"}, {"m/constants.pkl", "x"}, {"m/code/__torch__.py", "x"}});
        QCOMPARE(nameOf(written("b.fxg", script)), QString("TorchScript"));
        const std::string weights = "\x02\0\0\0\0\0\0\0{}"s;
        QCOMPARE(nameOf(written("c.pt", weights)), QString("safetensors"));
        const std::string printed =
            written("g.pt2", "graph():\n    %x : [num_users=0] = placeholder[target=x]\n    return x\n");
        QCOMPARE(nameOf(printed), QString("printed graph"));
        QCOMPARE(nameOf(printed + ":1"), QString("printed graph"));
        QCOMPARE(nameOf(written("d.pt2", "hello\n")), QString());
    }

    void sourceIsToldByItsName() {
        const std::string path = written("net.py", "def f(x):\n    return x\n");
        QCOMPARE(nameOf(path), QString("Python source"));
        QCOMPARE(nameOf(path + ":f"), QString("Python source"));
        const std::string generated =
            "import torch\nfrom torch.nn import *\nclass FxModule(torch.nn.Module):\n    pass\n";
        const std::string module = written("module.py", generated);
        QCOMPARE(nameOf(module), QString("module.py"));
        QCOMPARE(nameOf(module + ":FxModule()"), QString("Python source"));
        QCOMPARE(nameOf(m_folder.path().toStdString()), QString("module.py"));
    }

    /// They hold what a model's archive does, and more.
    void archivesWithoutAGraphAreNoModels() {
        const std::vector<std::pair<std::string, std::string>> mobile = {
            {"m/data.pkl", "x"}, {"m/bytecode.pkl", "x"}, {"m/constants.pkl", "x"}, {"m/code/a.py", ""}};
        QCOMPARE(nameOf(written("mobile.ptl", zipOf(mobile))), QString());
    }

    void dataEvaluatesNothing() {
        QVERIFY(!evaluatesCode(ownFile()));
        QVERIFY(!evaluatesCode(written("value.pt", zipOf({{"t/data.pkl", "\x80\x02K\x01."}}))));
        QVERIFY(evaluatesCode(written("net.py", "")));
        QVERIFY(evaluatesCode(m_folder.filePath("gone.py").toStdString()));
        QVERIFY(!evaluatesCode(m_folder.filePath("gone.pt2").toStdString()));
    }

    void refusesWhatMeansNothing() {
        OpenOptions lifted{true, {}}, source, leaves, tracer;
        source.trace.sourceFile = "net.py";
        leaves.trace.areNoneLeaves = true;
        tracer.trace.tracerExpression = "T";
        const std::string own = ownFile(), net = written("net.py", "def f(x):\n    return x\n"),
                          value = written("value.pt", zipOf({{"t/data.pkl", "\x80\x02K\x01."}}));
        QVERIFY(refusal(own, lifted).startsWith("--lifted: means nothing for an .fxg"));
        QVERIFY(refusal(net, lifted).startsWith("--lifted: means nothing for Python source"));
        QVERIFY(refusal(net, source).startsWith("--source: means nothing for Python source"));
        QVERIFY(refusal(net, leaves).startsWith("--no-leaves: means nothing for Python source"));
        QVERIFY(refusal(value, tracer).startsWith("--tracer: means nothing for a saved module"));
    }

    void writersGoByTheEnding() {
        QVERIFY(formatWriting("a/b.fxg"));
        QCOMPARE(formatWriting("a.pt2"), formatOfWord("pt2"));
        QCOMPARE(formatWriting("a.pt"), formatOfWord("torch.save"));
        QVERIFY(formatOfWord("torchscript")->writeFrozen && !formatOfWord("torch.save")->writeFrozen);
        for (const char* path : {"a.py", "a/", "fxg", "a.safetensors"})
            QVERIFY2(!formatWriting(path), path);
    }
};

FX_TEST(TestFormats)
} // namespace fx::formats_test
#include "tst_formats.moc"
