#!/bin/sh
# santhosh-tekuri/jsonschema 6.0.3 for Go reads patterns as Go does: a schema with a lookahead or with \u0061 in one of them is no
# schema for it, so nothing is checked. ajv 8.20.0 and jsonschema-rs 0.60.3 take both, as JSON Schema means JavaScript's patterns.
. "$(dirname "$0")/lib.sh"
npm_packages ajv@8.20.0
pip_packages jsonschema-rs==0.60.3
printf '%s\n' '^(?!-)[a-z-]+$' '^\u0061$' '^[a-z]+$' > patterns.txt
go_program github.com/santhosh-tekuri/jsonschema/v6@v6.0.3 > out <<'PROGRAM'
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func main() {
	text, _ := os.ReadFile("patterns.txt")
	for _, pattern := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		compiler := jsonschema.NewCompiler()
		compiler.AddResource("https://example.com/schema.json", map[string]any{"pattern": pattern})
		schema, err := compiler.Compile("https://example.com/schema.json")
		fmt.Println(err == nil && schema.Validate("a") == nil)
	}
}
PROGRAM
node -e "
const Ajv = require('ajv')
for (const pattern of require('fs').readFileSync('patterns.txt', 'utf8').trim().split('\n'))
  console.log(new Ajv().validate({ pattern }, 'a'))" > ajv
venv/bin/python > rust <<'PROGRAM'
import jsonschema_rs
for pattern in open("patterns.txt").read().split():
    print(jsonschema_rs.is_valid({"pattern": pattern}, "a"))
PROGRAM
seen 'is a valid: Go, ajv, jsonschema-rs' 'false true True
false true True
true true True' "$(paste -d ' ' out ajv rust)"
