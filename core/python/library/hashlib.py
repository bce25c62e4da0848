# SPDX-License-Identifier: GPL-3.0-or-later
# Python's hashlib: MD5 (RFC 1321), SHA-1 and SHA-2 (FIPS 180-4). Their constants are computed, as these define them.

from _refusal import refused_names
from math import isqrt, sin

globals().update(refused_names("hashlib", "of the digests there are md5, sha1 and those of SHA-2",
                           "blake2b blake2s sha3_224 sha3_256 sha3_384 sha3_512 shake_128 shake_256 file_digest "
                           "pbkdf2_hmac scrypt"))
algorithms_guaranteed = {"md5", "sha1", "sha224", "sha256", "sha384", "sha512"}
algorithms_available = set(algorithms_guaranteed)

_WORD = 0xFFFFFFFF
_WIDE = 0xFFFFFFFFFFFFFFFF


def _primes(count):
    primes = []
    number = 2
    while len(primes) < count:
        if all(number % prime for prime in primes):
            primes.append(number)
        number += 1
    return primes


def _cube_root(number):
    low, high = 0, 1 << number.bit_length() // 3 + 1
    while low < high:
        middle = (low + high + 1) // 2
        if middle ** 3 <= number:
            low = middle
        else:
            high = middle - 1
    return low


_constants = {}


def _sha2_constants():
    """64 bits behind the point of the cube roots of the first 80 primes."""
    if "sha2" not in _constants:
        _constants["sha2"] = [_cube_root(prime << 192) & _WIDE for prime in _primes(80)]
    return _constants["sha2"]


def _roots(first, last):
    """64 bits behind the point of square roots of primes."""
    return [isqrt(prime << 128) & _WIDE for prime in _primes(last)[first:]]


def _turn_left(word, by):
    return (word << by | word >> 32 - by) & _WORD


def _words(block, size, order):
    return [int.from_bytes(block[at:at + size], order) for at in range(0, len(block), size)]


def _md5_step(state, block):
    if "md5" not in _constants:
        _constants["md5"] = [int(abs(sin(at + 1)) * 2**32) for at in range(64)]
    table = _constants["md5"]
    words = _words(block, 4, "little")
    a, b, c, d = state
    for at in range(64):
        turn = at // 16
        if turn == 0:
            mixed, used = b & c | ~b & d, at
        elif turn == 1:
            mixed, used = d & b | ~d & c, 5 * at + 1
        elif turn == 2:
            mixed, used = b ^ c ^ d, 3 * at + 5
        else:
            mixed, used = c ^ (b | ~d & _WORD), 7 * at
        mixed = (a + mixed + table[at] + words[used % 16]) & _WORD
        by = ((7, 12, 17, 22), (5, 9, 14, 20), (4, 11, 16, 23), (6, 10, 15, 21))[turn][at % 4]
        a, b, c, d = d, (b + _turn_left(mixed, by)) & _WORD, b, c
    return a, b, c, d


def _sha1_step(state, block):
    words = _words(block, 4, "big")
    for at in range(16, 80):
        words.append(_turn_left(words[at - 3] ^ words[at - 8] ^ words[at - 14] ^ words[at - 16], 1))
    a, b, c, d, e = state
    for at, word in enumerate(words):
        if at < 20:
            mixed = (b & c | ~b & d) + 0x5A827999
        elif at < 40:
            mixed = (b ^ c ^ d) + 0x6ED9EBA1
        elif at < 60:
            mixed = (b & c | b & d | c & d) + 0x8F1BBCDC
        else:
            mixed = (b ^ c ^ d) + 0xCA62C1D6
        a, b, c, d, e = (_turn_left(a, 5) + mixed + e + word) & _WORD, a, _turn_left(b, 30), c, d
    return a, b, c, d, e


