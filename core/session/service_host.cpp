// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/service_host.h"

#include "core/base/error.h"
#include "core/process/fault_message.h"
#include "core/process/wire.h"
#include "core/session/debug_wire.h"
#include "core/session/replica_message.h"
#include "core/session/worker_connection.h"

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

/// Tells on the thread that waits what the worker tells on another one.
class Relay {
public:
    explicit Relay(Progress& progress) : m_progress(progress) {}
    void hear(const Message& message) {
        const std::lock_guard lock(m_mutex);
        m_news = fromWire<ProgressNews>(message.body);
    }
    void tell() {
        std::unique_lock lock(m_mutex);
        const std::optional<ProgressNews> news = std::exchange(m_news, std::nullopt);
        lock.unlock();
        if (news)
            m_progress.report(news->fraction, news->what);
    }

private:
    Progress& m_progress;
    std::mutex m_mutex;
    std::optional<ProgressNews> m_news;
};

} // namespace

struct ServiceHost::Replica : WorkerConnection {
    using WorkerConnection::WorkerConnection;
    std::optional<uint64_t> version; ///< of the model that it has; none: of no state of the host's model
    uint64_t copiedBytes = 0;        ///< of tensors that were sent
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
    m_updates.push_back(std::make_shared<const ModelUpdate>(update));
    if (m_updates.size() > kMostUpdates)
        m_updates.pop_front();
}

void ServiceHost::forgetReplica() {
    const std::lock_guard lock(m_mutex);
    ++m_version;
    m_updates.clear();
}

void ServiceHost::prepare() {
    m_isReady = true;
    if (const std::unique_lock asking(m_asking, std::try_to_lock); asking)
        startIfReady();
}

void ServiceHost::startIfReady() {
    if (!m_isReady || (m_replica && m_replica->process.isAlive()))
        return;
    try {
        m_replica = start({});
    } catch (const std::exception&) {
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
    std::vector<std::shared_ptr<const ModelUpdate>> updates;
    {
        const std::lock_guard lock(m_mutex);
        const uint64_t oldest = m_version - m_updates.size();
        if (*replica.version < oldest)
            return std::nullopt;
        for (uint64_t at = *replica.version; at < *models.version; ++at)
            updates.push_back(m_updates[at - oldest]);
    }
    std::vector<Message> out;
    for (const auto& update : updates)
        out.push_back(updateMessage(*update));
    return out;
}

std::vector<Message> ServiceHost::messagesFor(Replica& replica, const ServiceModels& models) {
    std::optional<std::vector<Message>> out = editsFor(replica, models);
    if (!out) {
        out = {replicaMessage(models.opened)};
        replica.copiedBytes = 0;
        if (std::optional<Message> examples = examplesMessage(models.opened))
            out->push_back(std::move(*examples));
    }
    for (const Message& message : *out)
        replica.copiedBytes += message.file ? sizeOf(*message.file) : 0;
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
    /// Starts the next worker when this one is not kept.
    struct Renewal {
        ServiceHost& host;
        const bool isMine;
        ~Renewal() {
            if (isMine)
                host.startIfReady();
        }
    } const renewal{*this, asking.owns_lock()};
    const bool isReused = asking && m_replica && m_replica->process.isAlive() &&
                          terms.permissions.outputs.empty() && m_replica->permissions.suit(terms.permissions);
    std::unique_ptr<Replica> worker = isReused ? std::move(m_replica) : start(terms.permissions);
    std::vector<Message> messages = messagesFor(*worker, models);
    messages.push_back(question);
    for (const std::string& output : terms.permissions.outputs)
        worker->process.allowOutput(output);
    Relay relay(progress);
    const std::optional<Message> reply = worker->ask(
        messages,
        [&] {
            relay.tell();
            if (progress.isCancelled())
                throw Cancelled();
        },
        [&](const Message& message) { relay.hear(message); });
    relay.tell();
    if (!reply)
        throw Error(terms.place,
                    "the process that did it ended: " + endReason(worker->process.end(), terms.memoryLimit));
    const bool isFault = reply->kind == MessageKind::Fault;
    // One that may write files could go on writing to what it has open.
    const bool hasUsualRights = terms.permissions.outputs.empty() &&
                                worker->permissions.workerWords() == RunPermissions().workerWords();
    if (asking && hasUsualRights && worker->version && worker->copiedBytes <= kMostCopied &&
        !(isFault && reply->number == kHasNoModel))
        m_replica = std::move(worker);
    if (isFault)
        throw faultFrom(*reply);
    return *reply;
}

} // namespace fx
