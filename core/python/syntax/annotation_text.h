// SPDX-License-Identifier: GPL-3.0-or-later
// Annotations as texts, as `from __future__ import annotations` leaves them.
#pragma once

#include "core/python/tree.h"

#include <string>
#include <string_view>

namespace fx {

/// What ast.unparse gives of an annotation: `Dict[str,"A"]` is "Dict[str, 'A']". What annotations rarely hold
/// (calls, lambdas) stays as `source` has it.
std::string annotationText(const Expression& annotation, std::string_view source);

} // namespace fx
