// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/regex/regex_pattern.h"

#include "core/python/regex/regex_error.h"

#include <algorithm>
#include <cstdlib>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace fx {

namespace {

// A match takes some 15 ns for each of these.
constexpr uint64_t kMostWork = 100'000'000;
constexpr uint64_t kWorkPerStep = 8;
constexpr uint64_t kBytesPerWork = 64;
constexpr uint32_t kHeapKilobytes = 128 << 10;

struct FreeCompileContext {
    void operator()(pcre2_compile_context* context) const { pcre2_compile_context_free(context); }
};
struct FreeMatchContext {
    void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
};

struct Work {
    uint64_t done = 0;
    size_t at = 0; ///< where the last callout was
};

uint64_t distance(size_t a, size_t b) {
    return (a > b ? a - b : b - a) / kBytesPerWork;
}

int countWork(pcre2_callout_block* block, void* data) {
    auto& work = *static_cast<Work*>(data);
    work.done += 1 + distance(block->current_position, work.at);
    work.at = block->current_position;
    constexpr uint32_t kReference = 2; // compares as much as was matched, at most
    if (block->callout_number == kReference)
        work.done += distance(block->current_position, block->start_match);
    return work.done > kMostWork ? PCRE2_ERROR_MATCHLIMIT : 0;
}

uint32_t compileOptions(const RegexTranslation& translation) {
    const RegexMode mode{translation.flags, translation.isBytes};
    uint32_t out = PCRE2_MULTILINE | PCRE2_ALT_CIRCUMFLEX | PCRE2_NEVER_BACKSLASH_C;
    if (!mode.isBytes)
        out |= PCRE2_UTF;
    if (!mode.isAscii())
        out |= PCRE2_UCP;
    if (mode.foldsByPcre())
        out |= PCRE2_CASELESS;
    return out;
}

std::string messageOf(int error) {
    unsigned char text[256] = "";
    pcre2_get_error_message(error, text, sizeof text);
    return reinterpret_cast<const char*>(text);
}

[[noreturn]] void failMatch(int error) {
    if (error == PCRE2_ERROR_MATCHLIMIT || error == PCRE2_ERROR_HEAPLIMIT || error == PCRE2_ERROR_DEPTHLIMIT)
        throw RegexError(RegexFault::TooLong, "the pattern takes too long on this text");
    throw RegexError(RegexFault::Unsupported, "a regular expression that fails: " + messageOf(error));
}

} // namespace

RegexPattern::RegexPattern(std::string_view pattern, int flags, bool isBytes)
    : m_translation(translateRegex(pattern, flags, isBytes)) {
    const std::unique_ptr<pcre2_compile_context, FreeCompileContext> context(
        pcre2_compile_context_create(nullptr));
    pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
    pcre2_set_parens_nest_limit(context.get(), 1000); // the translator has a limit of its own
    int error = 0;
    size_t place = 0;
    m_code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(m_translation.text.data()), m_translation.text.size(),
                           compileOptions(m_translation), &error, &place, context.get());
    if (!m_code)
        throw RegexError(RegexFault::Unsupported, "a regular expression of this kind: " + messageOf(error));
}

RegexPattern::~RegexPattern() {
    pcre2_code_free(static_cast<pcre2_code*>(m_code));
}

RegexSearch::RegexSearch(const RegexPattern& pattern, const RegexText& text, size_t from, size_t end)
    : m_pattern(pattern), m_text(text), m_from(from), m_end(end),
      m_data(pcre2_match_data_create_from_pattern(static_cast<pcre2_code*>(pattern.m_code), nullptr)) {}

RegexSearch::~RegexSearch() {
    pcre2_match_data_free(static_cast<pcre2_match_data*>(m_data));
}

std::optional<RegexMatch> RegexSearch::next(RegexAnchor anchor) {
    if (m_from > m_end)
        return std::nullopt;
    const std::unique_ptr<pcre2_match_context, FreeMatchContext> context(pcre2_match_context_create(nullptr));
    Work work{0, m_from};
    pcre2_set_callout(context.get(), countWork, &work);
    pcre2_set_match_limit(context.get(), kMostWork);
    pcre2_set_heap_limit(context.get(), kHeapKilobytes);
    uint32_t options = PCRE2_NO_UTF_CHECK;
    if (m_isPastEmpty)
        options |= PCRE2_NOTEMPTY_ATSTART;
    if (anchor != RegexAnchor::Anywhere)
        options |= PCRE2_ANCHORED;
    if (anchor == RegexAnchor::Both)
        options |= PCRE2_ENDANCHORED;
    const std::string_view text = m_text.text();
    const int result =
        pcre2_match(static_cast<pcre2_code*>(m_pattern.m_code), reinterpret_cast<PCRE2_SPTR>(text.data()),
                    m_end, m_from, options, static_cast<pcre2_match_data*>(m_data), context.get());
    m_work += work.done;
    if (result == PCRE2_ERROR_NOMATCH) {
        m_work += distance(m_end, m_from);
        m_from = m_end + 1;
        return std::nullopt;
    }
    if (result < 0)
        failMatch(result);
    RegexMatch out = found();
    m_work += distance(out.spans[0].second, m_from);
    m_from = out.spans[0].second;
    m_isPastEmpty = out.spans[0].first == out.spans[0].second;
    return out;
}

RegexMatch RegexSearch::found() const {
    auto* const data = static_cast<pcre2_match_data*>(m_data);
    const size_t* const places = pcre2_get_ovector_pointer(data);
    RegexMatch out;
    for (int group = 0; group <= m_pattern.groups(); ++group)
        out.spans.emplace_back(places[2 * group], places[2 * group + 1]);
    const std::vector<int>& order = m_pattern.m_translation.closingOrder;
    if (order.empty()) {
        if (const auto* mark = reinterpret_cast<const char*>(pcre2_get_mark(data)))
            out.lastGroup = std::atoi(mark);
        return out;
    }
    for (const int group : order)
        if (out.spans[static_cast<size_t>(group)].first != RegexMatch::kUnset)
            out.lastGroup = group;
    return out;
}

uint64_t RegexSearch::takeWork() {
    const uint64_t out = 1 + m_work / kWorkPerStep;
    m_work = 0;
    return out;
}

} // namespace fx
