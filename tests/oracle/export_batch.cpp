// SPDX-License-Identifier: GPL-3.0-or-later
// Opens, exports, verifies and runs many models in one process: export_batch MANIFEST.json RESULTS.json
// A row says how to open a model (tests/support/opened_case.h), the `folder` to write, the `inputs` and the
// `seed` of a run. What became of it goes into RESULTS: `opened`, `exported`, `verified`, `outputs`, each the
// text of an error or of a result.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/export/verify_export.h"
#include "core/interpret/interpreter.h"
#include "core/interpret/operator_libraries.h"
#include "core/interpret/structure.h"
#include "core/io/mapped_file.h"
#include "core/io/output_file.h"
#include "core/io/torch/torch_archive.h"
#include "core/torch/bind/call.h"
#include "core/torch/values/value_text.h"
#include "tests/support/opened_case.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <iostream>

using namespace fx;

namespace {

/// The leaves as torch.load can read them; what is no tensor or number as text.
Values saveable(const Value& result) {
    Values out;
    for (const Value& leaf : flattened(result)) {
        const bool isPlain = leaf.isTensor() || leaf.isInt() || leaf.isBool() || leaf.isDouble() ||
                             leaf.isString() || leaf.isNone();
        out.push_back(isPlain ? leaf : makeText(valueText(leaf)));
    }
    return out;
}

Json work(const Json& row) {
    Json out = Json::object();
    const auto step = [&](const char* name, const std::function<void()>& work) {
        try {
            guarded(work);
            return true;
        } catch (const Error& error) {
            out[name] = std::string(error.what());
            return false;
        }
    };
    OpenedModel opened;
    if (!step("opened", [&] {
            opened = openCase(row);
            if (!opened.whyNoGraph.reason.empty())
                throw Error("", "no graph: " + opened.whyNoGraph.reason);
        }))
        return out;
    const std::string folder = row["folder"];
    if (!step("exported", [&] { exportFolder(opened.model, folder, "Net", opened.path); }))
        return out;
    if (!row.contains("inputs") || !row["inputs"].is_string())
        return out;
    RunSettings settings;
    settings.seed = row.value("seed", uint64_t(1));
    settings.gradMode = GradMode::NoGrad;
    step("verified", [&] {
        const ExportVerdict verdict =
            verifyExport(opened, folder, *itemsOf(readTorchFile(row["inputs"])), settings);
        // What cannot be traced is compared with Python's run of it alone.
        const bool isTraceable = !contains(verdict.text, "torch.fx cannot trace the written code");
        if (verdict.state != ExportState::Equal && isTraceable)
            throw Error("", verdict.text);
    });
    step("ran", [&] {
        const Values inputs = *itemsOf(readTorchFile(row["inputs"]));
        const Value result = Interpreter(opened.model, settings).run(inputs);
        writeTorchFile(folder + ".outputs.pt",
                       makeList(saveable(structured(opened.model.graph().signature(), result))));
        out["outputs"] = folder + ".outputs.pt";
    });
    return out;
}

} // namespace

int main(int count, char** arguments) {
    if (count < 3)
        return 2;
    at::set_num_threads(1);
    for (int i = 3; i < count; ++i)
        loadOperatorLibrary(arguments[i]);
    Json results = Json::object();
    for (const Json& row : Json::parse(readFile(arguments[1])))
        results[row["name"].get<std::string>()] = work(row);
    writeFile(arguments[2], results.dump(1));
    return 0;
}
