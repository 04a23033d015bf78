#!/bin/sh
# terraform-json 0.29.0: a plan of Terraform 1.11.4 that is read and written has lost `applyable` and `errored`, and
# `after: null` of what it deletes or forgets. `complete` stays.
. "$(dirname "$0")/lib.sh"
cat > plan.json <<'PLAN'
{"format_version":"1.2","terraform_version":"1.11.4","applyable":true,"complete":true,"errored":false,
 "resource_changes":[{"address":"terraform_data.a","mode":"managed","type":"terraform_data","name":"a","provider_name":"terraform.io/builtin/terraform",
  "change":{"actions":["delete"],"before":{"id":"1","input":1,"output":1,"triggers_replace":null},"after":null,"after_unknown":{},"before_sensitive":{},"after_sensitive":false}}],
 "configuration":{"root_module":{}}}
PLAN
go_program github.com/hashicorp/terraform-json@v0.29.0 > out.json <<'PROGRAM'
package main

import (
	"encoding/json"
	"os"

	tfjson "github.com/hashicorp/terraform-json"
)

func main() {
	text, _ := os.ReadFile("plan.json")
	var plan tfjson.Plan
	if err := plan.UnmarshalJSON(text); err != nil {
		panic(err)
	}
	json.NewEncoder(os.Stdout).Encode(plan)
}
PROGRAM
cat > read.cjs <<'PROGRAM'
const { resource_changes: [{ change }], ...plan } = require('./out.json')
console.log(['applyable', 'errored', 'complete'].filter(name => name in plan).join(' '), 'after' in change)
PROGRAM
seen 'kept, after' 'complete false' "$(node read.cjs)"
