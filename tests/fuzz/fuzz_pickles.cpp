// SPDX-License-Identifier: GPL-3.0-or-later
// Feeds damaged torch.save files, of the zip form and the legacy one, to all that reads them: a reader gives
// something inert or throws fx::Error, and nothing else.
//   fuzz_pickles FOLDER [SECONDS [SEED]]
// FOLDER has sound files (.pt).
#include "core/base/error.h"
#include "core/io/pickle/pickled_entries.h"
#include "core/io/torch/state_dict.h"
#include "core/io/torch/torch_archive.h"
#include "core/module/summary.h"
#include "core/open/open.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/mutate.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <iostream>

using namespace fx;

namespace {

/// Opcodes that change what follows, and numbers at the ends of their ranges.
constexpr std::string_view kPieces[] = {"(",
                                        ")",
                                        "]",
                                        "}",
                                        "t",
                                        "e",
                                        "u",
                                        "s",
                                        "a",
                                        "R",
                                        "b",
                                        "o",
                                        "Q",
                                        "0",
                                        "1",
                                        "2",
                                        "N",
                                        ".",
                                        "\x81",
                                        "\x85",
                                        "\x86",
                                        "\x87",
                                        "\x88",
                                        "\x8f",
                                        "\x90",
                                        "\x91",
                                        "\x92",
                                        "\x93",
                                        "\x94",
                                        "h\x01",
                                        "q\x01",
                                        "K\xff",
                                        "M\xff\xff",
                                        "J\xff\xff\xff\x7f",
                                        "J\xff\xff\xff\xff",
                                        "\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f",
                                        "X\xff\xff\xff\x7f",
                                        "cos\nsystem\n",
                                        "ctorch._utils\n_rebuild_tensor_v2\n",
                                        "ctorch._utils\n_rebuild_parameter\n",
                                        "ccollections\nOrderedDict\n",
                                        "ctorch.nn.modules.module\nModule\n",
                                        "ctorch.fx.graph_module\nreduce_graph_module\n",
                                        "ctorch\nSize\n",
                                        "ctorch.storage\nUntypedStorage\n",
                                        "ctorch\nFloatStorage\n",
                                        "ctorch\nint64\n",
                                        "ctorch.utils._pytree\nTreeSpec\n"};

struct TorchSample {
    std::string bytes;
    std::vector<std::pair<std::string, std::string>> records; ///< of a zip; empty: legacy
};

class PickleMutator {
public:
    explicit PickleMutator(uint64_t seed) : m_mutator(seed) {}
    size_t below(size_t count) { return m_mutator.below(count); }

    std::string damaged(const TorchSample& sample, const TorchSample& other) {
        if (sample.records.empty())
            return below(4) ? damagedPickle(sample.bytes, other.bytes) : m_mutator.damagedBytes(sample.bytes);
        if (below(8) == 0)
            return m_mutator.damagedBytes(sample.bytes);
        auto records = sample.records;
        auto& [name, content] = records[below(records.size())];
        for (auto& [otherName, pickle] : records)
            if (otherName.ends_with("data.pkl") && below(8))
                pickle = damagedPickle(pickle, pickleOf(other));
        if (below(8) == 0)
            content = m_mutator.damagedBytes(content);
        return zipOf(records);
    }

private:
    static const std::string& pickleOf(const TorchSample& sample) {
        for (const auto& [name, content] : sample.records)
            if (name.ends_with("data.pkl"))
                return content;
        return sample.bytes;
    }

    std::string damagedPickle(std::string pickle, const std::string& other) {
        for (size_t count = 1 + below(below(4) ? 1 : 30); count > 0 && pickle.size() > 4; --count) {
            const size_t at = below(pickle.size()),
                         length = 1 + below(std::min<size_t>(pickle.size() - at, 40));
            const std::string_view piece = kPieces[below(std::size(kPieces))];
            switch (below(8)) {
            case 0:
                pickle.insert(at, piece);
                break;
            case 1:
                pickle.replace(at, std::min(piece.size(), pickle.size() - at), piece);
                break;
            case 2:
                pickle.erase(at, length);
                break;
            case 3: { // moved
                const std::string moved = pickle.substr(at, length);
                pickle.insert(below(pickle.size()), moved);
                break;
            }
            case 4: { // from another file
                const size_t from = below(other.size());
                pickle.insert(at, other.substr(from, 1 + below(200)));
                break;
            }
            case 5: // many times
                pickle.insert(at, std::string(below(2000), piece[0]));
                break;
            case 6: // a memo of something else
                for (size_t i = at; i + 1 < pickle.size(); ++i)
                    if (pickle[i] == 'h') {
                        pickle[i + 1] = static_cast<char>(below(256));
                        break;
                    }
                break;
            default:
                pickle[at] = static_cast<char>(below(256));
            }
        }
        return pickle;
    }

    Mutator m_mutator;
};

/// Reads the values of all tensors.
void useModel(const Model& model) {
    summarize(model);
    model.forEachModule(model.root(), [&](ModuleId id, const std::string&) {
        for (const NamedTensor& entry : model.module(id).tensors)
            if (entry.tensor)
                model.tensor(entry.tensor).value();
    });
}

/// Every reader gets its turn; gives how many took the file. Tracing takes the longest, and is not always
/// done.
int readAll(const std::string& path, bool isTraced) {
    int taken = 0;
    const auto attempt = [&](const auto& read) {
        try {
            read();
            ++taken;
        } catch (const Error&) {
        } // anything else ends the program, and the file stays
    };
    attempt([&] {
        const auto container = std::make_shared<const TorchContainer>(TorchContainer::open(path));
        if (const std::optional<PickledModel> pickled = pickledModelIn(container))
            useModel(modelOfPickle(*pickled).model);
        else if (const std::optional<StateDict> state = stateDictIn(*container))
            useModel(modelOfState(*state).model);
        else
            throw Error(path, "holds no model");
    });
    attempt([&] { readTorchFile(path); });
    if (isTraced)
        attempt([&] {
            Progress progress;
            useModel(openModel(path, {}, progress).model);
        });
    return taken;
}

} // namespace

int main(int argc, char** argv) {
    const FuzzArguments arguments(argc, argv);
    if (arguments.words.size() != 1) {
        std::cerr << "usage: fuzz_pickles FOLDER [SECONDS [SEED]]\n";
        return 2;
    }
    at::set_num_threads(1);
    std::vector<TorchSample> samples;
    for (const std::string& file : arguments.files(0, {".pt"}, 200'000)) {
        TorchSample& sample = samples.emplace_back();
        sample.bytes = readFile(file);
        if (ZipArchive::isZip(std::as_bytes(std::span(sample.bytes))))
            sample.records = readSample(file).records;
    }
    if (samples.empty() && arguments.finds.empty())
        return 1;
    PickleMutator mutator(arguments.seed);
    FuzzPlan plan;
    plan.ending = ".bin";
    plan.next = [&] {
        const TorchSample& sample = samples[mutator.below(samples.size())];
        return mutator.damaged(sample, samples[mutator.below(samples.size())]);
    };
    plan.attempt = [&](const std::string& path, const std::string&) {
        return readAll(path, mutator.below(10) == 0) > 0;
    };
    return fuzz(arguments, plan);
}
