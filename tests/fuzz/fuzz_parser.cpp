// SPDX-License-Identifier: GPL-3.0-or-later
// Feeds damaged Python sources to the parser for a while: it gives a tree whose names point where they
// should, or throws a SyntaxError that points into the source, and nothing else.
//   fuzz_parser FOLDER... [SECONDS [SEED]]
// The folders have .py files, and .txt files of snippets between lines of "----".
#include "core/base/error.h"
#include "core/python/tree.h"
#include "tests/core/python/tree_text.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/mutate_text.h"
#include "tests/support/sanitized.h"

#include <iostream>
#include <pthread.h>
#include <stdexcept>

using namespace fx;

namespace {

constexpr size_t kStack = 512 * 1024; ///< what generators have

/// Whether the text was taken; throws std::runtime_error for an error of the wrong form.
bool parse(const std::string& text) {
    try {
        const auto file = parseSource(text, "source.py");
        treeText(*file->module);
        scopeText(*file->module);
        return true;
    } catch (const Error& error) {
        const std::string& kind = error.kind();
        if (kind != "SyntaxError" && kind != "IndentationError" && kind != "TabError")
            throw std::runtime_error("an error of kind '" + kind + "': " + error.what());
        if (!error.place().starts_with("source.py:"))
            throw std::runtime_error("an error without a place: " + std::string(error.what()));
        return false;
    }
}

/// Runs the work on a thread with a small stack.
void runOnSmallStack(std::function<void()> work) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (!isSanitized())
        pthread_attr_setstacksize(&attributes, kStack);
    pthread_t thread;
    const auto run = [](void* given) -> void* {
        (*static_cast<std::function<void()>*>(given))();
        return nullptr;
    };
    if (pthread_create(&thread, &attributes, run, &work) == 0)
        pthread_join(thread, nullptr);
}

} // namespace

int main(int argc, char** argv) {
    const FuzzArguments arguments(argc, argv);
    std::vector<std::string> samples;
    for (const std::string& file : arguments.files(0, {".py", ".txt"}, 300'000))
        addTextSamples(file, samples);
    if (samples.empty() && arguments.finds.empty()) {
        std::cerr << "usage: fuzz_parser FOLDER... [SECONDS [SEED]]\n";
        return 2;
    }
    TextMutator mutator(std::move(samples), arguments.seed);
    FuzzPlan plan;
    plan.ending = ".py";
    plan.next = [&] { return mutator.next(); };
    plan.attempt = [](const std::string&, const std::string& text) { return parse(text); };
    plan.slowest = 5;
    plan.leastCount = 1000;
    plan.leastTaken = 0.01;
    int result = 1;
    runOnSmallStack([&] { result = fuzz(arguments, plan); });
    return result;
}
