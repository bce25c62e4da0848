// SPDX-License-Identifier: GPL-3.0-or-later
// The two ends of the channel between a program with threads, which must not fork, and the process that forks
// for it.
#include "core/base/error.h"
#include "core/interpret/operator_libraries.h"
#include "core/process/fault_message.h"
#include "core/process/worker_process.h"
#include "core/session/debug_wire.h"
#include "core/session/opening.h"
#include "core/session/user_pass_rows.h"

#include <chrono>
#include <filesystem>
#include <memory>

namespace fx {

namespace {

using Clock = std::chrono::steady_clock;
using Wanted = OpeningRequest::Wanted;

/// Who cancels most often asks anew, as when one types: then an answer that is about to come is waited for,
/// as another process takes longer to start.
constexpr std::chrono::milliseconds kAnswerPatience{100};

} // namespace

void serveOpenings(Channel& channel) {
    while (const std::optional<Message> question = channel.receive()) {
        Message reply;
        try {
            reply = openInChild(OpeningRequest::fromText(question->body));
        } catch (const Error& error) {
            reply = faultMessage(0, error);
        }
        if (!channel.send(reply))
            return;
    }
}

struct OpeningWorker::Process {
    explicit Process(const std::string& program)
        : process(program, {}), channel(process.takeSocket(), true) {}

    WorkerProcess process;
    Channel channel;
};

OpeningWorker::OpeningWorker(std::string program) : m_program(std::move(program)) {}

OpeningWorker::~OpeningWorker() = default;

Message OpeningWorker::ask(const OpeningRequest& request, Progress& progress) {
    std::unique_lock lock(m_mutex, std::defer_lock);
    while (!lock.try_lock_for(std::chrono::milliseconds(20)))
        if (progress.isCancelled())
            throw Cancelled();
    const Message question{MessageKind::Open, 0, request.text()};
    const bool isNew = !m_process;
    if (isNew)
        m_process = std::make_unique<Process>(m_program);
    if (!m_process->channel.send(question) && !isNew) { // it has ended since
        m_process = std::make_unique<Process>(m_program);
        m_process->channel.send(question);
    }
    Clock::time_point lastWanted = Clock::now();
    while (!m_process->channel.hasNews(std::chrono::milliseconds(20))) {
        if (!progress.isCancelled())
            lastWanted = Clock::now();
        else if (Clock::now() > lastWanted + kAnswerPatience) {
            m_process.reset();
            throw Cancelled();
        }
    }
    std::optional<Message> reply = m_process->channel.receive();
    if (!reply) {
        const std::string reason = endReason(m_process->process.end(), 0);
        m_process.reset();
        throw Error(request.path, "the process that opens models ended: " + reason);
    }
    if (progress.isCancelled())
        throw Cancelled();
    if (reply->kind == MessageKind::Fault)
        throw faultFrom(*reply);
    return std::move(*reply);
}

std::vector<std::string> OpeningWorker::askForNames(const OpeningRequest& request, Progress& progress) {
    return namesFrom(ask(request, progress));
}

OpenedModel OpeningWorker::open(const OpeningRequest& request, Progress& progress) {
    if (std::optional<OpenedModel> data = openData(request.path, request.options, progress))
        return std::move(*data);
    progress.step(0, "evaluating its code");
    return openedFrom(ask(request, progress), request);
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
    return openedFrom(ask(request, progress), request).model;
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
