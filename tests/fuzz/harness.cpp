// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/harness.h"

#include "core/base/error.h"
#include "tests/support/sanitized.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <sys/resource.h>
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

int fuzz(const FuzzArguments& arguments, const FuzzPlan& plan) {
    limitMemory();
    const std::string path =
        std::filesystem::absolute("fuzz_" + std::to_string(::getpid()) + plan.ending).string();
    const auto fail = [&](const std::string& what) {
        std::cerr << what << ": " << path << std::endl;
        return 1;
    };
    const std::vector<std::string> finds =
        arguments.finds.empty() ? std::vector<std::string>() : filesIn(arguments.finds);
    if (finds.empty())
        std::cout << "seed " << arguments.seed << ", " << arguments.seconds << " seconds" << std::endl;
    size_t count = 0, taken = 0;
    double slowest = 0;
    const auto start = Clock::now();
    for (; finds.empty() ? secondsSince(start) < arguments.seconds : count < finds.size(); ++count) {
        const std::string input = finds.empty() ? plan.next() : contentOf(finds[count]);
        std::ofstream(path, std::ios::binary) << input;
        const auto begin = Clock::now();
        try {
            taken += plan.attempt(path, input) ? 1 : 0;
        } catch (const Error&) { // what the reader does not take
        } catch (const std::exception& error) {
            return fail(error.what());
        }
        slowest = std::max(slowest, secondsSince(begin));
        if (slowest > plan.slowest)
            return fail("took " + std::to_string(slowest) + " seconds");
        if (peakMegabytes() > plan.megabytes)
            return fail("took " + std::to_string(peakMegabytes()) + " MB");
    }
    std::filesystem::remove(path);
    std::cout << count << " inputs, " << taken << " taken; slowest " << slowest << " s, peak "
              << peakMegabytes() << " MB" << std::endl;
    if (!finds.empty())
        return 0; // what was found may be refused
    const auto least = std::max<size_t>(1, static_cast<size_t>(plan.leastTaken * static_cast<double>(count)));
    return count > plan.leastCount && taken >= least ? 0 : 1;
}

} // namespace fx
