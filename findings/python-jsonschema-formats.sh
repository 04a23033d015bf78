#!/bin/sh
# jsonschema 4.26.0 for Python with its FORMAT_CHECKER checks `date`, but accepts anything for `date-time`, `duration` and `uri`:
# these need packages that it does not require, and nothing says so. With its extra `format` they are checked.
. "$(dirname "$0")/lib.sh"
cat > program.py <<'PROGRAM'
import jsonschema
python = jsonschema.Draft202012Validator
for name in ["date", "date-time", "duration", "uri"]:
    print(name, python({"format": name}, format_checker=python.FORMAT_CHECKER).is_valid("not a value"))
PROGRAM
pip_packages jsonschema==4.26.0
seen 'valid without the extra' 'date False
date-time True
duration True
uri True' "$(venv/bin/python program.py)"
pip_packages 'jsonschema[format]==4.26.0'
seen 'valid with it' 'date False
date-time False
duration False
uri False' "$(venv/bin/python program.py)"
