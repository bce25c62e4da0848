// SPDX-License-Identifier: GPL-3.0-or-later
// Calls that were chosen by hand as a submodule with a graph of its own.
#include "tests/core/passes/split_graphs.h"
#include "tests/support/test_program.h"

namespace fx::extract_test {

class TestExtract : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void callsAndTheirWeightsGoIntoASubmodule() {
        Calls c;
        Model& model = blocks(c);
        const QString before = bodyOf(model);
        const PassReport report =
            applied(model, "extract", {{"nodes", "mul, relu, a_two"}, {"name", "block"}});
        QCOMPARE(report.results.back(),
                 std::string("block: 3 calls; takes a_one f32[2, 2]; gives a_two f32[2, 2]; "
                             "has a_w f32[2, 2]"));
        QCOMPARE(bodyOf(model), "def forward(self, x): ; a_one = self.a.one(x) ; block = self.block(a_one) ; "
                                "b = self.b(block) ; return b");
        QCOMPARE(bodyOf(model, "block"), "def forward(self, a_one): ; relu = torch.relu(a_one) ; a_w = "
                                         "self.a.w ; mul = torch.mul(relu, a_w) ; "
                                         "a_two = self.a.two(mul) ; return a_two");
        QVERIFY(!model.resolve(model.root(), "a.two") && model.resolve(model.root(), "a.one"));
        applied(model, "merge-parts", {});
        QCOMPARE(bodyOf(model).remove("a_w = self.a.w ; "), QString(before).remove("a_w = self.a.w ; "));
    }

    void severalOutputsAreATuple() {
        Calls c;
        const NodeId x = c.input("x"), relu = c.call("relu", {x}), neg = c.call("neg", {relu}),
                     sin = c.call("sin", {relu});
        Model& model = c.give(c.call("add", {c.call("mul", {neg, sin}), relu}));
        applied(model, "extract", {{"nodes", "relu, neg"}});
        QCOMPARE(bodyOf(model),
                 "def forward(self, x): ; extracted = self.extracted(x) ; getitem = extracted[0] ; "
                 "getitem_1 = extracted[1] ; sin = torch.sin(getitem) ; mul = torch.mul(getitem_1, sin) ; "
                 "add = torch.add(mul, getitem) ; return add");
    }

    void itStaysInTheModuleThatAllAreCalledIn() {
        Calls c;
        const NodeId x = c.input("x"), relu = c.call("relu", {x}), neg = c.call("neg", {relu});
        const ModuleFrame outer{"a", "a", "A"}, inner{"a.b", "a.b", "B"};
        c.edit.setMeta(relu, meta::kModuleStack, ModuleStack{outer, inner});
        c.edit.setMeta(neg, meta::kModuleStack, ModuleStack{outer});
        Model& model = c.give(c.call("add", {neg, x}));
        applied(model, "extract", {{"nodes", "relu, neg"}});
        const auto* stack =
            model.graph().node(model.graph().find("extracted")).meta.find<ModuleStack>(meta::kModuleStack);
        QVERIFY(stack && *stack == ModuleStack{outer});
    }

    void isRefusedWithTheReason_data() {
        QTest::addColumn<QString>("nodes");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("reason");
        QTest::newRow("cycle")
            << "relu, add"
            << "block"
            << "node 'add': reads 'neg', which is outside and depends on 'relu' inside; choose 'neg', too";
        QTest::newRow("input") << "x, relu"
                               << "block"
                               << "node 'x': is an input of the graph, and cannot be in a submodule";
        QTest::newRow("output") << "relu, output"
                                << "block"
                                << "node 'output': is an output of the graph, and cannot be in a submodule";
        QTest::newRow("weights alone") << "w"
                                       << "block"
                                       << "there is no call among the nodes";
        QTest::newRow("name") << "relu"
                              << "a b"
                              << "--name: 'a b' is no name of a submodule";
        QTest::newRow("taken") << "relu"
                               << "lin"
                               << "--name: there is 'lin' already";
        QTest::newRow("writes") << "neg, add_"
                                << "block"
                                << "writes into memory, reads what is written";
    }
    void isRefusedWithTheReason() {
        QFETCH(QString, nodes);
        QFETCH(QString, name);
        QFETCH(QString, reason);
        Calls c;
        const NodeId x = c.input("x"), w = c.weight("w"), relu = c.call("relu", {x}),
                     neg = c.call("neg", {relu}), add = c.call("add", {relu, neg}),
                     lin = c.module("lin", {add});
        const NodeId written = c.recorded(c.edit.callMethod("add_", {relu, 1}));
        const NodeId cos = c.call("cos", {relu});
        Model& model = c.give(TupleValue{{Argument(lin), Argument(w), Argument(written), Argument(cos)}});
        const std::string fault =
            faultOf(model, "extract", {{"nodes", nodes.toStdString()}, {"name", name.toStdString()}});
        QVERIFY2(QString::fromStdString(fault).contains(reason), fault.c_str());
    }
};

FX_TEST(TestExtract)
} // namespace fx::extract_test
#include "tst_extract.moc"
