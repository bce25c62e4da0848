// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/tree_spec.h"

namespace fx {

size_t TreeSpec::leafCount() const {
    if (kind == Kind::Leaf)
        return 1;
    size_t count = 0;
    for (const TreeSpec& child : children)
        count += child.leafCount();
    return count;
}

bool Signature::hasKeywords() const {
    return inputs.kind == TreeSpec::Kind::Tuple && inputs.children.size() == 2 &&
           inputs.children[0].kind == TreeSpec::Kind::Tuple &&
           inputs.children[1].kind == TreeSpec::Kind::Dict;
}

} // namespace fx
