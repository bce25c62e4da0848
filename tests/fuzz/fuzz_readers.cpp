// SPDX-License-Identifier: GPL-3.0-or-later
// Feeds damaged models to the readers for a while: a reader gives a model or throws fx::Error, and nothing
// else.
//   fuzz_readers pt2|fxg FOLDER [SECONDS [SEED]]
// FOLDER has the sound models (.pt2) to damage. What opens is printed, laid out in code, saved and, if it is
// small, run.
#include "core/base/error.h"
#include "core/codegen/python_code.h"
#include "core/io/fxg/fxg.h"
#include "core/ir/graph_text.h"
#include "core/module/lint.h"
#include "core/module/scopes.h"
#include "core/module/summary.h"
#include "core/open/formats.h"
#include "core/open/run_inputs.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/mutate.h"

#include <ATen/Parallel.h>

#include <filesystem>
#include <iostream>
#include <unistd.h>

using namespace fx;

namespace {

/// Does with a model what a user does first.
void use(const OpenedModel& opened) {
    opened.model.forEachModule(opened.model.root(), [&](ModuleId id, const std::string&) {
        for (const NamedTensor& entry : opened.model.module(id).tensors)
            if (entry.tensor)
                opened.model.tensor(entry.tensor).value();
        if (!opened.model.module(id).graph)
            return;
        graphText(opened.model.graph(id));
        tabularText(opened.model.graph(id));
        PythonCode(opened.model, id).text();
        lint(opened.model, id);
    });
    summarize(opened.model);
    ScopeTree(opened.model.graph());
    makeInputs(opened, {});
}

/// What can be opened is written, or refused by an Error, and nothing is left of it then. `callsNothing`: no
/// operator may be called for it, as LibTorch does not bear all arguments; shapes of an .fxg are worked out
/// so.
void writeAll(const OpenedModel& opened, bool callsNothing) {
    for (const Format& format : formats()) {
        if (!format.write || (callsNothing && wordFor(format) == "pt2"))
            continue;
        const std::string path = "fuzz_written_" + std::to_string(::getpid()) + format.endings[0];
        try {
            Progress progress;
            format.write(opened, path, progress);
        } catch (const Error&) {
            if (std::filesystem::exists(path))
                throw std::logic_error("something is left of a file that was refused");
        }
        std::filesystem::remove(path);
    }
}

} // namespace

int main(int argc, char** argv) {
    const FuzzArguments arguments(argc, argv);
    if (arguments.words.size() != 2) {
        std::cerr << "usage: fuzz_readers pt2|fxg FOLDER [SECONDS [SEED]]\n";
        return 2;
    }
    const bool isOwn = arguments.words[0] == "fxg";
    at::set_num_threads(1);
    std::vector<Sample> samples;
    for (const std::string& file : arguments.files(1, {".pt2"}, 300'000)) {
        if (!isOwn) {
            samples.push_back(readSample(file));
            continue;
        }
        const std::string own = "fuzz_sample_" + std::to_string(::getpid()) + ".fxg";
        Progress progress;
        writeFxg(openModel(file, {}, progress), own, progress);
        samples.push_back(readSample(own));
        std::filesystem::remove(own);
    }
    if (samples.empty() && arguments.finds.empty())
        return 1;
    Mutator mutator(arguments.seed);
    FuzzPlan plan;
    plan.ending = ".bin";
    plan.next = [&] { return mutator.damaged(samples[mutator.below(samples.size())]); };
    plan.attempt = [&](const std::string& path, const std::string&) {
        Progress progress;
        const OpenedModel opened = openModel(path, {!isOwn && mutator.below(4) == 0}, progress);
        use(opened);
        if (!arguments.finds.empty() || mutator.below(3) == 0)
            writeAll(opened, isOwn);
        return true;
    };
    return fuzz(arguments, plan);
}
