// SPDX-License-Identifier: GPL-3.0-or-later
// The call of a constructor as a form: what its class takes, and what the call gives for each of it. For
// whoever shows such a call parameter by parameter; what there is to call says callables.h.
#pragma once

#include "core/rewrite/callables.h"

#include <optional>
#include <string>
#include <vector>

namespace fx {

struct ConstructorForm {
    std::string callee;             ///< as it was written: "nn.Linear"
    CallForm form;                  ///< the constructor's parameters alone
    std::vector<std::string> texts; ///< of each parameter, and of what *more takes; empty: its default
};

/// Of "nn.Linear(8, bias=False)". Empty where that is no call of a class of torch.nn, or gives its parameters
/// in a way that a form cannot show.
std::optional<ConstructorForm> constructorForm(const std::string& call);
/// The call that gives these texts.
std::string constructorCall(const ConstructorForm& form);

} // namespace fx
