#!/bin/sh
# hcl2-parser 1.0.3: the escaped text `$${name}` comes as `${name}`, as a reference does, and `%%{` as `%{`. @cdktf/hcl2json
# 0.21.0 keeps the escapes. Of a file that is not valid, the error is an empty object.
. "$(dirname "$0")/lib.sh"
npm_packages hcl2-parser@1.0.3 @cdktf/hcl2json@0.21.0
node_program <<'PROGRAM'
import { parse } from '@cdktf/hcl2json'
import hcl from 'hcl2-parser'
const text = 'a = "$${name}"\nb = "${name}"\nc = "%%{if}"\n'
console.log(JSON.stringify(hcl.parseToObject(text)[0]))
console.log(JSON.stringify(await parse('a.tf', text)))
console.log(JSON.stringify(hcl.parseToObject('a = [1')))
PROGRAM
seen 'hcl2-parser, hcl2json; not valid' '{"a":"${name}","b":"${name}","c":"%{if}"}
{"a":"$${name}","b":"${name}","c":"%%{if}"}
[null,{}]' "$(cat out)"
