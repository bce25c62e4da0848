# SPDX-License-Identifier: GPL-3.0-or-later
# Python's statistics, in plain arithmetic.

import math


class StatisticsError(ValueError):
    pass


def _data(data, least, name):
    data = list(data)
    if len(data) < least:
        word = "at least one data point" if least == 1 else "at least two data points"
        raise StatisticsError(f"{name} requires {word}")
    return data


def _divide(total, count):
    if isinstance(total, int) and total % count == 0:
        return total // count
    return total / count


def mean(data):
    data = _data(data, 1, "mean")
    total = math.fsum(data) if any(isinstance(x, float) for x in data) else sum(data)
    return _divide(total, len(data))


def fmean(data):
    data = _data(data, 1, "fmean")
    return math.fsum(data) / len(data)


def median(data):
    data = sorted(data)
    if not data:
        raise StatisticsError("no median for empty data")
    middle = len(data) // 2
    return data[middle] if len(data) % 2 else (data[middle - 1] + data[middle]) / 2


def mode(data):
    counts = {}
    for item in data:
        counts[item] = counts.get(item, 0) + 1
    if not counts:
        raise StatisticsError("no mode for empty data")
    return max(counts, key=counts.get)


def _squares(data):
    middle = math.fsum(data) / len(data)
    if all(isinstance(x, int) for x in data):
        # exact: n * sum of squares less the square of the sum, over n
        n, total = len(data), sum(data)
        return _divide(n * sum(x * x for x in data) - total * total, n)
    return math.fsum((x - middle) ** 2 for x in data)


def variance(data, xbar=None):
    data = _data(data, 2, "variance")
    return _divide(_squares(data), len(data) - 1)


def pvariance(data, mu=None):
    data = _data(data, 1, "pvariance")
    return _divide(_squares(data), len(data))


def stdev(data, xbar=None):
    return math.sqrt(variance(_data(data, 2, "stdev")))


def pstdev(data, mu=None):
    return math.sqrt(pvariance(_data(data, 1, "pstdev")))
