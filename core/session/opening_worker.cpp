// SPDX-License-Identifier: GPL-3.0-or-later
// The two ends of the channel between a program with threads, which must not fork, and the process that forks
// for it.
#include "core/base/error.h"
#include "core/interpret/operator_libraries.h"
#include "core/process/fault_message.h"
#include "core/session/model_message.h"
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
        reply.number = question->number;
        if (!channel.send(reply))
            return;
    }
}

OpeningWorker::OpeningWorker(std::string program) : m_program(std::move(program)) {}

OpeningWorker::~OpeningWorker() = default;

Message OpeningWorker::ask(const OpeningRequest& request, Progress& progress) {
    std::unique_lock lock(m_mutex, std::defer_lock);
    while (!lock.try_lock_for(std::chrono::milliseconds(20)))
        if (progress.isCancelled())
            throw Cancelled();
    Clock::time_point lastWanted = Clock::now();
    const auto wait = [&] {
        if (!progress.isCancelled())
            lastWanted = Clock::now();
        else if (Clock::now() > lastWanted + kAnswerPatience)
            throw Cancelled();
    };
    // Kept only after a complete answer, so that a late reply cannot be taken for the answer to the next
    // question.
    std::unique_ptr<Host> host = std::move(m_host);
    if (!host || !host->process.isAlive())
        host = std::make_unique<Host>(m_program);
    std::optional<Message> reply = host->ask({{MessageKind::Open, ++m_lastAsked, request.text()}}, wait);
    if (!reply)
        throw Error(request.path,
                    "the process that opens models ended: " + endReason(host->process.end(), 0));
    if (reply->number != m_lastAsked)
        throw Error(request.path, "the process that opens models answered another question");
    const std::optional<Error> fault =
        reply->kind == MessageKind::Fault ? std::optional(faultFrom(*reply)) : std::nullopt;
    m_host = std::move(host);
    if (progress.isCancelled())
        throw Cancelled();
    if (fault)
        throw *fault;
    return std::move(*reply);
}

std::vector<std::string> OpeningWorker::askForNames(const OpeningRequest& request, Progress& progress) {
    return namesFrom(ask(request, progress));
}

OpenedModel OpeningWorker::open(const OpeningRequest& request, Progress& progress) {
    if (std::optional<OpenedModel> data = openData(request.path, request.options, progress))
        return std::move(*data);
    progress.step(0, "evaluating its code");
    return modelFrom(ask(request, progress), request.path);
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
    return modelFrom(ask(request, progress), request.path).model;
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
