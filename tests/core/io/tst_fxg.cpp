// SPDX-License-Identifier: GPL-3.0-or-later
// Saving and opening our own format loses nothing that a model can hold, and spoils no file that was there.
// Real models are saved and opened in tests/oracle; broken files are in tests/app/cli/bad_input.py and
// tests/fuzz.
#include "core/base/error.h"
#include "core/io/fxg/fxg.h"
#include "core/io/mapped_file.h"
#include "core/io/output_file.h"
#include "core/module/edit.h"
#include "core/open/open.h"
#include "tests/support/model_state.h"
#include "tests/support/oracle.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>
#include <QDir>
#include <QTemporaryDir>

#include <complex>

namespace fx::fxg_test {

namespace {

OpenedModel reopened(const OpenedModel& opened) {
    const QTemporaryDir folder;
    const std::string path = folder.filePath("m.fxg").toStdString();
    Progress progress;
    writeFxg(opened, path, progress);
    OpenedModel copy = openModel(path, {}, progress);
    // Tensors are read when they are wanted, and the file goes with this function.
    copy.model.forEachModule(copy.model.root(), [&](ModuleId id, const std::string&) {
        for (const NamedTensor& entry : copy.model.module(id).tensors)
            if (entry.tensor)
                copy.model.tensor(entry.tensor).value();
    });
    return copy;
}

OpenedModel opened(Model model) {
    OpenedModel out;
    out.model = std::move(model);
    return out;
}

/// The nodes alone: modules may be numbered anew.
std::string nodesOf(const Model& model) {
    const std::string state = modelState(model);
    const size_t start = state.find("\n0 %x");
    return state.substr(start, state.find("\nmodule", start) - start);
}

at::Tensor valueAt(const Model& model, const std::string& path) {
    return model.tensor(model.resolve(model.root(), path).tensor).value();
}

} // namespace

class TestFxg : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// LibTorch's kernels over bytes load 16 of them at once, and crash where they lie in between.
    void bytesAreAligned() {
        Model model;
        Edit edit(model);
        for (const char* name : {"a", "b", "c"})
            edit.setTensor(name, edit.createTensor(TensorSlot(at::ones({3}, at::kChar))), TensorRole::Buffer);
        edit.output(edit.placeholder("x"));
        edit.finish();
        const OpenedModel copy = reopened(opened(std::move(model)));
        for (const char* name : {"a", "b", "c"})
            QCOMPARE(reinterpret_cast<uintptr_t>(valueAt(copy.model, name).data_ptr()) % 16, uintptr_t(0));
    }

    void keepsEveryKindOfArgument() {
        SmallModel m;
        Edit edit(m.model);
        const Arguments all{NoneValue(),
                            true,
                            1,
                            -7,
                            0.1,
                            -0.0,
                            double(INFINITY),
                            1e300,
                            std::complex<double>(1, -2),
                            "text",
                            "",
                            "quote \" \n \xc3\xbc",
                            at::kBFloat16,
                            c10::Device("cuda:1"),
                            at::kSparse,
                            at::MemoryFormat::ChannelsLast,
                            EllipsisValue(),
                            m.x,
                            ListValue{{1, ListValue{}}},
                            TupleValue{{m.relu}},
                            DictValue{{{1, m.x}, {"k", 2}}},
                            SliceValue{{m.x, {}, 2}},
                            NamedTupleValue{"mine.Pair", {1, m.x}},
                            RangeValue{0, 9, 2},
                            FunctionValue{"torch.ops.aten.add.Tensor"},
                            EnumValue{"mine.Color", "RED"},
                            EnumValue{"mine.Color", "RED", "3", "<Color.RED: 3>"},
                            OpaqueValue{"<it>"},
                            OpaqueValue{"tensor([1.])", "held", "torch.Tensor(size=[1], dtype=float32)"}};
        edit.setArgs(m.add, all);
        edit.setKwargs(m.add, {{"all", ListValue{all}}});
        edit.finish();
        const Model copy = reopened(opened(m.model)).model;
        FX_SAME(textDifference(nodesOf(copy), nodesOf(m.model)));
        QVERIFY(copy.graph().node(m.add).args == m.model.graph().node(m.add).args);
    }

