// SPDX-License-Identifier: GPL-3.0-or-later
// Feeds damaged models to the readers for a while: a reader gives a model or throws fx::Error, and nothing
// else.
//   fuzz_readers pt2|fxg FOLDER [SECONDS [SEED]]
// FOLDER has the sound models (.pt2) to damage. What opens is printed, laid out in code, saved and, if it is
// small, run. A crash leaves its file as fuzz_PID.bin in the current folder, and the seed says how to get
// there again.
#include "core/base/error.h"
#include "core/codegen/python_code.h"
#include "core/io/fxg.h"
#include "core/io/mapped_file.h"
#include "core/io/open.h"
#include "core/io/run_inputs.h"
#include "core/ir/graph_text.h"
#include "core/module/lint.h"
#include "core/module/scopes.h"
#include "core/module/summary.h"
#include "tests/fuzz/mutate.h"

#include <ATen/Parallel.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <sys/resource.h>
#include <unistd.h>

using namespace fx;
using Clock = std::chrono::steady_clock;

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

/// Nobody may wait for a reader, and it may not eat the machine.
void limitMemory() {
#ifndef __SANITIZE_ADDRESS__ // which maps terabytes for its shadow
    const rlimit limit{rlim_t(12) << 30, rlim_t(12) << 30};
    ::setrlimit(RLIMIT_AS, &limit);
#endif
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::cerr << "usage: fuzz_readers pt2|fxg FOLDER [SECONDS [SEED]]\n";
        return 2;
    }
    const bool isOwn = std::string(argv[1]) == "fxg";
    const double seconds = argc > 3 ? std::stod(argv[3]) : 60;
    const uint64_t seed = argc > 4 ? std::stoull(argv[4]) : 1;
    limitMemory();
    at::set_num_threads(1);

    std::vector<Sample> samples;
    const std::string path =
        std::filesystem::absolute("fuzz_" + std::to_string(::getpid()) + ".bin").string();
    for (const auto& entry : std::filesystem::directory_iterator(argv[2])) {
        if (entry.path().extension() != ".pt2" || entry.file_size() > 300'000)
            continue;
        std::string source = entry.path().string();
        if (isOwn) {
            Progress progress;
            writeFxg(openModel(source, {}, progress), path, progress);
            source = path;
        }
        samples.push_back(readSample(source));
    }
    std::cout << samples.size() << " samples, seed " << seed << ", " << seconds << " seconds" << std::endl;

    Mutator mutator(seed);
    size_t count = 0, opened = 0, used = 0;
    double slowest = 0;
    for (const auto start = Clock::now(); Clock::now() - start < std::chrono::duration<double>(seconds);
         ++count) {
        const Sample& sample = samples[mutator.below(samples.size())];
        writeFile(path, mutator.damaged(sample));
        const auto begin = Clock::now();
        try {
            Progress progress;
            const OpenedModel model = openModel(path, {mutator.below(4) == 0}, progress);
            ++opened;
            use(model);
            ++used;
        } catch (const Error&) {
        } // anything else ends the program, and the file stays
        slowest = std::max(slowest, std::chrono::duration<double>(Clock::now() - begin).count());
        if (slowest > 20) {
            std::cerr << "a file took " << slowest << " seconds: " << path << '\n';
            return 1;
        }
    }
    std::filesystem::remove(path);
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    std::cout << count << " files, " << opened << " opened, " << used << " of them usable; slowest "
              << slowest << " s, peak " << usage.ru_maxrss / 1024 << " MB" << std::endl;
    if (usage.ru_maxrss / 1024 > 2000) {
        std::cerr << "too much memory\n";
        return 1;
    }
    return count > 100 && opened > 0 ? 0 : 1;
}
