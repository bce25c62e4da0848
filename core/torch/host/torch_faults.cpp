// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/host/torch_faults.h"

#include "core/base/text.h"

namespace fx {

const char* pythonKind(const c10::Error& error) {
    if (dynamic_cast<const c10::IndexError*>(&error))
        return "IndexError";
    if (dynamic_cast<const c10::ValueError*>(&error))
        return "ValueError";
    if (dynamic_cast<const c10::TypeError*>(&error))
        return "TypeError";
    if (dynamic_cast<const c10::NotImplementedError*>(&error))
        return "NotImplementedError";
    if (dynamic_cast<const c10::LinAlgError*>(&error))
        return "_LinAlgError";
    if (dynamic_cast<const c10::OutOfMemoryError*>(&error))
        return "OutOfMemoryError";
    return "RuntimeError";
}

std::string pythonMessage(const c10::Error& error) {
    std::string text = error.what_without_backtrace();
    if (!contains(text, "Type"))
        return text;
    for (const std::string sparse : {"Sparse", ""})
        for (const std::string device : {"CUDA", "CPU"})
            for (const std::string dtype :
                 {"Byte", "Char", "Double", "Float", "Int", "Long", "Short", "Half"}) {
                const std::string name = std::string("torch.") + (device == "CUDA" ? "cuda." : "") +
                                         (sparse.empty() ? "" : "sparse.") + dtype + "Tensor";
                const std::string type = sparse + device + dtype + "Type";
                text = replaceAll(replaceAll(text, "Variable[" + type + ']', name), type, name);
            }
    return text;
}

} // namespace fx
