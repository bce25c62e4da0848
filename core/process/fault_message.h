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

} // namespace fx
