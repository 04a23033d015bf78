#!/bin/sh
# @opentelemetry/exporter-prometheus 0.223.0: attributes 1 and "1" are one series that is written twice, and `flag.key` beside
# `flag_key` one label twice, which the format does not allow. Two instruments of one name are one metric twice. A unit is not in
# the name.
. "$(dirname "$0")/lib.sh"
npm_packages @opentelemetry/api@1.9.1 @opentelemetry/sdk-metrics@2.12.1 @opentelemetry/exporter-prometheus@0.223.0
node_program <<'PROGRAM'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
const exporter = new PrometheusExporter({ preventServerStart: true })
const meter = new MeterProvider({ readers: [exporter] }).getMeter('m')
const counter = meter.createCounter('changes', { unit: 's' })
counter.add(1, { project: 1 })
counter.add(1, { project: '1' })
counter.add(1, { 'flag.key': 'a', flag_key: 'b' })
meter.createCounter('checks', { unit: 's' }).add(1)
meter.createCounter('checks', { unit: 'ms' }).add(1)
const { resourceMetrics } = await exporter.collect()
const lines = new PrometheusSerializer().serialize(resourceMetrics).split('\n')
console.log(lines.filter(line => /^(# TYPE )?ch/.test(line)).join('\n').replace(/,?otel_scope_name="m"|,otel_scope_version=""/g, ''))
PROGRAM
seen 'the text' '# TYPE changes_total counter
changes_total{project="1"} 1
changes_total{project="1"} 1
changes_total{flag_key="a",flag_key="b"} 1
# TYPE checks_total counter
checks_total{} 1
# TYPE checks_total counter
checks_total{} 1' "$(cat out)"
