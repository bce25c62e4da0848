// SPDX-License-Identifier: GPL-3.0-or-later
// What the library's zlib is made of: zlib itself, over whole texts.
#include "core/python/types/native_modules.h"
#include "core/python/types/support.h"

#include <zlib.h>

#include <algorithm>
#include <iterator>

namespace fx {

namespace {

/// Of each piece of output, as CPython has it: what is stored without packing is cut at their ends.
constexpr size_t kPieces[] = {32 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 8 << 20, 16 << 20};

const std::string& bytesArgument(const Value& value) {
    const auto* bytes = plainOf(value).as<BytesObject>();
    if (!bytes)
        raise("TypeError", "a bytes-like object is required, not '" + typeName(value) + '\'');
    return bytes->bytes;
}

/// A z_stream that reads the text, ended with the function.
class Stream {
public:
    Stream(const std::string& text, int (*end)(z_stream*)) : m_end(end) {
        m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
        m_stream.avail_in = static_cast<uInt>(text.size());
    }
    ~Stream() { m_end(&m_stream); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    z_stream* operator->() { return &m_stream; }
    z_stream* get() { return &m_stream; }

private:
    z_stream m_stream = {};
    int (*m_end)(z_stream*);
};

/// Runs one of zlib's two engines until it gives no more output; the code with which it ended.
int run(Evaluator& evaluator, Stream& stream, int (*work)(z_stream*, int), int flush, std::string& out) {
    int code = Z_OK;
    size_t next = 0;
    do {
        const size_t piece = kPieces[next];
        next = std::min(next + 1, std::size(kPieces) - 1);
        evaluator.step();
        evaluator.reserve(out.size() + piece);
        const size_t before = out.size();
        out.resize(before + piece);
        stream->next_out = reinterpret_cast<Bytef*>(out.data() + before);
        stream->avail_out = static_cast<uInt>(piece);
        code = work(stream.get(), flush);
        out.resize(before + piece - stream->avail_out);
        evaluator.budget().charge((out.size() - before) / 256);
    } while (code == Z_OK && stream->avail_out == 0);
    return code;
}

/// (data, level, wbits) -> (bytes, code)
Value deflateAll(Evaluator& evaluator, Values& args) {
    const std::string& text = bytesArgument(args[0]);
    Stream stream(text, deflateEnd);
    const auto level = static_cast<int>(evaluator.index(args[1])),
               bits = static_cast<int>(evaluator.index(args[2]));
    constexpr int kMemory = 8;
    int code = deflateInit2(stream.get(), level, Z_DEFLATED, bits, kMemory, Z_DEFAULT_STRATEGY);
    std::string out;
    if (code == Z_OK)
        code = run(evaluator, stream, deflate, Z_FINISH, out);
    return makeTuple({makeBytes(std::move(out)), makeInt(code)});
}

/// (data, wbits) -> (bytes, code, message or None, how many bytes of the data were taken)
Value inflateAll(Evaluator& evaluator, Values& args) {
    const std::string& text = bytesArgument(args[0]);
    Stream stream(text, inflateEnd);
    int code = inflateInit2(stream.get(), static_cast<int>(evaluator.index(args[1])));
    std::string out;
    if (code == Z_OK)
        code = run(evaluator, stream, inflate, Z_SYNC_FLUSH, out);
    const Value message = stream->msg ? makeText(stream->msg) : Value();
    return makeTuple({makeBytes(std::move(out)), makeInt(code), message,
                      makeInt(static_cast<int64_t>(text.size() - stream->avail_in))});
}

} // namespace

Value makeZlibModule() {
    NativeModule module("_zlib");
    module.add("_deflate", 3, 3, deflateAll);
    module.add("_inflate", 2, 2, inflateAll);
    using Sum = uLong (*)(uLong, const Bytef*, uInt);
    static constexpr std::pair<const char*, Sum> kSums[] = {{"_crc32", crc32}, {"_adler32", adler32}};
    for (const auto& [name, function] : kSums)
        module.add(name, 2, 2, [function = function](Evaluator& e, Values& args) {
            const std::string& text = bytesArgument(args[0]);
            const auto before = static_cast<uLong>(e.index(args[1])) & 0xFFFFFFFF;
            return makeInt(static_cast<int64_t>(function(before, reinterpret_cast<const Bytef*>(text.data()),
                                                         static_cast<uInt>(text.size()))));
        });
    return module.value();
}

} // namespace fx
