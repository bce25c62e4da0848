// SPDX-License-Identifier: GPL-3.0-or-later
// The passes of core/passes/split on small graphs, and what they refuse. What torch.fx makes of whole models
// is compared by tests/oracle/check_split_passes.py.
#include "core/interpret/interpreter.h"
#include "core/passes/costs/cost_pass.h"
#include "core/passes/split/label_parts.h"
#include "tests/core/passes/split_graphs.h"
#include "tests/support/test_program.h"

namespace fx::split_test {

class TestSplit : public QObject {
    Q_OBJECT

    /// Products of x with itself, so many in an autocast and so many after it.
    static Model& inAutocast(Calls& c, int within, int after) {
        NodeId at = c.input("x");
        const NodeId mode = c.edit.callFunction("torch.amp.autocast_mode._enter_autocast",
                                                {"cpu", at::kBFloat16, true, true});
        for (int i = 0; i < within; ++i)
            at = c.call("matmul", {at, at});
        c.edit.callFunction("torch.amp.autocast_mode._exit_autocast", {mode});
        for (int i = 0; i < after; ++i)
            at = c.call("matmul", {at, at});
        return c.give(at);
    }

private Q_SLOTS:
    void autocastGoesIntoOnePart() {
        Calls c;
        Model& model = inAutocast(c, 1, 3);
        const auto dtype = [&] {
            return Interpreter(model)
                .run({Value(c10::IValue(at::rand({2, 2})))})
                .data()
                .toTensor()
                .scalar_type();
        };
        const at::ScalarType before = dtype();
        applied(model, "split", {{"by", "size"}, {"parts", "2"}});
        QCOMPARE(bodyOf(model, "submod_0").count("_autocast("), 2);
        QCOMPARE(bodyOf(model, "submod_1").count("_autocast("), 0);
        QCOMPARE(dtype(), before);
    }

    void autocastOfTwoPartsIsRefused() {
        Calls c, open;
        QCOMPARE(faultOf(inAutocast(c, 3, 1), "split", {{"by", "size"}, {"parts", "2"}}),
                 std::string("node '_enter_autocast': changes how what follows is computed, up to "
                             "'_exit_autocast', and no part has all of that: 'matmul_2' is elsewhere"));
        const NodeId x = open.input("x");
        open.edit.callFunction("torch._C._set_grad_enabled", {false});
        QCOMPARE(faultOf(open.give(open.call("relu", {x})), "split", {{"by", "size"}, {"parts", "1"}}),
                 std::string("node '_set_grad_enabled': changes how what follows is computed, which parts "
                             "would not see"));
    }

    void scopesAreParts() {
        Calls c;
        Model& model = blocks(c);
        const PassReport report = applied(model, "split", {});
        QCOMPARE(bodyOf(model), "def forward(self, x): ; a_w = self.a.w ; submod_0 = self.submod_0(x, a_w) ; "
                                "submod_1 = self.submod_1(submod_0) ; return submod_1");
        QCOMPARE(bodyOf(model, "submod_0"),
                 "def forward(self, x, a_w): ; a_one = self.a_one(x) ; relu = torch.relu(a_one) ; "
                 "mul = torch.mul(relu, a_w) ; a_two = self.a_two(mul) ; return a_two");
        QCOMPARE(report.results,
                 (std::vector<std::string>{"submod_0: 4 nodes; in x 16 B, a_w 16 B; out a_two 16 B",
                                           "submod_1: 1 node; in a_two 16 B; out b 16 B", "2 parts"}));
        // What the calls held is in the parts alone.
        QVERIFY(!model.resolve(model.root(), "b") && !model.resolve(model.root(), "a.one"));
        QVERIFY(model.resolve(model.root(), "a.w").tensor &&
                model.resolve(model.root(), "submod_0.a_one.weight").tensor);
    }

    void deeperScopesAreSmaller() {
        Calls c;
        QCOMPARE(applied(blocks(c), "split", {{"depth", "2"}}).results.back(), std::string("3 parts"));
    }

