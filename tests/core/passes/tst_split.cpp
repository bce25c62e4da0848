// SPDX-License-Identifier: GPL-3.0-or-later
// The passes of core/passes/split on small graphs, and what they refuse. What torch.fx makes of whole models
// is compared by tests/oracle/check_split_passes.py.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/codegen/python_code.h"
#include "core/open/support_file.h"
#include "core/passes/costs/cost_pass.h"
#include "core/passes/pass_runner.h"
#include "core/passes/registry.h"
#include "core/passes/split/capability_parts.h"
#include "tests/support/model_state.h"

#include <ATen/ATen.h>
#include <QtTest>

#include <random>

using namespace fx;

namespace {

/// A graph of calls on values that are recorded as matrices.
class Calls {
public:
    Calls() : edit(model) {}

    NodeId input(const char* name) { return recorded(edit.placeholder(name)); }
    NodeId call(const char* name, Arguments args) {
        return recorded(edit.callFunction("torch." + std::string(name), std::move(args)));
    }
    NodeId module(const char* path, Arguments args) {
        if (!model.resolve(model.root(), path).module) {
            Module contents;
            contents.type = "torch.nn.modules.linear.Linear";
            contents.tensors.push_back(
                {"weight", edit.createTensor(TensorSlot(at::ones({2, 2}))), TensorRole::Parameter});
            const ModuleId made = edit.createModule({});
            edit.fillModule(made, std::move(contents));
            edit.addSubmodule(path, made);
        }
        return recorded(edit.callModule(path, std::move(args)));
    }
    NodeId weight(const char* path) {
        edit.setTensor(path, edit.createTensor(TensorSlot(at::ones({2, 2}))), TensorRole::Parameter);
        return recorded(edit.getAttr(path));
    }
    NodeId recorded(NodeId node, c10::Device device = c10::kCPU) {
        TensorMeta meta = describe(at::ones({2, 2}));
        meta.device = device;
        edit.setMeta(node, meta::kValue, ValueMeta{meta});
        return node;
    }
    NodeId plain(NodeId node) { // no tensor
        edit.setMeta(node, meta::kValue, ValueMeta{Argument(2)});
        return node;
    }
    Model& give(Argument result) {
        edit.output(std::move(result));
        edit.finish();
        return model;
    }

    Model model;
    Edit edit;
};

QString bodyOf(const Model& model, const char* path = "") {
    std::vector<std::string> lines;
    const std::string text = PythonCode(model, model.resolve(model.root(), path).module).text();
    for (const std::string_view line : split(text, '\n'))
        if (const std::string_view statement = trim(line.substr(0, line.find(";  ")));
            !statement.empty() && !statement.starts_with("import") && !statement.starts_with("from"))
            lines.emplace_back(statement);
    return QString::fromStdString(join(lines, " ; "));
}

using Texts = std::map<std::string, std::string>;

PassReport applied(Model& model, const char* name, const Texts& texts, const std::string& table = {}) {
    Progress progress;
    PassContext context{progress};
    context.refusals = [&](const std::string&, const Model& of, ModuleId module) {
        return supportTableFrom(table, "table").refusals(of, module);
    };
    const Pass& pass = findPass(name);
    return runPass(model, model.root(), pass, PassOptions(pass, texts), context);
}

std::string faultOf(Model& model, const char* name, const Texts& texts, const std::string& table = {}) {
    const std::string before = modelState(model);
    try {
        applied(model, name, texts, table);
    } catch (const Error& error) {
        return modelState(model) == before ? error.what() : "was not taken back";
    }
    return "none";
}

/// x -> a.one -> relu -> a.two -> b, with a weight between.
Model& blocks(Calls& c) {
    const NodeId x = c.input("x"), w = c.weight("a.w");
    const NodeId one = c.module("a.one", {x}), relu = c.call("relu", {one}), mul = c.call("mul", {relu, w});
    return c.give(c.module("b", {c.module("a.two", {mul})}));
}

} // namespace

