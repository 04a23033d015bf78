#!/bin/sh
# A block text that is the last line of a file without a line break at its end: yaml 2.9.1 and js-yaml 5.5.0 add one to the text,
# PyYAML 6.0.3, ruamel.yaml 0.19.1 and go.yaml.in/yaml/v3 3.0.6 do not. So a payload changes with an editor that ends files.
. "$(dirname "$0")/lib.sh"
npm_packages js-yaml@5.5.0 yaml@2.9.1
pip_packages pyyaml==6.0.3 ruamel.yaml==0.19.1
printf 'payload: |\n  {}' > flag.yaml
node_program <<'PROGRAM'
import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { parse } from 'yaml'
for (const read of [parse, load]) console.log(JSON.stringify(read(readFileSync('flag.yaml', 'utf8')).payload))
PROGRAM
venv/bin/python >> out <<'PROGRAM'
import json, yaml
from ruamel.yaml import YAML
for read in [yaml.safe_load, YAML(typ="safe", pure=True).load]:
    print(json.dumps(read(open("flag.yaml").read())["payload"]))
PROGRAM
go_program go.yaml.in/yaml/v3@v3.0.6 >> out <<'PROGRAM'
package main

import (
	"fmt"
	"os"

	"go.yaml.in/yaml/v3"
)

func main() {
	text, _ := os.ReadFile("flag.yaml")
	flag := map[string]string{}
	yaml.Unmarshal(text, &flag)
	fmt.Printf("%q\n", flag["payload"])
}
PROGRAM
seen 'yaml, js-yaml, PyYAML, ruamel.yaml, yaml/v3' '"{}\n"
"{}\n"
"{}"
"{}"
"{}"' "$(cat out)"
