// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/process/channel.h"

#include "core/base/error.h"
#include "core/process/passed_descriptor.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace fx {

namespace {

/// Seals set on a file before it is sent: nobody can resize or write it afterwards.
constexpr int kUnchanged = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;

constexpr uint32_t kMark = 0x31777866; // "fxw1"
/// Sizes that another process names are believed so far ahead of what has come.
constexpr uint64_t kPiece = uint64_t(1) << 20;

} // namespace

struct Channel::Header {
    uint32_t mark = kMark;
    MessageKind kind = MessageKind::Greeting;
    bool hasFile = false;
    uint16_t reserved = 0;
    int32_t number = 0;
    uint32_t reservedToo = 0;
    uint64_t bodySize = 0;
    uint64_t fileSize = 0; ///< of a file whose bytes follow the body
};

Descriptor::~Descriptor() {
    ::close(m_number);
}

std::shared_ptr<const Descriptor> memoryFile(const char* name) {
    const int number = ::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (number < 0)
        throw Error("", "no memory to be had for what another process says");
    return std::make_shared<const Descriptor>(number);
}

void writeAll(const Descriptor& file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(file.number(), bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            throw Error("", "no memory to be had for what another process says");
        bytes.remove_prefix(static_cast<size_t>(count));
    }
}

std::string contentOf(const Descriptor& file) {
    std::string out(static_cast<size_t>(sizeOf(file)), '\0');
    for (size_t at = 0; at < out.size();) {
        const ssize_t count =
            ::pread(file.number(), out.data() + at, out.size() - at, static_cast<off_t>(at));
        if (count <= 0)
            throw Error("", "what another process says cannot be read");
        at += static_cast<size_t>(count);
    }
    return out;
}

uint64_t sizeOf(const Descriptor& file) {
    struct stat info {};
    return ::fstat(file.number(), &info) == 0 ? static_cast<uint64_t>(info.st_size) : 0;
}

bool Channel::send(const Message& message, Progress* progress) {
    Header header;
    header.kind = message.kind;
    header.number = message.number;
    header.bodySize = message.body.size();
    header.hasFile = message.file != nullptr;
    if (message.file && !m_passesFiles) {
        header.fileSize = sizeOf(*message.file);
    }
    if (message.file && m_passesFiles)
        ::fcntl(message.file->number(), F_ADD_SEALS, kUnchanged | F_SEAL_SEAL);
    const std::lock_guard lock(m_sending);
    if (message.file && m_passesFiles)
        return sendHeader(header, message.file->number()) &&
               sendBytes(message.body.data(), message.body.size());
    if (!message.file && message.body.size() < kPiece) { // one packet for what is small
        std::string all(reinterpret_cast<const char*>(&header), sizeof header);
        all += message.body;
        return sendBytes(all.data(), all.size());
    }
    return sendBytes(&header, sizeof header) && sendBytes(message.body.data(), message.body.size()) &&
           (!message.file || sendContent(message.file->number(), header.fileSize, progress));
}

