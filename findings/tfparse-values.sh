#!/bin/sh
# tfparse 0.6.22 evaluates a folder of Terraform: of a `dynamic` block with two elements before a `lifecycle` block it gives the
# first only. It takes variables from TF_VAR_ of the environment, and not from terraform.tfvars. `id` of a resource is not the one
# in the file.
. "$(dirname "$0")/lib.sh"
pip_packages tfparse==0.6.22
mkdir module
cat > module/main.tf <<'FILE'
variable "owner" { default = "default" }
variable "team" { default = "default" }
resource "vexil_flag" "plain" {
  id    = "own"
  owner = var.owner
  team  = var.team
  condition { share = 1 }
  condition { share = 2 }
  lifecycle { ignore_changes = [team] }
}
resource "vexil_flag" "dynamic" {
  dynamic "condition" {
    for_each = [1, 2]
    content { share = condition.value }
  }
  lifecycle { ignore_changes = [team] }
}
FILE
echo 'owner = "from the file"' > module/terraform.tfvars
TF_VAR_team='from the environment' venv/bin/python > out <<'PROGRAM'
from tfparse import load_from_path
dynamic, plain = sorted(load_from_path("module")["vexil_flag"], key=lambda flag: flag["__tfmeta"]["path"])
for flag in [plain, dynamic]:
    conditions = flag["condition"]
    print([each["share"] for each in (conditions if isinstance(conditions, list) else [conditions])])
print(plain["owner"], "|", plain["team"], "|", plain["id"] == "own")
PROGRAM
seen 'plain blocks, dynamic; from tfvars, from the environment, id' '[1, 2]
[1]
default | from the environment | False' "$(cat out)"
