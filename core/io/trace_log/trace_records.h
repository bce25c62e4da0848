// SPDX-License-Identifier: GPL-3.0-or-later
// The records of a log that TORCH_TRACE has written: a line of JSON behind a line's head, and what belongs to
// it in lines that begin with a tab.
#pragma once

#include "core/io/json.h"

#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// Which compilation a record is about.
struct CompileId {
    int64_t frame = -1; ///< -1: none
    int64_t number = 0; ///< 0: the first time, then those for other inputs
    int64_t attempt = 0;
    int64_t autograd = -1; ///< of compiled autograd; -1: none
    int64_t rank = -1;     ///< of the process among several; -1: the only one
};

struct TraceRecord {
    std::string kind; ///< "dynamo_output_graph"; of an artifact its name
    Json fields;
    CompileId id;
    std::string payload;
    size_t line = 0; ///< of the record, from 1
};

struct TraceRecords {
    std::vector<TraceRecord> records; ///< but for those that are about time and memory alone
    std::vector<std::string> strings; ///< file names, by their numbers
    size_t damaged = 0; ///< records that could not be read, as the last of a process that was killed
};

/// Whether a text begins as such a log does.
bool isTraceLog(std::string_view text);
TraceRecords readTraceRecords(std::string_view text);

} // namespace fx
