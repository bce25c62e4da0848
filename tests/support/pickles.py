# SPDX-License-Identifier: GPL-3.0-or-later
"""Pickles put together opcode by opcode, and the files of torch.save around them: what no honest writer would write."""

import io
import struct
import zipfile

PROTO2, STOP, MARK, NONE, TRUE, FALSE = b"\x80\x02", b".", b"(", b"N", b"\x88", b"\x89"
EMPTY_TUPLE, EMPTY_LIST, EMPTY_DICT, EMPTY_SET = b")", b"]", b"}", b"\x8f"
REDUCE, BUILD, NEWOBJ, NEWOBJ_EX, OBJ, PERSISTENT = b"R", b"b", b"\x81", b"\x92", b"o", b"Q"
MAGIC = b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."
LITTLE_ENDIAN = (b"\x80\x02}(X\x10\x00\x00\x00protocol_versionM\xe9\x03X\x0d\x00\x00\x00little_endian\x88"
                 b"X\x0a\x00\x00\x00type_sizes}u.")


def text(value):
    data = value.encode()
    return b"X" + struct.pack("<I", len(data)) + data


def integer(value):
    if -(1 << 31) <= value < 1 << 31:
        return b"J" + struct.pack("<i", value)
    size = 8 if -(1 << 63) <= value < 1 << 63 else (value.bit_length() + 8) // 8
    data = value.to_bytes(size, "little", signed=True)
    return b"\x8a" + bytes([len(data)]) + data


def name(qualified):
    module, _, attribute = qualified.rpartition(".")
    return f"c{module}\n{attribute}\n".encode()


def stack_name(module, qualified):
    return text(module) + text(qualified) + b"\x93"


def tuple_of(*items):
    return MARK + b"".join(items) + b"t"


def list_of(*items):
    return EMPTY_LIST + MARK + b"".join(items) + b"e"


def dict_of(**items):
    return EMPTY_DICT + MARK + b"".join(text(key) + value for key, value in items.items()) + b"u"


def call(function, *arguments):
    return function + tuple_of(*arguments) + REDUCE


def instance(type_, state):
    return type_ + EMPTY_TUPLE + NEWOBJ + state + BUILD


def storage(key="0", type_="torch.FloatStorage", count=12, location="cpu", reference=None):
    return (reference or tuple_of(text("storage"), name(type_), text(key), text(location), integer(count))) + PERSISTENT


def tensor(sizes=(4, 3), strides=(3, 1), offset=0, of=None, function="torch._utils._rebuild_tensor_v2"):
    numbers = lambda values: tuple_of(*(integer(v) for v in values)) if isinstance(values, tuple) else values
    where = integer(offset) if isinstance(offset, int) else offset
    return call(name(function), of or storage(), where, numbers(sizes), numbers(strides), FALSE,
                call(name("collections.OrderedDict")))


def state_dict(**entries):
    return call(name("collections.OrderedDict")) + MARK + b"".join(text(k) + v for k, v in entries.items()) + b"u"


def module(type_="torch.nn.modules.module.Module", parameters=None, children=None, **attributes):
    return instance(name(type_), dict_of(training=TRUE, _parameters=parameters or EMPTY_DICT, _buffers=EMPTY_DICT,
                                         _modules=children or EMPTY_DICT, **attributes))


def zip_file(pickle, storages=None, extra=(), byteorder=b"little", compressed=False, folder="archive"):
    """`pickle` without its protocol and its end."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED) as archive:
        archive.writestr(f"{folder}/data.pkl", PROTO2 + pickle + STOP)
        archive.writestr(f"{folder}/byteorder", byteorder)
        for key, content in ({"0": bytes(48)} if storages is None else storages).items():
            archive.writestr(f"{folder}/data/{key}", content)
        archive.writestr(f"{folder}/version", b"3\n")
        for record, content in extra:
            archive.writestr(record, content)
    return out.getvalue()


def legacy_file(pickle, storages=None, keys=None, machine=LITTLE_ENDIAN, version=1001, sizes=None):
    """`storages`: content by key; `sizes`: how many elements of 4 bytes each claims to have."""
    if storages is None:
        storages = {"0": bytes(48)} if text("0") in pickle else {}
    out = MAGIC + PROTO2 + integer(version) + STOP + machine + PROTO2 + pickle + STOP
    out += PROTO2 + (keys or list_of(*(text(key) for key in storages))) + STOP
    for key, content in storages.items():
        out += struct.pack("<q", (sizes or {}).get(key, len(content) // 4)) + content
    return out
