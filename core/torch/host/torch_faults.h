// SPDX-License-Identifier: GPL-3.0-or-later
// The exceptions of LibTorch as Python sees them.
#pragma once

#include <c10/util/Exception.h>

#include <string>

namespace fx {

/// Python's class of exception: "IndexError".
const char* pythonKind(const c10::Error& error);
/// The message without the backtrace, with the types of tensors under the names that they have in Python.
std::string pythonMessage(const c10::Error& error);

} // namespace fx
