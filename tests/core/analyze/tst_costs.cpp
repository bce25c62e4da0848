// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes, memory and predictions of small graphs, by hand. FLOPs and memory of models are held against PyTorch
// in tests/oracle/check_costs.py.
#include "core/analyze/cost_table.h"
#include "core/analyze/measure.h"
#include "core/analyze/what_if.h"
#include "core/base/error.h"
#include "core/passes/costs/cost_pass.h"
#include "core/passes/pass_options.h"
#include "core/passes/pass_runner.h"
#include "core/passes/registry.h"
#include "core/trace/proxy.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

namespace fx::costs_test {

namespace {

Value onMeta(at::IntArrayRef sizes, c10::ScalarType dtype = c10::ScalarType::Float) {
    return {c10::IValue(at::empty(sizes, at::device(c10::kMeta).dtype(dtype)))};
}

GraphCosts costsOf(const Model& model, std::vector<Value> inputs) {
    Progress progress;
    return analyzeCosts(model, GraphInputs(std::move(inputs)), progress);
}

/// "name flops read written live", a line for each node.
std::string lines(const Model& model, const GraphCosts& costs) {
    std::string out;
    for (const NodeCost& cost : costs.nodes)
        out += model.graph().node(cost.node).name + ' ' + std::to_string(cost.flops) + ' ' +
               std::to_string(cost.traffic.read) + ' ' + std::to_string(cost.traffic.written) + ' ' +
               std::to_string(cost.liveBytes) + '\n';
    return out;
}

const Device kDevice{"test", "test", {{c10::ScalarType::Float, 1e9}, {c10::ScalarType::BFloat16, 4e9}},
                     1e6,    1e-3,   1000};

Model chain() {
    return traceCallable({"x"},
                         [](const std::vector<Proxy>& in) -> ProxyArgument {
                             return callFunction("torch.relu", {callFunction("torch.tanh", {in[0] + 1})});
                         })
        .model;
}

std::string faultOf(const std::string& json) {
    try {
        readDevice(json, "mine.json");
    } catch (const Error& error) {
        return error.place() + ": " + error.message();
    }
    return "none";
}

} // namespace

class CostsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsWhatIsReadAndWritten() {
        const Model model = traceCallable({"x", "y"}, [](const std::vector<Proxy>& in) -> ProxyArgument {
                                const Proxy product = matmul(in[0], in[1]);
                                const Proxy turned = product.method("t");
                                return turned.method("add_", {1}).method("sum");
                            }).model;
        const GraphCosts costs = costsOf(model, {onMeta({2, 3}), onMeta({3, 4})});
        QCOMPARE(lines(model, costs), std::string("x 0 0 0 0\n"
                                                  "y 0 0 0 0\n"
                                                  "matmul 48 72 32 32\n"
                                                  "t 0 0 0 32\n"
                                                  "add_ 0 32 32 32\n"
                                                  "sum_1 0 32 4 36\n"
                                                  "output 0 0 0 4\n"));
        QCOMPARE(costs.inputBytes, uint64_t(72));
        QCOMPARE(costs.peakBytes, uint64_t(36));
    }

    /// Their data counts no more than that of other inputs.
    void passTakesListsOfTensors() {
        Model model;
        Edit edit(model);
        edit.setTensor("w", edit.createTensor(TensorSlot(at::ones({3, 4}))), TensorRole::Parameter);
        const NodeId first = edit.callFunction("operator.getitem", {edit.placeholder("pair"), 0});
        const NodeId product = edit.callFunction("torch.matmul", {first, edit.getAttr("w")});
        edit.output(TupleValue{{product, edit.callFunction("torch.nonzero", {first})}});
        edit.finish();
        Progress progress;
        PassContext context{progress};
        context.inputs = [](const Model&) {
            return GraphInputs{makeList({Value(c10::IValue(at::ones({2, 3}))), Value()})};
        };
        const Pass& pass = findPass("costs");
        const PassReport report = runPass(model, model.root(), pass, PassOptions(pass, {}), context);
        QCOMPARE(report.warnings, std::vector<std::string>{
                                      "sizes or branches depend on data: these are the costs of one case"});
        QCOMPARE(recordedCost(model.graph().node(product), "flops"), std::optional<int64_t>(48));
    }

    void countsWhatIsExpandedOnce() {
        const Model model = traceCallable({"x", "i"}, [](const std::vector<Proxy>& in) -> ProxyArgument {
                                const Proxy wide = in[0].method("expand", {100, 8});
                                return callFunction("torch.embedding", {in[0], in[1]}) + wide[0];
                            }).model;
        const GraphCosts costs = costsOf(model, {onMeta({1, 8}), onMeta({2}, c10::ScalarType::Long)});
        QCOMPARE(costs.total().traffic, (Traffic{16 + 32 + 64 + 32, 64 + 64}));
    }

    void hasNoCostsWithoutCalls() {
        Model model;
        const GraphCosts costs = costsOf(model, {});
        QCOMPARE(costs.nodes.size(), size_t(0));
        QCOMPARE(costs.total().flops, uint64_t(0));
        QVERIFY(!costs.peakNode);
        const Model identity =
            traceCallable({"x"}, [](const std::vector<Proxy>& in) -> ProxyArgument { return in[0]; }).model;
        QCOMPARE(costsOf(identity, {onMeta({3})}).peakBytes, uint64_t(0));
    }

