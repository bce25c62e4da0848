// SPDX-License-Identifier: GPL-3.0-or-later
// Native half of the library's zlib: packs whole texts, and unpacks streams piece by piece.
#include "core/python/types/native_modules.h"
#include "core/python/types/support.h"

#include <zlib.h>

#include <algorithm>
#include <iterator>
#include <memory>

namespace fx {

namespace {

/// Of each piece of output, as CPython has it: what is stored without packing is cut at their ends.
constexpr size_t kPieces[] = {32 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 8 << 20, 16 << 20};

constexpr size_t kWindow = 48 << 10; ///< bytes of a stream that inflates, with its tables

const std::string& bytesArgument(const Value& value) {
    const auto* bytes = plainOf(value).as<BytesObject>();
    if (!bytes)
        raise("TypeError", "a bytes-like object is required, not '" + typeName(value) + '\'');
    return bytes->bytes;
}

/// A z_stream that is ended with the object.
class Stream {
public:
    explicit Stream(int (*end)(z_stream*)) : m_end(end) {}
    ~Stream() { m_end(&m_stream); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    z_stream* operator->() { return &m_stream; }
    z_stream* get() { return &m_stream; }
    /// The text has to last while the stream runs.
    void read(const std::string& text) {
        m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
        m_stream.avail_in = static_cast<uInt>(text.size());
    }

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
    out.shrink_to_fit();
    return code;
}

/// (data, level, wbits) -> (bytes, code)
Value deflateAll(Evaluator& evaluator, Values& args) {
    Stream stream(deflateEnd);
    stream.read(bytesArgument(args[0]));
    const auto level = static_cast<int>(evaluator.index(args[1])),
               bits = static_cast<int>(evaluator.index(args[2]));
    constexpr int kMemory = 8;
    int code = deflateInit2(stream.get(), level, Z_DEFLATED, bits, kMemory, Z_DEFAULT_STRATEGY);
    std::string out;
    if (code == Z_OK)
        code = run(evaluator, stream, deflate, Z_FINISH, out);
    return makeTuple({makeBytes(std::move(out)), makeInt(code)});
}

/// Returns two functions. The first continues the stream: (data) -> (bytes, code, message or None, number of
/// bytes taken). The second takes no arguments and returns two such functions of a copy of the stream.
Value inflaterOf(const std::shared_ptr<Stream>& stream) {
    const auto inflateMore = [stream](Evaluator& evaluator, Values& args, NamedValues&) {
        const std::string& text = bytesArgument(args.at(0));
        stream->read(text);
        std::string out;
        const int code = run(evaluator, *stream, inflate, Z_SYNC_FLUSH, out);
        const Value message = stream->get()->msg ? makeText(stream->get()->msg) : Value();
        return makeTuple({makeBytes(std::move(out)), makeInt(code), message,
                          makeInt(static_cast<int64_t>(text.size() - stream->get()->avail_in))});
    };
    const auto copy = [stream](Evaluator& evaluator, Values&, NamedValues&) {
        evaluator.reserve(kWindow);
        const auto other = std::make_shared<Stream>(inflateEnd);
        if (inflateCopy(other->get(), stream->get()) != Z_OK)
            raise("ValueError", "Inconsistent stream state");
        return inflaterOf(other);
    };
    return makeTuple({makeNative("_inflate", inflateMore), makeNative("_copy", copy)});
}

/// (wbits) -> (code, the two functions)
Value makeInflater(Evaluator& evaluator, Values& args) {
    evaluator.reserve(kWindow);
    const auto stream = std::make_shared<Stream>(inflateEnd);
    const int code = inflateInit2(stream->get(), static_cast<int>(evaluator.index(args[0])));
    return makeTuple({makeInt(code), inflaterOf(stream)});
}

} // namespace

Value makeZlibModule() {
    NativeModule module("_zlib");
    module.add("_deflate", 3, 3, deflateAll);
    module.add("_inflater", 1, 1, makeInflater);
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
