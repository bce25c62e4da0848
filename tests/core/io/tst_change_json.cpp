// SPDX-License-Identifier: GPL-3.0-or-later
// A replica that is told of each edit by the codec stays equal to the original: ids, texts, users' order, the
// names to come. And nothing that it is told is believed.
#include "core/base/error.h"
#include "core/codegen/python_code.h"
#include "core/io/change_json.h"
#include "core/module/lint.h"
#include "tests/support/model_state.h"
#include "tests/support/oracle.h"
#include "tests/support/random_edits.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

#include <functional>
#include <random>

namespace fx::change_json_test {

namespace {

std::vector<TensorSlot> tensorsOf(const Model& model) {
    std::vector<TensorSlot> out;
    for (size_t i = 0; i < model.tensorCount(); ++i)
        out.push_back(model.tensor(TensorId{static_cast<int32_t>(i)}));
    return out;
}

Model replicaOf(const Model& model) {
    const JsonDocument json = JsonDocument::ofCbor(cborBytes(snapshotJson(model)), "snapshot");
    return modelFromSnapshot(json, json.root(), tensorsOf(model));
}

/// What the other side makes of it.
ModelUpdate sent(const ModelUpdate& update) {
    const JsonDocument json = JsonDocument::ofCbor(cborBytes(updateJson(update)), "update");
    return updateFromJson(json, json.root(), update.tensors);
}

/// Everything that a model is, later names and ids too.
std::string wholeState(const Model& model) {
    std::string faults;
    model.forEachModule(model.root(), [&](ModuleId id, const std::string&) {
        if (!model.module(id).graph)
            return;
        faults += PythonCode(model, id).text();
        for (const LintFault& fault : lint(model, id))
            faults += fault.message + '\n';
    });
    return jsonText(snapshotJson(model), 1) + faults;
}

NodeCreated created(NodeId node) {
    NodeCreated step;
    step.node = node;
    step.grant.name.push_back('y');
    step.opcode = Opcode::Output;
    return step;
}

Model richModel() {
    SmallModel small;
    return std::move(small.model);
}

} // namespace

class TestChangeJson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void replicaFollows_data() { addOracleRows(); }
    void replicaFollows() {
        QFETCH(QString, name);
        Model model = openOracle(name.toStdString()).model;
        for (unsigned seed = 0; seed < 2; ++seed)
            followAlong(model, seed * 1000 + static_cast<unsigned>(qHash(name, 7)), 8);
    }

    void replicaFollowsLongHistories() {
        for (unsigned seed = 0; seed < 60; ++seed) {
            Model model = richModel();
            followAlong(model, seed, 40);
        }
    }

    /// A name that a replica gives is the name that the original gives.
    void replicaTellsBack() {
        Model model = richModel();
        RandomEdits random(model, 5);
        for (int i = 0; i < 20; ++i)
            random.wideEdit();
        Model replica = replicaOf(model);
        const ModelExtent known(model);
        Edit edit(replica);
        const NodeId first = edit.callFunction("torch.add", {edit.graph().first()});
        edit.replaceAllUsesWith(edit.graph().first(), first);
        follow(model, sent(updateOf(replica, edit.finish(), false, known)));
        FX_SAME(textDifference(wholeState(model), wholeState(replica)));
    }

