// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/caret_place.h"

#include <algorithm>
#include <vector>

namespace fx::ui {

namespace {

struct Token {
    qsizetype begin, end;
};

/// Names and numbers whole, every other letter by itself, without spaces. A number keeps its point.
std::vector<Token> tokensOf(QStringView text) {
    const auto isWord = [](QChar c) { return c.isLetterOrNumber() || c == '_' || c == '.'; };
    std::vector<Token> out;
    for (qsizetype at = 0; at < text.size();) {
        qsizetype end = at + 1;
        if (text[at].isDigit())
            while (end < text.size() && isWord(text[end]))
                ++end;
        else if (isWord(text[at]) && text[at] != '.')
            while (end < text.size() && isWord(text[end]) && text[end] != '.')
                ++end;
        if (!text[at].isSpace())
            out.push_back({at, end});
        at = end;
    }
    return out;
}

/// For each token of `a` the one of `b` that it is, by a longest common subsequence; -1: it is gone.
std::vector<qsizetype> partners(QStringView a, const std::vector<Token>& as, QStringView b,
                                const std::vector<Token>& bs) {
    const size_t rows = as.size(), columns = bs.size();
    const auto isSame = [&](size_t i, size_t j) {
        return a.mid(as[i].begin, as[i].end - as[i].begin) == b.mid(bs[j].begin, bs[j].end - bs[j].begin);
    };
    std::vector<uint32_t> length((rows + 1) * (columns + 1), 0);
    const auto at = [&](size_t i, size_t j) -> uint32_t& { return length[i * (columns + 1) + j]; };
    for (size_t i = rows; i-- > 0;)
        for (size_t j = columns; j-- > 0;)
            at(i, j) = isSame(i, j) ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
    std::vector<qsizetype> out(rows, -1);
    for (size_t i = 0, j = 0; i < rows && j < columns;)
        if (isSame(i, j))
            out[i++] = static_cast<qsizetype>(j++);
        else
            at(i + 1, j) >= at(i, j + 1) ? ++i : ++j;
    return out;
}

} // namespace

qsizetype caretIn(const QString& now, const QString& before, qsizetype caret) {
    const qsizetype most = std::min(now.size(), before.size());
    const qsizetype same = std::mismatch(now.begin(), now.begin() + most, before.begin()).first - now.begin();
    const qsizetype head = same == 0 ? 0 : now.lastIndexOf('\n', same - 1) + 1;
    if (caret < head)
        return caret;
    const qsizetype sameTail =
        std::mismatch(now.rbegin(), now.rbegin() + (most - head), before.rbegin()).first - now.rbegin();
    const qsizetype lineEnd = now.indexOf('\n', now.size() - sameTail);
    const qsizetype tail = lineEnd < 0 ? 0 : now.size() - lineEnd;
    if (caret > before.size() - tail)
        return now.size() - (before.size() - caret);
    const QStringView was = QStringView(before).mid(head, before.size() - tail - head),
                      is = QStringView(now).mid(head, now.size() - tail - head);
    constexpr size_t kMostWork = 4'000'000;
    const std::vector<Token> old = tokensOf(was), fresh = tokensOf(is);
    if (old.size() * fresh.size() > kMostWork)
        return std::min(caret, now.size() - tail);
    const std::vector<qsizetype> partner = partners(was, old, is, fresh);
    const qsizetype place = caret - head;
    // A token that stands on another line now is the nearest one that nothing else has become.
    const auto elsewhere = [&](size_t token) -> const Token* {
        const Token* best = nullptr;
        for (size_t i = 0; i < fresh.size(); ++i) {
            const bool isTaken = std::ranges::count(partner, static_cast<qsizetype>(i)) > 0;
            const bool isSame = was.mid(old[token].begin, old[token].end - old[token].begin) ==
                                is.mid(fresh[i].begin, fresh[i].end - fresh[i].begin);
            if (!isTaken && isSame &&
                (!best || std::abs(fresh[i].begin - place) < std::abs(best->begin - place)))
                best = &fresh[i];
        }
        return best;
    };
    // The last token that begins before the caret, or one before that.
    for (size_t i = old.size(); i-- > 0;) {
        if (old[i].begin >= place)
            continue;
        const Token* found = partner[i] >= 0 ? &fresh[static_cast<size_t>(partner[i])] : elsewhere(i);
        if (!found)
            continue;
        const Token& there = *found;
        if (place <= old[i].end)
            return head + there.begin + (place - old[i].begin);
        // Behind it, over the spaces that are there too.
        qsizetype at = there.end;
        for (qsizetype p = old[i].end; p < place && was[p] == ' ' && at < is.size() && is[at] == ' '; ++p)
            ++at;
        return head + at;
    }
    const qsizetype indent =
        std::find_if(is.begin(), is.end(), [](QChar c) { return c != ' '; }) - is.begin();
    return head + std::min(place, indent);
}

} // namespace fx::ui
