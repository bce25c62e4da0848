// SPDX-License-Identifier: GPL-3.0-or-later
// The table of formats, asked by names of files and by words.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/open/formats.h"

#include <algorithm>
#include <cctype>

namespace fx {

bool hasEnding(const Format& format, const std::string& path) {
    return std::any_of(format.endings.begin(), format.endings.end(),
                       [&](const std::string& ending) { return path.ends_with(ending); });
}

const Format* formatWriting(const std::string& path) {
    for (const Format& format : formats())
        if (format.write && !format.isWrittenByWord && hasEnding(format, path))
            return &format;
    return nullptr;
}

bool isSavedAs(const std::string& path) {
    const Format* format = formatWriting(path);
    return format && !format->document.empty();
}

std::string wordFor(const Format& format) {
    std::string out = format.name.starts_with('.') ? format.name.substr(1) : format.name;
    std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::tolower(c); });
    return out;
}

const Format* formatOfWord(const std::string& word) {
    for (const Format& format : formats())
        if (format.write && wordFor(format) == word)
            return &format;
    return nullptr;
}

std::string reasonOf(const std::function<void()>& check) {
    try {
        check();
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

bool isTraced(const Format& format) {
    return format.evaluatesCode && !format.options.empty();
}

std::string formatNames() {
    std::string out;
    for (const Format& format : formats())
        out += (out.empty() ? "" : &format == &formats().back() ? " or " : ", ") + format.name;
    return out;
}

} // namespace fx
