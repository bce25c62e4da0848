// SPDX-License-Identifier: GPL-3.0-or-later
// The naming rules, and the names that Python 3.11 and generated code keep for themselves.
#include "core/ir/names.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ir/target.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace fx {

std::string snakeCase(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (size_t i = 0; i < text.size(); ++i) {
        const bool upper = text[i] >= 'A' && text[i] <= 'Z';
        if (upper && i > 0 && text[i - 1] >= 'a' && text[i - 1] <= 'z')
            out += '_';
        out += upper ? static_cast<char>(text[i] - 'A' + 'a') : text[i];
    }
    return out;
}

std::string nameFromTarget(Target target, bool isFunction) {
    std::string_view text = isFunction ? target.functionName() : std::string_view(target.name());
    if (!isFunction && text.size() >= 4 && text.starts_with("__") && text.ends_with("__"))
        text = text.substr(2, text.size() - 4);
    return snakeCase(text);
}

bool isReservedName(std::string_view name) {
    // clang-format off
    static const std::unordered_set<std::string_view> kBuiltins = {
        "ArithmeticError", "AssertionError", "AttributeError", "BaseException", "BaseExceptionGroup",
        "BlockingIOError", "BrokenPipeError", "BufferError", "BytesWarning", "ChildProcessError",
        "ConnectionAbortedError", "ConnectionError", "ConnectionRefusedError", "ConnectionResetError",
        "DeprecationWarning", "EOFError", "Ellipsis", "EncodingWarning", "EnvironmentError", "Exception",
        "ExceptionGroup", "FileExistsError", "FileNotFoundError", "FloatingPointError", "FutureWarning",
        "GeneratorExit", "IOError", "ImportError", "ImportWarning", "IndentationError", "IndexError",
        "InterruptedError", "IsADirectoryError", "KeyError", "KeyboardInterrupt", "LookupError",
        "MemoryError", "ModuleNotFoundError", "NameError", "NoneType", "NotADirectoryError",
        "NotImplemented", "NotImplementedError", "OSError", "OverflowError", "PendingDeprecationWarning",
        "PermissionError", "ProcessLookupError", "RecursionError", "ReferenceError", "ResourceWarning",
        "RuntimeError", "RuntimeWarning", "StopAsyncIteration", "StopIteration", "SyntaxError",
        "SyntaxWarning", "SystemError", "SystemExit", "TabError", "TimeoutError", "TypeError",
        "UnboundLocalError", "UnicodeDecodeError", "UnicodeEncodeError", "UnicodeError",
        "UnicodeTranslateError", "UnicodeWarning", "UserWarning", "ValueError", "Warning",
        "ZeroDivisionError", "__build_class__", "__debug__", "__doc__", "__import__", "__loader__",
        "__name__", "__package__", "__spec__", "abs", "aiter", "all", "anext", "any", "ascii", "bin",
        "bool", "breakpoint", "bytearray", "bytes", "callable", "chr", "classmethod", "compile", "complex",
        "copyright", "credits", "delattr", "device", "dict", "dir", "divmod", "enumerate", "eval", "exec",
        "exit", "filter", "float", "format", "frozenset", "fx_pytree", "getattr", "globals", "hasattr",
        "hash", "help", "hex", "id", "inf", "input", "int", "isinstance", "issubclass", "iter", "len",
        "license", "list", "locals", "map", "max", "memoryview", "min", "nan", "next", "object", "oct",
        "open", "ord", "pow", "print", "property", "pytree", "quit", "range", "repr", "reversed", "round",
        "set", "setattr", "slice", "sorted", "staticmethod", "str", "sum", "super", "torch", "tuple",
        "type", "vars", "zip"};
    // clang-format on
    return isKeyword(name) || kBuiltins.contains(name);
}

namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool isNameCharacter(char c) {
    return isDigit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Makes a Python identifier: each run of other characters becomes one '_'.
std::string legalised(std::string_view candidate) {
    std::string out;
    out.reserve(candidate.size() + 1);
    bool inRun = false;
    for (char c : candidate) {
        const bool good = isNameCharacter(c);
        if (good)
            out += c;
        else if (!inRun)
            out += '_';
        inRun = !good;
    }
    if (out.empty())
        out = "_unnamed";
    if (isDigit(out[0]))
        out.insert(out.begin(), '_');
    return out;
}

/// "add_12" is the base "add" and 12. The base is never empty, and a suffix of more than 18 digits is no
/// number.
struct NameParts {
    std::string_view base;
    std::optional<int64_t> number;
    bool hasZeros = false; ///< "add_01": the number alone does not give the name back
};

NameParts splitSuffix(std::string_view name) {
    const size_t underscore = name.rfind('_');
    if (underscore == std::string_view::npos || underscore == 0 || underscore + 1 == name.size())
        return {name, {}};
    const std::string_view digits = name.substr(underscore + 1);
    if (digits.size() > 18 || !std::all_of(digits.begin(), digits.end(), isDigit))
        return {name, {}};
    int64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return {name.substr(0, underscore), number, digits[0] == '0' && digits.size() > 1};
}

} // namespace

bool isLegalName(std::string_view candidate) {
    return !candidate.empty() && !isDigit(candidate[0]) &&
           std::all_of(candidate.begin(), candidate.end(), isNameCharacter);
}

std::string legalName(std::string_view candidate) {
    return isLegalName(candidate) ? std::string(candidate) : legalised(candidate);
}

std::string nameFamily(std::string_view candidate) {
    if (isLegalName(candidate))
        return std::string(splitSuffix(candidate).base);
    return std::string(splitSuffix(legalised(candidate)).base);
}

int64_t NumberRuns::firstMissing(int64_t number) const {
    const auto after = m_runs.upper_bound(number);
    if (after == m_runs.begin())
        return number;
    const int64_t last = std::prev(after)->second;
    return last >= number ? last + 1 : number;
}

void NumberRuns::insert(int64_t number) {
    const auto after = m_runs.upper_bound(number);
    const auto before = after == m_runs.begin() ? m_runs.end() : std::prev(after);
    const bool joinsBefore = before != m_runs.end() && before->second >= number - 1;
    const bool joinsAfter = after != m_runs.end() && after->first == number + 1;
    if (joinsBefore) {
        before->second = joinsAfter ? after->second : std::max(before->second, number);
    } else {
        m_runs.emplace_hint(after, number, joinsAfter ? after->second : number);
    }
    if (joinsAfter)
        m_runs.erase(after);
}

void NumberRuns::erase(int64_t number) {
    const auto after = m_runs.upper_bound(number);
    if (after == m_runs.begin() || std::prev(after)->second < number)
        return;
    const auto run = std::prev(after);
    const auto [first, last] = *run;
    if (last > number)
        m_runs.emplace_hint(after, number + 1, last);
    if (first < number)
        run->second = number - 1;
    else
        m_runs.erase(run);
}

NumberRuns::NumberRuns(const std::vector<Run>& runs) {
    int64_t least = 0;
    for (const auto& [first, last] : runs) {
        if (first < least || last < first || last > kHighestName)
            throw Error("", "the numbers of names are out of order");
        m_runs.emplace_hint(m_runs.end(), first, last);
        least = last + 2;
    }
}

NameTable::NameTable(const NameTableContent& content)
    : m_takenWithZeros(content.takenWithZeros.begin(), content.takenWithZeros.end()) {
    for (const NameFamily& family : content.families) {
        if (family.count && (*family.count < 0 || *family.count > kHighestName))
            throw Error("", "the counter of the names '" + family.base + "' is out of range");
        m_families[family.base] = {family.count, family.isPlainTaken, NumberRuns(family.takenNumbers)};
    }
}

