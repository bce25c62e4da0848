// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of the source that a model keeps: offered, with what they take, and called by name.
#include "core/module/edit.h"
#include "core/rewrite/argument_places.h"
#include "core/rewrite/inserted_call.h"
#include "core/rewrite/source_functions.h"
#include "tests/support/test_program.h"

namespace fx::source_functions_test {

namespace {

constexpr const char* kText = R"(import torch

def scale_up(x, by: int = 2, *rest, deep=False, **options):
    return x * by

class Net(torch.nn.Module):
    def forward(self, x):
        return scale_up(x)

def _hidden(x):
    return x
)";

Model model() {
    Model out("GraphModule");
    Edit edit(out);
    edit.output(edit.placeholder("x"));
    edit.finish();
    out.setSources({{"net", "net.py", kText, false}, {"broken", "broken.py", "def f(:", false}});
    return out;
}

} // namespace

class TestSourceFunctions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void areThoseAtTheTop() {
        const std::vector<SourceFunction> found = sourceFunctions(model());
        QCOMPARE(found.size(), size_t(2));
        QCOMPARE(found[0].name, std::string("net.scale_up"));
        QCOMPARE(found[0].form.text(), std::string("(x, by: int = 2, deep = False, *more)"));
        QCOMPARE(found[1].name, std::string("net._hidden"));
    }

    void areOffered() {
        const Model of = model();
        size_t count = 0;
        for (const Callable& each : callables(of, of.root()))
            if (each.about == "function of net") {
                ++count;
                QCOMPARE(each.text, std::string("net.scale_up"));
                QCOMPARE(formsOf(each, of, of.root()).size(), size_t(1));
            }
        QCOMPARE(count, size_t(1));
    }

    void areCalled() {
        Model of = model();
        Edit edit(of);
        const NodeId fresh = insertCall(edit, {"net.scale_up(x, by=3)", "", {}, {}}).back();
        edit.finish();
        const Node& node = of.graph().node(fresh);
        QCOMPARE(node.target.name(), std::string("net.scale_up"));
        QCOMPARE(argumentPlaces(of, of.root(), node).front().parameter.name, std::string("x"));
    }
};

FX_TEST(TestSourceFunctions)
} // namespace fx::source_functions_test
#include "tst_source_functions.moc"
