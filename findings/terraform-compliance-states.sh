#!/bin/sh
# terraform-compliance 1.16.0 checks a resource that the plan forgets, since Terraform 1.11 keeps it in `planned_values`, and
# lets `must contain` pass for an attribute that is null. A plan of several lines is no valid JSON file for it.
. "$(dirname "$0")/lib.sh"
pip_packages terraform-compliance==1.16.0
data='"mode":"managed","type":"terraform_data","provider_name":"terraform.io/builtin/terraform"'
values='{"id":"1","input":1,"output":1,"triggers_replace":null}'
cat > lines.json <<PLAN
{"format_version":"1.2","terraform_version":"1.11.4","applyable":true,"complete":true,"errored":false,
 "planned_values":{"root_module":{"resources":[
  {"address":"terraform_data.kept","name":"kept",$data,"schema_version":0,"values":$values,"sensitive_values":{}},
  {"address":"terraform_data.old","name":"old",$data,"schema_version":0,"sensitive_values":false}]}},
 "resource_changes":[
  {"address":"terraform_data.kept","name":"kept",$data,"change":{"actions":["no-op"],"before":$values,"after":$values,"after_unknown":{}}},
  {"address":"terraform_data.old","name":"old",$data,"change":{"actions":["forget"],"before":$values,"after":null,"after_unknown":{}}}],
 "configuration":{"root_module":{"resources":[
  {"address":"terraform_data.kept","name":"kept",$data,"provider_config_key":"terraform","expressions":{"input":{"constant_value":1}}}]}}}
PLAN
tr -d '\n' < lines.json > plan.json
mkdir features
printf 'Feature: f\n  Scenario: s\n    Given I have terraform_data defined\n    Then it must contain triggers_replace\n' > features/a.feature
check() { venv/bin/terraform-compliance -p "$PWD/$1" -f features --no-ansi 2>&1 | grep -oE "$2" | sort -u | tr '\n' ' ' | sed 's/ $//'; }
seen 'without the attribute' 'terraform_data.old' "$(check plan.json 'terraform_data\.[a-z]+')"
seen 'several lines' 'is not a valid JSON file' "$(check lines.json 'is not a valid JSON file')"
