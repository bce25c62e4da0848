// SPDX-License-Identifier: GPL-3.0-or-later
// The command line for tests that call it hundreds of times: this process loads LibTorch once, which takes it
// a third of a second, parses our own modules, and forks for each command. Standard input is a socket of
// packets; each asks for one command, by
//   {"arguments": [...], "folder": ".", "cpuSeconds": 0, "addressSpace": 0}      0: no limit
// and brings four descriptors: standard input, output and error of the command, and one that is told
//   {"process": id}        when it starts, and
//   {"status": as of waitpid, "seconds": of the processor, "kilobytes": at its peak}        when it has ended
// (tests/support/commands.py).
#define main fxscopeMain
#include "app/cli/main.cpp"
#undef main
#include "core/torch/host/library_texts.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <fstream>
#include <functional>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

namespace {

constexpr int descriptorCount = 4;

struct Request {
    nlohmann::json said;
    std::array<int, descriptorCount> descriptors{};
};

/// Waits for the next one; false when there will be no more.
bool receive(Request& request) {
    std::vector<char> text(200'000);
    iovec part{text.data(), text.size()};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(request.descriptors))];
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    const ssize_t size = ::recvmsg(STDIN_FILENO, &message, 0);
    const cmsghdr* header = CMSG_FIRSTHDR(&message);
    if (size <= 0 || !header)
        return false;
    std::memcpy(request.descriptors.data(), CMSG_DATA(header), sizeof(request.descriptors));
    request.said = nlohmann::json::parse(text.begin(), text.begin() + size);
    return true;
}

void limit(decltype(RLIMIT_AS) what, rlim_t soft, rlim_t more) {
    if (soft == 0)
        return;
    const rlimit both{soft, soft + more};
    ::setrlimit(what, &both);
}

/// Ends with the command.
void runCommand(const Request& request) {
    for (int i = 0; i < 3; ++i)
        ::dup2(request.descriptors[i], i);
    for (const int descriptor : request.descriptors)
        ::close(descriptor);
    std::filesystem::current_path(request.said.at("folder").get<std::string>());
    limit(RLIMIT_CPU, request.said.at("cpuSeconds"), 2);
    limit(RLIMIT_AS, request.said.at("addressSpace"), 0);
    const rlimit noCore{0, 0};
    ::setrlimit(RLIMIT_CORE, &noCore);
    auto words = request.said.at("arguments").get<std::vector<std::string>>();
    words.insert(words.begin(), "fxscope");
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    fxscopeMain(static_cast<int>(words.size()), arguments.data());
}

/// In a process of its own: starts the command, and tells how it ended.
void serve(const Request& request) {
    std::signal(SIGCHLD, SIG_DFL);
    const int teller = request.descriptors.back();
    const auto tell = [&](const nlohmann::json& what) {
        const std::string line = what.dump() + "\n";
        return ::write(teller, line.data(), line.size()) == static_cast<ssize_t>(line.size());
    };
    const pid_t process = ::fork();
    if (process == 0)
        runCommand(request);
    if (process < 0)
        return;
    tell({{"process", process}});
    int status = 0;
    rusage usage{};
    ::wait4(process, &status, 0, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    tell({{"status", status},
          {"seconds", seconds(usage.ru_utime) + seconds(usage.ru_stime)},
          {"kilobytes", usage.ru_maxrss}});
}

/// The modules that are texts are parsed once, too.
void parseLibrary(const std::filesystem::path& folder, const std::function<void(const std::string&)>& find) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".py")
            continue;
        const auto path = entry.path().lexically_relative(folder).replace_extension();
        std::string name = (path.stem() == "__init__" ? path.parent_path() : path).string();
        std::replace(name.begin(), name.end(), '/', '.');
        find(name);
    }
}

/// Puts what has been loaded into large pages where the kernel has them, as most of a fork's time and of an
/// exit's goes by the number of pages.
void useLargePages() {
    constexpr int kCollapse = 25; // MADV_COLLAPSE of Linux 6.1, which the headers of Debian 12 lack
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        uintptr_t begin = 0, end = 0;
        char rights[5] = {};
        unsigned long offset = 0, inode = 0;
        unsigned major = 0, minor = 0;
        if (std::sscanf(line.c_str(), "%lx-%lx %4s %lx %x:%x %lu", &begin, &end, rights, &offset, &major,
                        &minor, &inode) == 7 &&
            std::string_view(rights) == "rw-p" && inode == 0)
            ::madvise(reinterpret_cast<void*>(begin), end - begin, kCollapse);
    }
}

} // namespace

int main() {
    std::signal(SIGCHLD, SIG_IGN);
    parseLibrary(FXSCOPE_SOURCE "/core/python/library",
                 [](const std::string& name) { fx::standardLibrary().find(name); });
    parseLibrary(FXSCOPE_SOURCE "/core/torch/library", &fx::findTextModule);
    useLargePages();
    for (Request request; receive(request);) {
        if (::fork() == 0) {
            serve(request);
            ::_exit(0);
        }
        for (const int descriptor : request.descriptors)
            ::close(descriptor);
    }
}
