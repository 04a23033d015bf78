#!/bin/sh
# @growthbook/growthbook 1.8.0 (JavaScript) and growthbook 4.0.0 (Python): a person whose id is the number 0 is in no experiment,
# one with the text "0" is. An id of true is in it in JavaScript only.
. "$(dirname "$0")/lib.sh"
npm_packages @growthbook/growthbook@1.8.0
pip_packages growthbook==4.0.0
node_program <<'PROGRAM'
import { GrowthBook } from '@growthbook/growthbook'
for (const id of [0, '0', 1, true])
  console.log(JSON.stringify(id), new GrowthBook({ attributes: { id } }).run({ key: 'e', variations: ['a', 'b'] }).inExperiment)
PROGRAM
venv/bin/python > other <<'PROGRAM'
from growthbook import Experiment, GrowthBook
for person in [0, "0", 1, True]:
    print(GrowthBook(attributes={"id": person}).run(Experiment(key="e", variations=["a", "b"])).inExperiment)
PROGRAM
seen 'in the experiment, in JavaScript and in Python' '0 false False
"0" true True
1 true True
true true False' "$(paste -d ' ' out other)"