    void keepsEveryKindOfMetadata() {
        SmallModel m;
        Edit edit(m.model);
        TensorMeta tensor{at::kHalf, {SymbolicInt{"2*s0", 8}, int64_t(3)}, {int64_t(3), int64_t(1)}};
        tensor.requiresGrad = true;
        const ValueMeta nested{
            std::vector<ValueMeta>{{tensor},
                                   {SymbolicScalar{SymbolicScalar::Kind::Float, "u0", 0.5}},
                                   {NoneValue()},
                                   {Argument(3)}}};
        edit.setMeta(m.x, meta::kValue, MetaValue(nested));
        edit.setMeta(m.x, "a tensor", MetaValue(tensor));
        edit.setMeta(m.x, meta::kIsWrapped, MetaValue(true));
        edit.setMeta(m.x, meta::kStackTrace, MetaValue(std::string("File \"x\"\n\tline")));
        edit.setMeta(m.x, meta::kModuleStack, MetaValue(ModuleStack{{"k", "a.b", "T"}, {"k2", "", "R"}}));
        edit.setMeta(m.x, "an argument", MetaValue(Argument(TupleValue{{m.w, 1}})));
        edit.setType(m.x, "torch.Tensor");
        edit.finish();
        const Model copy = reopened(opened(m.model)).model;
        FX_SAME(textDifference(nodesOf(copy), nodesOf(m.model)));
        QVERIFY(copy.graph().node(m.x).meta == m.model.graph().node(m.x).meta);
    }

    void keepsTheModuleTree() {
        SmallModel m;
        Edit edit(m.model);
        const TensorId odd = edit.createTensor(TensorSlot(at::arange(12).view({3, 4}).t()));
        edit.setTensor("sub.lin.weight", odd, TensorRole::Parameter);
        edit.setTensor("sub.tied", odd, TensorRole::Parameter);
        edit.setTensor("sub.none", TensorId(), TensorRole::Parameter);
        edit.setTensor("sub.scratch", edit.createTensor(TensorSlot(at::full({}, true))),
                       TensorRole::TransientBuffer);
        edit.setTensor("sub.const", edit.createTensor(TensorSlot(at::empty({0, 3}))), TensorRole::Constant);
        edit.setTensor("half", edit.createTensor(TensorSlot(at::ones({2}, at::kBFloat16))),
                       TensorRole::Buffer);
        edit.setTensor("complex", edit.createTensor(TensorSlot(at::ones({2}, at::kComplexFloat))),
                       TensorRole::Buffer);
        edit.setTensor("quarter", edit.createTensor(TensorSlot(at::ones({2}).to(at::kFloat8_e4m3fn))),
                       TensorRole::Buffer);
        edit.setTensor("expanded", edit.createTensor(TensorSlot(at::arange(3).expand({4, 3}))),
                       TensorRole::Buffer);
        edit.setTensor("windows", edit.createTensor(TensorSlot(at::arange(9).as_strided({3, 4}, {1, 1}))),
                       TensorRole::Buffer);
        edit.setTensor("gaps", edit.createTensor(TensorSlot(at::arange(20).slice(0, 0, 20, 3))),
                       TensorRole::Buffer);
        edit.setValue("sub.tag", Argument("text"));
        edit.setTraining(true);
        const ModuleId nested = edit.createModule("GraphModule", true);
        edit.addSubmodule("true_graph_0", nested);
        edit.addSubmodule("the_same_again", nested);
        edit.enter(nested);
        edit.output(edit.placeholder("a"));
        edit.finish();
        const Model copy = reopened(opened(m.model)).model;
        for (const char* path : {"sub.lin.weight", "sub.scratch", "sub.const", "half", "complex", "quarter",
                                 "w", "expanded", "windows", "gaps"}) {
            const at::Tensor before = valueAt(m.model, path), after = valueAt(copy, path);
            FX_SAME(valueDifference(c10::IValue(after), c10::IValue(before)));
            QVERIFY2(after.strides() == before.strides() || before.numel() == 0, path);
        }
        QVERIFY(copy.resolve(copy.root(), "sub.tied").tensor ==
                copy.resolve(copy.root(), "sub.lin.weight").tensor);
        QVERIFY(copy.resolve(copy.root(), "true_graph_0").module ==
                copy.resolve(copy.root(), "the_same_again").module);
        QVERIFY(!copy.module(copy.resolve(copy.root(), "sub").module).tensor("none")->tensor);
        QVERIFY(copy.module(copy.root()).isTraining);
        QCOMPARE(*copy.resolve(copy.root(), "sub.tag").value->as<std::string>(), std::string("text"));
        // Numbers of modules and tensors may differ; a second round finds nothing more to change.
        FX_SAME(textDifference(modelState(reopened(opened(copy)).model), modelState(copy)));
    }

