#!/bin/sh
# yaml 2.9.1 with `version: '1.1'`, or after `%YAML 1.1`: the plain text e1, such as the name of a variant, is the number NaN, and
# so is a key. PyYAML 6.0.3, which reads YAML 1.1 only, gives the text.
. "$(dirname "$0")/lib.sh"
npm_packages yaml@2.9.1
pip_packages pyyaml==6.0.3
node_program <<'PROGRAM'
import { parse } from 'yaml'
console.log(parse('variant: e1', { version: '1.1' }).variant, parse('%YAML 1.1\n---\nvariant: e12').variant, parse('variant: e1').variant)
console.log(...Object.keys(parse('e1: 50\ne2: 25', { version: '1.1', uniqueKeys: false })))
PROGRAM
venv/bin/python >> out <<'PROGRAM'
import yaml
print(yaml.safe_load("variant: e1")["variant"])
PROGRAM
seen 'of 1.1, after %YAML 1.1, of 1.2; keys; PyYAML' 'NaN NaN e1
NaN
e1' "$(cat out)"
