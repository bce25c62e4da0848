// SPDX-License-Identifier: GPL-3.0-or-later
// What a client and a server on two machines say to each other beside what a program says to its worker. The
// greeting is JSON and an error four texts, which other versions understand; the rest is for the same version
// on both ends.
#pragma once

#include "core/base/error.h"
#include "core/io/opened_model.h"
#include "core/process/fault_message.h"

namespace fx {

/// What both ends must have alike.
std::string remoteVersion();

/// The client's first message; nothing before it is answered.
struct Greeting {
    std::string version, token;
    std::string session; ///< to come back to; empty: a new one
};
/// The server's answer.
struct Welcome {
    std::string version;
    std::string session;              ///< empty: the one that was wanted is gone
    std::string host;                 ///< its name for itself
    std::vector<std::string> devices; ///< as availableDevices() has them there
    int run = 0;                      ///< the number of the session's run; 0: none
    size_t updates = 0;               ///< how many edits of the model it has followed
};
Message greetingMessage(const Greeting& greeting);
Message welcomeMessage(const Welcome& welcome);
/// These throw an Error for what is none; welcomeFrom throws the Error that came in its place, too.
Greeting greetingFrom(const Message& message);
Welcome welcomeFrom(const Message& message);

/// A model whose tensors are described only.
Message describedModel(const OpenedModel& opened, int32_t number);
struct RemoteData {
    std::function<at::Tensor(TensorId id)> tensor;
    std::function<std::vector<Value>()> examples;
};
/// Nothing is believed. `data`: reads what is needed of it, from any thread.
OpenedModel describedFrom(const Message& message, const RemoteData& data);

/// Tensors by their ids.
using FetchedTensors = std::vector<std::pair<TensorId, at::Tensor>>;
/// The data of `wanted`, and of what shares its storage; and of some small ones after it, which are likely to
/// be next.
Message fetchedMessage(const Model& model, TensorId wanted, int32_t number);
FetchedTensors fetchedFrom(const Message& message);
/// What is fetched by this id are the examples of the model.
constexpr int32_t kExamplesId = -1;

struct FolderEntry {
    std::string name;
    bool isFolder = false;
    uint64_t size = 0; ///< bytes, of a file
};
struct FolderListing {
    std::string path;                 ///< absolute
    std::vector<FolderEntry> entries; ///< folders first, by name; without hidden ones
};
/// Empty: the working folder. Throws an Error where it cannot be read.
FolderListing listFolder(const std::string& path);
Message listingMessage(const FolderListing& listing, int32_t number);
FolderListing listingFrom(const Message& message);

} // namespace fx
