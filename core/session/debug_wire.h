// SPDX-License-Identifier: GPL-3.0-or-later
// What a debug session is told and what it tells, as bytes (wire.h).
#pragma once

#include "core/base/error.h"
#include "core/process/wire.h"
#include "core/session/debuggee.h"

#include <string>
#include <string_view>

namespace fx {

std::string commandBytes(const DebugCommand& command);
std::string eventBytes(const std::vector<DebugEvent>& events);
std::string runBytes(const RunRequest& request);

/// These throw an Error for what is no such message.
DebugCommand commandFrom(std::string_view bytes);
std::vector<DebugEvent> eventsFrom(std::string_view bytes);
RunRequest runFrom(std::string_view bytes);

void putWire(WireWriter& writer, const RunRequest& request);
void getWire(WireReader& reader, RunRequest& request);

} // namespace fx
