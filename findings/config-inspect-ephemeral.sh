#!/bin/sh
# terraform-config-inspect of 2026-09-04 reads a variable and an output without their `ephemeral`, and no ephemeral resource, nor
# does it report one. `sensitive` is read.
. "$(dirname "$0")/lib.sh"
mkdir module
cat > module/main.tf <<'HCL'
variable "key" {
  type      = string
  sensitive = true
  ephemeral = true
}
ephemeral "acme_token" "t" {}
HCL
go_program github.com/hashicorp/terraform-config-inspect/tfconfig@v0.0.0-20260904064934-75d64de68c31 > out <<'PROGRAM'
package main

import (
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-config-inspect/tfconfig"
)

func main() {
	module, found := tfconfig.LoadModule("module")
	text, _ := json.Marshal(module)
	fmt.Println(string(text), found)
}
PROGRAM
seen 'read' '"sensitive":true no problems' "$(grep -oE '"sensitive":true|ephemeral|acme_token|no problems' out | tr '\n' ' ' | sed 's/ $//')"
