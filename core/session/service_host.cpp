// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/service_host.h"

#include "core/base/error.h"
#include "core/process/fault_message.h"
#include "core/process/wire.h"
#include "core/session/debug_wire.h"
#include "core/session/replica_message.h"
#include "core/session/worker_connection.h"

#include <chrono>
#include <future>
#include <utility>

namespace fx {

auto fields(ProgressNews& x) {
    return std::tie(x.fraction, x.what);
}

Message progressMessage(const ProgressNews& news) {
    return {MessageKind::Progress, 0, toWire(news)};
}

namespace {

/// Updates that are kept for a replica, before it gets the whole model anew.
constexpr size_t kMostUpdates = 256;
/// A worker that holds copies of more tensors than so many bytes is not kept.
constexpr uint64_t kMostCopied = uint64_t(1) << 30;

/// Sends the messages and waits for the reply to the last one. None: the worker has died.
std::optional<Message> exchange(WorkerConnection& worker, const std::vector<Message>& messages,
                                Progress& progress) {
    std::mutex mutex;
    std::optional<ProgressNews> news;
    auto reply = std::async(std::launch::async, [&]() -> std::optional<Message> {
        for (const Message& message : messages)
            worker.channel.send(message);
        std::optional<Message> message = worker.channel.receive();
        for (; message && message->kind == MessageKind::Progress; message = worker.channel.receive()) {
            const std::lock_guard lock(mutex);
            news = fromWire<ProgressNews>(message->body);
        }
        return message;
    });
    const auto tell = [&] {
        std::unique_lock lock(mutex);
        const std::optional<ProgressNews> fresh = std::exchange(news, std::nullopt);
        lock.unlock();
        if (fresh)
            progress.report(fresh->fraction, fresh->what);
    };
    while (reply.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
        if (progress.isCancelled()) {
            worker.process.kill();
            reply.wait();
            throw Cancelled();
        }
        tell();
    }
    tell();
    return reply.get();
}

} // namespace

struct ServiceHost::Replica : WorkerConnection {
    using WorkerConnection::WorkerConnection;
    std::optional<uint64_t> version; ///< of the model that it has; none: of no state of the host's model
    bool isKept = true;              ///< for the next request
};

ServiceHost::ServiceHost(WorkerOptions options) : m_options(std::move(options)) {}

ServiceHost::~ServiceHost() = default;

uint64_t ServiceHost::version() const {
    const std::lock_guard lock(m_mutex);
    return m_version;
}

void ServiceHost::follow(const ModelUpdate& update) {
    const std::lock_guard lock(m_mutex);
    ++m_version;
    m_updates.push_back(update);
    if (m_updates.size() > kMostUpdates)
        m_updates.pop_front();
}

void ServiceHost::forgetReplica() {
    const std::lock_guard lock(m_mutex);
    ++m_version;
    m_updates.clear();
}

void ServiceHost::prepare() {
    const std::unique_lock asking(m_asking, std::try_to_lock);
    if (!asking || (m_replica && m_replica->process.isAlive()))
        return;
    try {
        m_replica = start({});
    } catch (const Error&) {
        // The next request tells that it cannot be started.
    }
}

std::unique_ptr<ServiceHost::Replica> ServiceHost::start(const RunPermissions& permissions) const {
    return std::make_unique<Replica>(m_options.program, permissions);
}

std::optional<std::vector<Message>> ServiceHost::editsFor(const Replica& replica,
                                                          const ServiceModels& models) {
    if (!replica.version || !models.version || *models.version < *replica.version)
        return std::nullopt;
    const std::lock_guard lock(m_mutex);
    const uint64_t oldest = m_version - m_updates.size();
    if (*replica.version < oldest)
        return std::nullopt;
    std::vector<Message> out;
    for (uint64_t at = *replica.version; at < *models.version; ++at)
        out.push_back(updateMessage(m_updates[at - oldest]));
    return out;
}

std::vector<Message> ServiceHost::messagesFor(Replica& replica, const ServiceModels& models) {
    std::optional<std::vector<Message>> out = editsFor(replica, models);
    if (!out) {
        out = {replicaMessage(models.opened)};
        replica.isKept = models.version && sizeOf(*out->front().file) <= kMostCopied;
        if (std::optional<Message> examples = examplesMessage(models.opened))
            out->push_back(std::move(*examples));
    }
    replica.version = models.version;
    if (models.reference) {
        out->push_back(replicaMessage(*models.reference));
        out->back().kind = MessageKind::Reference;
    }
    return std::move(*out);
}

Message ServiceHost::replyTo(const Message& question, const ServiceModels& models, const Terms& terms,
                             Progress& progress) {
    const std::unique_lock asking(m_asking, std::try_to_lock);
    std::unique_ptr<Replica> worker = asking ? std::move(m_replica) : nullptr;
    if (!worker || !worker->process.isAlive() || !worker->permissions.suit(terms.permissions))
        worker = start(terms.permissions);
    std::vector<Message> messages = messagesFor(*worker, models);
    messages.push_back(question);
    for (const std::string& output : terms.permissions.outputs)
        worker->process.allowOutput(output);
    const std::optional<Message> reply = exchange(*worker, messages, progress);
    if (!reply)
        throw Error(terms.place,
                    "the process that did it ended: " + endReason(worker->process.end(), terms.memoryLimit));
    if (reply->kind == MessageKind::Fault)
        throw faultFrom(*reply);
    if (asking && worker->isKept) {
        if (!terms.permissions.outputs.empty())
            worker->process.withdrawOutputs();
        m_replica = std::move(worker);
    }
    return *reply;
}

} // namespace fx
