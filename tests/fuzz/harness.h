// SPDX-License-Identifier: GPL-3.0-or-later
// What fuzzers have in common: damaged inputs are tried until the time is over. One that ends the program,
// takes too long or fails with anything but fx::Error stays as fuzz_PID in the current folder; the seed says
// how to get there again. What was found once and mended is a file in tests/fuzz/finds, and tried by each run
// of the tests.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fx {

/// "WORD... [SECONDS [SEED]]" of a command line, or "WORD... --finds FOLDER" (which is the last of the words,
/// too).
struct FuzzArguments {
    std::vector<std::string> words;
    double seconds = 10; ///< or what FXSCOPE_FUZZ_SECONDS of the environment says
    uint64_t seed = 1;
    std::string finds; ///< a folder; its files are tried and nothing else

    FuzzArguments(int argc, char** argv);
    /// The files with one of these endings and less bytes than that, in order of their paths.
    std::vector<std::string> files(size_t firstFolder, const std::vector<std::string>& endings,
                                   uint64_t bytes) const;
};

struct FuzzPlan {
    std::string ending;                ///< of the file's name: ".py"
    std::function<std::string()> next; ///< a damaged input
    /// Gives whether it was taken; an fx::Error says that it was not. Anything else thrown is a fault.
    std::function<bool(const std::string& path, const std::string& input)> attempt;
    double slowest = 20;     ///< seconds that any one input may take
    size_t megabytes = 2000; ///< at most in use, by a batch of inputs
    size_t leastCount = 100; ///< so many inputs must have been tried
    double leastTaken = 0;   ///< the share of them that must have been taken; one at least
};

/// Tries inputs, says how it went, and gives the exit status.
int fuzz(const FuzzArguments& arguments, const FuzzPlan& plan);

} // namespace fx
