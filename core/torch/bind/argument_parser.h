// SPDX-License-Identifier: GPL-3.0-or-later
// Which overload a call means, and the value of each of its parameters: what PyTorch's own argument parser
// decides, with its messages (argument_faults.h). What the values become is core/torch/bind/unpack.h's
// business.
#pragma once

#include "core/python/value.h"
#include "core/torch/bind/signatures.h"

#include <c10/util/SmallVector.h>

namespace fx {

struct ParsedCall {
    const CallSignature* signature = nullptr;
    /// One for each parameter; null: not given, or None where that means the same. They point at what was
    /// given.
    c10::SmallVector<const Value*, 8> values;
    const Values* sizes = nullptr; ///< of x.view(2, 3): the first parameter is all of these

    bool isGiven(size_t parameter) const { return values[parameter] || (parameter == 0 && sizes); }
};

/// Throws an Error of kind TypeError with PyTorch's message. What it gives points into its arguments. A Proxy
/// fits every parameter, and as an item every list.
ParsedCall parseArguments(const SignatureGroup& group, const Values& args, const NamedValues& kwargs);

/// What Python's own checks of a call make of a value.
bool isPythonNumber(const Value& value);      ///< int, float, bool or complex
bool isPythonInt(const Value& value);         ///< an int that is no bool
bool isIndexLike(const Value& value);         ///< an int, or a tensor of one whole number
bool isBuiltinNumberType(const Value& value); ///< float, int, bool, complex themselves

/// The values in a list or tuple, of whatever kind.
class ListItems {
public:
    explicit ListItems(const Value& list);
    bool isList() const { return m_isList; }
    const Values& values() const { return m_held ? *m_held : m_made; }

private:
    const Values* m_held = nullptr;
    Values m_made;
    bool m_isList = true;
};

} // namespace fx
