#!/bin/sh
# Two `<<` in one map: the first counts in js-yaml 4.1.0 and in yaml 2.9.1 with `merge`, the last in PyYAML 6.0.3. ruamel.yaml
# 0.19.1, js-yaml 5.5.0 and yaml 2.9.1 as it is refuse them.
. "$(dirname "$0")/lib.sh"
npm_packages js-yaml@5.5.0 older@npm:js-yaml@4.1.0 yaml@2.9.1
pip_packages pyyaml==6.0.3 ruamel.yaml==0.19.1
cat > flags.yaml <<'FLAGS'
base: &base { share: 10 }
other: &other { share: 20 }
flag:
  <<: *base
  <<: *other
FLAGS
node_program <<'PROGRAM'
import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import older from 'older'
import { parse } from 'yaml'
const text = readFileSync('flags.yaml', 'utf8')
const ways = { 'js-yaml 4': older.load, 'js-yaml 5': load, yaml: parse, merge: each => parse(each, { merge: true }) }
for (const [name, read] of Object.entries(ways)) {
  try {
    console.log(name, read(text).flag.share)
  } catch {
    console.log(name, 'refused')
  }
}
PROGRAM
venv/bin/python >> out <<'PROGRAM'
import yaml
from ruamel.yaml import YAML
for name, read in {"PyYAML": yaml.safe_load, "ruamel.yaml": YAML(typ="safe", pure=True).load}.items():
    try:
        print(name, read(open("flags.yaml").read())["flag"]["share"])
    except Exception:
        print(name, "refused")
PROGRAM
seen share 'js-yaml 4 10
js-yaml 5 refused
yaml refused
merge 10
PyYAML 20
ruamel.yaml refused' "$(cat out)"
