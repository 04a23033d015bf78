#!/bin/sh
# @opentelemetry/sdk-trace-node 2.12.1: of 130 attributes of a span the last two are dropped, of 130 events the first two. An
# attribute of undefined or null is dropped without a warning, and does not remove an earlier value.
. "$(dirname "$0")/lib.sh"
npm_packages @opentelemetry/api@1.9.1 @opentelemetry/sdk-trace-node@2.12.1
node_program <<'PROGRAM'
import { diag, DiagLogLevel } from '@opentelemetry/api'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
const exporter = new InMemorySpanExporter()
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
let warnings = 0
const warn = () => (warnings += 1)
diag.setLogger({ error: warn, warn, info() {}, debug() {}, verbose() {} }, DiagLogLevel.WARN)
const finish = fill => {
  const span = provider.getTracer('t').startSpan('s')
  fill(span)
  span.end()
  return exporter.getFinishedSpans().at(-1)
}
const numbers = Array.from({ length: 130 }, (_, n) => n)
const attributes = Object.keys(finish(span => numbers.forEach(n => span.setAttribute(`a${n}`, n))).attributes)
console.log(attributes.length, attributes[0], attributes.at(-1))
const { events } = finish(span => numbers.forEach(n => span.addEvent(`e${n}`)))
console.log(events.length, events[0].name, events.at(-1).name)
warnings = 0
const span = finish(span => span.setAttributes({ a: 1 }).setAttributes({ a: undefined, b: null, c: 2 }))
console.log(JSON.stringify(span.attributes), warnings)
PROGRAM
seen 'attributes, events, undefined' '128 a0 a127
128 e2 e129
{"a":1,"c":2} 0' "$(cat out)"
