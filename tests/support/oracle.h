// SPDX-License-Identifier: GPL-3.0-or-later
// The files that tests/oracle/make.py wrote: models of the real torch.export, and what the real torch.fx says
// of them.
#pragma once

#include "core/io/json.h"
#include "core/io/opened_model.h"
#include "core/python/value.h"

#include <string>
#include <vector>

namespace fx {

/// Names of all models, sorted.
std::vector<std::string> oracleModels();
/// "FOLDER/NAME.SUFFIX".
std::string oraclePath(const std::string& name, const std::string& suffix);
Json oracleExpectation(const std::string& name);
OpenedModel openOracle(const std::string& name, bool isLifted = false);
/// The inputs of the recorded run, one for each placeholder.
Values oracleInputs(const OpenedModel& model, const std::string& name);
/// Adds a row for each model to the data of a Qt Test.
void addOracleRows();

/// Adds a row for each element, called by its "name", with its "index".
void addRowsOf(const Json& rows);

/// Empty if equal: same type, dtype, shape and bits (any NaN equals any NaN). Else what differs.
std::string valueDifference(const Value& actual, const Value& expected);
/// Empty if equal, else the first line that differs, of both.
std::string textDifference(const std::string& actual, const std::string& expected);

} // namespace fx

/// Fails with the text of a difference.
#define FX_SAME(difference)                                                                                  \
    do {                                                                                                     \
        const std::string found = (difference);                                                              \
        QVERIFY2(found.empty(), found.c_str());                                                              \
    } while (false)
