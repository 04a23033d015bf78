#!/bin/sh
# @cdktf/provider-generator 0.21.0 and @cdktn/provider-generator 0.24.0: a dynamic attribute takes a list, as far as the
# compiler is concerned, and writes it as an object with the keys "0" and "1".
. "$(dirname "$0")/lib.sh"
with_bindings <<'PROGRAM'
const { source, synth } = await bindings({ attributes: { any: { type: 'dynamic', optional: true } } })
const type = source.match(/readonly any\?: (.*);/)[1]
const check = ts.createSourceFile('check.ts', `const list: ${type} = [1, 2]`, ts.ScriptTarget.ES2020)
const host = ts.createCompilerHost({})
const found = { ...host, getSourceFile: (file, ...more) => (file === 'check.ts' ? check : host.getSourceFile(file, ...more)) }
const errors = ts.getPreEmitDiagnostics(ts.createProgram(['check.ts'], { strict: true, types: [], noEmit: true }, found))
console.log(errors.length, JSON.stringify(synth(flag => flag('r', { any: [1, 2] })).resource.x_flag.r))
PROGRAM
for engine in cdktf cdktn; do seen "$engine" '0 {"any":{"0":1,"1":2}}' "$(cat $engine.out)"; done
