// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/base/unicode.h"

#include <string>

namespace fx {

/// As text or as a quoted attribute in HTML; what cannot be seen is shown.
inline std::string escapedHtml(const std::string& text) {
    std::string out = replaceAll(replaceAll(shownLines(shownPart(text)), "&", "&amp;"), "<", "&lt;");
    return replaceAll(replaceAll(out, ">", "&gt;"), "\"", "&quot;");
}

} // namespace fx
