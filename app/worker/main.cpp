// SPDX-License-Identifier: GPL-3.0-or-later
// fxscope-worker: opens models for the window, each in a child of its own. The socket is its standard input.
#include "core/session/opening.h"

#include <csignal>
#include <sys/prctl.h>

int main() {
    // It must not outlive the program that it works for. A Ctrl+C there is not meant for it.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::signal(SIGINT, SIG_IGN);
    fx::serveOpenings(0);
    return 0;
}
