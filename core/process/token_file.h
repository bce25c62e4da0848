// SPDX-License-Identifier: GPL-3.0-or-later
// The file with the token of a server: a secret of one user.
#pragma once

#include <string>

namespace fx {

/// 128 random bits, as text.
std::string freshToken();

/// The token in the file, which is made with a fresh one where it is not there. Throws an Error for a file
/// that others can read or write, that is another user's or no regular file, and for a token that can be
/// guessed.
std::string tokenIn(const std::string& path);

} // namespace fx
