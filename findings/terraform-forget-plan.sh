#!/bin/sh
# Terraform 1.11.4: a resource that a `removed` block forgets is still in `planned_values` of the plan, without values, and its
# change has the reason `delete_because_no_resource_config`. A deleted resource is not in `planned_values`.
. "$(dirname "$0")/lib.sh"
unset TF_CLI_CONFIG_FILE
export CHECKPOINT_DISABLE=1
terraform version 2> version.log | grep -q 'v1.11.4' || { echo 'there is no terraform 1.11.4'; exit 77; }
for name in forgotten deleted; do echo "resource \"terraform_data\" \"$name\" {}"; done > main.tf
{ terraform init && terraform apply -auto-approve; } > terraform.log
printf 'removed {\n  from = terraform_data.forgotten\n  lifecycle {\n    destroy = false\n  }\n}\n' > main.tf
terraform plan -out plan > terraform.log
terraform show -json plan > plan.json
cat > read.cjs <<'PROGRAM'
const { planned_values, resource_changes } = require('./plan.json')
const planned = planned_values.root_module.resources.map(({ address, values }) => `${address} ${values}`)
console.log([...planned, ...resource_changes.map(({ change, action_reason }) => `${change.actions} ${action_reason}`)].join(', '))
PROGRAM
reason=delete_because_no_resource_config
seen 'planned, changes' "terraform_data.forgotten undefined, delete $reason, forget $reason" "$(node read.cjs)"
