// SPDX-License-Identifier: GPL-3.0-or-later
// The two ends of the socket between a program with threads, which must not fork, and the process that forks
// for it. A question is one byte with two files in memory, of which the first holds the request; the answer
// is how the child ended, when it has.
#include "core/base/error.h"
#include "core/interpret/operator_libraries.h"
#include "core/io/json.h"
#include "core/io/mapped_file.h"
#include "core/session/opening.h"
#include "core/session/passed_descriptor.h"
#include "core/session/user_pass_rows.h"

#include <array>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <memory>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace fx {

namespace {

using Clock = std::chrono::steady_clock;
using Wanted = OpeningRequest::Wanted;

/// Who cancels most often asks anew, as when one types: then an answer that is about to come is waited for,
/// as another process takes longer to start.
constexpr std::chrono::milliseconds kAnswerPatience{100};

bool sendFiles(int socket, const MessageFiles& files) {
    const char byte = 1;
    return sendWithDescriptors(socket, &byte, 1, std::array{files.text(), files.data()}) == 1;
}

/// Null when the other end is closed.
std::unique_ptr<MessageFiles> receiveFiles(int socket) {
    char byte = 0;
    std::array<int, 2> descriptors;
    if (receiveWithDescriptors(socket, &byte, 1, descriptors) != 1 || descriptors[0] < 0)
        return nullptr;
    return std::make_unique<MessageFiles>(descriptors[0], descriptors[1]);
}

std::string contentOf(int descriptor) {
    const auto file = MappedFile::ofDescriptor(descriptor, "request");
    return {reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()};
}

void putContent(int descriptor, const std::string& text) {
    if (::ftruncate(descriptor, 0) != 0 || ::lseek(descriptor, 0, SEEK_SET) != 0 ||
        ::write(descriptor, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        throw Error("", "no memory to be had for another process");
}

std::string endMessage(const ProcessEnd& end) {
    return jsonText({{"status", end.exitStatus},
                     {"signal", end.signal},
                     {"late", end.isLate},
                     {"node", end.node},
                     {"call", end.call},
                     {"line", end.line}});
}

ProcessEnd endFrom(const std::string& text) {
    const JsonDocument json(text, "worker");
    const auto member = [&](const char* key) -> const Json& { return json.member(json.root(), key); };
    ProcessEnd out;
    out.exitStatus = static_cast<int>(json.integer(member("status")));
    out.signal = static_cast<int>(json.integer(member("signal")));
    out.isLate = json.boolean(member("late"));
    out.node = json.string(member("node"));
    out.call = json.string(member("call"));
    out.line = json.string(member("line"));
    return out;
}

} // namespace

void serveOpenings(int socket) {
    while (const std::unique_ptr<MessageFiles> files = receiveFiles(socket)) {
        ProcessEnd end;
        try {
            const OpeningRequest request = OpeningRequest::fromText(contentOf(files->text()));
            putContent(files->text(), "");
            end = openInChild(request, *files);
        } catch (const Error& error) {
            putContent(files->text(), "");
            sendError(error, *files);
        }
        const std::string text = endMessage(end);
        if (::send(socket, text.data(), text.size(), MSG_NOSIGNAL) < 0)
            return;
    }
}

OpeningWorker::~OpeningWorker() {
    stop();
}

void OpeningWorker::start() {
    // Packets, so that an answer is read as it was written.
    if (!m_process)
        m_process = std::make_unique<WorkerProcess>(m_program, std::vector<std::string>(), SOCK_SEQPACKET);
}

void OpeningWorker::stop() {
    m_process.reset();
}

ProcessEnd OpeningWorker::ask(const OpeningRequest& request, const MessageFiles& answer, Progress& progress) {
    std::unique_lock lock(m_mutex, std::defer_lock);
    while (!lock.try_lock_for(std::chrono::milliseconds(20)))
        if (progress.isCancelled())
            throw Cancelled();
    putContent(answer.text(), request.text());
    start();
    if (!sendFiles(m_process->socket(), answer)) { // it has ended since
        stop();
        start();
        if (!sendFiles(m_process->socket(), answer))
            throw Error("open", "the process that opens models has ended");
    }
    pollfd answered{m_process->socket(), POLLIN, 0};
    Clock::time_point lastWanted = Clock::now();
    while (::poll(&answered, 1, 20) <= 0) {
        if (!progress.isCancelled())
            lastWanted = Clock::now();
        else if (Clock::now() > lastWanted + kAnswerPatience) {
            stop();
            throw Cancelled();
        }
    }
    std::string text(1 << 16, '\0');
    const ssize_t count = ::recv(m_process->socket(), text.data(), text.size(), 0);
    if (count <= 0) {
        stop();
        ProcessEnd end;
        end.signal = SIGKILL;
        return end;
    }
    text.resize(static_cast<size_t>(count));
    if (progress.isCancelled())
        throw Cancelled();
    return endFrom(text);
}

std::vector<std::string> OpeningWorker::askForNames(const OpeningRequest& request, Progress& progress) {
    const MessageFiles answer;
    requireAnswer(request, ask(request, answer, progress));
    return receiveNames(answer, request.path);
}

OpenedModel OpeningWorker::open(const OpeningRequest& request, Progress& progress) {
    if (std::optional<OpenedModel> data = openData(request.path, request.options, progress))
        return std::move(*data);
    progress.step(0, "evaluating its code");
    const MessageFiles answer;
    requireAnswer(request, ask(request, answer, progress));
    return receiveModel(answer, request.path);
}

std::vector<std::string> OpeningWorker::modelsIn(OpeningRequest request, Progress& progress) {
    request.wanted = Wanted::Names;
    return askForNames(request, progress);
}

std::vector<Pass> OpeningWorker::passesIn(const std::string& path, Progress& progress) {
    const OpeningRequest request{path, {}, knownOperatorLibraries(), Wanted::Passes};
    return userPassesFrom(askForNames(request, progress));
}

Model OpeningWorker::tracePattern(const std::string& text, const std::string& place, Progress& progress) {
    const OpeningRequest request{place, {}, knownOperatorLibraries(), Wanted::Pattern, text};
    const MessageFiles answer;
    requireAnswer(request, ask(request, answer, progress));
    return receiveModel(answer, place).model;
}

void OpeningWorker::learnLibrary(const std::string& path, Progress& progress) {
    OpeningRequest request{path, {}, knownOperatorLibraries(), Wanted::Operators};
    std::erase(request.libraries, std::filesystem::absolute(path).string()); // it may be another file by now
    declareOperatorLibrary(path, askForNames(request, progress));
}

std::vector<std::string> OpeningWorker::devices(Progress& progress) {
    return askForNames({"devices", {}, {}, Wanted::Devices}, progress);
}

} // namespace fx
