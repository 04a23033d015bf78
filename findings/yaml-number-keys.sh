#!/bin/sh
# The keys 1 and "1" in one YAML map: yaml 2.9.1 drops the first without an error, js-yaml 5.5.0 refuses them, and PyYAML
# 6.0.3 has two keys. Of 1.0 and 1, which are two texts, yaml says that they are the same, and PyYAML keeps the last value.
. "$(dirname "$0")/lib.sh"
npm_packages js-yaml@5.5.0 yaml@2.9.1
pip_packages pyyaml==6.0.3
node_program <<'PROGRAM'
import { load } from 'js-yaml'
import { parse } from 'yaml'
for (const [name, read] of [['yaml', parse], ['js-yaml', load]])
  for (const text of ['{ 1: a, "1": b }', '{ 1.0: a, 1: b }']) {
    try {
      console.log(name, JSON.stringify(read(text)))
    } catch {
      console.log(name, 'refused')
    }
  }
PROGRAM
venv/bin/python >> out <<'PROGRAM'
import yaml
for text in ['{ 1: a, "1": b }', '{ 1.0: a, 1: b }']:
    print("PyYAML", yaml.safe_load(text))
PROGRAM
seen read "yaml {\"1\":\"b\"}
yaml refused
js-yaml refused
js-yaml refused
PyYAML {1: 'a', '1': 'b'}
PyYAML {1.0: 'b'}" "$(cat out)"
