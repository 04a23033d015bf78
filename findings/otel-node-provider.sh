#!/bin/sh
# @opentelemetry/sdk-trace-node 2.12.1: a NodeTracerProvider obeys OTEL_TRACES_SAMPLER and the limits of the environment, but not
# OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES and OTEL_SDK_DISABLED. A sampler's share of 50% (not 0.5) means all spans.
. "$(dirname "$0")/lib.sh"
npm_packages @opentelemetry/api@1.9.1 @opentelemetry/sdk-trace-node@2.12.1
cat > program.mjs <<'PROGRAM'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
const exporter = new InMemorySpanExporter()
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
for (let n = 0; n < 20; n += 1) provider.getTracer('t').startSpan('s', { attributes: { a: 1, b: 2 } }).end()
const spans = exporter.getFinishedSpans()
const [name] = spans[0]?.resource.attributes['service.name'].split(':') ?? []
console.log(spans.length, name, spans[0] && Object.keys(spans[0].attributes).join())
PROGRAM
seen 'OTEL_TRACES_SAMPLER=always_off' '0 undefined undefined' "$(OTEL_TRACES_SAMPLER=always_off node program.mjs)"
seen 'a share of 50%' '20 unknown_service a,b' "$(OTEL_TRACES_SAMPLER=traceidratio OTEL_TRACES_SAMPLER_ARG=50% node program.mjs)"
seen 'OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT=1' '20 unknown_service a' "$(OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT=1 node program.mjs)"
seen 'the others' '20 unknown_service a,b' \
  "$(OTEL_SDK_DISABLED=true OTEL_SERVICE_NAME=mine OTEL_RESOURCE_ATTRIBUTES=service.name=mine node program.mjs)"
