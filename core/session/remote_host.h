// SPDX-License-Identifier: GPL-3.0-or-later
// The client's end of a session on another machine: what is asked of it, what it tells, and the connection,
// which may be lost and made again.
#pragma once

#include "core/process/channel.h"
#include "core/session/debuggee.h"
#include "core/session/opening.h"
#include "core/session/remote_message.h"

#include <future>
#include <thread>

namespace fx {

/// Thrown by who comes back to a session that has ended.
class SessionGone : public Error {
public:
    using Error::Error;
};

/// How long a host may take to greet, and to send anything at all after that. One that is at work sends signs
/// of life.
struct HostPatience {
    std::chrono::milliseconds greeting{20'000}, silence{30'000};
};

/// Models that it opened keep it, as they read their tensors from it.
class RemoteHost : public std::enable_shared_from_this<RemoteHost> {
public:
    using EventHeard = Debuggee::Listener;
    using PositionHeard = std::function<void(int run, NodeRef node)>;
    using LossHeard = std::function<void(const std::string& why)>;

    // Where `progress` is given and cancelled, what waits throws Cancelled.

    /// Connects. `session`: one to come back to; empty: a new one. Throws an Error that names the address.
    static std::shared_ptr<RemoteHost> connect(std::string address, std::string token,
                                               std::string session = {}, const Progress* progress = nullptr,
                                               HostPatience patience = {});
    /// Leaves the session, which ends it, unless it is to be kept.
    ~RemoteHost();

    /// What the host calls itself.
    const std::string& name() const { return m_name; }
    const std::string& address() const { return m_address; }
    std::string session() const;
    /// What models can be run on there: "cpu", "cuda:0".
    const std::vector<std::string>& devices() const { return m_devices; }
    /// The run that the session had when this was made; 0: none.
    int run() const { return m_run; }
    /// The edits of the model that it had followed then.
    size_t updates() const { return m_updates; }
    /// The session stays when this ends.
    void keepSession(bool isKept = true) { m_isKept = isKept; }

    // These wait for the answer. They throw an Error: the host's own, or that the connection is lost.
    /// Opens what lies there.
    OpenedModel open(const OpeningRequest& request, Progress* progress = nullptr);
    /// The model that the session has, as it is by now.
    OpenedModel recall(Progress* progress = nullptr);
    FolderListing list(const std::string& folder);
    /// Sends a file of this machine there, and gives its path there.
    std::string upload(const std::string& path, Progress* progress = nullptr);

    /// False when the connection is lost.
    bool send(const Message& message, Progress* progress = nullptr);
    /// What comes is told on a thread of its own, until listen({}, {}, {}).
    void listen(EventHeard events, PositionHeard position, LossHeard loss);
    /// Asks for events, beginning with those that say where the run is.
    void attach() { send({MessageKind::Attach, 0, {}}); }
    bool isLost() const;
    /// Whether the connection was lost because nothing but a greeting came: it is of no use to connect again.
    bool wasSilent() const;
    /// Connects again to the same session, and gives what it says of itself; attach() then tells where the
    /// run is. Throws an Error; SessionGone where trying again is of no use. From one thread at a time.
    Welcome reconnect(const Progress* progress = nullptr);
    /// Instead of that, where the session is gone: connects to a fresh one that has opened the same model.
    /// Throws SessionGone where that cannot be.
    Welcome renew(Progress* progress);

private:
    RemoteHost(std::string address, std::string token, HostPatience patience)
        : m_address(std::move(address)), m_token(std::move(token)), m_patience(patience) {}
    Welcome greet(const std::string& session, const Progress* progress);
    void receive(Channel& channel);
    /// Waits for a message. Throws an Error where the host has fallen silent. `hasAnswered`: something came
    /// after its greeting.
    void awaitNews(Channel& channel, bool hasAnswered);
    void lose(const std::string& why);
    Message ask(Message message, Progress* progress = nullptr);
    OpenedModel modelFrom(const Message& message);
    at::Tensor fetch(TensorId id);
    std::vector<Value> examples();

    const std::string m_address, m_token;
    const HostPatience m_patience;
    std::string m_name, m_session;
    std::vector<std::string> m_devices;
    int m_run = 0;
    size_t m_updates = 0;
    bool m_isKept = false;
    OpeningRequest m_opening; ///< of the model that was opened; without a path: none was
    size_t m_digest = 0;      ///< of that model

    mutable std::mutex m_mutex;
    std::shared_ptr<Channel> m_channel;
    std::string m_whyLost; ///< empty: it is not
    bool m_wasSilent = false;
    int32_t m_lastAsked = 0;
    std::map<int32_t, std::promise<Message>> m_asked;
    std::map<int32_t, at::Tensor> m_fetched; ///< came along with others

    std::mutex m_hearing; ///< while somebody is told
    EventHeard m_events;
    PositionHeard m_position;
    LossHeard m_loss;
    std::thread m_reader;
};

} // namespace fx
