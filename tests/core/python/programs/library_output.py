# --- logged
import io
import logging
import sys

stream = io.StringIO()
log = logging.getLogger("a.b")
handler = logging.StreamHandler(stream)
handler.setFormatter(logging.Formatter("%(levelname)-8s|%(name)s|%(message)s"))
log.addHandler(handler)
log.setLevel(logging.INFO)
log.propagate = False
log.debug("not")
log.info("x %s %d", "y", 3)
log.warning("percent %")
log.error("mapped %(k)s", {"k": 1})
log.log(45, "odd level")
try:
    1 / 0
except ZeroDivisionError:
    log.exception("failed")
text = stream.getvalue().splitlines()
print(text[:5], text[-1])
print(log, log.isEnabledFor(10), log.getEffectiveLevel(), logging.getLogger("a").getEffectiveLevel(), log.parent.name)
print(logging.getLevelName(30), logging.getLevelName("INFO"), logging.getLevelName(7), log.getChild("c").name, log.hasHandlers())
log.removeHandler(handler)
records = []


class Kept(logging.Handler):
    def emit(self, record):
        records.append((record.name, record.levelname, record.getMessage(), getattr(record, "extra", None)))


root = logging.getLogger()
kept = Kept(level=logging.WARNING)
root.addHandler(kept)
log.propagate = True
log.info("low")
log.warning("high", extra={"extra": 4})
logging.getLogger("a.b.c.d").error("deep")
logging.disable(logging.WARNING)
log.warning("off")
logging.disable(logging.NOTSET)
root.removeHandler(kept)
print(records)
try:
    log.setLevel("NOPE")
except ValueError as error:
    print(error)

# --- logged_basically
import logging
import sys

saved = logging.root.handlers[:]
logging.root.handlers.clear()
logging.basicConfig(stream=sys.stdout, level="DEBUG")
logging.info("told %s", [1])
logging.getLogger("z").debug("also")
logging.basicConfig(stream=sys.stdout, format="{levelname}~{message}", style="{", force=True)
logging.warning("again")
logging.LoggerAdapter(logging.getLogger("q"), {"k": 1}).error("adapted")
logging.root.handlers[:] = saved
logging.root.setLevel(logging.WARNING)

# --- traceback_texts
import io
import sys
import traceback

print(sys.exc_info(), sys.exception())
try:
    raise ValueError("a")
except ValueError as error:
    print(traceback.format_exc().splitlines()[-1])
    print(traceback.format_exception_only(type(error), error), sys.exc_info()[1] is error, sys.exception() is error)
try:
    try:
        {}["k"]
    except KeyError as error:
        raise RuntimeError("b") from error
except RuntimeError as error:
    text = "".join(traceback.format_exception(error))
    print("direct cause" in text, text.splitlines()[-1])
try:
    try:
        {}["k"]
    except KeyError:
        raise RuntimeError("c")
except RuntimeError:
    out = io.StringIO()
    traceback.print_exc(file=out)
    print("During handling" in out.getvalue(), len(traceback.format_exc(chain=False).splitlines()) < 6)
try:
    try:
        {}["k"]
    except KeyError:
        raise RuntimeError("d") from None
except RuntimeError:
    print("KeyError" in traceback.format_exc())
error = ValueError("e")
error.add_note("noted\nbelow")
print(traceback.format_exception(error), traceback.format_exception_only(error))
try:
    object().absent
except AttributeError as error:
    print(error.name)
try:
    undefined_name
except NameError as error:
    print(error.name)
