#!/bin/sh
# atlantis 0.34.0: for a plan that changes outputs only, the statistics have no change and the summary is empty, though the plan
# is not one without changes. A plan that only forgets or moves a resource has changes, of which all counts are 0.
. "$(dirname "$0")/lib.sh"
cat > outputs.txt <<'PLAN'
Changes to Outputs:
  ~ o = 1 -> 2

You can apply this plan to save these new output values to the Terraform
state, without changing any real infrastructure.
PLAN
cat > moves.txt <<'PLAN'
Terraform will perform the following actions:

  # terraform_data.old has moved to terraform_data.new
    resource "terraform_data" "new" {
        id     = "9c888e31-c80f-d61f-554b-17938002a022"
        # (2 unchanged attributes hidden)
    }

Plan: 0 to add, 0 to change, 0 to destroy.
PLAN
go_program github.com/runatlantis/atlantis/server/events/models@v0.34.0 > out <<'PROGRAM'
package main

import (
	"fmt"
	"os"

	"github.com/runatlantis/atlantis/server/events/models"
)

func main() {
	for _, file := range []string{"outputs.txt", "moves.txt"} {
		text, _ := os.ReadFile(file)
		plan := models.PlanSuccess{TerraformOutput: string(text)}
		fmt.Printf("%t %t %q\n", plan.NoChanges(), plan.Stats().Changes, plan.Summary())
	}
}
PROGRAM
seen 'outputs only' 'false false ""' "$(sed -n 1p out)"
seen 'moves only' 'false true "Plan: 0 to add, 0 to change, 0 to destroy."' "$(sed -n 2p out)"
