#!/bin/sh
# atlantis 0.34.0: in the diff of a comment, of the added lines of a text value only those are moved to the margin that look like
# `name: value`, so only they are shown as added. In other output, a line of only a `+` loses its place, and the next one too.
. "$(dirname "$0")/lib.sh"
go_program github.com/runatlantis/atlantis/server/events/models@v0.34.0 > out <<'PROGRAM'
package main

import (
	"fmt"

	"github.com/runatlantis/atlantis/server/events/models"
)

func main() {
	for _, text := range []string{"      ~ input = <<-EOT\n          + - one\n          +   size: 1\n        EOT", "x\n    +\n    +b = 1"} {
		fmt.Printf("%q\n", models.PlanSuccess{TerraformOutput: text}.DiffMarkdownFormattedTerraformOutput())
	}
}
PROGRAM
seen 'a text of Terraform' '"!       input = <<-EOT\n          + - one\n+             size: 1\n        EOT"' "$(sed -n 1p out)"
seen 'other output' '"x\n+\n        +b = 1"' "$(sed -n 2p out)"