    void keepsTheOrderOfUsers() {
        SmallModel m;
        Edit edit(m.model);
        const NodeId late = edit.callFunction("torch.abs", {m.x});
        edit.moveBefore(late, m.relu);
        edit.setArgs(m.relu, {});
        edit.setArgs(m.relu, {m.x});
        edit.finish();
        QCOMPARE(m.model.graph().node(m.x).users.toVector(), (std::vector<NodeId>{late, m.relu}));
        const Model copy = reopened(opened(m.model)).model;
        std::vector<std::string> users;
        for (NodeId user : copy.graph().node(copy.graph().find("x")).users)
            users.push_back(copy.graph().node(user).name);
        QCOMPARE(users, (std::vector<std::string>{"abs_1", "relu"}));
    }

    void keepsWhatTheFileSays() {
        OpenedModel before = openOracle("symbolic");
        before.layoutState = "{\"zoom\": 2}";
        before.notes.push_back("a note");
        const OpenedModel after = reopened(before);
        QCOMPARE(after.layoutState, before.layoutState);
        QCOMPARE(after.notes, before.notes);
        QCOMPARE(after.writer, before.writer);
        QCOMPARE(after.symbols.size(), before.symbols.size());
        for (const auto& [name, range] : before.symbols) {
            QVERIFY(after.symbols.at(name).least == range.least);
            QVERIFY(after.symbols.at(name).most == range.most);
        }
    }

    void leavesTheOldFileWhenSavingFails() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("m.fxg").toStdString();
        writeFile(path, "the old file");
        SmallModel m;
        Edit edit(m.model);
        edit.setTensor(
            "bad",
            edit.createTensor(TensorSlot(TensorMeta{at::kFloat, {int64_t(2)}, {int64_t(1)}},
                                         []() -> at::Tensor { throw Error("weights", "cannot be read"); })),
            TensorRole::Buffer);
        edit.finish();
        Progress progress;
        QVERIFY_THROWS_EXCEPTION(Error, writeFxg(opened(m.model), path, progress));
        QCOMPARE(readFile(path), std::string("the old file"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{"m.fxg"});
    }

    void canBeCancelled() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("m.fxg").toStdString();
        Progress progress, cancelled;
        cancelled.cancel();
        writeFxg(openOracle("transformer"), path, progress);
        QVERIFY_THROWS_EXCEPTION(Cancelled, openModel(path, {}, cancelled));
        QVERIFY_THROWS_EXCEPTION(Cancelled, openModel(oraclePath("transformer", "pt2"), {}, cancelled));
        QVERIFY_THROWS_EXCEPTION(Cancelled, writeFxg(openOracle("transformer"),
                                                     folder.filePath("n.fxg").toStdString(), cancelled));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{"m.fxg"});
    }
};

FX_TEST(TestFxg)
} // namespace fx::fxg_test
#include "tst_fxg.moc"