NameTableContent NameTable::content() const {
    NameTableContent out;
    for (const auto& [base, family] : m_families)
        out.families.push_back({base, family.count, family.isPlainTaken, family.takenNumbers.runs()});
    std::ranges::sort(out.families, {}, &NameFamily::base);
    out.takenWithZeros.assign(m_takenWithZeros.begin(), m_takenWithZeros.end());
    std::ranges::sort(out.takenWithZeros);
    return out;
}

bool NameTable::canTake(const NameGrant& grant) const {
    const auto family = m_families.find(splitSuffix(grant.name).base);
    const bool isKnown = family != m_families.end();
    if (isKnown ? family->second.count != grant.countBefore : grant.countBefore.has_value())
        return false;
    return isLegalName(grant.name) && grant.count >= 0 && grant.count <= kHighestName && !isTaken(grant.name);
}

bool NameTable::canGiveBack(const NameGrant& grant) const {
    const auto family = m_families.find(splitSuffix(grant.name).base);
    return family != m_families.end() && family->second.count == grant.count && isTaken(grant.name) &&
           (!grant.countBefore || (*grant.countBefore >= 0 && *grant.countBefore <= kHighestName));
}

bool NameTable::isTaken(std::string_view name) const {
    const NameParts parts = splitSuffix(name);
    if (parts.hasZeros)
        return m_takenWithZeros.contains(name);
    const auto family = m_families.find(parts.base);
    if (family == m_families.end())
        return false;
    return parts.number ? family->second.takenNumbers.contains(*parts.number) : family->second.isPlainTaken;
}

NameGrant NameTable::propose(std::string_view candidate, bool reservedIsOwn) const {
    NameGrant grant;
    grant.name = legalName(candidate);
    const NameParts parts = splitSuffix(grant.name);
    const auto known = m_families.find(parts.base);
    const Family* family = known == m_families.end() ? nullptr : &known->second;
    if (family)
        grant.countBefore = family->count;
    const bool isTaken = this->isTaken(grant.name);
    const bool isOwnNumber = parts.number && !isTaken;
    grant.count = isOwnNumber ? *parts.number : grant.countBefore.value_or(0);
    if (isTaken || (!isOwnNumber && !reservedIsOwn && isReservedName(grant.name))) {
        ++grant.count;
        if (family)
            grant.count = family->takenNumbers.firstMissing(grant.count);
        grant.name = std::string(parts.base) + '_' + std::to_string(grant.count);
    }
    return grant;
}

void NameTable::setTaken(std::string_view name, Family& family, bool isTaken) {
    const NameParts parts = splitSuffix(name);
    if (parts.hasZeros) {
        if (isTaken)
            m_takenWithZeros.emplace(name);
        else
            m_takenWithZeros.erase(std::string(name));
    } else if (!parts.number) {
        family.isPlainTaken = isTaken;
    } else if (isTaken) {
        family.takenNumbers.insert(*parts.number);
    } else {
        family.takenNumbers.erase(*parts.number);
    }
}

void NameTable::take(const NameGrant& grant) {
    const std::string_view base = splitSuffix(grant.name).base;
    auto family = m_families.find(base);
    if (family == m_families.end())
        family = m_families.emplace(base, Family()).first;
    family->second.count = grant.count;
    setTaken(grant.name, family->second, true);
}

void NameTable::giveBack(const NameGrant& grant) {
    const auto family = m_families.find(splitSuffix(grant.name).base);
    family->second.count = grant.countBefore;
    setTaken(grant.name, family->second, false);
    if (!family->second.count && !family->second.isPlainTaken && family->second.takenNumbers.empty())
        m_families.erase(family);
}

std::string NameTable::create(std::string_view candidate, bool reservedIsOwn) {
    NameGrant grant = propose(candidate, reservedIsOwn);
    take(grant);
    return std::move(grant.name);
}

} // namespace fx
