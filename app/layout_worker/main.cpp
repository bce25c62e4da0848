// SPDX-License-Identifier: GPL-3.0-or-later
// The process in which Graphviz runs: reads levels on standard input, answers with layouts on standard
// output, and may be killed at any time.
#include "core/layout/graphviz_layout.h"

#include <csignal>
#include <iostream>
#include <string>
#include <sys/prctl.h>

int main() {
    // It must not outlive the program that it works for.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::ios::sync_with_stdio(false);
    size_t size = 0;
    while (std::cin >> size) {
        std::cin.get();
        std::string request(size, '\0');
        if (!std::cin.read(request.data(), static_cast<std::streamsize>(size)))
            return 1;
        try {
            const std::string answer = fx::layoutText(fx::layoutWithGraphviz(fx::levelFromText(request)));
            std::cout << answer.size() << '\n' << answer << std::flush;
        } catch (const std::exception& error) {
            std::cerr << "error: " << error.what() << '\n';
            return 1;
        }
    }
    return 0;
}
