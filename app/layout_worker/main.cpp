// SPDX-License-Identifier: GPL-3.0-or-later
// The process in which Graphviz runs: answers levels with layouts on the socket that is its standard input,
// and may be killed at any time.
#include "core/layout/graphviz_layout.h"
#include "core/layout/level_message.h"
#include "core/process/fault_message.h"

#include <csignal>
#include <cstdio>
#include <sys/prctl.h>
#include <unistd.h>

int main() {
    // A Ctrl+C is not meant for it.
    std::signal(SIGINT, SIG_IGN);
    // It must not outlive the program that it works for.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    fx::Channel channel(STDIN_FILENO, true);
    try {
        while (const std::optional<fx::Message> question = channel.receive()) {
            fx::Message reply{fx::MessageKind::Reply};
            try {
                reply.body = fx::layoutBytes(fx::layoutWithGraphviz(fx::levelFrom(question->body)));
            } catch (const fx::Error& error) {
                reply = fx::faultMessage(0, error);
            }
            if (!channel.send(reply))
                return 0;
        }
    } catch (const fx::Error& error) {
        std::fprintf(stderr, "fxscope-layout-worker: %s\n", error.what());
        return 1;
    }
    return 0;
}
