# --- library_csv_reads
import csv
import io
def rows(text, *args, **kwds):
    try:
        print(list(csv.reader(text.splitlines(True) if isinstance(text, str) else text, *args, **kwds)))
    except Exception as e:
        print(type(e).__name__, e)
rows('a,b,c\r\n1,2,3\r\n')
rows('a,"b ""quoted"" c",\n"x\ny",z\n')
rows('a, b,  c\n', skipinitialspace=True)
rows('a;b|c\n', delimiter=";")
rows("'a,b',c\n", quotechar="'")
rows('1,2.5,"x",""\n', quoting=csv.QUOTE_NONNUMERIC)
rows('x,2\n', quoting=csv.QUOTE_NONNUMERIC)
rows('a\\,b,c\\"d\n', escapechar="\\")
rows('"a\\"b",c\n', escapechar="\\", doublequote=False)
rows('"a"b,c\n')
rows('"a"b,c\n', strict=True)
rows('a,"b\n')
rows('a,"b\n', strict=True)
rows('a"b,c"\n')
rows('"a",b\n', quoting=csv.QUOTE_NONE)
rows('\n\na,b\n\n')
rows(['a,b', 'c,d'])
rows(['a\rb,c'])
rows(['a\r', 'b'])
rows(['a,b\\', 'c'], escapechar="\\")
rows([b'a,b'])
rows('a\tb\n', "excel-tab")
rows('a,b\n', dialect="missing")
rows('a,b\n', delimiter=";;")
rows('a,b\n', delimiter=3)
rows('a,b\n', quoting=9)
rows('a,b\n', wrong=1)
rows('a,b\n', quotechar=None)
rows(' a , b \n')
rows(',,\n"",""\n')
reader = csv.reader(io.StringIO("a,b\n1,2\n"))
print(next(reader), reader.line_num, next(reader), reader.line_num, next(reader, "end"), reader.dialect.delimiter)
limit = csv.field_size_limit(3)
rows('abcd,e\n')
print(csv.field_size_limit(limit), csv.field_size_limit())

# --- library_csv_writes
import csv
import io
def write(*rows, **kwds):
    out = io.StringIO(newline="")
    try:
        csv.writer(out, **kwds).writerows(rows)
    except Exception as e:
        print(type(e).__name__, e)
    print(repr(out.getvalue()))
write(["a", 1, 2.5, None, True], ["x,y", 'say "hi"', "two\nlines", " s "])
write(["a", 1], quoting=csv.QUOTE_ALL)
write(["a", 1, 2.5, None], quoting=csv.QUOTE_NONNUMERIC)
write(["a,b"], quoting=csv.QUOTE_NONE)
write(["a,b", 'q"'], quoting=csv.QUOTE_NONE, escapechar="\\")
write(['q"'], doublequote=False)
write(['q"', "a\\"], doublequote=False, escapechar="\\")
write(["a", "b"], delimiter="\t", lineterminator="\n")
write([""], [], ["", ""])
write([""], quoting=csv.QUOTE_NONE)
write(3)
write("abc", (x for x in range(3)), {"k": 1})
write(["a", "b"], dialect="unix")
write(["it's"], quotechar="'")
out = io.StringIO()
print(csv.writer(out).writerow(["a", "b"]), out.getvalue() == "a,b\r\n")
try:
    csv.writer(3)
except TypeError as e:
    print(e)

# --- library_csv_dicts
import csv
import io
text = "name,size\r\na,1\r\n\r\nb\r\nc,2,3,4\r\n"
reader = csv.DictReader(io.StringIO(text), restkey="more", restval="none")
print(reader.fieldnames, [(row, reader.line_num) for row in reader])
print(list(csv.DictReader(["1;2"], ["x", "y"], delimiter=";")), list(csv.DictReader([])))
out = io.StringIO()
writer = csv.DictWriter(out, ["name", "size"], restval="?")
writer.writeheader()
writer.writerow({"name": "a", "size": 1})
writer.writerows([{"name": "b"}, {"size": 3, "name": "c"}])
print(repr(out.getvalue()))
for options in ({}, {"extrasaction": "ignore"}, {"extrasaction": "wrong"}):
    try:
        out = io.StringIO()
        csv.DictWriter(out, ["name"], **options).writerow({"name": 1, "other": 2})
        print(repr(out.getvalue()))
    except ValueError as e:
        print(e)

# --- library_csv_dialects
import csv
csv.register_dialect("pipes", delimiter="|", quoting=csv.QUOTE_NONE)
print(sorted(csv.list_dialects()), csv.get_dialect("pipes").delimiter, csv.get_dialect("excel").quotechar, list(csv.reader(["a|b"], "pipes")))
class Own(csv.excel):
    delimiter = ":"
csv.register_dialect("own", Own)
print(list(csv.reader(["a:b,c"], "own")), list(csv.reader(["a:b"], Own)), list(csv.reader(["a:b"], Own())))
csv.unregister_dialect("pipes")
for f in (lambda: csv.unregister_dialect("pipes"), lambda: csv.get_dialect("pipes"), lambda: csv.register_dialect(3), lambda: csv.Dialect()):
    try:
        print(f())
    except (csv.Error, TypeError) as e:
        print(type(e).__name__, e)
print(csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC, csv.QUOTE_NONE, issubclass(csv.Error, Exception))
print(csv.Sniffer().sniff("a;b;c\n1;2;3\n").delimiter, csv.Sniffer().sniff("a\tb\n1\t2\n").delimiter)
print(csv.Sniffer().has_header("name,size\na,1\nb,2\n"), csv.Sniffer().has_header("1,2\n3,4\n"))