    void withoutScopesThereIsNothingToGoBy() {
        Calls c;
        const NodeId x = c.input("x");
        QVERIFY(faultOf(c.give(c.call("relu", {x})), "split", {})
                    .find("no node tells which module it belongs to") != std::string::npos);
    }

    void sharesAreEqual() {
        Calls c;
        NodeId value = c.input("x");
        for (int i = 0; i < 10; ++i)
            value = c.call("relu", {value});
        Model& model = c.give(value);
        const auto results = applied(model, "split", {{"by", "size"}, {"parts", "4"}}).results;
        std::vector<std::string> sizes;
        for (const std::string& line : results)
            sizes.push_back(line.substr(0, line.find(';')));
        QCOMPARE(sizes, (std::vector<std::string>{"submod_0: 2 nodes", "submod_1: 3 nodes",
                                                  "submod_2: 2 nodes", "submod_3: 3 nodes", "4 parts"}));
    }

    void moreSharesThanNodesAreOneEach() {
        Calls c;
        Model& model = c.give(c.call("relu", {c.call("exp", {c.input("x")})}));
        QCOMPARE(applied(model, "split", {{"by", "size"}, {"parts", "100"}}).results.back(),
                 std::string("2 parts"));
        QVERIFY(faultOf(model, "split", {{"by", "size"}, {"parts", "0"}}).find("--parts: is below 1") !=
                std::string::npos);
    }

    void weightsAreSharedOutOnce() {
        Calls c;
        NodeId value = c.input("x");
        for (const char* path : {"a", "a", "a", "b"}) // three calls of one module weigh as one
            value = c.module(path, {value});
        Model& model = c.give(value);
        const auto results = applied(model, "split", {{"by", "size"}, {"weigh", "parameters"}}).results;
        QVERIFY(results[0].starts_with("submod_0: 3 nodes") && results[1].starts_with("submod_1: 1 node;"));
    }

    void costsAreSharedOut() {
        Calls c;
        NodeId value = c.input("x");
        for (int64_t flops : {1, 1, 2, 4}) {
            value = c.call("relu", {value});
            c.edit.setMeta(value, meta::kCost, Argument(DictValue{{{Argument("flops"), Argument(flops)}}}));
        }
        const auto results = applied(c.give(value), "split", {{"by", "cost"}}).results;
        QVERIFY(results[0].starts_with("submod_0: 3 nodes") && results[1].starts_with("submod_1: 1 node;"));
    }

    void devicesAreLeftAsSeldomAsCanBe() {
        Calls c;
        const NodeId x = c.input("x"), a = c.call("relu", {x});
        const NodeId b = c.recorded(c.call("exp", {a}), c10::Device(c10::kCUDA, 0)), d = c.call("sin", {a});
        const NodeId e = c.recorded(c.call("neg", {b}), c10::Device(c10::kCUDA, 0));
        Model& model = c.give(TupleValue{{d, c.call("add", {d, e})}});
        applied(model, "split", {{"by", "device"}});
        QCOMPARE(bodyOf(model),
                 "def forward(self, x): ; submod_0 = self.submod_0(x) ; getitem = submod_0[0] ; getitem_1 = "
                 "submod_0[1] ; "
                 "submod_1 = self.submod_1(getitem) ; submod_2 = self.submod_2(getitem_1, submod_1) ; "
                 "return (getitem_1, submod_2)");
        QCOMPARE(bodyOf(model, "submod_1"),
                 "def forward(self, relu): ; exp = torch.exp(relu) ; neg = torch.neg(exp) ; return neg");
    }

