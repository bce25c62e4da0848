// SPDX-License-Identifier: GPL-3.0-or-later
// The columns of the table of operators, by name: what a filter compares, and what is written to files.
#include "core/analyze/cost_fields.h"
#include "core/analyze/operator_table.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/csv.h"

#include <algorithm>
#include <charconv>

namespace fx {

namespace {

struct TextColumn {
    std::string_view name;
    std::string_view (*text)(const OperatorEntry&);
};

struct NumberColumn {
    std::string_view name;
    std::optional<double> (*number)(const OperatorEntry&);
};

/// Of no cost, none.
template <class Get>
std::optional<double> ofCost(const OperatorEntry& row, const Get& get) {
    return row.cost ? std::optional<double>(get(*row.cost)) : std::nullopt;
}

template <class Get>
std::optional<double> ofPrediction(const OperatorEntry& row, const Get& get) {
    return row.cost && row.cost->prediction ? std::optional<double>(get(*row.cost)) : std::nullopt;
}

std::string_view boundText(const OperatorEntry& row) {
    return row.cost && row.cost->prediction ? boundName(row.cost->prediction->bound()) : std::string_view();
}

using TableRow = const OperatorEntry&;

const TextColumn kTextColumns[] = {
    {"name", [](TableRow row) -> std::string_view { return row.name; }},
    {"target", [](TableRow row) -> std::string_view { return row.target; }},
    {"scope", [](TableRow row) -> std::string_view { return row.scope; }},
    {"shape", [](TableRow row) -> std::string_view { return row.shapes; }},
    {"dtype", [](TableRow row) -> std::string_view { return row.dtypes; }},
    {"error", [](TableRow row) -> std::string_view { return row.error; }},
    {"bound", boundText},
};

const NumberColumn kNumberColumns[] = {
    {"time", [](TableRow row) { return row.milliseconds; }},
    {"predicted",
     [](TableRow row) {
         return ofPrediction(row, [](const CostFigures& cost) { return 1000 * cost.prediction->seconds; });
     }},
    {"off",
     [](TableRow row) -> std::optional<double> {
         const std::optional<double> off = row.cost ? row.cost->predictionError() : std::nullopt;
         return off ? std::optional(100 * *off) : std::nullopt;
     }},
    {"flops",
     [](TableRow row) {
         return ofCost(row, [](const CostFigures& cost) { return static_cast<double>(cost.flops); });
     }},
    {"intensity",
     [](TableRow row) {
         return ofPrediction(row, [](const CostFigures& cost) { return cost.roofline.intensity; });
     }},
    {"read",
     [](TableRow row) {
         return ofCost(row, [](const CostFigures& cost) { return static_cast<double>(cost.traffic.read); });
     }},
    {"written",
     [](TableRow row) {
         return ofCost(row,
                       [](const CostFigures& cost) { return static_cast<double>(cost.traffic.written); });
     }},
    {"bytes",
     [](TableRow row) { return row.bytes ? std::optional(static_cast<double>(*row.bytes)) : std::nullopt; }},
    {"parameters", [](TableRow row) { return std::optional(static_cast<double>(row.parameters)); }},
};

template <class Column, size_t Count>
const Column* columnNamed(const Column (&columns)[Count], std::string_view name) {
    const auto* found = std::ranges::find(columns, name, &Column::name);
    return found == std::end(columns) ? nullptr : found;
}

std::string columnNames() {
    std::vector<std::string> names;
    for (const TextColumn& column : kTextColumns)
        names.emplace_back(column.name);
    for (const NumberColumn& column : kNumberColumns)
        names.emplace_back(column.name);
    const std::string last = names.back();
    names.pop_back();
    return join(names, ", ") + " and " + last;
}

std::string lowered(std::string_view given) {
    std::string text(given);
    for (char& each : text)
        each = static_cast<char>(std::tolower(static_cast<unsigned char>(each)));
    return text;
}

bool holds(double number, char relation, double wanted) {
    switch (relation) {
    case '<':
        return number < wanted;
    case '>':
        return number > wanted;
    case 'l':
        return number <= wanted;
    case 'g':
        return number >= wanted;
    default:
        return number == wanted;
    }
}

} // namespace

OperatorFilter::OperatorFilter(std::string_view text) {
    for (const std::string_view part : split(text, ' ')) {
        if (part.empty())
            continue;
        Word word;
        const size_t at = part.find_first_of(":<>=");
        if (at == 0 || at == std::string_view::npos) {
            word.text = lowered(part);
            m_words.push_back(std::move(word));
            continue;
        }
        word.column = lowered(part.substr(0, at));
        const bool isNumber = columnNamed(kNumberColumns, word.column);
        if (!isNumber && !columnNamed(kTextColumns, word.column))
            throw Error("", "there is no column '" + word.column + "'").hint("columns are " + columnNames());
        const bool isWithEqual = part.substr(at + 1).starts_with('=') && part[at] != '=' && part[at] != ':';
        word.text = lowered(part.substr(at + 1 + isWithEqual));
        if (isNumber) {
            word.relation = part[at] == ':' ? '=' : !isWithEqual ? part[at] : part[at] == '<' ? 'l' : 'g';
            const auto read =
                std::from_chars(word.text.data(), word.text.data() + word.text.size(), word.number);
            if (read.ec != std::errc() || read.ptr != word.text.data() + word.text.size())
                throw Error("",
                            "'" + word.text + "' is no number, which " + word.column + " is compared with");
        }
        m_words.push_back(std::move(word));
    }
}

bool OperatorFilter::matches(const OperatorEntry& row) const {
    return std::all_of(m_words.begin(), m_words.end(), [&](const Word& word) {
        if (word.relation) {
            const std::optional<double> number = operatorNumber(row, word.column);
            return number && holds(*number, word.relation, word.number);
        }
        if (!word.column.empty())
            return contains(lowered(columnNamed(kTextColumns, word.column)->text(row)), word.text);
        return std::any_of(std::begin(kTextColumns), std::end(kTextColumns), [&](const TextColumn& column) {
            return contains(lowered(column.text(row)), word.text);
        });
    });
}

std::optional<double> operatorNumber(const OperatorEntry& row, std::string_view column) {
    return columnNamed(kNumberColumns, column)->number(row);
}

namespace {

using Fields = std::vector<std::pair<const char*, Json>>;

template <class T>
Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}

Fields fieldsOf(const OperatorEntry& row) {
    Fields out = {{"node", row.name},           {"target", row.target},
                  {"scope", row.scope},         {"milliseconds", orNull(row.milliseconds)},
                  {"bytes", orNull(row.bytes)}, {"parameters", row.parameters},
                  {"shapes", row.shapes},       {"dtypes", row.dtypes},
                  {"error", row.error}};
    const std::string_view said[] = {"parameters", "measured_seconds"};
    for (auto& [key, value] : costFields(row.cost.value_or(CostFigures())))
        if (std::ranges::find(said, key) == std::end(said))
            out.emplace_back(key, row.cost ? std::move(value) : Json());
    return out;
}

} // namespace

std::string operatorCsv(const std::vector<OperatorEntry>& rows) {
    std::vector<std::string> names;
    for (const auto& [key, value] : fieldsOf({}))
        names.emplace_back(key);
    std::string out = join(names, ",") + "\r\n";
    for (const OperatorEntry& row : rows) {
        std::vector<std::string> cells;
        for (const auto& [key, value] : fieldsOf(row))
            cells.push_back(value.is_number_unsigned() ? std::to_string(value.get<uint64_t>())
                                                       : csvField(value));
        out += join(cells, ",") + "\r\n";
    }
    return out;
}

std::string operatorJson(const std::vector<OperatorEntry>& rows) {
    Json out = Json::array();
    for (const OperatorEntry& row : rows) {
        Json& entry = out.emplace_back(Json::object());
        for (auto& [key, value] : fieldsOf(row))
            entry[key] = std::move(value);
    }
    return jsonText(out, 2) + '\n';
}

} // namespace fx
