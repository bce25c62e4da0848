// SPDX-License-Identifier: GPL-3.0-or-later
// Feeds damaged TorchScript programs to the front end: it gives a graph or throws fx::Error, and nothing
// else. The code of a program is text, so that most damage is to words of it, put together again with right
// checksums.
//   fuzz_torchscript FOLDER [SECONDS [SEED]]
// FOLDER has sound programs (.pt).
#include "core/base/error.h"
#include "core/io/zip_archive.h"
#include "core/open/open.h"
#include "core/open/torchscript.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/mutate.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <iostream>

using namespace fx;

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

} // namespace

int main(int argc, char** argv) {
    const FuzzArguments arguments(argc, argv);
    if (arguments.words.size() != 1) {
        std::cerr << "usage: fuzz_torchscript FOLDER [SECONDS [SEED]]\n";
        return 2;
    }
    at::set_num_threads(1);
    std::vector<Sample> samples;
    for (const std::string& file : arguments.files(0, {".pt"}, 150'000))
        if (isTorchScript(ZipArchive(file)))
            samples.push_back(readSample(file));
    if (samples.empty() && arguments.finds.empty())
        return 1;
    ScriptMutator mutator(arguments.seed);
    FuzzPlan plan;
    plan.ending = ".bin";
    plan.next = [&] { return mutator.damaged(samples[mutator.below(samples.size())]); };
    plan.attempt = [&](const std::string& path, const std::string&) {
        OpenOptions options;
        options.trace.areNoneLeaves = mutator.below(2) == 0;
        Progress progress;
        openModel(path, options, progress);
        return true;
    };
    plan.slowest = 5;
    plan.megabytes = 3000;
    return fuzz(arguments, plan);
}
