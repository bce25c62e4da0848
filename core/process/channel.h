// SPDX-License-Identifier: GPL-3.0-or-later
// Messages between a program and its worker, over a socket: a header, a body of bytes, and a file in memory
// for what is big. On one machine the file is handed over as it is; between two its bytes follow.
#pragma once

#include "core/base/progress.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace fx {

/// A descriptor that is closed with its last owner.
class Descriptor {
public:
    explicit Descriptor(int number) : m_number(number) {}
    ~Descriptor();
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number() const { return m_number; }

private:
    const int m_number;
};

/// An empty file in memory. `name` is for people who look into /proc. Throws an Error where there is none to
/// be had.
std::shared_ptr<const Descriptor> memoryFile(const char* name);

/// Appends to a file in memory. Throws an Error where there is no memory to be had.
void writeAll(const Descriptor& file, std::string_view bytes);
/// All of a file in memory. Throws an Error where it cannot be read.
std::string contentOf(const Descriptor& file);
/// Of a file in memory, in bytes.
uint64_t sizeOf(const Descriptor& file);

enum class MessageKind : uint8_t {
    Greeting,  ///< worker: its version
    Model,     ///< program: a model (replica_message.h), with its tensors in the file
    Update,    ///< program: an edit of it, likewise
    Examples,  ///< program: of that model, as torch.save writes a tuple of them
    Run,       ///< program: a RunRequest; `number`: of the run
    Command,   ///< program: a DebugCommand for the run
    Pause,     ///< program
    Stop,      ///< program
    End,       ///< program
    Event,     ///< worker: DebugEvents; `number`: of the run
    Reference, ///< program: a second model, as Model is, for the next Ask
    Ask,       ///< program: the name of a service and a request to it (core/session/service.h)
    Progress,  ///< worker: how far it has come with what is to be answered (ProgressNews)
    Reply,     ///< worker, server: the answer
    Fault,     ///< worker, server: an Error instead of an answer
    // Between two machines (remote_message.h). What is asked for is answered by Reply or Fault with its
    // number.
    Open,   ///< client: an OpeningRequest
    Recall, ///< client: the model that the session has
    Fetch,  ///< client: the data of a tensor
    List,   ///< client: a folder
    Upload, ///< client: a file and its name
    Attach, ///< client: events are to be told from now on, those that it missed first
    Leave,  ///< client: the session is over
    // These are asked and answered without a number, and nobody waits for the answer.
    Position, ///< client; server: the node that is at work, a NodeRef; `number`: of the run
};

struct Message {
    MessageKind kind = MessageKind::Greeting;
    int32_t number = 0;
    std::string body;
    std::shared_ptr<const Descriptor> file = nullptr;
};

class Channel {
public:
    /// Takes the socket over. `passesFiles`: it is one of this machine that may carry descriptors.
    Channel(int socket, bool passesFiles) : m_socket(socket), m_passesFiles(passesFiles) {}

    /// From any thread. False when the other end is closed. `progress`, if there is one, is told how much of
    /// a file has gone; where it is cancelled meanwhile, Cancelled is thrown, and nothing can be sent any
    /// more.
    bool send(const Message& message, Progress* progress = nullptr);
    /// Waits for the next one, on one thread. None when the other end is closed. Throws an Error for what is
    /// no message, and for one of more than `most` bytes.
    std::optional<Message> receive(uint64_t most = UINT64_MAX);
    enum class Arrival { Partly, Whole, Closed };
    /// Takes what has come of the next message and returns at once: for an end that is not trusted yet, as it
    /// may send a message byte by byte. `message` is set where all of it has come. Throws an Error for what
    /// is no message, has a file or is longer than `most` bytes.
    Arrival receiveArrived(Message& message, uint64_t most);
    /// How long receive() waits for the next bytes of a message before it throws an Error, and send() for the
    /// other end to take some before it returns false; without it, for ever. The first bytes of a message are
    /// to be waited for by hasNews().
    void setPatience(std::chrono::milliseconds patience);
    /// When the last byte arrived, or when the channel was made.
    std::chrono::steady_clock::time_point lastHeard() const { return m_lastHeard; }
    /// Waits so long at most; true when receive() has something to do.
    bool hasNews(std::chrono::milliseconds longest);
    /// For who waits for several at once.
    int number() const { return m_socket.number(); }
    /// Wakes whoever waits in it.
    void shutDown();

private:
    struct Header;
    void require(const Header& header, bool hasFileHere, uint64_t most) const;
    bool sendBytes(const void* data, size_t size);
    bool sendHeader(const Header& header, int file);
    bool sendContent(int file, uint64_t size, Progress* progress);
    bool receiveHeader(Header& header, std::shared_ptr<const Descriptor>& file);
    bool receiveBytes(void* data, size_t size);
    bool receiveBody(std::string& body, uint64_t size);
    std::shared_ptr<const Descriptor> receiveContent(uint64_t size);

    const Descriptor m_socket;
    const bool m_passesFiles;
    std::mutex m_sending;
    std::string m_arrived; ///< of a message that receiveArrived() has begun
    std::atomic<std::chrono::steady_clock::time_point> m_lastHeard{std::chrono::steady_clock::now()};
};

} // namespace fx
