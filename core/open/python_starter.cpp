// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/open/python_starter.h"

#include "core/base/error.h"

#include <torch/version.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char** environ;

namespace fx {

namespace {

namespace fs = std::filesystem;

/// It ends with the process that has started it. Threads compile, as processes would outlive it. It imports
/// nothing from the folder, and unpickles tensors alone: who runs the graph can write into the folder.
constexpr const char* kProgram = R"(
import sys
sys.path[:] = [folder for folder in sys.path if folder]
import ctypes, functools, os, signal
ctypes.CDLL(None).prctl(1, signal.SIGKILL)
os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
program, package, version = sys.argv[1:]
try:
    import torch
except ImportError as fault:
    sys.exit(f"python3 has no PyTorch: {fault}")
if torch.__version__.split("+")[0] != version:
    sys.exit(f"python3 has PyTorch {torch.__version__}, and packages run here if they are of {version}")
torch.load = functools.partial(torch.load, weights_only=True)
print("exported program is read", flush=True)
exported = torch.export.load(program)
print("Inductor compiles", flush=True)
torch._inductor.aoti_compile_and_package(exported, package_path=package, inductor_configs={"freezing": True})
)";

constexpr int kTick = 200; ///< milliseconds between reports

/// Python in a process group of its own, in the folder, so that it imports nothing from where the user is.
class Python {
public:
    explicit Python(const fs::path& folder) {
        const std::vector<std::string> words{
            "python3", "-c", kProgram, folder / kCompiledProgram, folder / kCompiledPackage, TORCH_VERSION};
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
    ~Python() {
        if (m_process > 0) {
            ::kill(-m_process, SIGKILL);
            ::waitpid(m_process, nullptr, 0);
        }
        ::close(m_output);
    }
    Python(const Python&) = delete;
    Python& operator=(const Python&) = delete;

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

/// First bytes of packets to a starter, and from it.
enum PacketKind : char { Start = 'S', Cancel = 'C', Log = 'L', End = 'E', Fault = 'F' };
constexpr size_t kLongestPacket = 1 << 16;

bool send(int socket, PacketKind kind, std::string_view text) {
    std::string packet(1, kind);
    packet += text.substr(0, kLongestPacket - 1);
    return ::send(socket, packet.data(), packet.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(packet.size());
}

/// Empty where there is none; "C" where the other end is closed.
std::string receive(int socket, int flags = 0) {
    std::string out(kLongestPacket, '\0');
    ssize_t count = 0;
    do
        count = ::recv(socket, out.data(), out.size(), flags);
    while (count < 0 && errno == EINTR);
    out.resize(static_cast<size_t>(std::max<ssize_t>(count, 0)));
    return count == 0 ? std::string(1, PacketKind::Cancel) : out;
}

void compileIn(const std::string& folder, int socket) {
    try {
        Python python(folder);
        size_t told = 0;
        bool isRunning = true;
        while (isRunning) {
            isRunning = python.wait();
            while (told < python.log.size()) {
                send(socket, PacketKind::Log, std::string_view(python.log).substr(told));
                told = std::min(told + kLongestPacket - 1, python.log.size());
            }
            if (receive(socket, MSG_DONTWAIT).starts_with(PacketKind::Cancel))
                break;
        }
        send(socket, PacketKind::End, std::to_string(python.status));
    } catch (const Error& error) {
        send(socket, PacketKind::Fault, error.message());
    }
}

/// The other process.
[[noreturn]] void serve(int owner, int socket) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int number = 1; number < NSIG; ++number)
        std::signal(number, SIG_DFL);
    while (::getppid() == owner) {
        const std::string packet = receive(socket);
        if (packet.empty() || packet.starts_with(PacketKind::Cancel))
            break;
        compileIn(packet.substr(1), socket);
    }
    ::_exit(0);
}

} // namespace

class PythonStarter {
public:
    PythonStarter() {
        int ends[2];
        if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
            throw Error("python3", "cannot be started");
        const pid_t owner = ::getpid();
        m_process = ::fork();
        if (m_process == 0) {
            ::close(ends[0]);
            serve(owner, ends[1]);
        }
        ::close(ends[1]);
        m_socket = ends[0];
    }
    ~PythonStarter() {
        ::close(m_socket);
        if (m_process > 0)
            ::waitpid(m_process, nullptr, 0);
    }
    PythonStarter(const PythonStarter&) = delete;
    PythonStarter& operator=(const PythonStarter&) = delete;

    int socket() const { return m_socket; }

private:
    pid_t m_process = -1;
    int m_socket = -1;
};

namespace {

/// Never destroyed.
PythonStarter* prepared = nullptr;

} // namespace

void preparePython() {
    prepared = new PythonStarter;
}

PythonCompiler::PythonCompiler(const std::string& folder)
    : m_own(prepared ? nullptr : std::make_unique<PythonStarter>()),
      m_socket((prepared ? prepared : m_own.get())->socket()) {
    m_isRunning = send(m_socket, PacketKind::Start, folder);
}

PythonCompiler::~PythonCompiler() {
    if (m_isRunning && send(m_socket, PacketKind::Cancel, ""))
        for (std::string packet = receive(m_socket); packet.starts_with(PacketKind::Log);)
            packet = receive(m_socket);
}

bool PythonCompiler::wait() {
    pollfd output{m_socket, POLLIN, 0};
    if (m_isRunning && ::poll(&output, 1, kTick) <= 0)
        return true;
    const std::string packet = receive(m_socket, MSG_DONTWAIT);
    if (packet.starts_with(PacketKind::Log)) {
        m_log += packet.substr(1);
        return true;
    }
    m_isRunning = false;
    if (packet.starts_with(PacketKind::Fault))
        throw Error("python3", packet.substr(1)).hint("put a python3 that has PyTorch on PATH");
    if (!packet.starts_with(PacketKind::End))
        throw Error("python3", "the process that started it has ended");
    m_hasCompiled = packet.substr(1) == "0";
    return false;
}

} // namespace fx
