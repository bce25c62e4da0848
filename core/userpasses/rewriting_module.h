// SPDX-License-Identifier: GPL-3.0-or-later
// The module torch.fx._rewriting: what the library's text of torch.fx.subgraph_rewriter and SubgraphMatcher
// call, over core/rewrite.
#pragma once

#include "core/fxpython/fx_module.h"

namespace fx {

class RewritingModule : public NameSource {
public:
    void addTo(Evaluator& evaluator) { evaluator.names().add(*this); }
    std::optional<Value> importModule(Evaluator&, const std::string& name) override;
};

} // namespace fx
