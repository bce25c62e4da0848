// SPDX-License-Identifier: GPL-3.0-or-later
// A run over time, from what it told: modules, memory with its peak and who was alive then; and the table of
// operators with its filter and its CSV.
#include "core/analyze/operator_table.h"
#include "core/analyze/timeline.h"
#include "core/base/error.h"
#include "core/module/edit.h"
#include "core/module/read_tensors.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

namespace fx::timeline_test {

namespace {

ValueMeta f32(std::vector<Dimension> shape) {
    TensorMeta meta;
    meta.dtype = c10::ScalarType::Float;
    meta.shape = std::move(shape);
    return {meta};
}

/// wide = relu(x) in block.a; view = wide.view() in block.a; sum = view + w in block.b; twice = sum + sum
struct Run {
    Model model{"GraphModule"};
    NodeId x, w, wide, view, sum, twice;
    std::vector<NodeRecord> records;

    Run() {
        Edit edit(model);
        edit.setTensor("w", edit.createTensor(TensorSlot(at::ones({3}))), TensorRole::Parameter);
        x = edit.placeholder("x");
        w = edit.getAttr("w");
        wide = edit.callFunction("torch.relu", {x});
        view = edit.callMethod("view", {wide, -1});
        sum = edit.callFunction("operator.add", {view, w});
        twice = edit.callFunction("operator.add", {sum, sum});
        edit.output(twice);
        const ModuleFrame block{"block", "block", "Block"};
        for (const auto& [node, path] : {std::pair(wide, "block.a"), {view, "block.a"}, {sum, "block.b"}})
            edit.setMeta(node, meta::kModuleStack, ModuleStack{block, {path, path, "Part"}});
        edit.finish();
        run(x, 0, 1, {{1, 10}});
        run(w, 1, 0, {{2, 5000}});
        run(wide, 2, 4, {{3, 100}});
        run(view, 6, 1, {{3, 100}}); // the same memory
        run(sum, 8, 3, {{4, 100}});
        run(twice, 12, 8, {{5, 40}});
    }
    void run(NodeId node, double at, double took, std::vector<StorageUse> storages) {
        NodeRecord record;
        record.node = {model.root(), node};
        record.value = f32({2, 3});
        record.startedAt = at;
        record.milliseconds = took;
        record.storages = std::move(storages);
        records.push_back(record);
    }
    Timeline timeline() const {
        std::vector<const NodeRecord*> all;
        for (const NodeRecord& record : records)
            all.push_back(&record);
        return timelineOf(model.graph(), model.root(), all);
    }
    std::vector<OperatorEntry> table(const NodeFigures& costs = {}) const {
        const auto recordOf = [this](NodeRef node) -> const NodeRecord* {
            for (const NodeRecord& record : records)
                if (record.node == node)
                    return &record;
            return nullptr;
        };
        return operatorTable(model, model.root(), recordOf, costs);
    }
    std::string name(NodeId node) const { return model.graph().node(node).name; }
};

std::string matching(const std::vector<OperatorEntry>& rows, std::string_view filter) {
    std::string out;
    for (const OperatorEntry& row : rows)
        if (OperatorFilter(filter).matches(row))
            out += row.name + ' ';
    return out;
}

} // namespace

class TestTimeline : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nodesAndTheirSumBesideTheWall() {
        const Timeline t = Run().timeline();
        QCOMPARE(t.spans.size(), size_t(6));
        QCOMPARE(t.nodeSum, 17.0);
        QCOMPARE(t.wall, 20.0);
    }

    void modulesLieInsideOneAnother() {
        std::string text;
        for (const TimelineScope& scope : Run().timeline().scopes)
            text += scope.path + ' ' + std::to_string(scope.depth) + ' ' + std::to_string(int(scope.start)) +
                    '-' + std::to_string(int(scope.end)) + ' ' + std::to_string(int(scope.milliseconds)) +
                    '\n';
        // What lies between nodes is left out.
        QCOMPARE(text, std::string("block 0 1-9 8\nblock.a 1 1-6 5\nblock.b 1 6-9 3\n"));
    }

    void memoryIsReleasedAfterItsLastReaderAndSharedOnce() {
        const Run run;
        const Timeline t = run.timeline();
        std::string text;
        for (const MemoryPoint& point : t.memory)
            text += run.name(point.node) + ' ' + std::to_string(point.bytes) + '\n';
        // The weight is no value of the run; view is over the memory of relu; add frees both.
        QCOMPARE(text, std::string("x 10\nw 10\nrelu 110\nview 100\nadd 200\nadd_1 140\n"));
        QCOMPARE(run.name(t.memory[t.peak].node), std::string("add"));
        std::string alive;
        for (const LiveValue& value : t.alive)
            alive += run.name(value.node) + ' ' + std::to_string(value.bytes) + '\n';
        QCOMPARE(alive, std::string("view 100\nadd 100\n"));
    }

