// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/script/code_ranges.h"

namespace fx {

CodeRanges::CodeRanges(const Model& model, ModuleId module)
    : m_code(model, module),
      m_source(std::make_shared<torch::jit::Source>(m_code.text(), "module.py", 1)), m_lineStarts{0} {
    const std::string& text = m_code.text();
    for (size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
        m_lineStarts.push_back(at + 1);
}

torch::jit::SourceRange CodeRanges::rangeOf(NodeId node) const {
    const int line = m_code.lineOf(node);
    if (line < 0)
        return {};
    const std::string& text = m_code.text();
    size_t start = m_lineStarts[static_cast<size_t>(line)];
    size_t end = std::min(text.find('\n', start), text.size());
    if (const size_t released = text.find(";  ", start); released < end)
        end = released;
    if (const size_t equals = text.find(" = ", start); equals < end)
        start = equals + 3;
    return {m_source, start, end};
}

} // namespace fx
