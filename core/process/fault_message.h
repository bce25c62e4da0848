// SPDX-License-Identifier: GPL-3.0-or-later
// An Error as a message.
#pragma once

#include "core/base/error.h"
#include "core/process/channel.h"

#include <string>
#include <string_view>

namespace fx {

Message faultMessage(int32_t number, const Error& error);
/// The error that was sent. Throws another one for what is none.
Error faultFrom(const Message& message);

std::string errorBytes(const Error& error);
Error errorFrom(std::string_view bytes);
/// The error, about `place` where it does not say what it is about.
Error placed(const Error& error, const std::string& place);

} // namespace fx
