// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/csv.h"

#include "core/base/text.h"

#include <charconv>

namespace fx {

std::string csvField(const Json& value) {
    if (value.is_null())
        return "";
    if (!value.is_string()) {
        char buffer[32]; // of a number, as few digits as say which it is
        return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value.get<double>()).ptr};
    }
    auto out = value.get<std::string>();
    if (!out.empty() && std::string("=+-@\t\r").find(out[0]) != std::string::npos)
        out.insert(0, "'");
    return csvQuoted(out);
}

} // namespace fx
