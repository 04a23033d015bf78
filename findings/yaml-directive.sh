#!/bin/sh
# `%YAML` at the start of a file: yaml 2.9.1 obeys it, so 017 is 15 after 1.1 and 17 after 1.2. PyYAML 6.0.3 says 15 for both,
# js-yaml 5.5.0 17, and go.yaml.in/yaml/v3 3.0.6 refuses 1.2.
. "$(dirname "$0")/lib.sh"
npm_packages js-yaml@5.5.0 yaml@2.9.1
pip_packages pyyaml==6.0.3
printf '%%YAML 1.1\n---\n017\n' > 1.1.yaml
printf '%%YAML 1.2\n---\n017\n' > 1.2.yaml
node_program <<'PROGRAM'
import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { parse } from 'yaml'
for (const read of [parse, load]) console.log(...['1.1', '1.2'].map(name => read(readFileSync(`${name}.yaml`, 'utf8'))))
PROGRAM
venv/bin/python >> out <<'PROGRAM'
import yaml
print(*[yaml.safe_load(open(f"{name}.yaml")) for name in ["1.1", "1.2"]])
PROGRAM
go_program go.yaml.in/yaml/v3@v3.0.6 >> out <<'PROGRAM'
package main

import (
	"fmt"
	"os"

	"go.yaml.in/yaml/v3"
)

func main() {
	for _, name := range []string{"1.1", "1.2"} {
		text, _ := os.ReadFile(name + ".yaml")
		var number any
		fmt.Println(yaml.Unmarshal(text, &number), number)
	}
}
PROGRAM
seen 'yaml, js-yaml, PyYAML: 1.1, 1.2; yaml/v3' '15 17
17 17
15 15
<nil> 15
yaml: found incompatible YAML document <nil>' "$(cat out)"
