// SPDX-License-Identifier: GPL-3.0-or-later
// Where a node of a TorchScript program was written: the Python text that the archive keeps beside its code,
// and how a call was spelled there. Traced programs keep lines only, and a program may have been stripped of
// both.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace torch::jit {
struct Node;
}

namespace fx {

struct ScriptPlace {
    std::string file; ///< empty: unknown
    int line = 0;
    int column = 0;
    std::string text;     ///< the expression: "self.conv(x)"; empty: unknown
    std::string lineText; ///< the whole line, without its indentation
    std::string before;   ///< what stands before the expression in its line, without the indentation
    std::string after;    ///< what follows in its line
    /// PyTorch's own helpers, such as the one behind `2 - x`.
    bool isBuiltinHelper() const { return file == "<string>"; }
    /// "net.py, line 12"; empty where it is unknown.
    std::string name() const;
};

ScriptPlace placeOf(const torch::jit::Node& node);

/// "torch.flatten(x, start_dim=1)" as it was spelled.
struct WrittenCall {
    struct Argument {
        std::string keyword; ///< empty: by position
        std::string text;
        bool isBracketed() const { return text.starts_with('[') || text.starts_with('('); }
    };
    std::string callee; ///< "torch.flatten", "x.view"; what is called of a longer expression: "(a + b).view"
    std::vector<Argument> arguments;
    /// "flatten".
    std::string name() const { return callee.substr(callee.rfind('.') + 1); }
    size_t positionalCount() const;
    bool hasStar() const;
};

/// None where the text is not one call.
std::optional<WrittenCall> writtenCall(std::string_view text);
/// The literal int that the text is.
std::optional<int64_t> writtenInt(std::string_view text);

} // namespace fx
