#!/bin/sh
# @openfeature/flagd-core 4.0.1 for JavaScript and openfeature-flagd-core 2.0.0 for Python share out the same `fractional`
# otherwise: about half of the people get another variant. A key that is a number gives the default variant in JavaScript only.
. "$(dirname "$0")/lib.sh"
npm_packages @openfeature/flagd-core@4.0.1 @openfeature/core@1.12.0
pip_packages openfeature-flagd-core==2.0.0 openfeature-sdk==0.10.0
cat > flags.json <<'FLAGS'
{ "flags": { "f": { "state": "ENABLED", "variants": { "a": "a", "b": "b", "off": "off" }, "defaultVariant": "off",
  "targeting": { "fractional": [{ "var": "company" }, ["a", 50], ["b", 50]] } } } }
FLAGS
node_program <<'PROGRAM'
import { readFileSync } from 'node:fs'
import { FlagdCore } from '@openfeature/flagd-core'
const core = new FlagdCore()
core.setConfigurations(readFileSync('flags.json', 'utf8'))
for (const company of [...Array(200).keys()].flatMap(n => [`company-${n}`, n]))
  console.log(core.resolveStringEvaluation('f', '', { targetingKey: 'u', company }, { debug() {} }).value)
PROGRAM
venv/bin/python > other <<'PROGRAM'
from openfeature.contrib.tools.flagd.core import FlagdCore
from openfeature.evaluation_context import EvaluationContext
core = FlagdCore()
core.set_flags(open("flags.json").read())
for n in range(200):
    for company in [f"company-{n}", n]:
        print(core.resolve_string_value("f", "", EvaluationContext("u", {"company": company})).value)
PROGRAM
paste -d ' ' out other | awk 'NR % 2 { if ($1 != $2) others += 1; next } { kinds[$1] = 1; more[$2] = 1 }
  END { print (others > 60 && others < 140 ? "about half" : others); for (k in kinds) print k; for (k in more) print k }' | sort > table
seen 'companies with another variant; variants for numbers, of both' 'a
about half
b
off' "$(cat table)"
