// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/oracle/opinfo/report.h"

#include "core/base/text.h"
#include "core/io/json.h"
#include "core/io/mapped_file.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <numeric>

namespace fx {

namespace {

constexpr const char* kErrorForm = "error";
constexpr const char* kModules = "modules"; ///< the namespace that counts apart
constexpr const char* kMainDtype = "float32";

template <class Counts>
size_t total(const Counts& counts) {
    return std::accumulate(counts.begin(), counts.end(), size_t(0));
}

template <class Counts>
bool isGood(const Counts& counts) {
    return total(counts) == counts[static_cast<size_t>(Verdict::Equal)];
}

template <class Counts>
void addTo(Counts& sum, const Counts& more) {
    for (size_t i = 0; i < sum.size(); ++i)
        sum[i] += more[i];
}

std::string percent(size_t part, size_t whole) {
    std::ostringstream out;
    out << std::fixed << std::setprecision(2) << (whole ? 100.0 * double(part) / double(whole) : 100.0)
        << " %";
    return out.str();
}

void printRow(std::ostream& out, const std::vector<std::string>& cells) {
    out << std::left << std::setw(16) << cells[0] << std::right;
    for (size_t i = 1; i < cells.size(); ++i)
        out << std::setw(12) << cells[i];
    out << '\n';
}

template <class Counts>
void addCounts(std::vector<std::string>& cells, const Counts& counts) {
    cells.push_back(std::to_string(total(counts)));
    for (size_t count : counts)
        cells.push_back(std::to_string(count));
}

std::vector<std::string> header(std::vector<std::string> cells) {
    cells.push_back("samples");
    cells.insert(cells.end(), std::begin(kVerdictNames), std::end(kVerdictNames));
    return cells;
}

} // namespace

Report::Report(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
        File& file = m_files.emplace_back();
        const std::string content = readFile(path);
        for (std::string_view line : split(content, '\n')) {
            if (line.starts_with("{\"sample\"")) {
                const size_t at = line.find("\"form\": \"") + 9;
                file.forms.emplace_back(line.substr(at, line.find('"', at) - at));
            } else if (line.starts_with("{\"skipped\"")) {
                file.skipped = Json::parse(line)["skipped"].get<std::map<std::string, size_t>>();
            } else if (!line.empty()) {
                const Json header = Json::parse(line);
                file.op = header["operator"];
                file.nameSpace = header["namespace"];
                file.dtype = header["dtype"];
            }
        }
        m_operators[file.op].nameSpace = file.nameSpace;
    }
}

void Report::add(const SampleOutcome& outcome) {
    const File& file = m_files[outcome.file];
    const std::string form = outcome.row < file.forms.size() ? file.forms[outcome.row] : "";
    OperatorCounts& op = m_operators[file.op];
    const auto verdict = static_cast<size_t>(outcome.verdict);
    ++(form == kErrorForm ? op.errors : op.byDtype[file.dtype])[verdict];
    ++m_forms[form][verdict];
    if (outcome.verdict == Verdict::Equal)
        return;
    Failure& failure = m_failures[{file.op, form}];
    ++failure.count;
    failure.dtypes.insert(file.dtype);
    const auto rank = [](const std::string& dtype, size_t row) {
        return std::pair(dtype != kMainDtype, std::pair(dtype, row));
    };
    if (failure.count > 1 && rank(failure.dtype, failure.row) < rank(file.dtype, outcome.row))
        return;
    failure.row = outcome.row;
    failure.dtype = file.dtype;
    failure.message = outcome.message;
    failure.verdict = outcome.verdict;
}

void Report::printFailures(std::ostream& out) const {
    for (const auto& [key, failure] : m_failures) {
        out << key.first << ' ' << key.second << ": " << kVerdictNames[static_cast<size_t>(failure.verdict)]
            << ", " << plural(failure.count, "sample") << " of "
            << join(std::vector<std::string>(failure.dtypes.begin(), failure.dtypes.end()), ", ")
            << "; first " << failure.dtype << " #" << failure.row << ":\n      " << failure.message << '\n';
    }
}

