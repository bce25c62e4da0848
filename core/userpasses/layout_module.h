// SPDX-License-Identifier: GPL-3.0-or-later
// The module torch.fx._layout: where boxes stand, for the library's text of torch.fx.passes.graph_drawer,
// over core/layout.
#pragma once

#include "core/fxpython/fx_module.h"

namespace fx {

class LayoutModule : public NameSource {
public:
    void addTo(Evaluator& evaluator) { evaluator.names().add(*this); }
    std::optional<Value> importModule(Evaluator&, const std::string& name) override;
};

} // namespace fx