class TestSplit : public QObject {
    Q_OBJECT

private Q_SLOTS:
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
        QCOMPARE(sizes, (std::vector<std::string>{"submod_0: 3 nodes", "submod_1: 2 nodes",
                                                  "submod_2: 3 nodes", "submod_3: 3 nodes", "4 parts"}));
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
            applied(model, "tag", {{"tags", "a.*=front, b=back, mul=back, a.two = back"}});
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
        applied(model, "tag", {{"tags", "*=p"}});
        applied(model, "tag", {{"tags", "relu="}});
        QVERIFY(faultOf(model, "split", {{"by", "tag"}}).find("no tag: relu") != std::string::npos);
        QVERIFY(faultOf(model, "tag", {{"tags", "relu"}}).find("'relu' is no rule") != std::string::npos);
        applied(model, "tag", {{"tags", "*=a b"}});
        QVERIFY(faultOf(model, "split", {{"by", "tag"}}).find("'a b' is no name for a module") !=
                std::string::npos);
    }

    void circlesAreNamed() {
        Calls c;
        Model& model = blocks(c);
        applied(model, "tag", {{"tags", "*=p, relu=q"}});
        QVERIFY2(
            faultOf(model, "split", {{"by", "tag"}})
                    .find("cycle exists between partitions! p reads 'relu' of q, which reads 'a_one' of p") !=
                std::string::npos,
            faultOf(model, "split", {{"by", "tag"}}).c_str());
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
        QVERIFY(supportTable("quantizable").refusals(model, model.root()).size() ==
                1); // the operator of aten
        QVERIFY(supportTable("onednn").refusals(model, model.root()).empty());
    }

    void partsMergeBack() {
        Calls c;
        Model& model = blocks(c);
        // A weight comes where it is read.
        const auto calls = [&] { return bodyOf(model).remove("a_w = self.a.w ; "); };
        const QString before = calls();
        for (const Texts& how :
             std::vector<Texts>{{}, {{"by", "size"}, {"parts", "3"}}, {{"by", "tag"}, {"untagged", "all"}}}) {
            applied(model, "split", how);
            QVERIFY(calls() != before);
            applied(model, "merge-parts", {});
            QCOMPARE(calls(), before);
            QVERIFY(!model.resolve(model.root(), "submod_0") && !model.resolve(model.root(), "all"));
        }
    }

    void defaultsAndKeywordsAreGiven() {
        Calls c;
        const NodeId x = c.input("x");
        const ModuleId part = c.edit.createModule("GraphModule", true);
        c.edit.enter(part);
        const NodeId a = c.edit.placeholder("a"), b = c.edit.placeholder("b", Argument(3)),
                     k = c.edit.placeholder("k");
        const NodeId sum = c.edit.callFunction("torch.add", {a, b}),
                     other = c.edit.callFunction("torch.add", {sum, k});
        c.edit.output(TupleValue{{other, Argument(7), a}});
        c.edit.enter(c.model.root());
        c.edit.addSubmodule("part", part);
        const NodeId call = c.edit.createNode(Opcode::CallModule, "part", {x}, {{"k", Argument(1.5)}});
        const NodeId second = c.edit.callFunction("operator.getitem", {call, 1}),
                     whole = c.call("stack", {call});
        Model& model = c.give(TupleValue{{second, whole}});
        QVERIFY(
            faultOf(model, "merge-parts", {{"parts", "other"}}).find("no call of a graph is named 'other'") !=
            std::string::npos);
        applied(model, "merge-parts", {{"parts", "part"}});
        QCOMPARE(bodyOf(model),
                 "def forward(self, x): ; add = torch.add(x, 3) ; add_1 = torch.add(add, 1.5) ; "
                 "stack = torch.stack((add_1, 7, x)) ; return (7, stack)");
    }

    void graphsThatTakeMoreAreLeft() {
        Calls c;
        const NodeId x = c.input("x");
        const ModuleId part = c.edit.createModule("GraphModule", true);
        c.edit.enter(part);
        c.edit.output(c.edit.placeholder("*args"));
        c.edit.enter(c.model.root());
        c.edit.addSubmodule("part", part);
        Model& model = c.give(c.edit.callModule("part", {x}));
        const PassReport report = applied(model, "merge-parts", {});
        QVERIFY(!report.hasChanged());
        QCOMPARE(report.results.back(), std::string("1 left alone, as they take any number of values: part"));
    }

    void sharedWeightsStayShared() {
        Calls c;
        const NodeId x = c.input("x"), a = c.module("lin", {x}), w = c.edit.getAttr("lin.weight");
        Model& model = c.give(c.module("lin", {c.call("matmul", {a, c.recorded(w)})}));
        applied(model, "split", {{"by", "size"}, {"parts", "3"}});
        const auto tensorAt = [&](const char* path) { return model.resolve(model.root(), path).tensor; };
        QVERIFY(tensorAt("lin.weight") == tensorAt("submod_0.lin.weight") &&
                tensorAt("lin.weight") == tensorAt("submod_2.lin.weight"));
        applied(model, "merge-parts", {});
        QVERIFY(bodyOf(model).contains("lin = self.lin(x)"));
        std::set<TensorId> weights;
        model.forEachModule(model.root(), [&](ModuleId id, const std::string&) {
            for (const NamedTensor& tensor : model.module(id).tensors)
                weights.insert(tensor.tensor);
        });
        QCOMPARE(weights.size(), size_t(1));
    }

    /// The parts of the quick way are those of trying each pair of parts, with a search for a way around.
    void partsGrowAsByTrying() {
        for (unsigned seed = 0; seed < 400; ++seed) {
            std::mt19937 random(seed);
            Calls c;
            std::vector<NodeId> values = {c.input("x"), c.input("y")};
            Refusals refusals;
            const size_t count = 3 + random() % 30, near = 1 + random() % 12;
            for (size_t i = 0; i < count; ++i) {
                const auto any = [&] {
                    return values[values.size() - 1 - random() % std::min(values.size(), near)];
                };
                values.push_back(random() % 2 ? c.call("add", {any(), any()}) : c.call("relu", {any()}));
                if (random() % 3 == 0)
                    refusals.emplace(values.back(), "no");
            }
            const Graph& graph = c.give(values.back()).graph();
            const std::vector<Part> parts = capabilityParts(graph, refusals, {.allowsSingleNode = true});
            std::vector<std::set<NodeId>> found;
            for (const Part& part : parts)
                found.emplace_back(part.nodes.begin(), part.nodes.end());
            const std::vector<std::set<NodeId>> tried = partsByTrying(graph, refusals);
            QVERIFY2(found == tried, ("seed " + std::to_string(seed)).c_str());
        }
    }

