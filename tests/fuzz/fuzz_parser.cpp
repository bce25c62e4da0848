// SPDX-License-Identifier: GPL-3.0-or-later
// Feeds damaged Python sources to the parser for a while: it gives a tree whose names point where they
// should, or throws a SyntaxError that points into the source, and nothing else.
//   fuzz_parser [SECONDS [SEED]] FOLDER...
// The folders have .py files, and .txt files of snippets between lines of "----". A crash leaves its source
// as fuzz_PID.py in the current folder.
#include "core/base/error.h"
#include "core/python/tree.h"
#include "tests/core/python/tree_text.h"
#include "tests/fuzz/mutate_text.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <pthread.h>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

using namespace fx;
using Clock = std::chrono::steady_clock;

namespace {

constexpr double kSlowest = 5;        ///< seconds that any one source may take
constexpr size_t kStack = 512 * 1024; ///< what generators have

struct Fuzzer {
    std::vector<std::string> samples;
    double seconds = 60;
    uint64_t seed = 1;
    int result = 1;

    void addFile(const std::filesystem::path& path) {
        std::ifstream in(path, std::ios::binary);
        std::stringstream content;
        content << in.rdbuf();
        std::string text = std::move(content).str();
        if (path.extension() == ".py")
            samples.push_back(text);
        for (size_t at = 0; path.extension() == ".txt" && at < text.size();) {
            const size_t end = std::min(text.find("----\n", at), text.size());
            samples.push_back(text.substr(at, end - at));
            at = end + 5;
        }
    }

    /// Whether the text was taken; throws std::runtime_error for an error of the wrong form.
    static bool parse(const std::string& text) {
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

    void run() {
        TextMutator mutator(samples, seed);
        const std::string path =
            std::filesystem::absolute("fuzz_" + std::to_string(::getpid()) + ".py").string();
        size_t count = 0, taken = 0;
        double slowest = 0;
        for (const auto start = Clock::now(); Clock::now() - start < std::chrono::duration<double>(seconds);
             ++count) {
            const std::string text = mutator.next();
            std::ofstream(path, std::ios::binary) << text;
            const auto begin = Clock::now();
            try {
                taken += parse(text);
            } catch (const std::exception& error) {
                std::cerr << error.what() << "\n" << path << '\n';
                return;
            }
            slowest = std::max(slowest, std::chrono::duration<double>(Clock::now() - begin).count());
            if (slowest > kSlowest) {
                std::cerr << "a source took " << slowest << " seconds: " << path << '\n';
                return;
            }
        }
        std::filesystem::remove(path);
        rusage usage{};
        ::getrusage(RUSAGE_SELF, &usage);
        std::cout << count << " sources, " << taken << " parsed; slowest " << slowest << " s, peak "
                  << usage.ru_maxrss / 1024 << " MB" << std::endl;
        result = count > 1000 && taken > count / 100 ? 0 : 1;
    }
};

} // namespace

int main(int argc, char** argv) {
    Fuzzer fuzzer;
    int at = 1;
    const auto isNumber = [&] { return at < argc && std::isdigit(static_cast<unsigned char>(argv[at][0])); };
    if (isNumber())
        fuzzer.seconds = std::stod(argv[at++]);
    if (isNumber())
        fuzzer.seed = std::stoull(argv[at++]);
    for (; at < argc; ++at)
        for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[at]))
            if (entry.is_regular_file() && entry.file_size() < 300'000)
                fuzzer.addFile(entry.path());
    if (fuzzer.samples.empty()) {
        std::cerr << "usage: fuzz_parser [SECONDS [SEED]] FOLDER...\n";
        return 2;
    }
    std::cout << fuzzer.samples.size() << " samples, seed " << fuzzer.seed << ", " << fuzzer.seconds
              << " seconds" << std::endl;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
#ifndef __SANITIZE_ADDRESS__ // whose frames are larger
    pthread_attr_setstacksize(&attributes, kStack);
#endif
    pthread_t thread;
    const auto work = [](void* self) -> void* {
        static_cast<Fuzzer*>(self)->run();
        return nullptr;
    };
    if (pthread_create(&thread, &attributes, work, &fuzzer) != 0)
        return 2;
    pthread_join(thread, nullptr);
    return fuzzer.result;
}