    /// An allocator gives memory that was freed to somebody else.
    void anAddressThatIsUsedAgainIsOtherMemory() {
        Run run;
        run.records.back().storages = {{3, 40}};
        const Timeline t = run.timeline();
        QCOMPARE(t.memory.back().bytes, uint64_t(140));
    }

    void nothingRan() {
        const Run run;
        const Timeline t = timelineOf(run.model.graph(), run.model.root(), {});
        QVERIFY(t.spans.empty() && t.memory.empty() && t.scopes.empty() && t.alive.empty());
        QCOMPARE(t.wall, 0.0);
    }

    void nodesOfAnotherGraphAreLeftOut() {
        Run run;
        run.records[2].node.module = ModuleId{17};
        QCOMPARE(run.timeline().spans.size(), size_t(5));
    }

    void tensorsThatANodeReads() {
        const Run run;
        const std::vector<ReadTensor> read = tensorsReadBy(run.model, run.model.root(), run.sum);
        QCOMPARE(read.size(), size_t(1));
        QCOMPARE(read[0].path, std::string("w"));
        QVERIFY(tensorsReadBy(run.model, run.model.root(), run.wide).empty());
        QCOMPARE(tensorsReadBy(run.model, run.model.root(), run.w)[0].name, std::string("w"));
    }

    void tableAndFilter() {
        Run run;
        run.records[4].health.hasNan = true;
        const std::vector<OperatorEntry> rows = run.table();
        QCOMPARE(rows.size(), size_t(7));
        QCOMPARE(rows[4].parameters, uint64_t(3));
        QCOMPARE(*rows[4].bytes, uint64_t(24));
        QVERIFY(!rows[6].milliseconds);
        QCOMPARE(matching(rows, ""), std::string("x w relu view add add_1 output "));
        QCOMPARE(matching(rows, "ADD"), std::string("add add_1 "));
        QCOMPARE(matching(rows, "add scope:block"), std::string("add "));
        QCOMPARE(matching(rows, "time>3"), std::string("relu add_1 "));
        QCOMPARE(matching(rows, "time>=3 time<8"), std::string("relu add "));
        QCOMPARE(matching(rows, "parameters=3"), std::string("w add "));
        QCOMPARE(matching(rows, "error:nan"), std::string("add "));
        QCOMPARE(matching(rows, "target:view dtype:f32 shape:[2,"), std::string("view "));
        QCOMPARE(matching(rows, "bytes<1e3 name:x"), std::string("x "));
        QVERIFY_THROWS_EXCEPTION(Error, OperatorFilter("tine>3"));
        QVERIFY_THROWS_EXCEPTION(Error, OperatorFilter("time>fast"));
    }

    void csvQuotesWhatItMust() {
        OperatorEntry row;
        row.name = "=cmd()";
        row.target = "a \"b\", c";
        row.milliseconds = 0.1;
        row.bytes = 24;
        row.shapes = "[2, 3]";
        QCOMPARE(operatorCsv({row}),
                 std::string(
                     "node,target,scope,milliseconds,bytes,parameters,shapes,dtypes,error,flops,bytes_read,"
                     "bytes_written,live_bytes,predicted_seconds,bound,intensity,attainable_flops,"
                     "prediction_error\r\n"
                     "'=cmd(),\"a \"\"b\"\", c\",,0.1,24,0,\"[2, 3]\",,,,,,,,,,,\r\n"));
    }

    void costsStandBesideTheRun() {
        const Run run;
        CostFigures cost;
        cost.flops = 12;
        cost.traffic = {100, 20};
        cost.prediction = Prediction{.memory = 0.004, .seconds = 0.004};
        cost.roofline = {0.1, 1e6};
        const std::vector<OperatorEntry> rows = run.table({{run.sum, cost}});
        const auto found =
            std::ranges::find(rows, run.sum, [](const OperatorEntry& row) { return row.node.node; });
        const double took = *found->milliseconds;
        QCOMPARE(*operatorNumber(*found, "off"), 100 * (4 - took) / took);
        QCOMPARE(matching(rows, "flops>10 bound:mem"), std::string("add "));
        QCOMPARE(matching(rows, "predicted=4 intensity<1 read=100 written=20"), std::string("add "));
        QCOMPARE(matching(rows, "predicted>=0 name:relu"), std::string());
        const std::string json = operatorJson({*found});
        QVERIFY2(json.find("\"bound\": \"memory\"") != std::string::npos, json.c_str());
        QVERIFY2(json.find("\"bytes_read\": 100") != std::string::npos, json.c_str());
    }
};

FX_TEST(TestTimeline)
} // namespace fx::timeline_test
#include "tst_timeline.moc"
