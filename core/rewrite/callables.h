// SPDX-License-Identifier: GPL-3.0-or-later
// What a user may want to call from a graph, and what each takes: for whoever offers calls to be inserted
// (inserted_call.h).
#pragma once

#include "core/module/model.h"

#include <string>
#include <vector>

namespace fx {

struct Callable {
    enum class Kind {
        Function,  ///< "torch.clamp", "F.relu"
        Operator,  ///< "aten.clamp.default"
        Method,    ///< ".view"
        Module,    ///< "self.norm", of the model
        NewModule, ///< "nn.Linear": made, registered, and called
    };
    Kind kind = Kind::Function;
    std::string text;  ///< as one writes it
    std::string about; ///< "function of torch", "Linear of the model"
};

struct CallParameter {
    std::string name;
    std::string type;        ///< "Tensor", "int", "int[2]"; empty: not known
    std::string defaultText; ///< Python; empty: it must be given
    bool isByName = false;
    bool isMaking = false; ///< of NewModule: the constructor's
};

/// One overload.
struct CallForm {
    std::vector<CallParameter> parameters; ///< of a method, with the tensor that it is called on first
    bool takesMore = false;                ///< *args: positional ones may follow
    std::string text() const;              ///< "(input: Tensor, min=None)"
};

/// In the order in which they are offered: what the model has first, or operators in a graph of these.
std::vector<Callable> callables(const Model& model, ModuleId module);
/// Those with tensors alone come first; empty where nothing is known.
std::vector<CallForm> formsOf(const Callable& callable, const Model& model, ModuleId module);

/// What it takes, in a line: "(input: Tensor, min = None, max = None)", of a NewModule what its constructor
/// takes; "+2" behind it: there are two more overloads. Empty where nothing is known.
std::string signatureText(const Callable& callable, const Model& model, ModuleId module);

/// What the constructor of a class of torch.nn takes, "torch.nn.Linear"; without parameters where that is
/// not known.
CallForm makingForm(const std::string& type);

/// The call with these texts for the form's parameters, of which an empty one is left out:
/// "torch.clamp(relu, max=6.0)", "nn.Linear(8, 4)(x)", "x.view(2, -1)".
std::string callText(const Callable& callable, const CallForm& form, const std::vector<std::string>& texts);

} // namespace fx
