# SPDX-License-Identifier: GPL-3.0-or-later
# How numpy prints numbers and arrays: as many digits as tell the number from its neighbours, in columns.
import torch

_WIDTH, _THRESHOLD, _EDGE, _PRECISION = 75, 1000, 3, 8


def _digits(value, code):
    """The fewest digits that give the number again: sign, digits, and where the point is from their beginning."""
    if code is torch.float64:
        text = repr(value)
    else:
        for precision in range(20):
            text = f'{value:.{precision}e}'
            if torch.tensor(float(text), dtype=code).item() == value:
                break
    mantissa, _, exponent = text.lstrip('-').partition('e')
    whole, _, fraction = mantissa.partition('.')
    digits = (whole + fraction).lstrip('0')
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip('0') or '0'
    return text.startswith('-'), digits, point if digits != '0' else 1


def _special(value):
    return 'nan' if value != value else 'inf' if value > 0 else '-inf'


def _is_finite(value):
    return value - value == 0


def _positional(value, code, most=None):
    """Whole and fraction: "-12", "5"."""
    is_negative, digits, point = _digits(value, code)
    sign = '-' if is_negative else ''
    whole = digits[:point].ljust(point, '0') if point > 0 else '0'
    fraction = (digits[point:] if point > 0 else '0' * -point + digits) if digits != '0' else ''
    if most is not None and len(fraction) > most:
        whole, _, fraction = f'{abs(value):.{most}f}'.partition('.')
        fraction = fraction.rstrip('0')
    return sign + whole, fraction


def _scientific(value, code, most=None):
    """Whole, fraction, exponent: "-1", "25", "+10"."""
    is_negative, digits, point = _digits(value, code)
    exponent = point - 1 if digits != '0' else 0
    if most is not None and len(digits) > most + 1:
        mantissa, _, shown = f'{abs(value):.{most}e}'.partition('e')
        digits, exponent = mantissa.replace('.', '').rstrip('0'), int(shown)
    return ('-' if is_negative else '') + digits[0], digits[1:], f'{exponent:+03d}'


def scalar_text(value, given):
    """str() of a scalar."""
    if given.kind != 'f':
        return str(value)
    if not _is_finite(value):
        return _special(value)
    if given.itemsize == 8:
        return repr(value)
    if value == 0 or 1e-4 <= abs(value) < 1e16:
        if abs(value) < 16777216.0 or given.itemsize == 2:
            whole, fraction = _positional(value, given._torch)
            return f'{whole}.{fraction or "0"}'
    whole, fraction, exponent = _scientific(value, given._torch)
    return f'{whole}{"." + fraction if fraction else ""}e{exponent}'


def _float_texts(values, code):
    finite = [abs(value) for value in values if _is_finite(value) and value != 0]
    others = [_special(value) for value in values if not _is_finite(value)]
    is_scientific = finite and (max(finite) >= 1e8 or min(finite) < 1e-4 or max(finite) / min(finite) > 1000.0)
    make = _scientific if is_scientific else _positional
    parts = [make(value, code, _PRECISION) if _is_finite(value) else None for value in values]
    shown = [part for part in parts if part]
    left = max([len(part[0]) for part in shown] + [0])
    right = max([len(part[1]) for part in shown] + [0])
    exponents = max([len(part[2]) for part in shown] + [0]) if is_scientific else 0
    size = left + 1 + right + (exponents + 1 if is_scientific else 0) if shown else 0
    size = max([size] + [len(text) for text in others])
    texts = []
    for value, part in zip(values, parts):
        if part is None:
            texts.append(_special(value).rjust(size))
        elif is_scientific:
            texts.append(f'{part[0].rjust(left)}.{part[1].ljust(right, "0")}e{part[2]}'.rjust(size))
        else:
            texts.append(f'{part[0].rjust(left)}.{part[1].ljust(right)}'.rjust(size))
    return texts


def _texts(values, given):
    if given.kind == 'f':
        return _float_texts(values, given._torch)
    if given.kind == 'c':
        code = torch.float32 if given.itemsize == 8 else torch.float64
        reals, imaginaries = (_float_texts(part, code) for part in ([v.real for v in values], [v.imag for v in values]))
        joined = []
        for real, imaginary in zip(reals, imaginaries):
            plain = imaginary.strip()
            sign = '' if plain.startswith('-') else '+'
            number = plain + 'j'
            joined.append(real + (sign + number).ljust(max(len(each) for each in imaginaries) + 2 - (imaginary[0] in '-')))
        width = max(len(text.rstrip()) for text in joined)
        return [text.rstrip().ljust(width) for text in joined]
    texts = [str(value) for value in values]
    width = max([len(text) for text in texts] + [5 if given.kind == 'b' else 0])
    return [text.rjust(width) for text in texts]


def _shown(nested, depth, is_short):
    """The numbers that are printed, one after the other; `nested` gets None where some are left out."""
    if depth == 0:
        return nested, [nested]
    items = nested
    if is_short and len(nested) > 2 * _EDGE:
        items = nested[:_EDGE] + [None] + nested[-_EDGE:]
    out, numbers = [], []
    for item in items:
        if item is None:
            out.append(None)
            continue
        kept, inside = _shown(item, depth - 1, is_short)
        out.append(kept)
        numbers += inside
    return out, numbers


def _joined(nested, texts, depth, indent, separator, room):
    """`indent` is where what is inside of the bracket begins; `room`, where a line ends."""
    if depth == 0:
        return next(texts)
    parts = ['...' if item is None else _joined(item, texts, depth - 1, indent + 1, separator, room - 1) for item in nested]
    if depth > 1:
        return '[' + (separator.rstrip() + '\n' * (depth - 1) + ' ' * indent).join(parts) + ']'
    lines, line = [], ''
    for place, part in enumerate(parts):
        if line and indent + len(line) + len(part) > room:
            lines.append(line.rstrip())
            line = ''
        line += part + (separator if place < len(parts) - 1 else '')
    return '[' + ('\n' + ' ' * indent).join(lines + [line]) + ']'


def array_text(array, prefix='', separator=' '):
    tensor, given = array._tensor, array.dtype
    if tensor.numel() == 0:
        return '[]'
    if tensor.dim() == 0:
        text = scalar_text(tensor.item(), given)
        return text.removesuffix('0') if given.kind == 'f' and text.endswith('.0') and prefix else text
    nested, numbers = _shown(tensor.tolist(), tensor.dim(), tensor.numel() > _THRESHOLD)
    room = _WIDTH - 1 - (1 if prefix else 0)
    return _joined(nested, iter(_texts(numbers, given)), tensor.dim(), len(prefix) + 1, separator, room)


def array_repr(array):
    tensor, given = array._tensor, array.dtype
    text = 'array(' + array_text(array, 'array(', ', ')
    extra = []
    if tensor.numel() == 0 and tuple(tensor.shape) != (0,) or tensor.numel() > _THRESHOLD:
        extra.append(f'shape={tuple(tensor.shape)}')
    if tensor.numel() == 0 or given.name not in ('bool', 'int64', 'float64', 'complex128'):
        extra.append(f'dtype={given.name}')
    if not extra:
        return text + ')'
    suffix = ', '.join(extra) + ')'
    last = len(text) - text.rfind('\n') - 1 if '\n' in text else len(text)
    space = '\n      ' if last + len(suffix) + 2 > _WIDTH else ' '
    return text + ',' + space + suffix
