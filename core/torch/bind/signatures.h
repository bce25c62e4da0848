// SPDX-License-Identifier: GPL-3.0-or-later
// The overloads of PyTorch's functions and methods in C, as its own argument parser tries them.
// The rows are core/torch/tables/signatures.txt, which make_signatures.py writes; each name is read at its
// first use.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>
#include <vector>

namespace fx {

enum class ParameterType : uint8_t {
    Tensor,
    Scalar,
    Int,
    SymInt,
    Float,
    TensorList,
    IntList,
    FloatList,
    ScalarList,
    Generator,
    Bool,
    Storage,
    Object,
    DType,
    Layout,
    MemoryFormat,
    Device,
    Stream,
    Text
};

struct SignatureParameter {
    std::string_view name;
    std::string_view defaultText; ///< as messages show it; empty: it must be given
    ParameterType type = ParameterType::Object;
    uint8_t size = 0; ///< of a list: one int stands for so many of it
    bool allowsNone = false;
    bool isKeywordOnly = false;
    bool takesNumbers = false; ///< a Tensor that may be a number

    bool isOptional() const { return !defaultText.empty(); }
};

struct CallPlan;

/// What core/torch/bind/signature_call.cpp makes of a signature at its first call.
struct PlanSlot {
    std::atomic<const CallPlan*> plan = nullptr;
    PlanSlot() = default;
    PlanSlot(PlanSlot&& other) noexcept : plan(other.plan.load()) {}
    PlanSlot& operator=(PlanSlot&& other) noexcept {
        plan = other.plan.load();
        return *this;
    }
};

struct CallSignature {
    std::string_view name; ///< of the function, for messages
    std::vector<SignatureParameter> parameters;
    size_t least = 0; ///< parameters without a default
    size_t mostPositional = 0;
    bool isHidden = false; ///< tried, but not shown in messages
    bool isDeprecated = false;
    std::string_view op, outOp;             ///< below aten::, "add.Tensor"; empty: none
    std::vector<std::string_view> handedOn; ///< where the operator does not take the parameters in order
    mutable PlanSlot plan, outPlan;

    /// How a message shows it: "(Tensor input, *, Tensor out = None)".
    std::string_view text() const { return m_text; }

private:
    friend class SignatureTable;
    std::string_view m_text;
};

struct SignatureGroup {
    std::string_view name;     ///< for messages: of __add__ it is "add"
    bool takesNothing = false; ///< not even keywords
    std::vector<CallSignature> signatures;
};

/// The overloads of "torch.add" (nameSpace "torch", name "add"); of a method, nameSpace "torch.Tensor". Null
/// if PyTorch has no such function in C. The same pointer each time, valid as long as the process.
const SignatureGroup* findSignatures(std::string_view nameSpace, std::string_view name);
/// By a function's whole name: "torch._C._nn.linear".
const SignatureGroup* findSignatures(std::string_view qualifiedName);

/// The functions of ATen whose tensors may be numbers: add, mul and their kin, in place and with out= too.
bool takesNumbersAsTensors(std::string_view function);

/// How messages name a type: "tuple of ints".
std::string_view typeText(ParameterType type);

} // namespace fx
