#!/bin/sh
# fastjsonschema 2.22.3: `validate` puts the defaults of the schema into the document that it checks, so what is written back has
# keys that nobody wrote. jsonschema 4.26.0 leaves it alone, and so does `use_default=False`.
. "$(dirname "$0")/lib.sh"
pip_packages fastjsonschema==2.22.3 jsonschema==4.26.0
venv/bin/python > out <<'PROGRAM'
import fastjsonschema, jsonschema
schema = {"type": "object", "properties": {"active": {"type": "boolean", "default": True}, "tags": {"default": []}}}
ways = {
    "fastjsonschema": fastjsonschema.compile(schema),
    "use_default=False": fastjsonschema.compile(schema, use_default=False),
    "jsonschema": lambda flag: jsonschema.validate(flag, schema),
}
for name, check in ways.items():
    flag = {"key": "a"}
    check(flag)
    print(name, flag)
PROGRAM
seen 'the document after its check' "fastjsonschema {'key': 'a', 'active': True, 'tags': []}
use_default=False {'key': 'a'}
jsonschema {'key': 'a'}" "$(cat out)"
