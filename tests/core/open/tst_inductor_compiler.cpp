// SPDX-License-Identifier: GPL-3.0-or-later
// How Python is started to compile, and ended. What it compiles runs in tests/oracle/check_compiled.py;
// here another program is called python3.
#include "core/interpret/interpreter.h"
#include "core/open/pass_context.h"
#include "tests/core/passes/split_graphs.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>

#include <csignal>

namespace fx::inductor_compiler_test {

namespace {

/// Stops the work once a line is told.
class StopsAt : public Progress {
public:
    explicit StopsAt(std::string line) : m_line(std::move(line)) {}
    void report(double, const std::string& what) override {
        said = what;
        if (!m_line.empty() && what.find(m_line) != std::string::npos)
            cancel();
    }
    std::string said;

private:
    std::string m_line;
};

GraphInputs given(at::IntArrayRef sizes = {2, 2}) {
    return {Value(c10::IValue(at::ones(sizes)))};
}

Model doubled() {
    Model model;
    Edit edit(model);
    const NodeId x = edit.placeholder("x");
    edit.setTensor("w", edit.createTensor(TensorSlot(at::ones({2, 2}))), TensorRole::Parameter);
    edit.output(edit.callFunction("torch.ops.aten.add.Tensor", {x, edit.getAttr("w")}));
    edit.finish();
    return model;
}

} // namespace

class TestInductorCompiler : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string file(const char* name) const { return m_folder.filePath(name).toStdString(); }

