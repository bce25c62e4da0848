// SPDX-License-Identifier: GPL-3.0-or-later
// fxscope-worker: opens models for the window, each in a child of its own, or, as `fxscope-worker run`, runs
// one. The socket to the program that it works for is its standard input.
#include "core/base/error.h"
#include "core/plugins/plugin_host.h"
#include "core/process/worker_process.h"
#include "core/session/confine_run.h"
#include "core/session/opening.h"
#include "core/session/worker_server.h"

#include <csignal>
#include <cstdio>
#include <span>
#include <string_view>
#include <sys/prctl.h>
#include <unistd.h>

namespace {

[[noreturn]] void run(std::span<char*> words) {
    std::atomic<uint64_t>* const position = fx::beWorker();
    fx::RunPermissions permissions;
    permissions.furtherOutputs = fx::kWorkerOutputs;
    for (const char* word : words)
        permissions.addWord(word);
    try {
        fx::confineRuns(permissions);
        fx::Channel channel(STDIN_FILENO, true);
        fx::serveRuns(channel, position);
    } catch (const fx::Error& error) {
        std::fprintf(stderr, "fxscope-worker: %s\n", error.what());
    }
    ::_exit(0);
}

} // namespace

int main(int argc, char** argv) {
    // A Ctrl+C is not meant for it.
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN); // a write beyond the limit of file sizes fails, as on a full disk
    // It must not outlive the program that it works for, also while it runs a graph and reads no socket. The
    // thread that started it lasts as long as that program (core/process/lasting_thread.h).
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    // Before anything is confined. The program that it works for has told of those that are left out.
    fx::loadPlugins(false);
    const std::span<char*> words(argv, static_cast<size_t>(argc));
    if (argc >= 2 && std::string_view(argv[1]) == "run")
        run(words.subspan(2));
    fx::Channel channel(STDIN_FILENO, true);
    fx::serveOpenings(channel);
    return 0;
}
