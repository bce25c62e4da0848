// SPDX-License-Identifier: GPL-3.0-or-later
// Asks services (service.h) of a worker, which has a replica of the model. The worker is kept for the next
// request, which then sends the edits that were made since, and not the model. A request that needs rights
// which most runs lack, such as CUDA or files to write, has a worker of its own.
#pragma once

#include "core/module/follow.h"
#include "core/session/service.h"
#include "core/session/worker_client.h"

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>

namespace fx {

class ServiceHost {
public:
    explicit ServiceHost(WorkerOptions options = {});
    /// Ends the worker. Nobody may ask any more.
    ~ServiceHost();
    ServiceHost(const ServiceHost&) = delete;
    ServiceHost& operator=(const ServiceHost&) = delete;

    // On the thread that edits the model:

    /// The number of the model as it is now.
    uint64_t version() const;
    /// Follows an edit of the model.
    void follow(const ModelUpdate& update);
    /// The model is another one in what edits do not tell, as its path.
    void forgetReplica();
    /// Has a worker ready from now on, so that requests need not wait for its start. Does not wait.
    void prepare();

    /// Asks and waits for the answer, from any thread. A request that comes while another one is answered
    /// has a worker of its own. `progress` is told how far the worker has come; once it is cancelled, the
    /// worker is ended and Cancelled is thrown. Throws the Error of the service, and one where the worker
    /// dies.
    template <class Request, class Answer>
    Answer ask(const Service<Request, Answer>& service, const ServiceModels& models, const Request& request,
               Progress& progress) {
        const RunRequest& run = service.runOf(request);
        const Message reply =
            replyTo(service.question(request), models,
                    {service.permissions ? service.permissions(request) : permissionsFor(run),
                     service.place ? service.place(request) : std::string(service.name), memoryLimitOf(run)},
                    progress);
        Answer out = service.answerFrom(reply);
        if (service.check)
            service.check(models.opened, out);
        return out;
    }

private:
    struct Replica;
    /// What is to be known of a question beside its bytes.
    struct Terms {
        RunPermissions permissions;
        std::string place;
        uint64_t memoryLimit = 0; ///< bytes, of the worker
    };

    Message replyTo(const Message& question, const ServiceModels& models, const Terms& terms,
                    Progress& progress);
    std::unique_ptr<Replica> start(const RunPermissions& permissions) const;
    void startIfReady();
    /// What brings the replica to the models: edits of what it has, or all of them.
    std::vector<Message> messagesFor(Replica& replica, const ServiceModels& models);
    /// None: they are not known.
    std::optional<std::vector<Message>> editsFor(const Replica& replica, const ServiceModels& models);

    const WorkerOptions m_options;
    std::mutex m_asking; ///< held by the request that uses m_replica
    std::unique_ptr<Replica> m_replica;
    std::atomic<bool> m_isReady = false; ///< prepare() was called

    mutable std::mutex m_mutex;
    uint64_t m_version = 0;
    std::deque<std::shared_ptr<const ModelUpdate>>
        m_updates; ///< the newest ones: the last leads to m_version
};

/// Asks a worker that is ended afterwards.
template <class Request, class Answer>
Answer askApart(const Service<Request, Answer>& service, const ServiceModels& models, const Request& request,
                Progress& progress, const WorkerOptions& options = {}) {
    return ServiceHost(options).ask(service, models, request, progress);
}

/// The model as it was at one moment, for whoever asks about it on another thread.
struct ModelSnapshot {
    std::shared_ptr<const OpenedModel> opened;
    std::shared_ptr<ServiceHost> host = nullptr; ///< that follows the model; null: none does
    uint64_t version = 0;                        ///< of the host

    /// `reference`: as in ServiceModels.
    template <class Request, class Answer>
    Answer ask(const Service<Request, Answer>& service, const Request& request, Progress& progress,
               const OpenedModel* reference = nullptr) const {
        if (!host)
            return askApart(service, {*opened, reference}, request, progress);
        return host->ask(service, {*opened, reference, version}, request, progress);
    }
};

/// How far a worker has come, told now and then before it answers.
struct ProgressNews {
    double fraction = 0;
    std::string what;
};
Message progressMessage(const ProgressNews& news);

} // namespace fx
