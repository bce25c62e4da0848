// SPDX-License-Identifier: GPL-3.0-or-later
// One running function, class body, comprehension or module. Internal to the evaluator's files.
#pragma once

#include "core/python/frames.h"

#include <c10/util/SmallVector.h>

namespace fx {

struct Frame {
    Frame* back = nullptr;
    std::shared_ptr<const SourceFile> file;
    const FunctionTree* tree = nullptr;
    std::string module;
    Value globals; ///< a DictObject
    Value names;   ///< of a module or class body: the dict that it fills
    c10::SmallVector<std::optional<Value>, 8> locals;
    Values cells; ///< CellObjects: own ones, then those from outside
    uint32_t position = 0;
    Value handled; ///< the exception that an except clause is at work on: `raise` alone raises it
    class Generator* generator = nullptr;
    /// `assert c, m` is torch._assert(c, m), and `x: T = v` is x = annotate(v, T): torch.fx's RewritingTracer
    /// writes a function anew so that both are recorded.
    bool recordsAsserts = false;
    int importTries = 0; ///< statements around the running one that handle an import's failure
};

/// Makes a frame the innermost one while it lives, and bounds the depth of calls.
struct FrameScope {
    FrameScope(Frames& frames, Frame& frame);
    ~FrameScope();
    FrameScope(const FrameScope&) = delete;
    FrameScope& operator=(const FrameScope&) = delete;
    Frames& frames;
    Frame* previous;
};

} // namespace fx
