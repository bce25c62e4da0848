// SPDX-License-Identifier: GPL-3.0-or-later
// The structure of an input that is a list, tuple or dict, in the metadata of its placeholder.
#pragma once

#include <string_view>

namespace fx::meta {

/// Argument: the value that the input was captured with, whose leaves are None. Its kValue has one entry for
/// each item, of a dict in the order of its keys.
inline constexpr std::string_view kInputTree = "input_tree";

} // namespace fx::meta
