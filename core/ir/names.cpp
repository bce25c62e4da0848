// SPDX-License-Identifier: GPL-3.0-or-later
// The naming rules, and the names that Python 3.11 and generated code keep for themselves.
#include "core/ir/names.h"

#include "core/ir/target.h"

#include <algorithm>
#include <cctype>

namespace fx {

std::string snakeCase(std::string_view text) {
    std::string out;
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
    static const std::unordered_set<std::string_view> kReserved = {"ArithmeticError",
                                                                   "AssertionError",
                                                                   "AttributeError",
                                                                   "BaseException",
                                                                   "BaseExceptionGroup",
                                                                   "BlockingIOError",
                                                                   "BrokenPipeError",
                                                                   "BufferError",
                                                                   "BytesWarning",
                                                                   "ChildProcessError",
                                                                   "ConnectionAbortedError",
                                                                   "ConnectionError",
                                                                   "ConnectionRefusedError",
                                                                   "ConnectionResetError",
                                                                   "DeprecationWarning",
                                                                   "EOFError",
                                                                   "Ellipsis",
                                                                   "EncodingWarning",
                                                                   "EnvironmentError",
                                                                   "Exception",
                                                                   "ExceptionGroup",
                                                                   "False",
                                                                   "FileExistsError",
                                                                   "FileNotFoundError",
                                                                   "FloatingPointError",
                                                                   "FutureWarning",
                                                                   "GeneratorExit",
                                                                   "IOError",
                                                                   "ImportError",
                                                                   "ImportWarning",
                                                                   "IndentationError",
                                                                   "IndexError",
                                                                   "InterruptedError",
                                                                   "IsADirectoryError",
                                                                   "KeyError",
                                                                   "KeyboardInterrupt",
                                                                   "LookupError",
                                                                   "MemoryError",
                                                                   "ModuleNotFoundError",
                                                                   "NameError",
                                                                   "None",
                                                                   "NoneType",
                                                                   "NotADirectoryError",
                                                                   "NotImplemented",
                                                                   "NotImplementedError",
                                                                   "OSError",
                                                                   "OverflowError",
                                                                   "PendingDeprecationWarning",
                                                                   "PermissionError",
                                                                   "ProcessLookupError",
                                                                   "RecursionError",
                                                                   "ReferenceError",
                                                                   "ResourceWarning",
                                                                   "RuntimeError",
                                                                   "RuntimeWarning",
                                                                   "StopAsyncIteration",
                                                                   "StopIteration",
                                                                   "SyntaxError",
                                                                   "SyntaxWarning",
                                                                   "SystemError",
                                                                   "SystemExit",
                                                                   "TabError",
                                                                   "TimeoutError",
                                                                   "True",
                                                                   "TypeError",
                                                                   "UnboundLocalError",
                                                                   "UnicodeDecodeError",
                                                                   "UnicodeEncodeError",
                                                                   "UnicodeError",
                                                                   "UnicodeTranslateError",
                                                                   "UnicodeWarning",
                                                                   "UserWarning",
                                                                   "ValueError",
                                                                   "Warning",
                                                                   "ZeroDivisionError",
                                                                   "__build_class__",
                                                                   "__debug__",
                                                                   "__doc__",
                                                                   "__import__",
                                                                   "__loader__",
                                                                   "__name__",
                                                                   "__package__",
                                                                   "__spec__",
                                                                   "abs",
                                                                   "aiter",
                                                                   "all",
                                                                   "and",
                                                                   "anext",
                                                                   "any",
                                                                   "as",
                                                                   "ascii",
                                                                   "assert",
                                                                   "async",
                                                                   "await",
                                                                   "bin",
                                                                   "bool",
                                                                   "break",
                                                                   "breakpoint",
                                                                   "bytearray",
                                                                   "bytes",
                                                                   "callable",
                                                                   "chr",
                                                                   "class",
                                                                   "classmethod",
                                                                   "compile",
                                                                   "complex",
                                                                   "continue",
                                                                   "copyright",
                                                                   "credits",
                                                                   "def",
                                                                   "del",
                                                                   "delattr",
                                                                   "device",
                                                                   "dict",
                                                                   "dir",
                                                                   "divmod",
                                                                   "elif",
                                                                   "else",
                                                                   "enumerate",
                                                                   "eval",
                                                                   "except",
                                                                   "exec",
                                                                   "exit",
                                                                   "filter",
                                                                   "finally",
                                                                   "float",
                                                                   "for",
                                                                   "format",
                                                                   "from",
                                                                   "frozenset",
                                                                   "fx_pytree",
                                                                   "getattr",
                                                                   "global",
                                                                   "globals",
                                                                   "hasattr",
                                                                   "hash",
                                                                   "help",
                                                                   "hex",
                                                                   "id",
                                                                   "if",
                                                                   "import",
                                                                   "in",
                                                                   "inf",
                                                                   "input",
                                                                   "int",
                                                                   "is",
                                                                   "isinstance",
                                                                   "issubclass",
                                                                   "iter",
                                                                   "lambda",
                                                                   "len",
                                                                   "license",
                                                                   "list",
                                                                   "locals",
                                                                   "map",
                                                                   "max",
                                                                   "memoryview",
                                                                   "min",
                                                                   "nan",
                                                                   "next",
                                                                   "nonlocal",
                                                                   "not",
                                                                   "object",
                                                                   "oct",
                                                                   "open",
                                                                   "or",
                                                                   "ord",
                                                                   "pass",
                                                                   "pow",
                                                                   "print",
                                                                   "property",
                                                                   "pytree",
                                                                   "quit",
                                                                   "raise",
                                                                   "range",
                                                                   "repr",
                                                                   "return",
                                                                   "reversed",
                                                                   "round",
                                                                   "set",
                                                                   "setattr",
                                                                   "slice",
                                                                   "sorted",
                                                                   "staticmethod",
                                                                   "str",
                                                                   "sum",
                                                                   "super",
                                                                   "torch",
                                                                   "try",
                                                                   "tuple",
                                                                   "type",
                                                                   "vars",
                                                                   "while",
                                                                   "with",
                                                                   "yield",
                                                                   "zip"};
    return kReserved.contains(name);
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

/// Splits "add_12" into "add" and 12. The base is never empty, and a suffix of more than 18 digits is no
/// number.
std::pair<std::string, std::optional<int64_t>> splitSuffix(const std::string& name) {
    const size_t underscore = name.rfind('_');
    if (underscore == std::string::npos || underscore == 0 || underscore + 1 == name.size())
        return {name, std::nullopt};
    const std::string_view digits = std::string_view(name).substr(underscore + 1);
    if (digits.size() > 18 || !std::all_of(digits.begin(), digits.end(), isDigit))
        return {name, std::nullopt};
    return {name.substr(0, underscore), std::stoll(std::string(digits))};
}

} // namespace

bool isLegalName(std::string_view candidate) {
    return !candidate.empty() && !isDigit(candidate[0]) &&
           std::all_of(candidate.begin(), candidate.end(), isNameCharacter);
}

std::string nameFamily(std::string_view candidate) {
    return splitSuffix(isLegalName(candidate) ? std::string(candidate) : legalised(candidate)).first;
}

NameGrant NameTable::propose(std::string_view candidate, bool reservedIsOwn) const {
    std::string name = isLegalName(candidate) ? std::string(candidate) : legalised(candidate);
    auto [base, suffix] = splitSuffix(name);
    const auto known = m_counts.find(base);
    NameGrant grant;
    if (known != m_counts.end())
        grant.countBefore = known->second;
    int64_t count = 0;
    if (!suffix || m_taken.contains(name)) {
        count = grant.countBefore.value_or(0);
        if (!reservedIsOwn && isReservedName(name))
            name = base + '_' + std::to_string(++count);
    } else {
        count = *suffix;
    }
    while (m_taken.contains(name))
        name = base + '_' + std::to_string(++count);
    grant.name = std::move(name);
    grant.base = std::move(base);
    grant.count = count;
    return grant;
}

void NameTable::take(const NameGrant& grant) {
    m_taken.insert(grant.name);
    m_counts[grant.base] = grant.count;
}

void NameTable::giveBack(const NameGrant& grant) {
    m_taken.erase(grant.name);
    if (grant.countBefore)
        m_counts[grant.base] = *grant.countBefore;
    else
        m_counts.erase(grant.base);
}

std::string NameTable::create(std::string_view candidate, bool reservedIsOwn) {
    NameGrant grant = propose(candidate, reservedIsOwn);
    take(grant);
    return std::move(grant.name);
}

} // namespace fx