bool Channel::sendBytes(const void* data, size_t size) {
    const char* bytes = static_cast<const char*>(data);
    while (size > 0) {
        const ssize_t count = ::send(m_socket.number(), bytes, size, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        bytes += count;
        size -= static_cast<size_t>(count);
    }
    return true;
}

bool Channel::sendHeader(const Header& header, int file) {
    const ssize_t count = sendWithDescriptors(m_socket.number(), &header, sizeof header, {&file, 1});
    return count > 0 && sendBytes(reinterpret_cast<const char*>(&header) + count,
                                  sizeof header - static_cast<size_t>(count));
}

bool Channel::sendContent(int file, uint64_t size, Progress* progress) {
    std::vector<char> piece(std::min(size, kPiece));
    for (uint64_t at = 0; at < size;) {
        if (progress)
            progress->step(static_cast<double>(at) / static_cast<double>(size), "Sending");
        const ssize_t count =
            ::pread(file, piece.data(), std::min<uint64_t>(piece.size(), size - at), static_cast<off_t>(at));
        if (count <= 0 || !sendBytes(piece.data(), static_cast<size_t>(count)))
            return false;
        at += static_cast<uint64_t>(count);
    }
    return true;
}

std::optional<Message> Channel::receive(uint64_t most) {
    Header header;
    Message out;
    if (!receiveHeader(header, out.file))
        return std::nullopt;
    require(header, out.file != nullptr, most);
    out.kind = header.kind;
    out.number = header.number;
    if (!receiveBody(out.body, header.bodySize))
        return std::nullopt;
    // Nobody may change or cut what is read later. A file that has no seals gives -1.
    if (const int seals = out.file ? ::fcntl(out.file->number(), F_GET_SEALS) : kUnchanged;
        seals < 0 || (seals & kUnchanged) != kUnchanged)
        throw Error("", "another process sent a file that it may still change");
    if (header.hasFile && !out.file && !(out.file = receiveContent(header.fileSize)))
        return std::nullopt;
    return out;
}

void Channel::require(const Header& header, bool hasFileHere, uint64_t most) const {
    if (header.mark != kMark)
        throw Error("", "what is at the other end is no fxscope");
    if (header.hasFile && m_passesFiles != hasFileHere)
        throw Error("", "another process sent a message without its file");
    if (header.bodySize > most || header.fileSize > most - header.bodySize)
        throw Error("", "what is at the other end says more than it may");
}

Channel::Arrival Channel::receiveArrived(Message& message, uint64_t most) {
    Header header;
    for (uint64_t whole = sizeof header;;) {
        if (m_arrived.size() >= sizeof header) {
            std::memcpy(&header, m_arrived.data(), sizeof header);
            require(header, false, most);
            if (header.hasFile)
                throw Error("", "what is at the other end says more than it may");
            whole = sizeof header + header.bodySize;
        }
        if (m_arrived.size() == whole) {
            message = {header.kind, header.number, std::exchange(m_arrived, {}).substr(sizeof header)};
            return Arrival::Whole;
        }
        std::array<char, 4096> piece;
        const size_t wanted = std::min<uint64_t>(piece.size(), whole - m_arrived.size());
        const ssize_t count = ::recv(m_socket.number(), piece.data(), wanted, MSG_DONTWAIT);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return Arrival::Partly;
        if (count <= 0)
            return Arrival::Closed;
        m_lastHeard = std::chrono::steady_clock::now();
        m_arrived.append(piece.data(), static_cast<size_t>(count));
    }
}

void Channel::setPatience(std::chrono::milliseconds patience) {
    const timeval limit{patience.count() / 1000, patience.count() % 1000 * 1000};
    for (const int option : {SO_RCVTIMEO, SO_SNDTIMEO})
        ::setsockopt(m_socket.number(), SOL_SOCKET, option, &limit, sizeof limit);
}

bool Channel::hasNews(std::chrono::milliseconds longest) {
    pollfd socket{m_socket.number(), POLLIN, 0};
    return ::poll(&socket, 1, static_cast<int>(longest.count())) > 0;
}

bool Channel::receiveHeader(Header& header, std::shared_ptr<const Descriptor>& file) {
    int number = -1;
    const ssize_t count = receiveWithDescriptors(m_socket.number(), &header, sizeof header, {&number, 1});
    if (count <= 0)
        return false;
    m_lastHeard = std::chrono::steady_clock::now();
    if (number >= 0)
        file = std::make_shared<const Descriptor>(number);
    return receiveBytes(reinterpret_cast<char*>(&header) + count, sizeof header - static_cast<size_t>(count));
}

bool Channel::receiveBytes(void* data, size_t size) {
    char* bytes = static_cast<char*>(data);
    while (size > 0) {
        // In pieces, as a long one may take longer than the patience.
        const ssize_t count = ::recv(m_socket.number(), bytes, std::min<size_t>(size, kPiece), MSG_WAITALL);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            throw Error("", "what is at the other end fell silent in the middle of a message");
        if (count <= 0)
            return false;
        m_lastHeard = std::chrono::steady_clock::now();
        bytes += count;
        size -= static_cast<size_t>(count);
    }
    return true;
}

bool Channel::receiveBody(std::string& body, uint64_t size) {
    while (body.size() < size) {
        const size_t at = body.size();
        body.resize(at + std::min(size - at, std::max<uint64_t>(kPiece, at)));
        if (!receiveBytes(body.data() + at, body.size() - at))
            return false;
    }
    return true;
}

std::shared_ptr<const Descriptor> Channel::receiveContent(uint64_t size) {
    const std::shared_ptr<const Descriptor> file = memoryFile("fxscope data");
    std::vector<char> piece(std::min(size, kPiece));
    for (uint64_t rest = size; rest > 0;) {
        const size_t count = std::min<uint64_t>(piece.size(), rest);
        if (!receiveBytes(piece.data(), count))
            return nullptr;
        writeAll(*file, {piece.data(), count});
        rest -= count;
    }
    return file;
}

void Channel::shutDown() {
    ::shutdown(m_socket.number(), SHUT_RDWR);
}

} // namespace fx
