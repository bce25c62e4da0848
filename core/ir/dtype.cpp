// SPDX-License-Identifier: GPL-3.0-or-later
// The tables behind the names of dtypes, layouts and memory formats.
#include "core/ir/dtype.h"

#include <array>
#include <utility>

namespace fx {

using c10::ScalarType;

std::span<const DtypeInfo> dtypes() {
    static constexpr DtypeInfo kDtypes[] = {
        {ScalarType::Byte, "uint8", "u8", 1, "U8", "|u1"},
        {ScalarType::Char, "int8", "i8", 2, "I8", "|i1"},
        {ScalarType::Short, "int16", "i16", 3, "I16", "<i2"},
        {ScalarType::Int, "int32", "i32", 4, "I32", "<i4"},
        {ScalarType::Long, "int64", "i64", 5, "I64", "<i8"},
        {ScalarType::Half, "float16", "f16", 6, "F16", "<f2"},
        {ScalarType::Float, "float32", "f32", 7, "F32", "<f4"},
        {ScalarType::Double, "float64", "f64", 8, "F64", "<f8"},
        {ScalarType::ComplexHalf, "complex32", "c32", 9, "", ""},
        {ScalarType::ComplexFloat, "complex64", "c64", 10, "C64", "<c8"},
        {ScalarType::ComplexDouble, "complex128", "c128", 11, "", "<c16"},
        {ScalarType::Bool, "bool", "b8", 12, "BOOL", "|b1"},
        {ScalarType::BFloat16, "bfloat16", "bf16", 13, "BF16", ""},
        {ScalarType::UInt16, "uint16", "u16", 28, "U16", "<u2"},
        {ScalarType::Float8_e4m3fn, "float8_e4m3fn", "f8e4m3fn", 29, "F8_E4M3", ""},
        {ScalarType::Float8_e5m2, "float8_e5m2", "f8e5m2", 30, "F8_E5M2", ""},
        {ScalarType::Float8_e4m3fnuz, "float8_e4m3fnuz", "f8e4m3fnuz", 31, "", ""},
        {ScalarType::Float8_e5m2fnuz, "float8_e5m2fnuz", "f8e5m2fnuz", 32, "", ""},
        {ScalarType::Float8_e8m0fnu, "float8_e8m0fnu", "f8e8m0fnu", 33, "F8_E8M0", ""},
        {ScalarType::UInt32, "uint32", "u32", 34, "U32", "<u4"},
        {ScalarType::UInt64, "uint64", "u64", 35, "U64", "<u8"},
        {ScalarType::QInt8, "qint8", "?", -1, "", ""},
        {ScalarType::QUInt8, "quint8", "?", -1, "", ""},
        {ScalarType::QInt32, "qint32", "?", -1, "", ""},
        {ScalarType::QUInt4x2, "quint4x2", "?", -1, "", ""},
        {ScalarType::QUInt2x4, "quint2x4", "?", -1, "", ""},
        {ScalarType::Bits8, "bits8", "b8x1", -1, "", ""},
        {ScalarType::Bits16, "bits16", "b16x1", -1, "", ""},
        {ScalarType::Bits1x8, "bits1x8", "b1x8", -1, "", ""},
        {ScalarType::Bits2x4, "bits2x4", "b2x4", -1, "", ""},
        {ScalarType::Bits4x2, "bits4x2", "b4x2", -1, "", ""},
    };
    return kDtypes;
}

const DtypeInfo* dtypeInfo(ScalarType type) {
    for (const DtypeInfo& row : dtypes())
        if (row.type == type)
            return &row;
    return nullptr;
}

std::string dtypeText(ScalarType type) {
    const DtypeInfo* row = dtypeInfo(type);
    return "torch." + std::string(row ? row->name : "undefined");
}

std::string_view dtypeAbbreviation(ScalarType type) {
    const DtypeInfo* row = dtypeInfo(type);
    return row ? row->abbreviation : "?";
}

std::optional<ScalarType> dtypeFromName(std::string_view name) {
    static constexpr std::pair<std::string_view, ScalarType> kAliases[] = {
        {"half", ScalarType::Half},
        {"float", ScalarType::Float},
        {"double", ScalarType::Double},
        {"short", ScalarType::Short},
        {"int", ScalarType::Int},
        {"long", ScalarType::Long},
        {"chalf", ScalarType::ComplexHalf},
        {"cfloat", ScalarType::ComplexFloat},
        {"cdouble", ScalarType::ComplexDouble},
    };
    if (name.starts_with("torch."))
        name.remove_prefix(6);
    for (const DtypeInfo& row : dtypes())
        if (row.name == name)
            return row.type;
    for (const auto& [alias, type] : kAliases)
        if (alias == name)
            return type;
    return std::nullopt;
}

std::string deviceText(c10::Device device) {
    return device.str();
}

namespace {

constexpr std::pair<c10::Layout, std::string_view> kLayouts[] = {
    {c10::Layout::Strided, "torch.strided"},      {c10::Layout::Sparse, "torch.sparse_coo"},
    {c10::Layout::SparseCsr, "torch.sparse_csr"}, {c10::Layout::SparseCsc, "torch.sparse_csc"},
    {c10::Layout::SparseBsr, "torch.sparse_bsr"}, {c10::Layout::SparseBsc, "torch.sparse_bsc"},
    {c10::Layout::Mkldnn, "torch._mkldnn"},       {c10::Layout::Jagged, "torch.jagged"},
};

constexpr std::pair<c10::MemoryFormat, std::string_view> kMemoryFormats[] = {
    {c10::MemoryFormat::Contiguous, "torch.contiguous_format"},
    {c10::MemoryFormat::Preserve, "torch.preserve_format"},
    {c10::MemoryFormat::ChannelsLast, "torch.channels_last"},
    {c10::MemoryFormat::ChannelsLast3d, "torch.channels_last_3d"},
};

template <class Table, class Value>
std::string nameIn(const Table& table, Value value) {
    for (const auto& [row, name] : table)
        if (row == value)
            return std::string(name);
    return "torch.unknown";
}

template <class Value, size_t n>
std::optional<Value> valueIn(const std::pair<Value, std::string_view> (&table)[n], std::string_view name) {
    for (const auto& [value, row] : table)
        if (row == name || row.substr(6) == name)
            return value;
    return std::nullopt;
}

} // namespace

std::string layoutText(c10::Layout layout) {
    return nameIn(kLayouts, layout);
}

std::optional<c10::Layout> layoutFromName(std::string_view name) {
    return valueIn(kLayouts, name);
}

std::string memoryFormatText(c10::MemoryFormat format) {
    return nameIn(kMemoryFormats, format);
}

std::optional<c10::MemoryFormat> memoryFormatFromName(std::string_view name) {
    return valueIn(kMemoryFormats, name);
}

} // namespace fx