    void tagsAreParts() {
        Calls c;
        Model& model = blocks(c);
        const PassReport tags =
            applied(model, "tag-nodes", {{"tags", "a.*=front, b=back, mul=back, a.two = back"}});
        QCOMPARE(tags.results,
                 (std::vector<std::string>{"a.*: 1 node tagged front", "b: 1 node tagged back",
                                           "mul: 1 node tagged back", "a.two: 1 node tagged back"}));
        QVERIFY(faultOf(model, "split", {{"by", "tag"}}).find("some nodes have no tag: relu") !=
                std::string::npos);
        applied(model, "split", {{"by", "tag"}, {"untagged", "front"}});
        QCOMPARE(bodyOf(model),
                 "def forward(self, x): ; front = self.front(x) ; back = self.back(front) ; return back");
        QCOMPARE(bodyOf(model, "back"), "def forward(self, relu): ; a_w = self.a.w ; mul = torch.mul(relu, "
                                        "a_w) ; a_two = self.a.two(mul) ; "
                                        "b = self.b(a_two) ; return b");
    }

    void tagsGoAway() {
        Calls c;
        Model& model = blocks(c);
        applied(model, "tag-nodes", {{"tags", "*=p"}});
        applied(model, "tag-nodes", {{"tags", "relu="}});
        QVERIFY(faultOf(model, "split", {{"by", "tag"}}).find("no tag: relu") != std::string::npos);
        QVERIFY(faultOf(model, "tag-nodes", {{"tags", "relu"}}).find("'relu' is no rule") !=
                std::string::npos);
        applied(model, "tag-nodes", {{"tags", "*=a b"}});
        QVERIFY(faultOf(model, "split", {{"by", "tag"}}).find("'a b' is no name for a module") !=
                std::string::npos);
    }

    void circlesAreNamed() {
        Calls c;
        Model& model = blocks(c);
        applied(model, "tag-nodes", {{"tags", "*=p, relu=q"}});
        QVERIFY2(
            faultOf(model, "split", {{"by", "tag"}})
                    .find("cycle exists between partitions! p reads 'relu' of q, which reads 'a_one' of p") !=
                std::string::npos,
            faultOf(model, "split", {{"by", "tag"}}).c_str());
    }

    void partsAreMadeByHand() {
        Calls c;
        Model& model = blocks(c);
        QCOMPARE(applied(model, "move-to-part", {{"nodes", "relu,mul"}, {"part", "middle"}}).results,
                 std::vector<std::string>{"middle: 2 nodes"});
        const PassReport done = applied(model, "split", {{"by", "tag"}, {"leave-untagged", "true"}});
        QCOMPARE(done.results.back(), std::string("1 part"));
        QVERIFY2(bodyOf(model).contains("a_one = self.a.one(x) ; ") &&
                     bodyOf(model).contains("self.middle(") && bodyOf(model).contains("self.a.two("),
                 qPrintable(bodyOf(model)));
        QVERIFY2(bodyOf(model, "middle").contains("torch.relu("), qPrintable(bodyOf(model, "middle")));
    }

    void partsThatWaitForEachOtherAreRefused() {
        Calls c;
        Model& model = blocks(c);
        const std::string fault = faultOf(model, "move-to-part", {{"nodes", "a_one,mul"}, {"part", "p"}});
        QVERIFY2(fault.find("p reads 'relu' of relu, which reads 'a_one' of p") != std::string::npos,
                 fault.c_str());
        QCOMPARE(tagOf(model.graph().node(model.graph().find("mul")), "tag"), std::string());
        applied(model, "move-to-part", {{"nodes", "a_one,relu"}, {"part", "p"}});
        applied(model, "move-to-part", {{"nodes", "mul"}, {"part", "p"}});
        applied(model, "move-to-part", {{"nodes", "relu,mul"}});
        QCOMPARE(applied(model, "move-to-part", {{"nodes", "mul"}, {"part", "q"}}).results,
                 (std::vector<std::string>{"p: 1 node", "q: 1 node"}));
        QVERIFY(faultOf(model, "move-to-part", {{"nodes", "mul"}, {"part", "a b"}}).find("no name") !=
                std::string::npos);
    }