    void predictsByTheSlowerOfBytesAndArithmetic() {
        const OperatorCost memory{"", 1000, {600, 400}, {}, c10::ScalarType::Float};
        QCOMPARE(predict(kDevice, memory).seconds, 1e-3 + 1e-3);
        const OperatorCost compute{"", 10000000, {600, 400}, {}, c10::ScalarType::Float};
        QCOMPARE(predict(kDevice, compute).seconds, 1e-3 + 1e-2);
        QCOMPARE(predict(kDevice, compute).bound(), Bound::Compute);
        QCOMPARE(predict(kDevice, compute, c10::ScalarType::BFloat16).seconds, 1e-3 + 2.5e-3);
        const OperatorCost whole{"", 0, {}, {8000, 0}, c10::ScalarType::Long};
        QCOMPARE(predict(kDevice, whole, c10::ScalarType::BFloat16).seconds, 1e-3 + 8e-3);
        QCOMPARE(predict(kDevice, whole).bound(), Bound::Memory);
        const OperatorCost small{"", 1, {4, 4}, {}, c10::ScalarType::Float};
        QCOMPARE(predict(kDevice, small).bound(), Bound::Overhead);
    }

    void fusedNodesMoveOnlyWhatEntersAndLeaves() {
        const Model model = chain();
        const GraphCosts costs = costsOf(model, {onMeta({1000})});
        const WhatIfResult all = askWhatIf(model.graph(), costs, kDevice, {.areFused = true});
        QCOMPARE(all.bytes, 24000.0);
        QCOMPARE(all.bytesAfter, 8000.0);
        QCOMPARE(all.after.overhead, 1e-3);
        QCOMPARE(all.totalAfter, 1e-3 + 8e-3);
        const std::set<NodeId> two = namedNodes(model.graph(), costs, {"add", "tanh"});
        const WhatIfResult some = askWhatIf(model.graph(), costs, kDevice, {.nodes = two, .areFused = true});
        QCOMPARE(some.bytesAfter, 8000.0);
        QCOMPARE(some.totalAfter, 2 * (1e-3 + 8e-3));
        QVERIFY_THROWS_EXCEPTION(Error, namedNodes(model.graph(), costs, {"nothing"}));
    }

    void asksForAnotherDtypeAndDevice() {
        const Model model = chain();
        const GraphCosts costs = costsOf(model, {onMeta({1000})});
        Device fast = kDevice;
        fast.bandwidth *= 2;
        QCOMPARE(askWhatIf(model.graph(), costs, kDevice, {.dtype = c10::ScalarType::BFloat16}).bytesAfter,
                 12000.0);
        QCOMPARE(askWhatIf(model.graph(), costs, kDevice, {.device = fast}).totalAfter, 3 * (1e-3 + 4e-3));
    }

    void figuresOfNodesAndModules() {
        const Model model = chain();
        const GraphCosts costs = costsOf(model, {onMeta({1000})});
        const NodeId add = model.graph().find("add");
        const NodeFigures plain = nodeFigures(costs, nullptr);
        QVERIFY(!plain.at(add).prediction && !plain.at(add).predictionError());
        const NodeFigures figures = nodeFigures(costs, &kDevice, {{add, 4.5e-3}});
        QCOMPARE(figures.at(add).prediction->seconds, 1e-3 + 8e-3);
        QCOMPARE(*figures.at(add).predictionError(), 1.0);
        const CostFigures all = scopeFigures(costs.total(), figures, &kDevice);
        QCOMPARE(all.prediction->seconds, 3 * (1e-3 + 8e-3));
        QCOMPARE(all.prediction->bound(), Bound::Memory);
        QCOMPARE(all.traffic, costs.total().traffic);
        QCOMPARE(*all.measured, 4.5e-3);
        QCOMPARE(secondsText(all.prediction->seconds), std::string("27 ms"));
        QCOMPARE(whatIfText(askWhatIf(model.graph(), costs, kDevice, {.dtype = c10::ScalarType::BFloat16})),
                 std::string("27 ms become 15 ms, 24.0 KB become 12.0 KB; the whole 27 ms becomes 15 ms"));
    }

    void readsWhatItWrites() {
        for (const std::string& name : deviceNames()) {
            const Device device = findDevice(name);
            QCOMPARE(readDevice(deviceJson(device), name).flops, device.flops);
            QCOMPARE(deviceJson(readDevice(deviceJson(device), name)), deviceJson(device));
        }
    }

    void refusesWhatIsNoDevice() {
        QVERIFY(faultOf("[]").starts_with("mine.json"));
        const std::string rest = R"(, "bandwidth": 1, "launch": 0, "memory": 1, "title": ""})";
        QVERIFY(faultOf(R"({"flops": {"float16": 1})" + rest).find("float32") != std::string::npos);
        QVERIFY(faultOf(R"({"flops": {"float32": 1, "float99": 1})" + rest).find("float99") !=
                std::string::npos);
        QVERIFY(faultOf(R"({"flops": {"float32": 0})" + rest).find("above zero") != std::string::npos);
        QCOMPARE(faultOf(R"({"flops": {"float32": 1})" + rest), std::string("none"));
        QVERIFY_THROWS_EXCEPTION(Error, findDevice("abacus"));
    }

    void memoryIsWhatARunAllocates() {
        const Model model = traceCallable({"x"}, [](const std::vector<Proxy>& in) -> ProxyArgument {
                                const Proxy a = callFunction("torch.tanh", {in[0]});
                                const Proxy b = a + a;
                                return b.method("t").method("view", {-1}) + b.method("sum");
                            }).model;
        const GraphCosts costs = costsOf(model, {onMeta({1, 256})});
        RunSettings settings;
        const auto inputs = [] { return GraphInputs{Value(c10::IValue(at::ones({1, 256})))}; };
        QCOMPARE(measureRun(model, inputs, settings, 0).peakBytes, costs.peakBytes);
    }
};

FX_TEST(CostsTest)
} // namespace fx::costs_test

#include "tst_costs.moc"
