// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/open/inductor_compiler.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/unicode.h"
#include "core/io/mapped_file.h"
#include "core/io/output_file.h"
#include "core/io/pt2/pt2.h"

#include <torch/version.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace fx {

namespace {

namespace fs = std::filesystem;

/// It ends with the process that has started it. Threads compile, as processes would outlive it.
constexpr const char* kProgram = R"(
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGKILL)
os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
program, package, version = sys.argv[1:]
try:
    import torch
except ImportError as fault:
    sys.exit(f"python3 has no PyTorch: {fault}")
if torch.__version__.split("+")[0] != version:
    sys.exit(f"python3 has PyTorch {torch.__version__}, and packages run here if they are of {version}")
print("exported program is read", flush=True)
exported = torch.export.load(program)
print("Inductor compiles", flush=True)
torch._inductor.aoti_compile_and_package(exported, package_path=package, inductor_configs={"freezing": True})
)";

constexpr int kTick = 200; ///< milliseconds between reports

/// A folder that is gone with this object.
struct TemporaryFolder {
    TemporaryFolder() {
        std::string name = (fs::temp_directory_path() / "fxscope-compile-XXXXXX").string();
        if (!::mkdtemp(name.data()))
            throw Error(name, "no folder can be made for the compiler");
        path = name;
    }
    ~TemporaryFolder() {
        std::error_code fault;
        fs::remove_all(path, fault);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    fs::path path;
};

/// Python in a process group of its own, in the folder, so that it imports nothing from where the user is.
class Compiler {
public:
    Compiler(const fs::path& folder, const std::vector<std::string>& words) {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0)
            throw Error("python3", "cannot be started");
        posix_spawn_file_actions_t actions;
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
        ::posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
        posix_spawnattr_t settings;
        ::posix_spawnattr_init(&settings);
        ::posix_spawnattr_setflags(&settings, POSIX_SPAWN_SETPGROUP);
        ::posix_spawnattr_setpgroup(&settings, 0);
        std::vector<char*> texts;
        for (const std::string& word : words)
            texts.push_back(const_cast<char*>(word.c_str()));
        texts.push_back(nullptr);
        const int fault = ::posix_spawnp(&m_process, texts[0], &actions, &settings, texts.data(), environ);
        ::posix_spawn_file_actions_destroy(&actions);
        ::posix_spawnattr_destroy(&settings);
        ::close(ends[1]);
        m_output = ends[0];
        if (fault != 0) {
            ::close(m_output);
            throw Error("python3", "is not found").hint("put a python3 that has PyTorch on PATH");
        }
    }
    ~Compiler() {
        if (m_process > 0) {
            ::kill(-m_process, SIGKILL);
            ::waitpid(m_process, nullptr, 0);
        }
        ::close(m_output);
    }
    Compiler(const Compiler&) = delete;
    Compiler& operator=(const Compiler&) = delete;

    /// Waits a tick for what it says. False once it has ended.
    bool wait() {
        pollfd output{m_output, POLLIN, 0};
        ::poll(&output, 1, kTick);
        if (output.revents & POLLIN) {
            std::array<char, 4096> bytes;
            if (const ssize_t count = ::read(m_output, bytes.data(), bytes.size()); count > 0) {
                log.append(bytes.data(), static_cast<size_t>(count));
                return true;
            }
        }
        if (::waitpid(m_process, &status, output.revents & POLLHUP ? 0 : WNOHANG) != m_process)
            return true;
        ::kill(-m_process, SIGKILL); // what it has left behind
        m_process = -1;
        return false;
    }

    std::string log;
    int status = 0;

private:
    pid_t m_process = -1;
    int m_output = -1;
};

std::string lastLines(const std::string& log, size_t count) {
    std::string_view text = trim(log);
    size_t at = text.size();
    while (count-- > 0 && at != 0) {
        const size_t before = text.rfind('\n', at - 1);
        at = before == std::string_view::npos ? 0 : before;
    }
    return std::string(trim(text.substr(at)));
}

void writeProgram(const Model& model, const GraphInputs& inputs, const std::string& path) {
    OpenedModel opened{.model = model};
    opened.examples = [&] { return inputs.values; };
    Progress unseen;
    writePt2(opened, path, unseen);
}

} // namespace

void compileWithInductor(const Model& model, const GraphInputs& inputs, const std::string& path,
                         Progress& progress) {
    const TemporaryFolder folder;
    const std::string program = folder.path / "program.pt2", package = folder.path / "package.pt2";
    writeProgram(model, inputs, program);
    Compiler compiler(folder.path, {"python3", "-c", kProgram, program, package, TORCH_VERSION});
    const auto begin = std::chrono::steady_clock::now();
    do {
        const auto seconds =
            std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begin);
        // How much there is to do the compiler does not tell.
        progress.step(0, "compiling for " + std::to_string(seconds.count()) +
                             " s: " + oneLine(lastLines(compiler.log, 1)));
    } while (compiler.wait());
    if (compiler.status != 0)
        throw Error("python3", "could not compile it: " + lastLines(compiler.log, 3));
    writeFile(path + ".log", compiler.log);
    writeFile(path, readFile(package));
}

} // namespace fx