    void writesKeepTheirOrder() {
        Calls c;
        const NodeId x = c.input("x"), y = c.input("y");
        const NodeId read = c.call("exp", {x});
        c.recorded(c.edit.callMethod("add_", {x, y}));
        const NodeId after = c.call("neg", {x});
        Model& model = c.give(TupleValue{{read, after}});
        const PassReport report = applied(model, "split", {{"by", "size"}, {"parts", "3"}});
        QVERIFY2(
            bodyOf(model).contains(
                "submod_0 = self.submod_0(x) ; submod_1 = self.submod_1(x, y) ; submod_2 = self.submod_2(x)"),
            qPrintable(bodyOf(model)));
        QVERIFY(std::ranges::any_of(report.results, [](const std::string& line) {
            return line.starts_with("the original order is kept");
        }));
        QVERIFY(report.warnings.empty());
    }

    void drawsKeepTheirOrder() {
        Calls c;
        const NodeId x = c.input("x");
        const NodeId first = c.call("rand_like", {x}), second = c.call("bernoulli", {x});
        Model& model = c.give(TupleValue{{first, second}});
        applied(model, "split", {{"by", "size"}});
        QCOMPARE(bodyOf(model), "def forward(self, x): ; submod_0 = self.submod_0(x) ; submod_1 = "
                                "self.submod_1(x) ; return (submod_0, submod_1)");
    }

    /// As torch.export leaves graphs of its own.
    void modulesThatAreReadKeepTheirNames() {
        Calls c;
        const NodeId x = c.input("x");
        const ModuleId graph = c.edit.createModule("GraphModule", true);
        c.edit.addSubmodule("submod_0", graph);
        const NodeId read = c.edit.getAttr("submod_0"), a = c.call("relu", {x});
        Model& model = c.give(c.call("checkpoint", {read, a}));
        applied(model, "tag-nodes", {{"tags", "*=submod_0"}});
        QVERIFY(faultOf(model, "split", {{"by", "tag"}}).find("'submod_0' is the name of something") !=
                std::string::npos);
        applied(model, "split", {{"by", "size"}});
        QVERIFY(model.resolve(model.root(), "submod_0").module == graph);
        QVERIFY(bodyOf(model).endsWith("submod_1 = self.submod_1(x) ; submod_2 = self.submod_2(submod_1) ; "
                                       "return submod_2"));
        QVERIFY(bodyOf(model, "submod_2").contains("submod_0 = self.submod_0 ; "));
    }

    void supportedNodesAreFused() {
        Calls c;
        const NodeId x = c.input("x"), a = c.call("relu", {x}), b = c.call("exp", {a});
        const NodeId d = c.call("sin", {b}), e = c.call("relu", {d}), f = c.call("exp", {e});
        Model& model = c.give(TupleValue{{f, a}});
        const PassReport report = applied(model, "split", {{"by", "support"}, {"support", "t.json"}},
                                          R"({"torch.relu": null, "torch.exp": ["float32"]})");
        QCOMPARE(bodyOf(model),
                 "def forward(self, x): ; fused_1 = self.fused_1(x) ; getitem = fused_1[0] ; getitem_1 = "
                 "fused_1[1] ; "
                 "sin = torch.sin(getitem_1) ; fused_0 = self.fused_0(sin) ; return (fused_0, getitem)");
        QCOMPARE(report.results.at(2), std::string("1 left alone, torch.sin is not in the table: sin"));
        // Parts of before keep their names.
        applied(model, "split",
                {{"by", "support"}, {"support", "t.json"}, {"allows-single-node-partition", "true"}},
                R"({"torch.sin": null})");
        QVERIFY(bodyOf(model).contains("fused_2 = self.fused_2(getitem_1)"));
    }

    void dtypesAreRefused() {
        Calls c;
        const NodeId x = c.input("x"), a = c.call("relu", {x});
        const NodeId unknown = c.edit.callFunction("torch.exp", {a});
        Model& model = c.give(c.call("mul", {unknown, a}));
        const auto results = applied(model, "split", {{"by", "support"}, {"support", "t.json"}},
                                     R"({"torch.relu": ["float16"], "torch.exp": null,
                                         "torch.mul": {"args": [["float32"]], "kwargs": {"out": ["float16"]}}})")
                                 .results;
        QVERIFY(std::ranges::find(results, "1 left alone, 'x' is torch.float32: relu") != results.end());
        QVERIFY(std::ranges::find(results, "1 left alone, the dtype of argument 0 is not recorded: mul") !=
                results.end());
        QVERIFY(
            std::ranges::find(
                results, "1 left alone, in a part that calls no more than one function that computes: exp") !=
            results.end());
    }

