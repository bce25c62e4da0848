// SPDX-License-Identifier: GPL-3.0-or-later
// Where a value became another one than in a run that was saved.
#include "core/base/error.h"
#include "core/compare/first_difference.h"
#include "core/compare/reference_file.h"
#include "core/interpret/interpreter.h"
#include "core/io/torch/torch_archive.h"
#include "core/module/edit.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>
#include <QTemporaryDir>

namespace fx::first_difference_test {

namespace {

struct Kept : Observer {
    std::map<NodeRef, Value> values;
    void afterNode(const Interpreter& interpreter, const Node& node, const Value& value) override {
        values[{interpreter.module(), node.id}] = value;
    }
};

/// x -> sin -> mul(sin, 2) -> neg -> output, and cos aside.
struct Chain {
    Model model{"GraphModule"};
    NodeId sin, mul, cos, neg;
    Chain() {
        Edit edit(model);
        const NodeId x = edit.placeholder("x");
        sin = edit.callFunction("torch.sin", {x});
        mul = edit.callFunction("torch.mul", {sin, 2});
        cos = edit.callFunction("torch.cos", {x});
        neg = edit.callFunction("torch.neg", {mul});
        edit.output({Argument(ListValue{{neg, cos}})});
        edit.finish();
    }
};

} // namespace

class TestFirstDifference : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        const Chain chain;
        Progress progress;
        QCOMPARE(saveReference(chain.model, {m_inputs}, {}, path(), progress).size(), size_t(0));
    }

    void goesBackToWhatWasChanged() {
        Chain chain;
        Edit edit(chain.model);
        edit.setArgs(chain.mul, {chain.sin, 3});
        edit.finish();
        QCOMPARE(found(chain, chain.neg),
                 "neg mul | mul is the first that differs from " + m_path +
                     ": max abs 0.909, SQNR 6.02 dB, needs 0.323\n  from there: mul -> neg");
        QCOMPARE(found(chain, chain.cos), "| cos is the same as in " + m_path);
    }

    void goesThroughNodesThatTheFileDoesNotHave() {
        Chain chain;
        Edit edit(chain.model);
        edit.setTarget(chain.sin, "torch.tan");
        edit.setName(chain.mul, "renamed");
        edit.finish();
        QVERIFY2(found(chain, chain.neg).startsWith("neg renamed sin | sin is the first"),
                 qPrintable(found(chain, chain.neg)));
        QCOMPARE(found(chain, chain.mul), "| " + m_path + " has no value of renamed");
    }

    void aNewInputIsTheFirst() {
        const Chain chain;
        m_now = {Value(c10::IValue(at::tensor(std::vector<double>{1, 5})))};
        QVERIFY2(found(chain, chain.neg).startsWith("neg mul sin x | x is the first that differs"),
                 qPrintable(found(chain, chain.neg)));
        m_now = m_inputs;
    }

    void aValueOfTheFileIsFoundByName() {
        const Value file = readTorchFile(path());
        QVERIFY(
            at::equal(valueInReference(file, "sin")->data().toTensor(), m_inputs[0].data().toTensor().sin()));
        QVERIFY(at::equal(valueInReference(file, "x")->data().toTensor(), m_inputs[0].data().toTensor()));
        QVERIFY(!valueInReference(file, "nothing"));
        QVERIFY(!valueInReference(m_inputs[0], "sin"));
    }

private:
    std::string path() { return m_path.toStdString(); }
    QString found(const Chain& chain, NodeId node) {
        Kept kept;
        const auto context = std::make_shared<RunContext>(chain.model);
        context->observers.push_back(&kept);
        Interpreter(context, chain.model.root()).run(m_now);
        QString out;
        try {
            const Origin origin =
                firstDifference({1, {chain.model.root(), node}, {}, path()}, chain.model, [&](NodeRef at) {
                    return kept.values.contains(at) ? &kept.values.at(at) : nullptr;
                });
            for (const NodeRef at : origin.path)
                out += QString::fromStdString(chain.model.graph(at.module).node(at.node).name) + ' ';
            return out + "| " + QString::fromStdString(origin.text);
        } catch (const Error& error) {
            return "| " + QString::fromStdString(error.explanation());
        }
    }

    QTemporaryDir m_folder;
    const QString m_path = m_folder.filePath("run.pt");
    const Values m_inputs{Value(c10::IValue(at::tensor(std::vector<double>{1, 2})))};
    Values m_now = m_inputs;
};

FX_TEST(TestFirstDifference)
} // namespace fx::first_difference_test
#include "tst_first_difference.moc"
