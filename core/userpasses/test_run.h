// SPDX-License-Identifier: GPL-3.0-or-later
// Tests that users have written for torch.fx with unittest, run by the evaluator.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace fx {

struct TestRun {
    std::string path;
    std::vector<std::string> names;    ///< "TestFX", "TestFX.test_dead"; none: all
    std::vector<std::string> patterns; ///< as unittest's -k; none: all
    std::vector<std::string> packageFolders;
    bool isQuiet = false;       ///< no line per test
    bool endsAtFailure = false; ///< the first failure ends the run
};

/// Runs the tests of the file; `tell` gets what they print, and unittest's lines, as each test ends. A test
/// that spends its steps or bytes is an error of that test alone. Whether all have passed. Throws an Error
/// where the file cannot be evaluated.
bool runTests(const TestRun& run, const std::function<void(const std::string& text)>& tell);

} // namespace fx
