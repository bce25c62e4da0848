// SPDX-License-Identifier: GPL-3.0-or-later
// fxscope on the command line: what is asked for goes to standard output, everything else to standard error.
// Exit status: 0 done; 1 the model, graph or run is at fault; 2 wrong usage.
#include "app/cli/commands.h"
#include "core/base/error.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/base/unicode.h"
#include "core/process/confine.h"
#include "core/process/crash_report.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace {

/// Becomes the desktop program, which lies beside this one.
void openWindow(const std::vector<std::string>& files) {
    const std::string program =
        (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "fxscope-gui").string();
    if (!std::filesystem::exists(program))
        throw fx::Error("open", "this build has no desktop program")
            .hint("build with -DFXSCOPE_GUI=ON, or use the other commands: fxscope --help");
    std::vector<char*> arguments{const_cast<char*>(program.c_str())};
    for (const std::string& file : files)
        arguments.push_back(const_cast<char*>(file.c_str()));
    arguments.push_back(nullptr);
    ::execv(program.c_str(), arguments.data());
    throw fx::Error(program, "cannot be started");
}

/// Whether errors are printed whole.
bool isVerbose = false;

/// Prints an error: a line for people; the further lines of one text are indented, so that no name can pass
/// for a line of ours. `whole`: with what the brief text leaves out.
int fail(const std::string& brief, const std::string& whole) {
    const std::string text = isVerbose ? fx::shownPart(whole, fx::kOutputLimits) : brief;
    std::cerr << "error: " << fx::replaceAll(fx::shownLines(text), "\n", "\n  ") << '\n';
    if (!isVerbose && brief != whole)
        std::cerr << "note: --verbose shows the whole error\n";
    return 1;
}

int fail(const fx::Error& error) {
    return fail(error.what(), fx::wholeText(error));
}

int fail(const std::string& message) {
    return fail(fx::shownPart(fx::briefFault(message), fx::kErrorLimits), message);
}

/// Does what the arguments say; gives the exit status.
int obey(int argc, char** argv, const std::vector<fx::FoundPlugin>& plugins) {
    CLI::App app("Open, inspect, debug, change and export PyTorch FX graphs, without Python.", "fxscope");
    app.require_subcommand(1);
    app.set_version_flag("--version", [] {
        return "fxscope 0.1.0\nWhile a model is opened its code is confined by: " + fx::confinementText();
    });
    app.footer("fxscope COMMAND --help shows the options of a command, with examples.");

    app.add_flag("--verbose", isVerbose,
                 "print errors whole, with LibTorch's listings; after any command, too");

    std::vector<std::string> files;
    const auto addOpen = [&] {
        CLI::App* open = app.add_subcommand("open", "start the desktop program");
        open->add_option("MODEL", files, "as of every command: fxscope formats");
        open->footer("Example:\n  fxscope open resnet50.pt2");
        open->callback([&] { openWindow(files); });
    };
    std::function<void(std::vector<std::string>&)> readUserPasses = [](std::vector<std::string>&) {};
    const std::pair<std::string_view, std::function<void()>> commands[] = {
        {"open", addOpen},
        {"info", [&] { fx::cli::addInfo(app); }},
        {"graph", [&] { fx::cli::addGraph(app); }},
        {"code", [&] { fx::cli::addCode(app); }},
        {"draw", [&] { fx::cli::addDraw(app); }},
        {"run", [&] { fx::cli::addRun(app); }},
        {"shapes", [&] { fx::cli::addShapes(app); }},
        {"analyze", [&] { fx::cli::addAnalyze(app); }},
        {"compare", [&] { fx::cli::addCompare(app); }},
        {"diff", [&] { fx::cli::addDiff(app); }},
        {"reduce", [&] { fx::cli::addReduce(app); }},
        {"debug", [&] { fx::cli::addDebug(app); }},
        {"export", [&] { fx::cli::addExport(app); }},
        {"apply", [&] { readUserPasses = fx::cli::addApply(app); }},
        {"passes", [&] { fx::cli::addPasses(app); }},
        {"formats", [&] { fx::cli::addFormats(app); }},
        {"replace", [&] { fx::cli::addReplace(app); }},
        {"serve", [&] { fx::cli::addServe(app); }},
        {"test", [&] { fx::cli::addTest(app); }},
        {"plugins", [&] { fx::cli::addPlugins(app, plugins); }},
    };
    std::vector<std::string> words(argv + 1, argv + argc);
    isVerbose = std::erase(words, "--verbose") > 0;
    // Only the command that is asked for is prepared, because preparing all takes longer than opening a small
    // model.
    const auto isAsked = [&](const auto& command) { return !words.empty() && words[0] == command.first; };
    const bool isKnown = std::ranges::any_of(commands, isAsked);
    for (const auto& command : commands)
        if (!isKnown || isAsked(command))
            command.second();

    try {
        readUserPasses(words);
        std::reverse(words.begin(), words.end()); // as CLI11 takes them
        app.parse(std::move(words));
    } catch (const CLI::RuntimeError& error) {
        return error.get_exit_code();
    } catch (const CLI::ParseError& error) {
        const bool lacksCommand =
            dynamic_cast<const CLI::RequiredError*>(&error) && app.get_subcommands().empty();
        if (lacksCommand && argc > 1) {
            std::cerr << "error: there is no command '" << argv[1] << "'; fxscope --help lists them\n";
            return 2;
        }
        const int code = app.exit(error);
        return code == 0 ? 0 : 2;
    } catch (const fx::Error& error) {
        return fail(error);
    } catch (const c10::Error& error) {
        return fail(std::string(error.what_without_backtrace()));
    } catch (const std::bad_alloc&) {
        return fail(std::string("not enough memory"));
    } catch (const std::exception& error) {
        return fail(std::string(error.what()));
    }
    std::cout.flush();
    return std::cout ? 0 : fail("standard output: cannot write all of it; is the disk full?");
}

