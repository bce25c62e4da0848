// SPDX-License-Identifier: GPL-3.0-or-later
// ExceptionGroup and BaseExceptionGroup: several exceptions that are raised as one.
#pragma once

namespace fx {

class Evaluator;

/// After the other classes of exceptions.
void addExceptionGroups(Evaluator& evaluator);

} // namespace fx
