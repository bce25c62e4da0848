// SPDX-License-Identifier: GPL-3.0-or-later
// Attributes of Graphviz's objects.
#pragma once

#include <graphviz/gvc.h>

#include <string>

namespace fx {

/// Old interfaces take text by pointers that they do not write through.
inline char* text(const char* constant) {
    return const_cast<char*>(constant);
}

inline void set(void* object, const char* name, const std::string& value) {
    agsafeset(object, text(name), text(value.c_str()), text(""));
}

/// A bend of the trunk costs more than all that hangs beside it.
inline constexpr const char* kTrunkWeight = "1000";

} // namespace fx
