#!/bin/sh
# cdktf 0.21.0 and cdktn 0.24.0: texts in arguments of functions are escaped in part: `${` is, `%{` and backslashes are
# not, and in keys neither quotes nor `${` are, so that Terraform reads another text, a directive, or no expression.
. "$(dirname "$0")/lib.sh"
with_constructs <<'PROGRAM'
console.log(
  output(() => lib.Fn.upper('a${b}')),
  output(() => lib.Fn.upper('a%{b}')),
  output(() => lib.Fn.upper('C:\\temp')),
  output(() => lib.Fn.jsonencode({ 'a"b': 1, 'a${b}': 2 })),
)
PROGRAM
for engine in cdktf cdktn; do
  seen "$engine" '${upper("a$${b}")} ${upper("a%{b}")} ${upper("C:\temp")} ${jsonencode({"a"b" = 1, "a${b}" = 2})}' \
    "$(cat $engine.out)"
done
