#!/bin/sh
# python-hcl2 7.3.1: a heredoc lacks its last line break, which Terraform keeps, so that a payload is another text, and `\u00e9`
# stays as it is written. @cdktf/hcl2json 0.21.0, which uses HashiCorp's parser, has both.
. "$(dirname "$0")/lib.sh"
npm_packages @cdktf/hcl2json@0.21.0
pip_packages python-hcl2==7.3.1
cat > flag.tf <<'FLAG'
payload = <<-EOT
  one
    two
EOT
name = "Zo\u00eb"
FLAG
node_program <<'PROGRAM'
import { readFileSync } from 'node:fs'
import { parse } from '@cdktf/hcl2json'
console.log(JSON.stringify(await parse('flag.tf', readFileSync('flag.tf', 'utf8'))))
PROGRAM
venv/bin/python >> out <<'PROGRAM'
import hcl2, json
print(json.dumps(hcl2.load(open("flag.tf")), separators=(",", ":")))
PROGRAM
seen 'hcl2json, python-hcl2' '{"name":"Zoë","payload":"one\n  two\n"}
{"payload":"one\n  two","name":"Zo\\u00eb"}' "$(cat out)"
