// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/shown_text.h"

#include "core/base/text.h"
#include "core/base/unicode.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace fx {

namespace {

/// Longest mark of a cut, in bytes: a text that exceeds its limit by less is whole.
constexpr size_t kLongestMark = 32;
/// Bytes of the shortest message that is looked through for listings.
constexpr size_t kShortestListing = 150;
/// Lines of a list of overloads that stay.
constexpr size_t kOverloadLines = 6;

/// Where a code point begins, at `most` or right before it.
size_t cutAt(std::string_view line, size_t most) {
    size_t at = most;
    while (at > 0 && most - at < 3 && (static_cast<unsigned char>(line[at]) & 0xC0) == 0x80)
        --at;
    return at;
}

uint64_t lineCount(std::string_view text) {
    return static_cast<uint64_t>(std::count(text.begin(), text.end(), '\n')) + 1;
}

/// "CPU: registered at aten/src/ATen/RegisterCPU.cpp:5742 [kernel]"
bool isKernel(std::string_view line) {
    return line.ends_with(']') && contains(line, "registered at ");
}

/// "Exception raised from call at c10/core/Dispatcher.h:12 (most recent call first):" or
/// "frame #1: c10::detail::torchCheckFail(...) + 0x68 (0x7f in libc10.so)"
bool isStackFrame(std::string_view line) {
    return line.starts_with("Exception raised from ") || line.starts_with("frame #") ||
           line.starts_with("C++ CapturedTraceback:") ||
           (line.size() > 1 && line[0] == '#' && line[1] >= '0' && line[1] <= '9' &&
            contains(line, " from "));
}

/// The line after which LibTorch lists each overload with the reason why it does not match.
bool opensOverloads(std::string_view line) {
    return line.ends_with("failed to match any schema:") ||
           line.ends_with("The following variants are available:") || line.ends_with("but expected one of:");
}

/// The line that follows such a list.
bool closesOverloads(std::string_view line) {
    return line.starts_with("The original call is:") || line.starts_with("While executing ") ||
           line.starts_with("Original traceback:");
}

/// The dispatcher's sentence without what is meant for who builds PyTorch: where Facebook's employees find
/// help, and dispatch keys that are no backends.
std::string withoutBuildHelp(std::string_view line) {
    struct Passage {
        std::string_view begin, end; ///< the end stays
    };
    static constexpr Passage kPassages[] = {
        {" This could be because the operator doesn't exist for this backend", " '"},
        {", or that you (the operator writer) forgot to register a fallback function", "."},
        {"  Available functions are [", ""},
        {", BackendSelect, Python, FuncTorchDynamicLayerBackMode", "]"}};
    std::string out(line);
    for (const Passage& passage : kPassages) {
        const size_t begin = out.find(passage.begin);
        const size_t end = begin == std::string::npos || passage.end.empty()
                               ? begin
                               : out.find(passage.end, begin + passage.begin.size());
        if (end != std::string::npos)
            out.erase(begin, passage.end.empty() ? std::string::npos : end - begin);
    }
    return out;
}

} // namespace

std::string shownPart(std::string_view text, const ShownLimits& limits) {
    std::string out;
    size_t lines = 0;
    for (size_t at = 0;; ++lines) {
        const std::string_view rest = text.substr(at);
        const size_t end = rest.find('\n');
        const bool isLast = end == std::string_view::npos;
        if ((lines >= limits.lines || out.size() + std::min(rest.size(), limits.line) > limits.bytes) &&
            lines > 0 && (!isLast || rest.size() > kLongestMark)) {
            const std::string left =
                isLast ? byteText(rest.size()) + " more" : plural(lineCount(rest), "more line");
            return out + "\n... " + left;
        }
        const std::string_view line = rest.substr(0, end);
        if (lines > 0)
            out += '\n';
        if (line.size() <= limits.line + kLongestMark) {
            out += line;
        } else {
            const size_t cut = cutAt(line, limits.line);
            out += line.substr(0, cut);
            out += "... " + byteText(line.size() - cut) + " more";
        }
        if (isLast)
            return out;
        at += end + 1;
    }
}

std::string shownLine(std::string_view text, const ShownLimits& limits) {
    return oneLine(shownPart(text, limits));
}

std::string briefFault(std::string_view message) {
    if (message.size() < kShortestListing && !contains(message, "\n"))
        return std::string(message);
    std::string out;
    size_t overloadLines = 0, leftOut = 0;
    bool isFirst = true, isInOverloads = false, isAfterListing = false;
    const auto add = [&](std::string_view line) {
        if (!std::exchange(isFirst, false))
            out += '\n';
        out += line;
    };
    const auto closeOverloads = [&] {
        while (leftOut > 0 && out.ends_with('\n'))
            out.pop_back();
        if (leftOut > 0)
            add("... " + plural(std::exchange(leftOut, 0), "more line"));
        isInOverloads = false;
    };
    for (const std::string_view line : split(message, '\n')) {
        if (isKernel(line) || isStackFrame(line)) {
            isAfterListing = true;
            while (out.ends_with('\n'))
                out.pop_back(); // the empty line before the listing
            continue;
        }
        if (std::exchange(isAfterListing, isAfterListing && trim(line).empty()) && trim(line).empty())
            continue;
        if (isInOverloads && closesOverloads(line))
            closeOverloads();
        if (isInOverloads && ++overloadLines > kOverloadLines) {
            leftOut += !trim(line).empty();
            continue;
        }
        if (opensOverloads(line)) {
            isInOverloads = true;
            overloadLines = 0;
        }
        add(withoutBuildHelp(line));
    }
    closeOverloads();
    return out;
}

} // namespace fx
