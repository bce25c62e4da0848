// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analyze/operator_table.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/shape_prop.h"
#include "core/ir/dtype.h"
#include "core/module/read_tensors.h"
#include "core/module/scopes.h"

#include <algorithm>
#include <charconv>

namespace fx {

namespace {

void forEachTensor(const ValueMeta& value, const std::function<void(const TensorMeta&)>& visit) {
    if (const auto* tensor = std::get_if<TensorMeta>(&value.value))
        visit(*tensor);
    else if (const auto* items = std::get_if<std::vector<ValueMeta>>(&value.value))
        for (const ValueMeta& item : *items)
            forEachTensor(item, visit);
}

void fillValue(OperatorEntry& row, const ValueMeta& value) {
    std::vector<std::string> shapes, dtypes;
    uint64_t bytes = 0;
    forEachTensor(value, [&](const TensorMeta& tensor) {
        shapes.push_back(shapeText(tensor.shape));
        const std::string dtype(dtypeAbbreviation(tensor.dtype));
        if (std::find(dtypes.begin(), dtypes.end(), dtype) == dtypes.end())
            dtypes.push_back(dtype);
        bytes += byteCount(ValueMeta{tensor}).value_or(0); // a size that depends on the inputs
    });
    row.shapes = join(shapes, " ");
    row.dtypes = join(dtypes, " ");
    if (!shapes.empty())
        row.bytes = bytes;
}

std::string csvField(const std::string& text) {
    std::string out = text;
    if (!out.empty() && std::string("=+-@\t\r").find(out[0]) != std::string::npos)
        out.insert(0, "'");
    return csvQuoted(out);
}

std::string numberText(double number) {
    char buffer[32];
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, number).ptr};
}

} // namespace

std::vector<OperatorEntry> operatorTable(const Model& model, ModuleId module, const RecordOf& recordOf) {
    std::vector<OperatorEntry> out;
    const Graph& graph = model.graph(module);
    const ScopeTree scopes(graph);
    for (const Node& node : graph) {
        OperatorEntry row;
        row.node = {module, node.id};
        row.name = node.name;
        row.target = node.opcode == Opcode::Placeholder || node.opcode == Opcode::Output
                         ? std::string(opcodeName(node.opcode))
                         : node.target.name();
        row.scope = scopes.scope(scopes.scopeOf(node.id)).path;
        for (const ReadTensor& read : tensorsReadBy(model, module, node.id))
            row.parameters += model.tensor(read.tensor).elementCount();
        if (const NodeRecord* record = recordOf(row.node)) {
            row.milliseconds = record->milliseconds;
            fillValue(row, record->value);
            row.error = record->health.hasNan ? "NaN" : record->health.hasInf ? "Inf" : "";
        } else if (const ValueMeta* known = knownValue(node.meta)) {
            fillValue(row, *known);
        }
        out.push_back(std::move(row));
    }
    return out;
}

namespace {

const char* const kTextColumns[] = {"name", "target", "scope", "shape", "dtype", "error"};
const char* const kNumberColumns[] = {"time", "bytes", "parameters"};

const std::string& textOf(const OperatorEntry& row, const std::string& column) {
    return column == "name"     ? row.name
           : column == "target" ? row.target
           : column == "scope"  ? row.scope
           : column == "shape"  ? row.shapes
           : column == "dtype"  ? row.dtypes
                                : row.error;
}

std::optional<double> numberOf(const OperatorEntry& row, const std::string& column) {
    if (column == "time")
        return row.milliseconds;
    if (column == "parameters")
        return static_cast<double>(row.parameters);
    return row.bytes ? std::optional(static_cast<double>(*row.bytes)) : std::nullopt;
}

template <size_t Count>
bool isOneOf(const std::string& column, const char* const (&columns)[Count]) {
    return std::find(columns, columns + Count, column) != columns + Count;
}

std::string lowered(std::string text) {
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
            word.text = lowered(std::string(part));
            m_words.push_back(std::move(word));
            continue;
        }
        word.column = lowered(std::string(part.substr(0, at)));
        const bool isNumber = isOneOf(word.column, kNumberColumns);
        if (!isNumber && !isOneOf(word.column, kTextColumns))
            throw Error("", "there is no column '" + word.column + "'")
                .hint("columns are name, target, scope, time, bytes, parameters, shape, dtype and error");
        const bool isWithEqual = part.substr(at + 1).starts_with('=') && part[at] != '=' && part[at] != ':';
        word.text = lowered(std::string(part.substr(at + 1 + isWithEqual)));
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
            const std::optional<double> number = numberOf(row, word.column);
            return number && holds(*number, word.relation, word.number);
        }
        if (!word.column.empty())
            return contains(lowered(textOf(row, word.column)), word.text);
        return std::any_of(std::begin(kTextColumns), std::end(kTextColumns), [&](const char* column) {
            return contains(lowered(textOf(row, column)), word.text);
        });
    });
}

std::string operatorCsv(const std::vector<OperatorEntry>& rows) {
    std::string out = "node,target,scope,milliseconds,bytes,parameters,shapes,dtypes,error\r\n";
    for (const OperatorEntry& row : rows) {
        const std::string fields[] = {csvField(row.name),
                                      csvField(row.target),
                                      csvField(row.scope),
                                      row.milliseconds ? numberText(*row.milliseconds) : "",
                                      row.bytes ? std::to_string(*row.bytes) : "",
                                      std::to_string(row.parameters),
                                      csvField(row.shapes),
                                      csvField(row.dtypes),
                                      csvField(row.error)};
        out += join(fields, ",") + "\r\n";
    }
    return out;
}

} // namespace fx
