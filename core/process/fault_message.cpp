// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/process/fault_message.h"

#include "core/process/wire.h"

namespace fx {

std::string errorBytes(const Error& error) {
    return toWire(std::tuple(error.place(), error.message(), error.advice(), error.kind(), error.code()));
}

Error errorFrom(std::string_view bytes) {
    const auto [place, message, advice, kind, code] =
        fromWire<std::tuple<std::string, std::string, std::string, std::string, ErrorCode>>(bytes);
    return Error(place, message).hint(advice).kind(kind).code(code);
}

Error placed(const Error& error, const std::string& place) {
    if (!error.place().empty())
        return error;
    return Error(place, error.message()).hint(error.advice()).kind(error.kind()).code(error.code());
}

Message faultMessage(int32_t number, const Error& error) {
    return {MessageKind::Fault, number, errorBytes(error)};
}

Error faultFrom(const Message& message) {
    return errorFrom(message.body);
}

} // namespace fx
