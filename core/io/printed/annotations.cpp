// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/printed/annotations.h"

#include "core/base/text.h"
#include "core/ir/dtype.h"

#include <algorithm>
#include <charconv>

namespace fx {

namespace {

std::optional<int64_t> wholeNumber(std::string_view text) {
    int64_t out = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), out);
    return fault == std::errc() && end == text.data() + text.size() ? std::optional(out) : std::nullopt;
}

/// Takes "[1, s0*(s1 + 2)]" off the text; none where it does not begin so.
std::optional<std::vector<Dimension>> takeSizes(std::string_view& text) {
    if (!text.starts_with('['))
        return std::nullopt;
    std::vector<Dimension> out;
    int depth = 0;
    size_t start = 1;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool isEnd = c == ']' && depth == 1;
        if (depth == 1 && (c == ',' || isEnd)) {
            const std::string_view size = trim(text.substr(start, i - start));
            if (const auto number = wholeNumber(size))
                out.emplace_back(*number);
            else if (!size.empty())
                out.emplace_back(SymbolicInt{std::string(size), std::nullopt});
            else if (!isEnd || !out.empty())
                return std::nullopt;
            start = i + 1;
        }
        if (isEnd) {
            text.remove_prefix(i + 1);
            return out;
        }
        depth += c == '[' || c == '(' ? 1 : c == ']' || c == ')' ? -1 : 0;
    }
    return std::nullopt;
}

std::optional<TensorMeta> tensorMetaOf(std::string_view text) {
    const std::string_view name = text.substr(0, text.find('['));
    const auto rows = dtypes();
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const DtypeInfo& info) {
        return !info.abbreviation.empty() && info.abbreviation == name;
    });
    if (row == rows.end() || name.size() == text.size())
        return std::nullopt;
    text.remove_prefix(name.size());
    TensorMeta out;
    out.dtype = row->type;
    auto shape = takeSizes(text);
    if (!shape)
        return std::nullopt;
    out.shape = std::move(*shape);
    if (auto stride = takeSizes(text)) {
        if (stride->size() != out.shape.size())
            return std::nullopt;
        out.stride = std::move(*stride);
    }
    if (text.empty())
        return out;
    try {
        out.device = c10::Device(std::string(text));
    } catch (const std::exception&) {
        return std::nullopt;
    }
    return out;
}

SymbolicScalar symbolOf(std::string_view formula) {
    using Kind = SymbolicScalar::Kind;
    const bool isCondition = formula.starts_with("Eq(") || formula.starts_with("Ne(") ||
                             formula.find_first_of("<>=") != std::string_view::npos;
    const bool isFloat = formula.starts_with("zuf") || formula.starts_with("zf");
    return {isCondition ? Kind::Bool : isFloat ? Kind::Float : Kind::Int, std::string(formula), std::nullopt};
}

} // namespace

std::optional<ValueMeta> annotatedValue(std::string_view text) {
    if (text.starts_with("Sym(") && text.ends_with(')')) {
        const std::string_view formula = text.substr(4, text.size() - 5);
        if (const auto number = wholeNumber(formula))
            return ValueMeta{Argument(*number)};
        return ValueMeta{symbolOf(formula)};
    }
    // "Parameter(f32[2][1]cpu)", "DTensor(f32[2][1]cpu, S(0))"
    const size_t open = text.find('(');
    if (open != std::string_view::npos && text.ends_with(')') && isIdentifier(text.substr(0, open))) {
        text = text.substr(open + 1, text.size() - open - 2);
        int depth = 0;
        for (size_t i = 0; i < text.size(); ++i) {
            depth += text[i] == '[' || text[i] == '(' ? 1 : text[i] == ']' || text[i] == ')' ? -1 : 0;
            if (text[i] == ',' && depth == 0)
                text = text.substr(0, i);
        }
    }
    if (auto tensor = tensorMetaOf(text))
        return ValueMeta{std::move(*tensor)};
    return std::nullopt;
}

std::optional<std::string> stackTraceOfComment(std::string_view line) {
    line = trim(line);
    if (!line.starts_with('#'))
        return std::nullopt;
    constexpr std::string_view kFile = " File: ", kCode = ", code:", kIn = " in ";
    const size_t file = line.find(kFile);
    const size_t code = file == std::string_view::npos ? file : line.find(kCode, file);
    if (code == std::string_view::npos)
        return contains(line, "No stacktrace found") ? std::optional(std::string()) : std::nullopt;
    std::string_view place = line.substr(file + kFile.size(), code - file - kFile.size());
    // Older releases do not name the function.
    std::string function;
    size_t colon = place.rfind(':');
    if (const size_t in = place.find(kIn, colon == std::string_view::npos ? 0 : colon);
        in != std::string_view::npos) {
        function = ", in " + std::string(place.substr(in + kIn.size()));
        place = place.substr(0, in);
    }
    if (colon == std::string_view::npos || !wholeNumber(place.substr(colon + 1)))
        return std::nullopt;
    return "  File \"" + std::string(place.substr(0, colon)) + "\", line " +
           std::string(place.substr(colon + 1)) + function + "\n    " +
           std::string(trim(line.substr(code + kCode.size()))) + '\n';
}

} // namespace fx
