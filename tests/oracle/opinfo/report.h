// SPDX-License-Identifier: GPL-3.0-or-later
// What came of the samples, as tables by namespace and by dtype.
#pragma once

#include "tests/oracle/opinfo/run_samples.h"

#include <array>
#include <iosfwd>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace fx {

class Report {
public:
    explicit Report(const std::vector<std::string>& files);

    void add(const SampleOutcome& outcome);
    void printTables(std::ostream& out) const;
    /// The first failing sample of each operator and form.
    void printFailures(std::ostream& out) const;
    /// Whether exactly those operators fail that the list names, a line "NAME: reason" each; says which do
    /// not. Only those that were run are looked at.
    bool checkKnown(const std::string& list, std::ostream& out) const;

private:
    static constexpr size_t kVerdicts = std::size(kVerdictNames);
    using Counts = std::array<size_t, kVerdicts>;
    struct File {
        std::string op, nameSpace, dtype;
        std::vector<std::string> forms; ///< of its samples
        std::map<std::string, size_t> skipped;
    };
    struct Failure {
        size_t count = 0;
        std::set<std::string> dtypes;
        size_t row = 0;
        std::string dtype, message;
        Verdict verdict = Verdict::Equal;
    };
    struct OperatorCounts {
        std::string nameSpace;
        std::map<std::string, Counts> byDtype; ///< without errors
        Counts errors{};
    };

    void printByNamespace(std::ostream& out) const;
    void printByDtype(std::ostream& out) const;
    void printByForm(std::ostream& out) const;
    void printSkipped(std::ostream& out) const;

    std::vector<File> m_files;
    std::map<std::string, OperatorCounts> m_operators;
    std::map<std::string, Counts> m_forms;
    std::map<std::pair<std::string, std::string>, Failure> m_failures; ///< by operator and form
};

} // namespace fx
