// SPDX-License-Identifier: GPL-3.0-or-later
// What a pass has measured (core/passes/pass_table.h), as text.
#pragma once

#include "core/io/json.h"
#include "core/passes/pass_table.h"

namespace fx {

/// For another process.
Json toJson(const PassTable& table);
PassTable passTableFrom(const JsonDocument& document, const Json& json);

/// For people's programs: a line of names and a line a row; or an array of objects, in which what is not
/// known, and what is no finite number, is null.
std::string tableCsv(const PassTable& table);
std::string tableJson(const PassTable& table);

} // namespace fx