void Report::printTables(std::ostream& out) const {
    printByNamespace(out);
    printByDtype(out);
    printByForm(out);
    printSkipped(out);
}

void Report::printByNamespace(std::ostream& out) const {
    printRow(out, header({"namespace", "operators", "all equal"}));
    struct Sum {
        size_t operators = 0, good = 0;
        Counts counts{};
    };
    std::map<std::string, Sum> sums;
    for (const auto& [name, op] : m_operators) {
        Counts counts{};
        for (const auto& [dtype, more] : op.byDtype)
            addTo(counts, more);
        for (Sum* sum : {&sums[op.nameSpace], &sums["~all"]}) {
            if (op.nameSpace == kModules && sum == &sums["~all"])
                continue;
            ++sum->operators;
            sum->good += isGood(counts);
            addTo(sum->counts, counts);
        }
    }
    for (const auto& [name, sum] : sums) {
        std::vector<std::string> cells{name == "~all" ? "all operators" : name, std::to_string(sum.operators),
                                       std::to_string(sum.good)};
        addCounts(cells, sum.counts);
        printRow(out, cells);
    }
}

void Report::printByDtype(std::ostream& out) const {
    out << '\n';
    printRow(out, header({"dtype", "operators", "all equal", "share"}));
    std::map<std::string, std::vector<const Counts*>> byDtype;
    size_t operators = 0, good = 0;
    for (const auto& [name, op] : m_operators) {
        if (op.nameSpace == kModules)
            continue;
        ++operators;
        bool isAllGood = true;
        for (const auto& [dtype, counts] : op.byDtype) {
            byDtype[dtype].push_back(&counts);
            isAllGood &= isGood(counts);
        }
        good += isAllGood;
    }
    for (const auto& [dtype, all] : byDtype) {
        Counts sum{};
        size_t goodHere = 0;
        for (const Counts* counts : all) {
            addTo(sum, *counts);
            goodHere += isGood(*counts);
        }
        std::vector<std::string> cells{dtype, std::to_string(all.size()), std::to_string(goodHere),
                                       percent(goodHere, all.size())};
        addCounts(cells, sum);
        printRow(out, cells);
    }
    printRow(out, {"all", std::to_string(operators), std::to_string(good), percent(good, operators)});
}

void Report::printByForm(std::ostream& out) const {
    out << '\n';
    printRow(out, header({"form"}));
    for (const auto& [form, counts] : m_forms) {
        std::vector<std::string> cells{form};
        addCounts(cells, counts);
        printRow(out, cells);
    }
}

void Report::printSkipped(std::ostream& out) const {
    std::map<std::string, std::pair<size_t, std::set<std::string>>> sums;
    for (const File& file : m_files)
        for (const auto& [reason, count] : file.skipped) {
            sums[reason].first += count;
            sums[reason].second.insert(file.op);
        }
    out << "\nnot recorded\n";
    for (const auto& [reason, sum] : sums)
        out << std::setw(8) << sum.first << "  " << reason << " (" << *sum.second.begin()
            << (sum.second.size() > 1 ? ", " + std::to_string(sum.second.size() - 1) + " more"
                                      : std::string())
            << ")\n";
}

bool Report::checkKnown(const std::string& list, std::ostream& out) const {
    std::set<std::string> known, failing;
    for (std::string_view line : split(list, '\n'))
        if (!line.empty() && line[0] != '#')
            known.emplace(line.substr(0, line.find(": ")));
    for (const auto& [key, failure] : m_failures)
        failing.insert(key.first);
    bool isRight = true;
    for (const auto& [name, op] : m_operators) {
        if (known.contains(name) == failing.contains(name))
            continue;
        isRight = false;
        out << name
            << (failing.contains(name) ? " fails\n" : " is right; take it off the list of what fails\n");
    }
    return isRight;
}

} // namespace fx
