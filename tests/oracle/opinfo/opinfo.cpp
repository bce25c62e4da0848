// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the interpreter with the real torch.fx on PyTorch's own sample inputs, as make_opinfo.py recorded
// them, and prints what came of it by namespace and by dtype.
//   test_opinfo FOLDER [--jobs N] [--only NAME] [--dtype NAME] [--failures] [--known FILE] [--least SAMPLES]
#include "core/base/text.h"
#include "core/io/json.h"
#include "core/io/mapped_file.h"
#include "tests/oracle/opinfo/report.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

using namespace fx;

namespace {

struct Options {
    std::string folder, only, dtype, known;
    int jobs = 2;
    size_t least = 0; ///< samples that there must be
    bool listsFailures = false;
};

Options optionsOf(const std::vector<std::string>& words) {
    Options out;
    for (size_t i = 0; i < words.size(); ++i) {
        const auto value = [&] { return i + 1 < words.size() ? words[++i] : std::string(); };
        if (words[i] == "--jobs")
            out.jobs = std::max(1, std::atoi(value().c_str()));
        else if (words[i] == "--only")
            out.only = value();
        else if (words[i] == "--dtype")
            out.dtype = value();
        else if (words[i] == "--known")
            out.known = value();
        else if (words[i] == "--least")
            out.least = static_cast<size_t>(std::atoll(value().c_str()));
        else if (words[i] == "--failures")
            out.listsFailures = true;
        else
            out.folder = words[i];
    }
    return out;
}

/// The recorded files that are asked for, the largest first, so that no process is left with a long one.
std::vector<std::string> filesOf(const Options& options) {
    std::vector<std::pair<uintmax_t, std::string>> found;
    for (const auto& entry : std::filesystem::directory_iterator(options.folder)) {
        if (entry.path().extension() != ".jsonl")
            continue;
        const std::string name = entry.path().stem().string();
        const size_t dot = name.rfind('.');
        const std::string op = name.substr(0, dot);
        const bool isAsked = options.only.empty() || op == options.only || op.starts_with(options.only + '~');
        if (isAsked && (options.dtype.empty() || name.substr(dot + 1) == options.dtype))
            found.emplace_back(entry.file_size(), entry.path().string());
    }
    std::sort(found.rbegin(), found.rend());
    std::vector<std::string> out;
    for (auto& [size, path] : found)
        out.push_back(std::move(path));
    return out;
}

} // namespace

int main(int argc, char** argv) {
    const Options options = optionsOf({argv + 1, argv + argc});
    if (options.folder.empty()) {
        std::cerr << "usage: test_opinfo FOLDER [--jobs N] [--only NAME] [--dtype NAME] [--failures] "
                     "[--known FILE] [--least SAMPLES]\n";
        return 2;
    }
    at::set_num_threads(1);
    const std::vector<std::string> files = filesOf(options);
    Report report(files);
    const std::vector<SampleOutcome> outcomes = runSamples(files, options.jobs);
    for (const SampleOutcome& outcome : outcomes)
        report.add(outcome);
    if (options.listsFailures)
        report.printFailures(std::cout);
    report.printTables(std::cout);
    if (outcomes.size() < options.least) {
        std::cout << "only " << outcomes.size() << " samples were recorded\n";
        return 1;
    }
    if (options.known.empty())
        return 0;
    return report.checkKnown(readFile(options.known), std::cout) ? 0 : 1;
}
