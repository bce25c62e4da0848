// SPDX-License-Identifier: GPL-3.0-or-later
// __traceback__ of an exception: where it was caught, and the frames that it had left until then.
#pragma once

#include "core/python/frames.h"
#include "core/python/value.h"

namespace fx {

class Evaluator;

/// Gives the exception the traceback of an error that is caught in the innermost frame, after what it has of
/// earlier ones.
void noteTraceback(Evaluator& evaluator, const Value& exception);
/// The frames of a traceback, outermost first; empty for any other value.
std::vector<CallSite> tracebackFrames(const Value& traceback);
/// As Python prints it: the frames of the user's own sources that an error has left, innermost last.
std::string tracebackText(const Frames::Trace& left);
/// (path, line, name of the function, text of the line) as a program sees a frame.
Value frameTuple(const CallSite& site);

} // namespace fx