    /// Compiles with a shell script for Python.
    void compile(const char* script, Progress& progress) {
        QFile python(m_folder.filePath("python3"));
        QVERIFY(python.open(QIODevice::WriteOnly | QIODevice::Truncate));
        python.write((std::string("#!/bin/sh\n") + script).c_str());
        python.close();
        QVERIFY(python.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        OpenedModel opened{.model = doubled()};
        const Pass& pass = findPass("capture");
        PassContext context = passContext(opened, {}, {}, progress);
        context.inputs = [](const Model&) { return given(); };
        runPass(opened.model, opened.model.root(), pass, PassOptions(pass, {}), context);
        context.compile("aotinductor", opened.model, given(), file("cache/package.pt2"), progress);
    }

    static Argument markOf(const std::string& form, const std::string& machine) {
        return CompiledKey{form, "a", "torch.float32 cpu [2, 2] [2, 1]", machine}.mark();
    }

    static QByteArray contentOf(const std::string& path) {
        QFile file(QString::fromStdString(path));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private Q_SLOTS:
    void initTestCase() { qputenv("PATH", m_folder.path().toUtf8() + ":/usr/bin:/bin"); }

    void thePackageLiesInItsPlaceWithTheLog() {
        StopsAt progress("");
        compile("echo compiled $(head -c 2 \"$3\") with $5; echo whole > \"$4\"\n", progress);
        QCOMPARE(contentOf(file("cache/package.pt2")), QByteArray("whole\n"));
        QVERIFY(contentOf(file("cache/package.pt2.log")).startsWith("compiled PK with 2.13"));
        QVERIFY(QFile::permissions(m_folder.filePath("cache")) ==
                (QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner | QFile::ReadUser | QFile::WriteUser |
                 QFile::ExeUser));
    }

    void whatFailedIsTold() {
        StopsAt progress("");
        QFile::remove(m_folder.filePath("cache/package.pt2"));
        try {
            compile("echo first; echo python3 has no PyTorch >&2; exit 1\n", progress);
            QFAIL("it did not fail");
        } catch (const Error& why) {
            QVERIFY2(QByteArray(why.what()).contains("first\npython3 has no PyTorch"), why.what());
        }
        QVERIFY(!QFile::exists(m_folder.filePath("cache/package.pt2")));
    }

    // Who runs a graph writes into the folder.
    void nothingIsImportedFromTheFolder() {
        StopsAt progress("");
        const std::string script = "for module in ctypes signal functools torch; do\n"
                                   "  echo \"open('" +
                                   file("imported") +
                                   "', 'a')\" > $module.py\ndone\n"
                                   "shift; exec /usr/bin/python3 -c \"$@\"\n";
        try {
            compile(script.c_str(), progress);
        } catch (const Error& why) { // that python3 has no PyTorch, or cannot be had
            QVERIFY2(!QByteArray(why.what()).contains("SyntaxError"), why.what());
        }
        QVERIFY(!QFile::exists(QString::fromStdString(file("imported"))));
    }

    void cancellingEndsAllThatWasStarted() {
        StopsAt progress("begun");
        const std::string script = "sleep 1000 & echo $! > " + file("child") + "\necho $$ > " + file("self") +
                                   "\necho begun\nwait\n";
        QVERIFY_THROWS_EXCEPTION(Cancelled, compile(script.c_str(), progress));
        QVERIFY2(progress.said.starts_with("compiling for 0 s: begun"), progress.said.c_str());
        for (const char* name : {"self", "child"}) {
            const int process = contentOf(file(name)).trimmed().toInt();
            QVERIFY(process > 0);
            // Who adopts it may be slow to reap it.
            QTRY_VERIFY(::kill(process, 0) != 0 ||
                        contentOf("/proc/" + std::to_string(process) + "/stat").contains(") Z "));
        }
    }

    void theKeyIsOfCodeWeightsInputsAndNothingElse() {
        qputenv("XDG_CACHE_HOME", m_folder.path().toUtf8());
        Model model = doubled();
        const CompiledKey key = compiledKey("aotinductor", model, model.root(), given());
        QCOMPARE(QString::fromStdString(key.inputs), QString("torch.float32 cpu [2, 2] [2, 1]"));
        QVERIFY(key.packagePath().starts_with(m_folder.path().toStdString() + "/fxscope/compiled/"));
        QVERIFY(compiledKey("aotinductor", model, model.root(), given({4, 2})).packagePath() !=
                key.packagePath());
        const auto changed = [&](const std::function<void(Edit&)>& change) {
            Model other = model;
            Edit edit(other);
            change(edit);
            edit.finish();
            return compiledKey("aotinductor", other, other.root(), given()).module != key.module;
        };
        QVERIFY(!changed([&](Edit& edit) { edit.setValue(kCompiledMark, key.mark()); }));
        QVERIFY(changed([&](Edit& edit) { edit.setTraining(true); }));
        QVERIFY(changed([&](Edit& edit) { edit.setValue("other", Argument(1)); }));
        QVERIFY(changed([&](Edit& edit) {
            edit.setTensor("w", edit.createTensor(TensorSlot(at::zeros({2, 2}))), TensorRole::Parameter);
        }));
        QVERIFY(changed([&](Edit& edit) {
            for (const Node& node : edit.graph())
                if (node.opcode == Opcode::CallFunction)
                    edit.setTarget(node.id, "torch.ops.aten.sub.Tensor");
        }));
    }

    void aMarkOfSomebodyElseRunsNothing() {
        for (const Argument& mark : {Argument(1), markOf("aotinductor", "../../x"), markOf("../../x", "c"),
                                     markOf("torchscript", "c")}) {
            Model model = doubled();
            Edit edit(model);
            edit.setValue(kCompiledMark, mark);
            edit.finish();
            const auto context = std::make_shared<RunContext>(model);
            const Value result = Interpreter(context, model.root()).run(given());
            QVERIFY(at::equal(result.data().toTensor(), at::full({2, 2}, 2.0)));
            QCOMPARE(context->compiled.notes().size(), size_t(1));
            QVERIFY(context->compiled.notes()[0].starts_with(
                "the model is marked as compiled and was interpreted"));
        }
    }
};

FX_TEST(TestInductorCompiler)
} // namespace fx::inductor_compiler_test
#include "tst_inductor_compiler.moc"
