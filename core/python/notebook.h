// SPDX-License-Identifier: GPL-3.0-or-later
// Jupyter notebooks as Python source.
#pragma once

#include <string>
#include <string_view>

namespace fx {

/// Whether a file is Python source by its ending: "net.py", and the notebook "net.ipynb".
bool isSourcePath(std::string_view path);

/// The code cells of a notebook (nbformat 4), one after the other, each under a comment with its number. What
/// is IPython's and not Python's is left out: `%magic`, `!command`, `name?`, assignments from those, and
/// cells for another language (`%%bash`). The statement of a `%time` stays. Throws an Error where the text is
/// no notebook, or one of another language.
std::string notebookSource(std::string_view json, const std::string& path);

} // namespace fx
