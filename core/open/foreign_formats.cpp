// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/open/foreign_formats.h"

#include "core/base/text.h"

#include <algorithm>
#include <filesystem>

namespace fx {

namespace {

const char* const kOtherLibrary =
    "only PyTorch models can be opened; export the PyTorch model that it came from";

struct Mark {
    size_t offset;
    std::string_view bytes;
    const char* what;
    const char* advice;
};

using namespace std::string_view_literals;

constexpr Mark kMarks[] = {
    {0, "\x89HDF\r\n\x1a\n"sv, "is an HDF5 file, as Keras writes models and weights", nullptr},
    {0, "\x93NUMPY"sv, "is a NumPy array, not a model",
     "give it as an input: fxscope run MODEL --input x=@FILE"},
    {4, "TFL3"sv, "is a TensorFlow Lite model", nullptr},
    {0, "GGUF"sv, "is a GGUF file of llama.cpp", nullptr},
    {0,
     "\x7f"
     "ELF"sv,
     "is a program or compiled library",
     "compiled models have no graph to show; open the .pt2 they were made from"},
    {0, "\x1f\x8b"sv, "is compressed with gzip", "unpack it first"},
    {0, "BZh"sv, "is compressed with bzip2", "unpack it first"},
    {0,
     "\xfd"
     "7zXZ"sv,
     "is compressed with xz", "unpack it first"},
    {0, "\x28\xb5\x2f\xfd"sv, "is compressed with zstd", "unpack it first"},
    {0, "Rar!"sv, "is a RAR archive", "unpack it first"},
    {257, "ustar"sv, "is a tar archive", "unpack it first"},
    {0, "%PDF"sv, "is a PDF document", nullptr},
    {0, "\x89PNG"sv, "is a picture", nullptr},
    {0, "\xff\xd8\xff"sv, "is a picture", nullptr},
    {0, "<!DOCTYPE"sv, "is a web page; the download went wrong", "download the file itself"},
    {0, "<html"sv, "is a web page; the download went wrong", "download the file itself"},
    {0, "version https://git-lfs"sv, "is a pointer of Git LFS, not the file itself",
     "fetch it: git lfs pull"},
};

/// A protobuf message that begins with the fields of ONNX: a version, then the producer's name or the like.
bool looksLikeOnnx(std::string_view bytes) {
    if (bytes.size() < 16 || bytes[0] != '\x08' || bytes[1] < 1 || bytes[1] > 30)
        return false;
    const auto key = static_cast<unsigned char>(bytes[2]);
    return key == 0x12 || key == 0x3A || key == 0x42; // producer_name, graph, opset_import
}

} // namespace

ForeignFormat foreignFormat(std::span<const std::byte> bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                                std::min<size_t>(bytes.size(), 512));
    for (const Mark& mark : kMarks)
        if (text.size() > mark.offset && text.substr(mark.offset).starts_with(mark.bytes))
            return {mark.what, mark.advice ? mark.advice : kOtherLibrary};
    if (looksLikeOnnx(text))
        return {"is an ONNX model", kOtherLibrary};
    if (text.starts_with('\x80'))
        return {"is a Python pickle that torch.save did not write",
                "load it in Python and save it again with torch.save"};
    return {};
}

ForeignFormat foreignZip(const ZipArchive& zip) {
    const std::vector<std::string> names = zip.names();
    const auto has = [&](std::string_view ending) {
        return std::any_of(names.begin(), names.end(),
                           [&](const std::string& name) { return name.ends_with(ending); });
    };
    if (has("/bytecode.pkl"))
        return {"is a program for PyTorch Mobile: bytecode, with no graph in it",
                "open the TorchScript file that it was made from"};
    if (has("/.data/archive_type") || has(".so") || has(".cubin"))
        return {"is an AOTInductor package: compiled code, with no graph in it", kExportAdvice};
    if (has("model.weights.h5") || has("metadata.json"))
        return {"is a Keras model", kOtherLibrary};
    if (!names.empty() && std::all_of(names.begin(), names.end(),
                                      [](const std::string& name) { return name.ends_with(".npy"); }))
        return {"holds NumPy arrays, not a model", "give it as inputs: fxscope run MODEL --inputs FILE"};
    return {};
}

ForeignFormat foreignFolder(const std::string& path) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    const auto has = [&](const char* name) { return fs::exists(fs::path(path) / name, ignored); };
    if (has("saved_model.pb") || has("keras_metadata.pb"))
        return {"is a SavedModel of TensorFlow", kOtherLibrary};
    if (has("Manifest.json") && has("Data"))
        return {"is a Core ML package", kOtherLibrary};
    if (has("config.json") && (has("model.safetensors") || has("pytorch_model.bin")))
        return {"is a folder of Hugging Face: weights and settings, with no graph in it", kExportAdvice};
    return {};
}

} // namespace fx