    void refusesWhatDoesNotFit_data() {
        QTest::addColumn<QString>("fault");
        for (const char* fault : {"node", "hole", "twice", "name", "argument", "read", "circle", "itself",
                                  "entry", "place", "graph", "module"})
            QTest::newRow(fault) << fault;
    }
    void refusesWhatDoesNotFit() {
        QFETCH(QString, fault);
        SmallModel small;
        Model& model = small.model;
        const std::string before = wholeState(model);
        const ModelExtent known(model);
        const NodeId missing{99};
        ModelUpdate update;
        // A sound change first, so that there is something to take back.
        const auto add = [&](auto step) {
            update.changes.emplace_back(Change{model.root(), std::move(step)});
        };
        const auto graphStep = [&](auto step) { add(GraphChange(std::move(step))); };
        graphStep(CalleeChanged{
            small.relu, {Opcode::CallFunction, "torch.relu"}, {Opcode::CallFunction, "torch.neg"}});
        update.modules.emplace_back().type = "Fresh";
        if (fault == "node")
            graphStep(NodeMoved{missing, {}, {}});
        if (fault == "hole")
            graphStep(created(NodeId{2'000'000'000}));
        if (fault == "twice")
            graphStep(created(small.relu));
        if (fault == "name")
            graphStep(NodeRenamed{small.relu, "relu", "add", NameGrant{"add", 0, 0}});
        if (fault == "argument")
            graphStep(ArgumentsChanged{small.output,
                                       {{small.add}, {}, model.graph().node(small.output).inputs},
                                       {{ListValue{{missing}}}, {}, {}}});
        if (fault == "read")
            graphStep(ArgumentsChanged{small.output,
                                       {{small.add}, {}, model.graph().node(small.output).inputs},
                                       {{small.x}, {}, {{small.x, 0}}}});
        if (fault == "circle")
            add(ModuleChange(ChildChanged{1, std::nullopt, NamedModule{"me", model.root()}}));
        if (fault == "itself")
            graphStep(NodeMoved{small.relu, small.add, small.relu});
        if (fault == "entry")
            add(ModuleChange(
                TensorChanged{7, std::nullopt, NamedTensor{"t", TensorId(), TensorRole::Buffer}}));
        if (fault == "place")
            graphStep(NodeErased{small.x, small.w, {{}, {}, {}}});
        if (fault == "graph")
            update.changes.emplace_back(
                Change{ModuleId{static_cast<int32_t>(known.modules)}, GraphChange(SignatureChanged{})});
        if (fault == "module")
            update.changes.emplace_back(Change{ModuleId{77}, ModuleChange(TrainingChanged{false, true})});
        QVERIFY_THROWS_EXCEPTION(Error, follow(model, sent(update)));
        FX_SAME(textDifference(wholeState(model), before));
    }

    void survivesDamage();
    void boundsNesting() {
        for (const std::string& bracket :
             {std::string("\x81"), std::string("\x9f"), std::string("\xa1\x60")}) {
            std::string deep;
            for (int i = 0; i < 200'000; ++i)
                deep += bracket;
            QVERIFY_THROWS_EXCEPTION(Error, JsonDocument::ofCbor(deep, "deep"));
        }
        // Wide is not deep.
        Json wide = Json::array();
        for (int i = 0; i < 10'000; ++i)
            wide.push_back(Json::array({i, "text", {{"key", nullptr}}}));
        QCOMPARE(JsonDocument::ofCbor(cborBytes(wide), "wide", 4).root(), wide);
    }

private:
    static void followAlong(Model& model, unsigned seed, int edits) {
        RandomEdits random(model, seed);
        for (int i = 0; i < 3; ++i) // so that there are holes at the start, too
            random.wideEdit();
        random.failedEdit();
        Model replica = replicaOf(model);
        FX_SAME(textDifference(wholeState(replica), wholeState(model)));
        ModelExtent known(model);
        std::vector<Changes> history; // done are the first `done`
        size_t done = 0;
        for (int i = 0; i < edits; ++i) {
            if (random.below(4) == 0)
                random.failedEdit();
            const size_t what = random.below(5);
            bool isBackwards = false;
            size_t step = done;
            if (what == 0 && done > 0) {
                step = --done;
                isBackwards = true;
                undo(model, history[step]);
            } else if (what == 1 && done < history.size()) {
                ++done;
                redo(model, history[step]);
            } else {
                history.resize(done);
                history.push_back(random.wideEdit());
                ++done;
            }
            follow(replica, sent(updateOf(model, history[step], isBackwards, known)));
            known = ModelExtent(model);
            FX_SAME(textDifference(modelState(replica), modelState(model)));
        }
        while (done > 0) {
            undo(model, history[--done]);
            follow(replica, sent(updateOf(model, history[done], true, known)));
        }
        for (const Changes& changes : history) {
            redo(model, changes);
            follow(replica, sent(updateOf(model, changes, false, known)));
        }
        // The replica may lack the ids that a failed edit has used up last, and has had no failed readers.
        FX_SAME(textDifference(modelState(replica), modelState(model)));
    }
};

namespace {

void collect(Json& value, std::vector<Json*>& places) {
    places.push_back(&value);
    if (value.is_array() || value.is_object())
        for (Json& item : value)
            collect(item, places);
}

/// One value of it becomes another's copy, an odd one, or is left out.
Json damaged(Json value, std::mt19937& random) {
    std::vector<Json*> places;
    collect(value, places);
    Json* place = places[random() % places.size()];
    const Json odd[] = {Json(),         -1,   0,  1, 7, int64_t(1) << 62, "x", "", Json::array(),
                        Json::object(), true, 0.5};
    switch (random() % 4) {
    case 0: {
        const Json other = *places[random() % places.size()];
        *place = other;
        break;
    }
    case 1:
        if (place->is_array() && !place->empty()) {
            place->erase(random() % place->size());
            break;
        }
        [[fallthrough]];
    case 2:
        if (place->is_number_integer()) {
            *place = place->get<int64_t>() + static_cast<int64_t>(random() % 5) - 2;
            break;
        }
        [[fallthrough]];
    default:
        *place = odd[random() % std::size(odd)];
    }
    return value;
}

} // namespace

void TestChangeJson::survivesDamage() {
    std::mt19937 random(11);
    int taken = 0, refused = 0;
    for (int round = 0; round < 2000; ++round) {
        Model model = richModel();
        RandomEdits edits(model, static_cast<unsigned>(round));
        for (int i = 0; i < 3; ++i)
            edits.wideEdit();
        const ModelExtent known(model);
        Model replica = replicaOf(model);
        const std::string start = modelState(replica);
        const ModelUpdate update = updateOf(model, edits.wideEdit(), false, known);
        const bool isSnapshot = round % 2;
        const JsonDocument json = JsonDocument::ofCbor(
            cborBytes(damaged(isSnapshot ? snapshotJson(model) : updateJson(update), random)), "damaged");
        try {
            if (isSnapshot) {
                replica = modelFromSnapshot(json, json.root(), tensorsOf(model));
                RandomEdits(replica, 3).wideEdit();
                wholeState(replica);
            } else {
                const ModelUpdate strange = updateFromJson(json, json.root(), update.tensors);
                follow(replica, strange);
                wholeState(replica);
                undo(replica, strange.changes);
                redo(replica, strange.changes);
                RandomEdits(replica, 3).wideEdit();
                wholeState(replica);
            }
            ++taken;
        } catch (const Error&) {
            ++refused;
            if (!isSnapshot)
                FX_SAME(textDifference(modelState(replica), start));
        }
    }
    QVERIFY(taken > 100);
    QVERIFY(refused > 500);
}

FX_TEST(TestChangeJson)
} // namespace fx::change_json_test
#include "tst_change_json.moc"
