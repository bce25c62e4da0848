// SPDX-License-Identifier: GPL-3.0-or-later
// test: running tests that are written for torch.fx with unittest.
#include "app/cli/commands.h"
#include "core/base/shown_text.h"
#include "core/base/unicode.h"
#include "core/process/worker_process.h"
#include "core/userpasses/test_run.h"

#include <iostream>

namespace fx::cli {

void addTest(CLI::App& app) {
    CLI::App* command = app.add_subcommand("test", "run tests that are written for torch.fx with unittest");
    const auto run = std::make_shared<TestRun>();
    command->add_option("FILE.py", run->path, "the tests, and what they import from beside it")->required();
    command->add_option("NAME", run->names, "a class or a test: TestPass, TestPass.test_fuses");
    command->add_option("-k", run->patterns, "only tests whose name has this in it, or matches it with its *")
        ->expected(1)
        ->take_all();
    command->add_option("--path", run->packageFolders, "a folder with packages that the tests import")
        ->expected(1)
        ->take_all();
    command->add_flag("-q", run->isQuiet, "a letter for each test");
    command->add_flag("-f", run->endsAtFailure, "end at the first failure");
    command->footer("Example:\n  fxscope test test_my_passes.py -k fuse");
    command->callback([run] {
        confineRuns({});
        limitOwnMemory(memoryLimitOf({}));
        const bool havePassed = runTests(*run, [](const std::string& text) {
            std::cout << shownLines(shownPart(text, kOutputLimits)) << std::flush;
        });
        if (!havePassed)
            throw CLI::RuntimeError(1);
    });
}

} // namespace fx::cli
