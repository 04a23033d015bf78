#!/bin/sh
# @opentelemetry/sdk-trace-node 2.12.1 with exporter-trace-otlp-http 0.223.1: if the collector refuses spans, `forceFlush` rejects
# with a list of errors, which has no `message`. `shutdown` of a BatchSpanProcessor rejects with an Error, else it resolves.
. "$(dirname "$0")/lib.sh"
npm_packages @opentelemetry/api@1.9.1 @opentelemetry/sdk-trace-node@2.12.1 @opentelemetry/exporter-trace-otlp-http@0.223.1
node_program <<'PROGRAM'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BatchSpanProcessor, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(400).end('{}'))
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${server.address().port}`
for (const Processor of [BatchSpanProcessor, SimpleSpanProcessor])
  for (const end of ['forceFlush', 'shutdown']) {
    const provider = new NodeTracerProvider({ spanProcessors: [new Processor(new OTLPTraceExporter({ url }))] })
    provider.getTracer('t').startSpan('s').end()
    const answer = await provider[end]().then(() => 'resolved', error => `${Array.isArray(error) ? 'a list' : 'an error'} ${error.message}`)
    console.log(Processor.name, end, answer)
  }
PROGRAM
seen 'of the processors' 'BatchSpanProcessor forceFlush a list undefined
BatchSpanProcessor shutdown an error Bad Request
SimpleSpanProcessor forceFlush a list undefined
SimpleSpanProcessor shutdown resolved' "$(cat out)"
