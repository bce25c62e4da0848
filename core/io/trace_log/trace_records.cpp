// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/trace_log/trace_records.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <algorithm>

namespace fx {

namespace {

/// Records that nothing here asks for; there may be very many of them.
constexpr std::string_view kSkipped[] = {"chromium_event",   "describe_storage",  "describe_tensor",
                                         "describe_source",  "create_symbol",     "guard_added",
                                         "guard_added_fast", "expression_created"};
constexpr int kDeepestRecord = 64;
constexpr int64_t kMostStrings = 1 << 20;

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// Where the JSON of a record begins in its line: "V1125 18:02:49.303000 19028 torch/x.py:13] {...}".
size_t jsonStart(std::string_view line) {
    constexpr std::string_view kLevels = "VIWEC";
    if (line.size() < 24 || kLevels.find(line[0]) == std::string_view::npos ||
        !std::all_of(line.begin() + 1, line.begin() + 5, isDigit) || line[5] != ' ' || line[8] != ':')
        return std::string_view::npos;
    const size_t end = line.find("] {");
    return end == std::string_view::npos ? end : end + 2;
}

int64_t number(const Json& record, const char* key, int64_t otherwise) {
    const auto found = record.find(key);
    return found != record.end() && found->is_number_integer() ? found->get<int64_t>() : otherwise;
}

CompileId idOf(const Json& record) {
    return {number(record, "frame_id", -1), number(record, "frame_compile_id", 0),
            number(record, "attempt", 0), number(record, "compiled_autograd_id", -1),
            number(record, "rank", -1)};
}

/// The text of the tabbed lines from `at` on, which goes behind them.
std::string payloadAt(std::string_view text, size_t& at, bool isWanted) {
    std::string out;
    bool isFirst = true;
    while (at < text.size() && text[at] == '\t') {
        const size_t end = std::min(text.find('\n', at), text.size());
        if (isWanted) {
            out += isFirst ? "" : "\n";
            out += text.substr(at + 1, end - at - 1);
        }
        isFirst = false;
        at = std::min(end + 1, text.size());
    }
    return out;
}

} // namespace

bool isTraceLog(std::string_view text) {
    return jsonStart(text.substr(0, text.find('\n'))) != std::string_view::npos;
}

TraceRecords readTraceRecords(std::string_view text) {
    TraceRecords out;
    size_t line = 0;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view head = text.substr(at, end - at);
        at = std::min(end + 1, text.size());
        const size_t here = ++line;
        const size_t start = jsonStart(head), payload = at;
        const bool isSkipped =
            start == std::string_view::npos || std::ranges::any_of(kSkipped, [&](std::string_view kind) {
                return head.substr(start + 2).starts_with(kind) &&
                       head.substr(start + 2 + kind.size()).starts_with('"');
            });
        std::string content = payloadAt(text, at, !isSkipped);
        line += static_cast<size_t>(std::count(text.begin() + static_cast<ptrdiff_t>(payload),
                                               text.begin() + static_cast<ptrdiff_t>(at), '\n'));
        if (isSkipped)
            continue;
        try {
            const JsonDocument json(head.substr(start), "record", kDeepestRecord);
            const Json& record = json.object(json.root());
            if (record.empty())
                continue;
            TraceRecord& made = out.records.emplace_back();
            made.kind = record.begin().key();
            made.fields = record.begin().value();
            made.id = idOf(record);
            made.payload = std::move(content);
            made.line = here;
            if (made.kind == "artifact")
                made.kind = json.string(json.member(made.fields, "name"));
            if (made.kind == "str") { // [name, number]
                const int64_t index = made.fields.is_array() && made.fields.size() == 2
                                          ? number({{"n", made.fields[1]}}, "n", -1)
                                          : -1;
                if (index >= 0 && index < kMostStrings) {
                    if (static_cast<size_t>(index) >= out.strings.size())
                        out.strings.resize(static_cast<size_t>(index) + 1);
                    out.strings[static_cast<size_t>(index)] = json.string(made.fields[0]);
                }
                out.records.pop_back();
            }
        } catch (const Error&) {
            ++out.damaged;
        }
    }
    return out;
}

} // namespace fx