/// A model's operators may end the process that runs them: that is a child, and this one says so.
int obeyInChild(int argc, char** argv, const std::vector<fx::FoundPlugin>& plugins) {
    // Ctrl+C is for the child, which may have a use for it.
    const auto interrupt = std::signal(SIGINT, SIG_IGN), quit = std::signal(SIGQUIT, SIG_IGN);
    const fx::ProcessEnd end = fx::runInChild([&] {
        std::signal(SIGINT, interrupt);
        std::signal(SIGQUIT, quit);
        const int status = obey(argc, argv, plugins);
        std::cout.flush();
        std::fflush(nullptr);
        return status;
    });
    if (end.signal == 0 && !end.isOverMemory)
        return end.exitStatus;
    if (end.signal == SIGINT || end.signal == SIGTERM || end.signal == SIGHUP || end.signal == SIGPIPE) {
        std::signal(end.signal, SIG_DFL);
        ::raise(end.signal);
    }
    return fail(std::string(argv[2]) + ": " + endText(end));
}

} // namespace

int main(int argc, char** argv) {
    std::signal(SIGXFSZ, SIG_IGN); // a write beyond the limit of file sizes fails, as on a full disk
    const std::string_view command = argc > 1 ? argv[1] : "";
    const bool takesModel = argc > 2 && command != "open" && command != "serve";
    // Those of the window do nothing here, and bring Qt: only who asks for a list of plugins wants to know of
    // them.
    const bool listsPlugins = command == "plugins";
    // The window, and the workers of serve, load them by themselves.
    const bool usesPlugins =
        !command.empty() && !command.starts_with('-') && command != "open" && command != "serve";
    const std::vector<fx::FoundPlugin> plugins =
        usesPlugins ? fx::loadPlugins(listsPlugins) : std::vector<fx::FoundPlugin>();
    if (!listsPlugins)
        for (const std::string& line : fx::faultLines(plugins))
            std::cerr << "note: " << line << '\n';
    const int status = takesModel ? obeyInChild(argc, argv, plugins) : obey(argc, argv, plugins);
    // Not by returning: LibTorch would take its table of operators apart, which needs as long as starting.
    std::cout.flush();
    std::cerr.flush();
    std::fflush(nullptr);
    std::_Exit(status);
}
