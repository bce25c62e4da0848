// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/harness.h"

#include "core/base/error.h"
#include "tests/support/sanitized.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fx {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

bool isNumber(const std::string& word) {
    return !word.empty() && std::isdigit(static_cast<unsigned char>(word[0]));
}

/// Seconds within which a batch has ended, or is ended.
constexpr unsigned kGrace = 290;

/// What reads a file may not eat the machine.
void limitMemory() {
    const rlimit limit{rlim_t(6) << 30, rlim_t(6) << 30};
    if (!isSanitized())
        ::setrlimit(RLIMIT_AS, &limit);
}

/// The files of a folder, in order of their names.
std::vector<std::string> filesIn(const std::string& folder) {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        out.push_back(entry.path().string());
    std::sort(out.begin(), out.end());
    return out;
}

std::string contentOf(const std::string& path) {
    std::ostringstream content;
    content << std::ifstream(path, std::ios::binary).rdbuf();
    return content.str();
}

size_t peakMegabytes() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<size_t>(usage.ru_maxrss) / 1024;
}

} // namespace

FuzzArguments::FuzzArguments(int argc, char** argv) : words(argv + 1, argv + argc) {
    if (const char* given = std::getenv("FXSCOPE_FUZZ_SECONDS"))
        seconds = std::stod(given);
    std::vector<std::string> numbers;
    while (!words.empty() && isNumber(words.back()) && numbers.size() < 2) {
        numbers.insert(numbers.begin(), words.back());
        words.pop_back();
    }
    if (const auto option = std::find(words.begin(), words.end(), "--finds"); option != words.end()) {
        words.erase(option);
        finds = words.empty() ? "" : words.back();
    }
    if (!numbers.empty())
        seconds = std::stod(numbers[0]);
    if (numbers.size() > 1)
        seed = std::stoull(numbers[1]);
}

std::vector<std::string> FuzzArguments::files(size_t firstFolder, const std::vector<std::string>& endings,
                                              uint64_t bytes) const {
    std::vector<std::string> out;
    for (size_t i = firstFolder; i < words.size(); ++i)
        for (const auto& entry : std::filesystem::recursive_directory_iterator(words[i])) {
            const std::string ending = entry.path().extension().string();
            if (entry.is_regular_file() && entry.file_size() < bytes &&
                std::find(endings.begin(), endings.end(), ending) != endings.end())
                out.push_back(entry.path().string());
        }
    std::sort(out.begin(), out.end());
    return out;
}

namespace {

/// How it went, told by a child to its parent.
struct Tally {
    size_t count = 0, taken = 0, peak = 0;
    double slowest = 0;
};

/// Tries the inputs one after the other; gives the exit status.
int tryAll(const FuzzPlan& plan, const std::vector<std::string>& inputs, const std::string& path,
           Tally& tally) {
    const auto fail = [&](const std::string& what) {
        std::cerr << what << ": " << path << std::endl;
        return 1;
    };
    for (const std::string& input : inputs) {
        std::ofstream(path, std::ios::binary) << input;
        const auto begin = Clock::now();
        ++tally.count;
        try {
            tally.taken += plan.attempt(path, input) ? 1 : 0;
        } catch (const Error&) { // what the reader does not take
        } catch (const std::exception& error) {
            return fail(error.what());
        }
        tally.slowest = std::max(tally.slowest, secondsSince(begin));
        tally.peak = std::max(tally.peak, peakMegabytes());
        if (tally.slowest > plan.slowest)
            return fail("took " + std::to_string(tally.slowest) + " seconds");
        if (tally.peak > plan.megabytes)
            return fail("took " + std::to_string(tally.peak) + " MB");
    }
    return 0;
}

/// tryAll() in a child, as programs that refer to themselves in circles leave memory behind, which adds up.
int tryApart(const FuzzPlan& plan, const std::vector<std::string>& inputs, const std::string& path,
             Tally& tally) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(kGrace);
        ::_exit(tryAll(plan, inputs, path, tally));
    }
    int status = -1;
    if (child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status))
        return WEXITSTATUS(status);
    std::cerr << (WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status)) : "cannot be tried")
              << ": " << path << std::endl;
    return 1;
}

} // namespace

int fuzz(const FuzzArguments& arguments, const FuzzPlan& plan) {
    constexpr size_t kBatch = 200;
    limitMemory();
    const std::string path =
        std::filesystem::absolute("fuzz_" + std::to_string(::getpid()) + plan.ending).string();
    void* const shared =
        ::mmap(nullptr, sizeof(Tally), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 1;
    Tally& tally = *new (shared) Tally;
    int status = 0;
    if (!arguments.finds.empty()) {
        std::vector<std::string> inputs;
        for (const std::string& file : filesIn(arguments.finds))
            inputs.push_back(contentOf(file));
        status = tryApart(plan, inputs, path, tally);
    } else {
        std::cout << "seed " << arguments.seed << ", " << arguments.seconds << " seconds" << std::endl;
        for (const auto start = Clock::now(); status == 0 && secondsSince(start) < arguments.seconds;) {
            std::vector<std::string> inputs(kBatch);
            std::ranges::generate(inputs, plan.next);
            status = tryApart(plan, inputs, path, tally);
        }
    }
    if (status != 0)
        return status;
    std::filesystem::remove(path);
    std::cout << tally.count << " inputs, " << tally.taken << " taken; slowest " << tally.slowest
              << " s, peak " << tally.peak << " MB" << std::endl;
    if (!arguments.finds.empty())
        return 0; // what was found may be refused
    const auto least =
        std::max<size_t>(1, static_cast<size_t>(plan.leastTaken * static_cast<double>(tally.count)));
    return tally.count > plan.leastCount && tally.taken >= least ? 0 : 1;
}

} // namespace fx
