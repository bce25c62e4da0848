// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/tree_spec.h"

namespace fx {

TreeSpec::Kind TreeSpec::kindOf(std::string_view type) {
    if (type == "builtins.tuple" || type == "torch.Size")
        return Kind::Tuple;
    if (type == "builtins.list" || type == "collections.deque")
        return Kind::List;
    if (type == "builtins.dict" || type == "collections.OrderedDict" || type == "collections.defaultdict")
        return Kind::Dict;
    return type == "collections.namedtuple" ? Kind::NamedTuple : Kind::Other;
}

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
