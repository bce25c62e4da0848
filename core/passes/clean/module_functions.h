// SPDX-License-Identifier: GPL-3.0-or-later
// The function that a module of torch.nn calls, and with what: one row for each class.
#pragma once

#include "core/module/model.h"

#include <string>
#include <string_view>

namespace fx {

struct ModuleFunction {
    std::string_view type; ///< below torch.nn.modules: "linear.Linear"
    std::string_view
        function; ///< below torch.nn.functional; ".flatten" is a method, "torch.tanh" a whole name
    /// Its arguments with spaces between them: `0` and `1` the module's own, `@training` whether it is in
    /// training mode, of a recurrent one `@state` where it begins and `@weights` a list, 'text' and numbers
    /// as they are, any other word an attribute; name=word by keyword.
    std::string_view arguments;
};

/// Null for a class that has no row, and where what it does depends on more than its attributes: `obstacle`
/// then says why. Of Identity, the function is empty.
const ModuleFunction* functionOf(const Module& module, std::string& obstacle);

} // namespace fx
