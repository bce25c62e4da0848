// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rewrite/code_patch.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <algorithm>
#include <charconv>

namespace fx {

namespace {

struct Hunk {
    size_t place = 0; ///< its own line in the patch, from 1
    size_t begin = 0; ///< the first line that it is about, from 0
    std::vector<std::string> before, after;
};

Error faultAt(size_t line, const std::string& what) {
    return Error("patch:" + std::to_string(line), what);
}

/// Of "@@ -12,7 +12,8 @@".
size_t beginOf(std::string_view head, size_t line) {
    size_t number = 0;
    const size_t at = head.find('-') + 1;
    const auto [end, fault] = std::from_chars(head.data() + at, head.data() + head.size(), number);
    if (at == 0 || fault != std::errc())
        throw faultAt(line, "is no head of a hunk");
    return number == 0 ? 0 : number - 1;
}

std::vector<Hunk> hunksOf(const std::string& patch) {
    std::vector<Hunk> out;
    size_t number = 0;
    for (const std::string_view line : split(patch, '\n')) {
        ++number;
        if (line.starts_with("@@")) {
            out.push_back({number, beginOf(line, number), {}, {}});
            continue;
        }
        if (line.empty() || line.starts_with("---") || line.starts_with("+++"))
            continue;
        if (out.empty() || (line[0] != ' ' && line[0] != '-' && line[0] != '+'))
            throw faultAt(number, "is no line of a patch");
        if (line[0] != '+')
            out.back().before.emplace_back(line.substr(1));
        if (line[0] != '-')
            out.back().after.emplace_back(line.substr(1));
    }
    return out;
}

bool isAt(const std::vector<std::string>& lines, const std::vector<std::string>& sought, size_t at) {
    return at + sought.size() <= lines.size() &&
           std::equal(sought.begin(), sought.end(), lines.begin() + static_cast<ptrdiff_t>(at));
}

} // namespace

std::vector<std::string> patchedLines(std::vector<std::string> lines, const std::string& patch) {
    ptrdiff_t shift = 0; // by the hunks before it
    for (const Hunk& hunk : hunksOf(patch)) {
        const ptrdiff_t wanted = std::max<ptrdiff_t>(0, static_cast<ptrdiff_t>(hunk.begin) + shift);
        std::optional<ptrdiff_t> found;
        for (size_t at = 0; at < lines.size(); ++at) {
            const auto place = static_cast<ptrdiff_t>(at);
            if (isAt(lines, hunk.before, at) &&
                (!found || std::abs(place - wanted) < std::abs(*found - wanted)))
                found = place;
        }
        if (!found)
            throw faultAt(hunk.place, "changes lines that the code does not have")
                .hint("the first of them is '" +
                      std::string(hunk.before.empty() ? "" : trim(hunk.before[0])) + "'");
        const auto begin = lines.begin() + *found;
        lines.insert(lines.erase(begin, begin + static_cast<ptrdiff_t>(hunk.before.size())),
                     hunk.after.begin(), hunk.after.end());
        shift += static_cast<ptrdiff_t>(hunk.after.size()) - static_cast<ptrdiff_t>(hunk.before.size());
    }
    return lines;
}

} // namespace fx
