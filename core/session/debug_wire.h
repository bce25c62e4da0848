// SPDX-License-Identifier: GPL-3.0-or-later
// What a debug session is told and what it tells, as bytes (wire.h).
#pragma once

#include "core/base/error.h"
#include "core/session/debuggee.h"

#include <string>
#include <string_view>

namespace fx {

std::string commandBytes(const DebugCommand& command);
std::string eventBytes(const std::vector<DebugEvent>& events);
std::string runBytes(const RunRequest& request);

std::string errorBytes(const Error& error);

/// These throw an Error for what is no such message.
Error errorFrom(std::string_view bytes);
DebugCommand commandFrom(std::string_view bytes);
std::vector<DebugEvent> eventsFrom(std::string_view bytes);
RunRequest runFrom(std::string_view bytes);

} // namespace fx
