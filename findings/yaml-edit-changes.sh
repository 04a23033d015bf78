#!/bin/sh
# One key of a file is changed, what else changes? yaml 2.9.1 writes 1e3 as 1e+3 and adds a blank line before the last comment;
# ruamel.yaml 0.19.1 moves the list to the margin, drops `~` and folds a long text; go.yaml.in/yaml/v3 3.0.6 drops the blank line.
. "$(dirname "$0")/lib.sh"
npm_packages yaml@2.9.1
pip_packages ruamel.yaml==0.19.1
cat > flags.yaml <<'FLAGS'
flags:
  - key: a
    share: 1e3
    payload: ~
    name: a long name of a flag that says in one line what it is for, and who owns it

  - key: b
# end
FLAGS
node_program <<'PROGRAM'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseDocument } from 'yaml'
const document = parseDocument(readFileSync('flags.yaml', 'utf8'))
document.setIn(['flags', 1, 'key'], 'c')
writeFileSync('yaml.yaml', document.toString())
PROGRAM
venv/bin/python <<'PROGRAM'
from ruamel.yaml import YAML
yaml = YAML()
document = yaml.load(open("flags.yaml").read())
document["flags"][1]["key"] = "c"
yaml.dump(document, open("ruamel.yaml", "w"))
PROGRAM
go_program go.yaml.in/yaml/v3@v3.0.6 <<'PROGRAM'
package main

import (
	"os"

	"go.yaml.in/yaml/v3"
)

func main() {
	text, _ := os.ReadFile("flags.yaml")
	var document yaml.Node
	yaml.Unmarshal(text, &document)
	document.Content[0].Content[1].Content[1].Content[1].SetString("c")
	file, _ := os.Create("go.yaml")
	encoder := yaml.NewEncoder(file)
	encoder.SetIndent(2)
	encoder.Encode(&document)
}
PROGRAM
for name in yaml ruamel go; do echo "$name"; diff flags.yaml "$name.yaml" | grep '^[<>]' | sed 's, *$,,'; done > out
seen 'lines that differ' 'yaml
<     share: 1e3
>     share: 1e+3
<   - key: b
>   - key: c
>
ruamel
<   - key: a
<     share: 1e3
<     payload: ~
<     name: a long name of a flag that says in one line what it is for, and who owns it
> - key: a
>   share: 1e3
>   payload:
>   name: a long name of a flag that says in one line what it is for, and who owns
>     it
<   - key: b
> - key: c
go
<
<   - key: b
>   - key: c' "$(cat out)"
