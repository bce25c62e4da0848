// SPDX-License-Identifier: GPL-3.0-or-later
// What make_opinfo.py has recorded: a file of graphs of one operator with one dtype, each with its inputs and
// with what came of it under the real torch.fx.
#pragma once

#include "core/io/json.h"
#include "core/module/model.h"

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

namespace fx {

class RecordedFile {
public:
    /// The .jsonl; the bytes of tensors are in the .bin beside it.
    explicit RecordedFile(const std::string& path);

    /// Where it lies, with the slash.
    const std::string& folder() const { return m_folder; }
    const Json& header() const { return m_header; }
    const std::vector<Json>& rows() const { return m_rows; }
    /// Why calls of the database were not recorded, and how many.
    const Json& skipped() const { return m_skipped; }
    /// Fresh tensors in memory of their own. `prefix`: "" for the inputs, "result_" for what came out.
    std::vector<at::Tensor> tensors(const Json& row, const std::string& prefix) const;

private:
    at::Tensor tensor(const Json& entry, const std::vector<at::Tensor>& storages,
                      const std::vector<at::Tensor>& others) const;

    std::string m_folder, m_bytes;
    Json m_header, m_skipped;
    std::vector<Json> m_rows;
};

/// All graphs of the file as children "s0", "s1", ... of one model, with their constants.
Model modelOf(const RecordedFile& file);

} // namespace fx
