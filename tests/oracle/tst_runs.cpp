// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs of tests/oracle/runs, run with the settings of runs.json: the result, what the run made of its
// inputs and of the model's state, which tensors share memory, and which require grad must be as PyTorch has
// them. A debug session gives the same, run twice.
#include "core/base/error.h"
#include "core/interpret/interpreter.h"
#include "core/interpret/operator_libraries.h"
#include "core/interpret/structure.h"
#include "core/io/mapped_file.h"
#include "core/io/torch/torch_archive.h"
#include "core/module/edit.h"
#include "core/open/open.h"
#include "core/open/run_inputs.h"
#include "tests/support/json_model.h"
#include "tests/support/oracle.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>
#include <c10/core/InferenceMode.h>

#include <map>

namespace fx::runs_test {

namespace {

const Json& cases() {
    static const Json rows = Json::parse(readFile(FXSCOPE_ORACLE "/runs/runs.json"));
    return rows;
}

RunSettings settingsOf(const Json& row) {
    RunSettings out;
    if (!row["seed"].is_null())
        out.seed = row["seed"].get<uint64_t>();
    out.gradMode = parseGradMode(row["grad"]);
    return out;
}

Value readPart(const Json& row, const char* suffix) {
    return readTorchFile(row["stem"].get<std::string>() + suffix);
}

Value entry(const Value& dict, const std::string& name) {
    return *dict.as<DictObject>()->find(name);
}

/// For each tensor the first that has the same storage, by index.
std::vector<int> shared(const Values& values) {
    std::map<const void*, int> known;
    std::vector<int> out;
    for (const Value& value : values)
        out.push_back(value.isTensor()
                          ? known
                                .try_emplace(value.data().toTensor().storage().unsafeGetStorageImpl(),
                                             static_cast<int>(out.size()))
                                .first->second
                          : -1);
    return out;
}

OpenedModel openCase(const Json& row) {
    const std::string file = row["file"];
    if (!file.ends_with(".json")) {
        Progress progress;
        return openModel(file, {}, progress);
    }
    OpenedModel out;
    out.model = modelFromJson(Json::parse(readFile(file)));
    Edit edit(out.model);
    const Value before = readPart(row, ".before.pt");
    for (const auto& [key, value, hash] : before.as<DictObject>()->entries()) {
        TensorSlot slot(plainOf(value).data().toTensor().detach().requires_grad_());
        edit.setTensor(key.text(), edit.createTensor(slot), TensorRole::Parameter);
    }
    edit.finish();
    return out;
}

std::string difference(const Values& actual, const Values& expected, const std::string& what) {
    if (actual.size() != expected.size())
        return std::to_string(actual.size()) + " of " + std::to_string(expected.size()) + ' ' + what;
    for (size_t i = 0; i < actual.size(); ++i)
        if (const std::string found = valueDifference(actual[i], expected[i]); !found.empty())
            return what + ' ' + std::to_string(i) + ": " + found;
    return {};
}

} // namespace

class TestRuns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        at::set_num_threads(1);
        loadOperatorLibrary(FXSCOPE_TEST_OPERATORS);
    }

    void equalsPyTorch_data() {
        QTest::addColumn<int>("index");
        for (int i = 0; i < static_cast<int>(cases().size()); ++i)
            QTest::newRow(cases()[i]["name"].get<std::string>().c_str()) << i;
    }
    void equalsPyTorch() {
        QFETCH(int, index);
        const Json& row = cases()[index];
        const Value after = readPart(row, ".after.pt");
        std::string found;
        try {
            const OpenedModel opened = openCase(row);
            // Twice: the first run leaves nothing behind, neither in the model nor in the thread.
            for (int round = 0; round < 2 && found.empty(); ++round) {
                const Values inputs = *itemsOf(readPart(row, ".inputs.pt"));
                Interpreter interpreter(opened.model, settingsOf(row));
                const Values result =
                    flattened(structured(opened.model.graph().signature(), interpreter.run(inputs)));
                found = difference(result, *itemsOf(entry(after, "result")), "results");
                if (found.empty())
                    found = difference(inputs, *itemsOf(entry(after, "inputs")), "inputs");
                if (found.empty())
                    found = stateDifference(interpreter.context(), readPart(row, ".state.pt"));
                Values all = result;
                all.insert(all.end(), inputs.begin(), inputs.end());
                if (found.empty() && Json(shared(all)) != row["shared"])
                    found = "shares " + Json(shared(all)).dump() + ", not " + row["shared"].dump();
                std::vector<bool> wantsGrad;
                for (const Value& value : result)
                    wantsGrad.push_back(value.isTensor() && value.data().toTensor().requires_grad());
                if (found.empty() && Json(wantsGrad) != row["requires_grad"])
                    found =
                        "requires grad " + Json(wantsGrad).dump() + ", not " + row["requires_grad"].dump();
            }
        } catch (const Error& error) {
            found = error.what();
        }
        QVERIFY2(found.empty(), found.c_str());
        QVERIFY(c10::GradMode::is_enabled());
        QVERIFY(!c10::InferenceMode::is_enabled());
        QVERIFY(!at::autocast::is_autocast_enabled(at::kCPU));
    }

private:
    static std::string stateDifference(RunContext& context, const Value& expected) {
        const auto state = context.stateDict();
        const DictObject& entries = *expected.as<DictObject>();
        if (state.size() != entries.size())
            return "a state of " + std::to_string(state.size()) + " tensors, not " +
                   std::to_string(entries.size());
        for (const auto& [name, tensor] : state) {
            const Value* wanted = entries.find(name);
            if (!wanted)
                return "state: there is no " + name;
            if (const std::string found = valueDifference(c10::IValue(tensor), *wanted); !found.empty())
                return "state: " + name + ": " + found;
        }
        return {};
    }
};

FX_TEST(TestRuns)
} // namespace fx::runs_test
#include "tst_runs.moc"
