#!/bin/sh
# Ranges of versions: `1.2` and `<=1.2` hold for 1.2.5 in semver 7.8.6, not in `satisfies` of compare-versions 6.1.1, where `1 -
# 2` leaves out 2.5.0, and `<2` and `^1.2` take pre-releases. semantic-version 2.10.0 for Python takes those of `^1.2` only.
. "$(dirname "$0")/lib.sh"
npm_packages semver@7.8.6 compare-versions@6.1.1
pip_packages semantic-version==2.10.0
cat > cases.json <<'CASES'
[["1.2.5", "1.2"], ["1.2.5", "<=1.2"], ["1.2.5", ">1.2"], ["2.5.0", "1 - 2"], ["2.0.0-rc", "<2"], ["1.3.0-beta", "^1.2"]]
CASES
node_program <<'PROGRAM'
import { readFileSync } from 'node:fs'
import { satisfies } from 'compare-versions'
import semver from 'semver'
for (const [version, range] of JSON.parse(readFileSync('cases.json', 'utf8')))
  console.log(version, range, semver.satisfies(version, range), satisfies(version, range))
PROGRAM
venv/bin/python > other <<'PROGRAM'
import json
from semantic_version import SimpleSpec, Version
for version, text in json.load(open("cases.json")):
    print("no such range" if " " in text else SimpleSpec(text).match(Version(version)))
PROGRAM
seen 'semver, compare-versions, semantic-version' '1.2.5 1.2 true false True
1.2.5 <=1.2 true false True
1.2.5 >1.2 false true False
2.5.0 1 - 2 true false no such range
2.0.0-rc <2 false true False
1.3.0-beta ^1.2 false true True' "$(paste -d ' ' out other)"
