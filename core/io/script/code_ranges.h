// SPDX-License-Identifier: GPL-3.0-or-later
// Where the nodes of a graph stand in its generated code: a program keeps that text beside its own, so that
// errors show it, and so that whoever reads the program knows how each call was written.
#pragma once

#include "core/codegen/python_code.h"

#include <torch/csrc/jit/frontend/source_range.h>

namespace fx {

class CodeRanges {
public:
    CodeRanges(const Model& model, ModuleId module);
    /// Of the expression that the node computes.
    torch::jit::SourceRange rangeOf(NodeId node) const;

private:
    PythonCode m_code;
    std::shared_ptr<torch::jit::Source> m_source;
    std::vector<size_t> m_lineStarts;
};

} // namespace fx