private:
    /// torch.fx's way, with the graph searched anew for each pair.
    static std::vector<std::set<NodeId>> partsByTrying(const Graph& graph, const Refusals& refusals) {
        std::vector<NodeId> nodes;
        for (const Node& node : graph)
            nodes.push_back(node.id);
        struct Grown {
            size_t id;
            std::set<NodeId> nodes;
        };
        std::map<size_t, Grown> parts; // by the number of the oldest
        const auto partOf = [&](NodeId node) -> const std::set<NodeId>* {
            for (const auto& [number, part] : parts)
                if (part.nodes.contains(node))
                    return &part.nodes;
            return nullptr;
        };
        const auto wouldWait = [&](const std::set<NodeId>& one, const std::set<NodeId>& other) {
            std::vector<NodeId> waiting;
            std::set<NodeId> seen;
            const auto leave = [&](NodeId node) {
                for (const NodeId user : graph.node(node).users)
                    if (!one.contains(user) && !other.contains(user))
                        waiting.push_back(user);
            };
            for (const auto* part : {&one, &other})
                for (const NodeId node : *part)
                    leave(node);
            while (!waiting.empty()) {
                const NodeId node = waiting.back();
                waiting.pop_back();
                if (!seen.insert(node).second)
                    continue;
                const std::set<NodeId>* part = partOf(node);
                for (const NodeId member : part ? *part : std::set<NodeId>{node})
                    for (const NodeId user : graph.node(member).users) {
                        if (one.contains(user) || other.contains(user))
                            return true;
                        waiting.push_back(user);
                    }
            }
            return false;
        };
        size_t count = 0;
        for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
            std::vector<size_t> order;
            const bool isSupported =
                graph.node(*node).opcode == Opcode::CallFunction && !refusals.contains(*node);
            if (isSupported) {
                parts[count] = {count, {*node}};
                order.push_back(count++);
            }
            for (const auto& [number, part] : parts)
                if (order.empty() || number != order[0])
                    order.push_back(number);
            size_t number = order.empty() ? 0 : order[0];
            for (size_t i = 1; i < order.size(); ++i) {
                Grown &one = parts.at(number), &other = parts.at(order[i]);
                if (wouldWait(one.nodes, other.nodes))
                    continue;
                Grown both{one.nodes.size() < other.nodes.size() ? other.id : one.id, one.nodes};
                both.nodes.insert(other.nodes.begin(), other.nodes.end());
                const auto [kept, gone] = std::minmax(number, order[i]);
                const size_t least = kept, most = gone;
                parts.erase(most);
                parts[least] = std::move(both);
                number = least;
            }
        }
        std::map<size_t, std::set<NodeId>> byId;
        for (auto& [number, part] : parts)
            byId[part.id] = std::move(part.nodes);
        std::vector<std::set<NodeId>> out;
        for (auto& [id, part] : byId)
            out.push_back(std::move(part));
        return out;
    }
};

QTEST_GUILESS_MAIN(TestSplit)
#include "tst_split.moc"
