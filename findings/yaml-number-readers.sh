#!/bin/sh
# Numbers of one YAML file in yaml 2.9.1, js-yaml 5.5.0, PyYAML 6.0.3, ruamel.yaml 0.19.1, and go.yaml.in/yaml/v3 3.0.6 and
# goccy/go-yaml 1.19.2: 017 is 17 or 15, 1_000 a number or a text, and so are 1e3, 0o17, 08 and 1:30.
. "$(dirname "$0")/lib.sh"
npm_packages js-yaml@5.5.0 yaml@2.9.1
pip_packages pyyaml==6.0.3 ruamel.yaml==0.19.1
echo '[017, 0o17, 08, 1e3, 1_000, 1:30]' > numbers.yaml
node_program <<'PROGRAM'
import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { parse } from 'yaml'
for (const read of [parse, load]) console.log(JSON.stringify(read(readFileSync('numbers.yaml', 'utf8'))))
PROGRAM
venv/bin/python >> out <<'PROGRAM'
import json, yaml
from ruamel.yaml import YAML
for read in [yaml.safe_load, YAML(typ="safe", pure=True).load]:
    print(json.dumps(read(open("numbers.yaml").read()), separators=(",", ":")).replace(".0", ""))
PROGRAM
go_program go.yaml.in/yaml/v3@v3.0.6 github.com/goccy/go-yaml@v1.19.2 >> out <<'PROGRAM'
package main

import (
	"encoding/json"
	"fmt"
	"os"

	goccy "github.com/goccy/go-yaml"
	"go.yaml.in/yaml/v3"
)

func main() {
	text, _ := os.ReadFile("numbers.yaml")
	for _, read := range []func(to any) error{
		func(to any) error { return yaml.Unmarshal(text, to) },
		func(to any) error { return goccy.Unmarshal(text, to) },
	} {
		var numbers []any
		read(&numbers)
		shown, _ := json.Marshal(numbers)
		fmt.Println(string(shown))
	}
}
PROGRAM
seen 'yaml, js-yaml, PyYAML, ruamel.yaml, yaml/v3, goccy' '[17,15,8,1000,"1_000","1:30"]
[17,15,8,1000,"1_000","1:30"]
[15,"0o17","08","1e3",1000,90]
[17,15,8,1000,1000,"1:30"]
[15,15,8,1000,1000,"1:30"]
[15,15,"08","1e3",1000,"1:30"]' "$(cat out)"
