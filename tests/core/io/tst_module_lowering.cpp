// SPDX-License-Identifier: GPL-3.0-or-later
// Models that have no form in TorchScript are refused, with the node that is at fault.
#include "core/base/error.h"
#include "core/io/script/module_lowering.h"
#include "core/io/script/script_parameters.h"
#include "core/module/edit.h"
#include "tests/support/test_program.h"

namespace fx::module_lowering_test {

class TestModuleLowering : public QObject {
    Q_OBJECT

private:
    /// What `make` puts before relu is read by it.
    template <typename Make>
    static QString refusal(const Make& make) {
        Model model;
        Edit edit(model);
        edit.placeholder("x");
        edit.output(edit.callFunction("torch.relu", {make(edit)}));
        edit.finish();
        return refusal(model);
    }
    static QString refusal(const Model& model) {
        try {
            scriptParameters(model, model);
            scripted(model);
            return {};
        } catch (const Error& error) {
            return QString::fromStdString(error.what());
        }
    }

private Q_SLOTS:
    /// A damaged file had it.
    void anAttributeHasAName() {
        QCOMPARE(refusal([](Edit& edit) { return edit.getAttr(""); }),
                 QString("node '_unnamed': reads an attribute that is not there"));
    }

    void aDefaultIsNoNode() {
        Model model;
        Edit edit(model);
        const NodeId x = edit.placeholder("x");
        edit.output(edit.placeholder("y", Argument(x)));
        edit.finish();
        QCOMPARE(refusal(model), QString("input 'y': has the value of a node as its default"));
    }

    void aSignatureHasAsManyInputsAsTheGraph() {
        Model model;
        Edit edit(model);
        edit.output(edit.placeholder("x"));
        const TreeSpec leaf, pair{TreeSpec::Kind::Tuple, "builtins.tuple", {}, {leaf, leaf}};
        edit.setSignature(
            Signature{{"x"}, {TreeSpec::Kind::Tuple, "builtins.tuple", {}, {pair}}, {}, {}, {}, {}});
        edit.finish();
        QCOMPARE(refusal(model), QString("input 0: is one more than the graph has"));
    }

    void noGraphCallsItself() {
        QCOMPARE(refusal([](Edit& edit) { return edit.callModule("", {}); }),
                 QString("node '_unnamed': calls the graph that it is in"));
    }
};

FX_TEST(TestModuleLowering)
} // namespace fx::module_lowering_test

#include "tst_module_lowering.moc"
