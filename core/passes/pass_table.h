// SPDX-License-Identifier: GPL-3.0-or-later
// What a pass has measured, as rows of numbers and texts: for charts and files (core/io/pass_table_text.h).
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace fx {

struct PassTable {
    using Cell = std::variant<std::monostate, double, std::string>; ///< none: it is not known
    std::string name;                                               ///< "trade-off"
    std::vector<std::string> columns = {};
    std::vector<std::vector<Cell>> rows = {};
};

} // namespace fx
