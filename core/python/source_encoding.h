// SPDX-License-Identifier: GPL-3.0-or-later
// PEP 263: sources that say in a comment which encoding they are in.
#pragma once

#include <string>

namespace fx {

/// The bytes of a source as UTF-8, by the encoding that a comment in the first two lines names; the comment
/// then names UTF-8. Without such a comment the bytes stay as they are. Throws an Error of kind "SyntaxError"
/// for what the encoding has not, and for one that is not read here.
std::string decodedSource(std::string bytes, const std::string& path);

} // namespace fx
