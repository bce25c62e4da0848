// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/pass_table_text.h"

#include "core/base/text.h"
#include "core/io/csv.h"

namespace fx {

namespace {

Json cellJson(const PassTable::Cell& cell) {
    if (const auto* number = std::get_if<double>(&cell))
        return *number;
    const auto* text = std::get_if<std::string>(&cell);
    return text ? Json(*text) : Json();
}

} // namespace

Json toJson(const PassTable& table) {
    Json rows = Json::array();
    for (const std::vector<PassTable::Cell>& row : table.rows) {
        Json& cells = rows.emplace_back(Json::array());
        for (const PassTable::Cell& cell : row)
            cells.push_back(cellJson(cell));
    }
    return {{"name", table.name}, {"columns", table.columns}, {"rows", std::move(rows)}};
}

PassTable passTableFrom(const JsonDocument& document, const Json& json) {
    PassTable out{document.string(document.member(json, "name"))};
    for (const Json& column : document.array(document.member(json, "columns")))
        out.columns.push_back(document.string(column));
    for (const Json& row : document.array(document.member(json, "rows"))) {
        std::vector<PassTable::Cell>& cells = out.rows.emplace_back();
        for (const Json& cell : document.array(row))
            if (cell.is_null())
                cells.emplace_back();
            else if (cell.is_string())
                cells.emplace_back(document.string(cell));
            else
                cells.emplace_back(document.number(cell));
        if (cells.size() != out.columns.size())
            document.fail(row, "has another number of cells than there are columns");
    }
    return out;
}

std::string tableCsv(const PassTable& table) {
    std::string out = join(table.columns, ",") + "\r\n";
    for (const std::vector<PassTable::Cell>& row : table.rows) {
        std::vector<std::string> cells;
        for (const PassTable::Cell& cell : row)
            cells.push_back(csvField(cellJson(cell)));
        out += join(cells, ",") + "\r\n";
    }
    return out;
}

std::string tableJson(const PassTable& table) {
    Json out = Json::array();
    for (const std::vector<PassTable::Cell>& row : table.rows) {
        Json& entry = out.emplace_back(Json::object());
        for (size_t i = 0; i < table.columns.size(); ++i)
            entry[table.columns[i]] = cellJson(row[i]);
    }
    return jsonText(out, 2) + '\n';
}

} // namespace fx