    void onlyTensorsCrossTheBorder() {
        Calls c;
        const NodeId x = c.input("x"), a = c.call("relu", {x});
        const NodeId size = c.plain(c.edit.callMethod("size", {a, 0})), b = c.call("exp", {a});
        Model& model = c.give(c.call("reshape", {b, size}));
        const std::string table = R"({"torch.relu": null, "torch.exp": null, "torch.reshape": null})";
        const PassReport report = applied(
            model, "split", {{"by", "support"}, {"support", "t.json"}, {"accelerator", "true"}}, table);
        QCOMPARE(
            bodyOf(model),
            "def forward(self, x): ; _run_on_acc_0 = self._run_on_acc_0(x) ; getitem = _run_on_acc_0[0] ; "
            "getitem_1 = _run_on_acc_0[1] ; _run_on_cpu_1 = self._run_on_cpu_1(getitem, getitem_1) ; return "
            "_run_on_cpu_1");
        QVERIFY(
            std::ranges::find(report.results,
                              "1 left alone, reads other values than tensors from the processor: reshape") !=
            report.results.end());
        undo(model, report.changes);
        applied(
            model, "split",
            {{"by", "support"}, {"support", "t.json"}, {"accelerator", "true"}, {"min-acc-module-size", "3"}},
            table);
        QCOMPARE(bodyOf(model),
                 "def forward(self, x): ; _run_on_cpu_0 = self._run_on_cpu_0(x) ; return _run_on_cpu_0");
    }

    void tablesAreChecked() {
        const auto fault = [](auto read, const char* text) {
            try {
                read(text, "ops");
            } catch (const Error& error) {
                return std::string(error.what());
            }
            return std::string("none");
        };
        for (const char* text :
             {"[]", "{\"a\": [\"float33\"]}", "{\"a\": []}", "{\"a\": {\"arg\": []}}", "{\"a\": 1}", "{"})
            QVERIFY2(fault(supportTableFrom, text) != "none", text);
        for (const char* text :
             {"torch.relu", " torch.relu:", "- a: b", "a: float32", "a: [float33]", "a: [float32"})
            QVERIFY2(fault(supportTableFromYaml, text).starts_with("ops:1: "), text);
        QCOMPARE(fault(supportTableFromYaml,
                       "---\n# all\ntorch.relu:\ntorch.ops.aten.*: [float32, bfloat16] # two\n"),
                 std::string("none"));
        Calls c;
        Model& model = c.give(c.call("relu", {c.input("x")}));
        QVERIFY(faultOf(model, "split", {{"by", "support"}}).find("--support: is needed") !=
                std::string::npos);
        QVERIFY(faultOf(model, "split", {{"by", "support"}, {"support", "tensorrt"}})
                    .find("there is no table 'tensorrt'") != std::string::npos);
        QVERIFY(!supportTable("tensorrt"));
    }

    void namesOfTargetsMayBeShort() {
        Calls c;
        const NodeId x = c.input("x"),
                     a = c.recorded(c.edit.callFunction("torch.ops.aten.add.Tensor", {x, x}));
        const NodeId b = c.recorded(c.edit.callFunction("operator.mul", {a, a}));
        Model& model = c.give(c.module("lin", {b}));
        const SupportTable table =
            supportTableFromYaml("torch.ops.aten.add:\noperator.mul:\ntorch.nn.*:", "t");
        QVERIFY(table.refusals(model, model.root()).empty());
        QVERIFY(supportTable("quantizable")->refusals(model, model.root()).size() ==
                1); // the operator of aten
        QVERIFY(supportTable("onednn")->refusals(model, model.root()).empty());
    }
};

FX_TEST(TestSplit)
} // namespace fx::split_test
#include "tst_split.moc"
