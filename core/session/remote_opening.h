// SPDX-License-Identifier: GPL-3.0-or-later
// A model on another machine, as a user asks for it.
#pragma once

#include "core/session/remote_host.h"

#include <memory>
#include <optional>
#include <string>

namespace fx {

struct RemoteRequest {
    std::string address; ///< as connectTo takes it
    std::string token;
    std::string session;     ///< to come back to; empty: a new one, with `model`
    OpeningRequest model;    ///< its files are the host's
    bool isUploaded = false; ///< they are of this machine, and sent there first
};

struct RemoteModel {
    std::shared_ptr<RemoteHost> host;
    OpenedModel opened;
};

/// Waits. Throws an Error, and Cancelled when `progress` is cancelled.
RemoteModel openThere(const RemoteRequest& request, Progress& progress);

/// What is in the file, or without one in FXSCOPE_TOKEN of the environment; none: nowhere. Throws an Error
/// where the file cannot be read.
std::optional<std::string> givenToken(const std::string& file);

} // namespace fx
