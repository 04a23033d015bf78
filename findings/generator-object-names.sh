#!/bin/sh
# @cdktf/provider-generator 0.21.0 and @cdktn/provider-generator 0.24.0: the code for an object type with an attribute
# `content-type` or `2fa`, which Terraform takes, does not compile: both are written without quotes.
. "$(dirname "$0")/lib.sh"
with_bindings <<'PROGRAM'
for (const name of ['content-type', '2fa']) {
  const { errors, source } = await bindings({ attributes: { o: { type: ['object', { [name]: 'string' }], optional: true } } })
  console.log(errors.length > 0, source.match(/^ {4}(\S+): cdkt[fn]\.stringToTerraform/m)[1])
}
PROGRAM
for engine in cdktf cdktn; do seen "$engine" 'true content-type, true 2fa' "$(tr '\n' ',' < $engine.out | sed 's/,$//;s/,/, /')"; done
