// SPDX-License-Identifier: GPL-3.0-or-later
// torch.load(path) in a source that is traced: loads weights from the folder of the source or a folder below
// it. Our own reader parses the pickle, which may hold tensors, numbers, strings and containers of them only.
#pragma once

#include "core/python/evaluator.h"

#include <string>

namespace fx {

class FilesBeside {
public:
    explicit FilesBeside(const std::string& sourcePath);

    /// A relative path counts from the working directory, else from the folder of the source. Throws an Error
    /// as Python would where there is no such file, and one that names the first class that is not allowed.
    Value load(Evaluator& evaluator, const std::string& path) const;

private:
    std::string find(const std::string& path) const;

    std::string m_folder;
};

} // namespace fx