def _sha2_step(bits, turns):
    """`turns` are four triples of rotations; the third of the last two is a shift."""
    mask = (1 << bits) - 1
    count = 64 if bits == 32 else 80

    def turned(word, by):
        double = word << bits | word
        return (double >> by[0] ^ double >> by[1] ^ double >> by[2]) & mask

    def mixed(word, by):
        double = word << bits | word
        return (double >> by[0] ^ double >> by[1]) & mask ^ word >> by[2]

    def step(state, block):
        table = _sha2_constants()
        words = _words(block, bits // 8, "big")
        for at in range(16, count):
            words.append((mixed(words[at - 2], turns[3]) + words[at - 7] + mixed(words[at - 15], turns[2])
                          + words[at - 16]) & mask)
        a, b, c, d, e, f, g, h = state
        for at in range(count):
            first = h + turned(e, turns[1]) + (e & f ^ ~e & g) + (table[at] >> 64 - bits) + words[at]
            second = turned(a, turns[0]) + (a & b ^ a & c ^ b & c)
            a, b, c, d, e, f, g, h = (first + second) & mask, a, b, c, (d + first) & mask, e, f, g
        return a, b, c, d, e, f, g, h

    return step


_sha256_step = _sha2_step(32, ((2, 13, 22), (6, 11, 25), (7, 18, 3), (17, 19, 10)))
_sha512_step = _sha2_step(64, ((28, 34, 39), (14, 18, 41), (1, 8, 7), (19, 61, 6)))
_start = 0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476
# name: bytes of a digest, of a block and of a word, the order of bytes, the state at first, the step
_algorithms = {
    "md5": (16, 64, 4, "little", lambda: _start, _md5_step),
    "sha1": (20, 64, 4, "big", lambda: (*_start, 0xC3D2E1F0), _sha1_step),
    "sha224": (28, 64, 4, "big", lambda: [root & _WORD for root in _roots(8, 16)], _sha256_step),
    "sha256": (32, 64, 4, "big", lambda: [root >> 32 for root in _roots(0, 8)], _sha256_step),
    "sha384": (48, 128, 8, "big", lambda: _roots(8, 16), _sha512_step),
    "sha512": (64, 128, 8, "big", lambda: _roots(0, 8), _sha512_step),
}


class _Digest:
    def __init__(self, name, data):
        self.name = name
        self.digest_size, self.block_size, self._word, self._order, start, self._step = _algorithms[name]
        self._state, self._rest, self._length = tuple(start()), b"", 0
        self.update(data)

    def update(self, data, /):
        if isinstance(data, str):
            raise TypeError("Strings must be encoded before hashing")
        if not isinstance(data, (bytes, bytearray)):
            raise TypeError("object supporting the buffer API required")
        self._length += len(data)
        self._state, self._rest = self._taken(self._rest + bytes(data))

    def _taken(self, data):
        """The state after all whole blocks, and what is left."""
        state, size = self._state, self.block_size
        whole = len(data) // size * size
        for at in range(0, whole, size):
            # all of these add the old state to the new one
            mask = (1 << self._word * 8) - 1
            state = tuple((old + new) & mask for old, new in zip(state, self._step(state, data[at:at + size])))
        return state, data[whole:]

    def digest(self):
        size = self.block_size // 8
        end = self._rest + b"\x80"
        end += bytes(-(len(end) + size) % self.block_size) + (self._length * 8).to_bytes(size, self._order)
        state, _ = self._taken(end)
        return b"".join(word.to_bytes(self._word, self._order) for word in state)[:self.digest_size]

    def hexdigest(self):
        return self.digest().hex()

    def copy(self):
        twin = object.__new__(_Digest)
        twin.__dict__.update(self.__dict__)
        return twin


def new(name, data=b"", *, usedforsecurity=True, string=None):
    if str(name).lower() not in _algorithms:
        raise ValueError(f"unsupported hash type {name}")
    return _Digest(name.lower(), data)


def _maker(name):
    def make(string=b"", *, usedforsecurity=True):
        return _Digest(name, string)

    make.__name__ = make.__qualname__ = f"openssl_{name}"
    return make


md5, sha1, sha224, sha256, sha384, sha512 = map(_maker, _algorithms)
