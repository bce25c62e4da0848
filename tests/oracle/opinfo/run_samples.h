// SPDX-License-Identifier: GPL-3.0-or-later
// Runs recorded graphs in child processes, so that a crash inside LibTorch costs one sample.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace fx {

enum class Verdict {
    Equal,
    Differing, ///< another result
    Refused,   ///< an error where PyTorch gives a result
    Accepted,  ///< a result where PyTorch gives an error
    OtherError,
    Crashed,
};
constexpr const char* kVerdictNames[] = {"equal",    "differing",   "refused",
                                         "accepted", "other error", "crashed"};

struct SampleOutcome {
    size_t file = 0, row = 0;
    Verdict verdict = Verdict::Equal;
    std::string message; ///< with the graph; empty where the sample is equal
};

/// Every sample of every file, by so many processes.
std::vector<SampleOutcome> runSamples(const std::vector<std::string>& files, int jobs);

} // namespace fx
