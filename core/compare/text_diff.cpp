// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/text_diff.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace fx {

namespace {

class LineDiffer {
public:
    LineDiffer(const std::vector<std::string>& a, const std::vector<std::string>& b) : m_a(a), m_b(b) {}

    void differ(size_t beginA, size_t endA, size_t beginB, size_t endB);
    std::vector<DiffLine> out;

private:
    using Places = std::vector<std::pair<size_t, size_t>>;
    Places anchors(size_t beginA, size_t endA, size_t beginB, size_t endB) const;
    void same(size_t a, size_t b) { out.push_back({' ', a, b, m_b[b]}); }

    const std::vector<std::string>&m_a, &m_b;
};

/// Of pairs in the order of their first, as many as rise in their second.
std::vector<std::pair<size_t, size_t>> longestRising(const std::vector<std::pair<size_t, size_t>>& pairs) {
    std::vector<size_t> ends, before(pairs.size()); // of the best row of each length: its last pair
    for (size_t i = 0; i < pairs.size(); ++i) {
        const auto at = std::ranges::lower_bound(ends, pairs[i].second, {},
                                                 [&](size_t index) { return pairs[index].second; });
        before[i] = at == ends.begin() ? i : *(at - 1);
        if (at == ends.end())
            ends.push_back(i);
        else
            *at = i;
    }
    std::vector<std::pair<size_t, size_t>> out;
    if (ends.empty())
        return out;
    for (size_t at = ends.back();; at = before[at]) {
        out.push_back(pairs[at]);
        if (before[at] == at)
            break;
    }
    std::ranges::reverse(out);
    return out;
}

LineDiffer::Places LineDiffer::anchors(size_t beginA, size_t endA, size_t beginB, size_t endB) const {
    struct Seen {
        size_t countA = 0, countB = 0, placeB = 0;
    };
    std::unordered_map<std::string_view, Seen> seen;
    for (size_t i = beginA; i < endA; ++i)
        ++seen[m_a[i]].countA;
    for (size_t i = beginB; i < endB; ++i) {
        Seen& line = seen[m_b[i]];
        ++line.countB;
        line.placeB = i;
    }
    Places pairs;
    for (size_t i = beginA; i < endA; ++i)
        if (const Seen& line = seen[m_a[i]]; line.countA == 1 && line.countB == 1)
            pairs.emplace_back(i, line.placeB);
    return longestRising(pairs);
}

void LineDiffer::differ(size_t beginA, size_t endA, size_t beginB, size_t endB) {
    for (; beginA < endA && beginB < endB && m_a[beginA] == m_b[beginB]; ++beginA, ++beginB)
        same(beginA, beginB);
    size_t tail = 0;
    while (beginA < endA - tail && beginB < endB - tail && m_a[endA - tail - 1] == m_b[endB - tail - 1])
        ++tail;
    endA -= tail;
    endB -= tail;
    const Places fixed = anchors(beginA, endA, beginB, endB);
    if (fixed.empty()) {
        for (; beginA < endA; ++beginA)
            out.push_back({'-', beginA, beginB, m_a[beginA]});
        for (; beginB < endB; ++beginB)
            out.push_back({'+', endA, beginB, m_b[beginB]});
    }
    for (const auto& [a, b] : fixed) {
        differ(beginA, a, beginB, b);
        same(a, b);
        beginA = a + 1;
        beginB = b + 1;
    }
    if (!fixed.empty())
        differ(beginA, endA, beginB, endB);
    for (size_t i = 0; i < tail; ++i)
        same(endA + i, endB + i);
}

/// Ranges of lines that are near a difference.
std::vector<std::pair<size_t, size_t>> hunks(const std::vector<DiffLine>& lines, size_t context) {
    std::vector<std::pair<size_t, size_t>> out;
    for (size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].kind == ' ')
            continue;
        const size_t begin = i < context ? 0 : i - context, end = std::min(lines.size(), i + context + 1);
        if (!out.empty() && begin <= out.back().second)
            out.back().second = end;
        else
            out.emplace_back(begin, end);
    }
    return out;
}

/// "12,5" of `diff -u`: the first line and how many there are.
std::string rangeText(size_t begin, size_t count) {
    return std::to_string(count == 0 ? begin : begin + 1) + (count == 1 ? "" : ',' + std::to_string(count));
}

std::string fitted(const std::string& text, size_t width) {
    if (text.size() > width)
        return text.substr(0, width - 1) + '>';
    return text + std::string(width - text.size(), ' ');
}

} // namespace

std::vector<DiffLine> diffLines(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    LineDiffer differ(a, b);
    differ.differ(0, a.size(), 0, b.size());
    return std::move(differ.out);
}

std::string unifiedText(const std::vector<DiffLine>& lines, size_t context) {
    std::string out;
    for (const auto& [begin, end] : hunks(lines, context)) {
        size_t countA = 0, countB = 0;
        for (size_t i = begin; i < end; ++i) {
            countA += lines[i].kind != '+' ? 1 : 0;
            countB += lines[i].kind != '-' ? 1 : 0;
        }
        out +=
            "@@ -" + rangeText(lines[begin].a, countA) + " +" + rangeText(lines[begin].b, countB) + " @@\n";
        for (size_t i = begin; i < end; ++i)
            out += lines[i].kind + lines[i].text + '\n';
    }
    return out;
}

std::string sideBySideText(const std::vector<DiffLine>& lines, size_t width, size_t context) {
    std::string out;
    const auto row = [&](const std::string& left, char kind, const std::string& right) {
        std::string line = fitted(left, width) + ' ' + kind + ' ' + fitted(right, width);
        out += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    };
    for (const auto& [begin, end] : hunks(lines, context)) {
        if (begin > 0)
            out += "...\n";
        for (size_t i = begin; i < end; ++i) {
            if (lines[i].kind == ' ') {
                row(lines[i].text, ' ', lines[i].text);
                continue;
            }
            // What was taken out stands beside what took its place.
            size_t removed = i, added = i;
            while (added < end && lines[added].kind == '-')
                ++added;
            const size_t firstAdded = added;
            size_t next = firstAdded;
            for (; removed < firstAdded; ++removed) {
                const bool isChanged = next < end && lines[next].kind == '+';
                row(lines[removed].text, isChanged ? '|' : '<', isChanged ? lines[next].text : "");
                next += isChanged ? 1 : 0;
            }
            for (; next < end && lines[next].kind == '+'; ++next)
                row("", '>', lines[next].text);
            i = next - 1;
        }
    }
    return out;
}

} // namespace fx
