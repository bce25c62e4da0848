# SPDX-License-Identifier: GPL-3.0-or-later
# Python's datetime. The clock stands still: now and today are the beginning of 1970, in UTC.

from datetime._span import timedelta
from datetime._zones import timezone, tzinfo
from datetime._dates import IsoCalendarDate, date
from datetime._times import time
from datetime._moments import datetime

__all__ = ["date", "datetime", "time", "timedelta", "timezone", "tzinfo", "MINYEAR", "MAXYEAR", "UTC"]

MINYEAR, MAXYEAR = 1, 9999
UTC = timezone.utc
