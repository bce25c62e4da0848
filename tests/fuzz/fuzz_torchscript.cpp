// SPDX-License-Identifier: GPL-3.0-or-later
// Feeds damaged TorchScript programs to the front end: it gives a graph or throws fx::Error, and nothing
// else. The code of a program is text, so that most damage is to words of it, put together again with right
// checksums.
//   fuzz_torchscript FOLDER [SECONDS [SEED]]
// FOLDER has sound programs (.pt). A crash leaves its file as fuzz_PID.bin in the current folder.
#include "core/base/error.h"
#include "core/io/open.h"
#include "core/io/torchscript.h"
#include "core/io/zip_archive.h"
#include "tests/fuzz/mutate.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <sys/resource.h>
#include <unistd.h>

using namespace fx;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::string_view kWords[] = {"self",
                                       "x",
                                       "[",
                                       "]",
                                       "(",
                                       ")",
                                       ", ",
                                       "None",
                                       "True",
                                       "-1",
                                       "9999999999",
                                       "1e30",
                                       "while True:\n      pass\n    ",
                                       "if x:\n      pass\n    ",
                                       "torch.ones([1000000, 1000000])",
                                       "[0]",
                                       "torch.mul",
                                       "torch.append",
                                       "torch.add_",
                                       "annotate(List[int], [])",
                                       "range(1000000000)",
                                       "torch.len",
                                       "{}",
                                       "\"a\"",
                                       "ops.prim.RaiseException(\"a\")",
                                       "Tensor",
                                       "int",
                                       "List[Tensor]",
                                       "Optional[Tensor]",
                                       "__torch__.Net",
                                       "uninitialized(Tensor)",
                                       "unchecked_cast(Tensor, x)",
                                       "CONSTANTS.c0",
                                       "torch.__getitem__",
                                       "torch.slice",
                                       "torch.zeros",
                                       "torch.to",
                                       "torch.list"};

class ScriptMutator {
public:
    explicit ScriptMutator(uint64_t seed) : m_mutator(seed) {}
    size_t below(size_t count) { return m_mutator.below(count); }

    std::string damaged(const Sample& sample) {
        if (below(12) == 0)
            return m_mutator.damagedBytes(sample.bytes);
        auto records = sample.records;
        for (int count = 1 + static_cast<int>(below(3)); count > 0; --count) {
            auto& [name, content] = records[below(records.size())];
            if (name.ends_with(".py"))
                content = damagedCode(std::move(content));
            else if (name.ends_with(".pkl") || below(6) == 0)
                content = m_mutator.damagedBytes(std::move(content));
        }
        return zipOf(records);
    }

private:
    std::string damagedCode(std::string code) {
        for (size_t count = 1 + below(4); count > 0 && code.size() > 10; --count) {
            const size_t at = below(code.size()), length = 1 + below(std::min<size_t>(code.size() - at, 12));
            switch (below(5)) {
            case 0:
                code.replace(at, length, kWords[below(std::size(kWords))]);
                break;
            case 1:
                code.insert(at, kWords[below(std::size(kWords))]);
                break;
            case 2: { // a word becomes another of the same text
                const size_t from = below(code.size());
                code.replace(at, length, code.substr(from, length));
                break;
            }
            case 3:
                code.insert(at, std::string(below(3000), "([-~ "[below(5)]));
                break;
            default: { // a number becomes another
                const size_t digit = code.find_first_of("0123456789", at);
                if (digit != std::string::npos)
                    code.replace(digit, 1, std::to_string(below(2) ? below(12) : below(1'000'000'000)));
            }
            }
        }
        return code;
    }

    Mutator m_mutator;
};

void limitMemory() {
#ifndef __SANITIZE_ADDRESS__ // which maps terabytes for its shadow
    const rlimit limit{rlim_t(12) << 30, rlim_t(12) << 30};
    ::setrlimit(RLIMIT_AS, &limit);
#endif
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::cerr << "usage: fuzz_torchscript FOLDER [SECONDS [SEED]]\n";
        return 2;
    }
    const double seconds = argc > 2 ? std::stod(argv[2]) : 60;
    const uint64_t seed = argc > 3 ? std::stoull(argv[3]) : 1;
    limitMemory();
    at::set_num_threads(1);
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(argv[1]))
        if (entry.path().extension() == ".pt" && entry.file_size() < 150'000)
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<Sample> samples;
    for (const auto& file : files)
        if (isTorchScript(ZipArchive(file.string())))
            samples.push_back(readSample(file.string()));
    std::cout << samples.size() << " samples, seed " << seed << ", " << seconds << " seconds" << std::endl;
    if (samples.empty())
        return 1;

    const std::string path =
        std::filesystem::absolute("fuzz_" + std::to_string(::getpid()) + ".bin").string();
    ScriptMutator mutator(seed);
    size_t count = 0, taken = 0;
    double slowest = 0;
    for (const auto start = Clock::now(); Clock::now() - start < std::chrono::duration<double>(seconds);
         ++count) {
        writeFile(path, mutator.damaged(samples[mutator.below(samples.size())]));
        const auto begin = Clock::now();
        try {
            OpenOptions options;
            options.trace.areNoneLeaves = mutator.below(2) == 0;
            Progress progress;
            openModel(path, options, progress);
            ++taken;
        } catch (const Error&) {
        } // anything else ends the program, and the file stays
        slowest = std::max(slowest, std::chrono::duration<double>(Clock::now() - begin).count());
        if (slowest > 5) {
            std::cerr << "a file took " << slowest << " seconds: " << path << '\n';
            return 1;
        }
    }
    std::filesystem::remove(path);
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    std::cout << count << " files, " << taken << " traced; slowest " << slowest << " s, peak "
              << usage.ru_maxrss / 1024 << " MB" << std::endl;
    if (usage.ru_maxrss / 1024 > 3000) {
        std::cerr << "too much memory\n";
        return 1;
    }
    return count > 100 && taken > 0 ? 0 : 1;
}
