#!/bin/sh
# kubernetes-models 4.5.1 and @kubernetes-models/prometheus-operator 4.4.2: `validate` accepts fields that do not exist, ports out
# of range and a PrometheusRule that both alerts and records, or does neither. It refuses "2" replicas and memory of "512mi".
. "$(dirname "$0")/lib.sh"
npm_packages kubernetes-models@4.5.1 @kubernetes-models/prometheus-operator@4.4.2
node_program <<'PROGRAM'
import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1'
import { Deployment } from 'kubernetes-models/apps/v1'
const attempt = (name, make) => {
  try {
    make().validate()
    console.log(name, 'accepted')
  } catch {
    console.log(name, 'refused')
  }
}
const deployment = (spec, container = {}) => () => {
  const template = { metadata: { labels: { a: 'a' } }, spec: { containers: [{ name: 'c', image: 'i', ...container }] } }
  return new Deployment({ metadata: { name: 'a' }, spec: { selector: { matchLabels: { a: 'a' } }, template, ...spec } })
}
const rule = (fields, group = {}) => () => {
  const rules = [{ expr: 'up == 0', ...fields }]
  return new PrometheusRule({ metadata: { name: 'a' }, spec: { groups: [{ name: 'g', rules, ...group }] } })
}
attempt('replica', deployment({ replica: 2 }))
attempt('imagePulPolicy', deployment({}, { imagePulPolicy: 'Always' }))
attempt('ports', deployment({}, { ports: [{ containerPort: 99999 }, { containerPort: -1 }] }))
attempt('selector of other labels', deployment({ selector: { matchLabels: { b: 'b' } } }))
attempt('replicas "2"', deployment({ replicas: '2' }))
attempt('memory 512mi', deployment({}, { resources: { limits: { memory: '512mi' } } }))
attempt('alert and record', rule({ alert: 'A', record: 'r' }))
attempt('neither', rule({}))
attempt('annotation', rule({ alert: 'A', annotation: { summary: 's' } }, { intervall: '1m' }))
attempt('an expression that ends early', rule({ alert: 'A', expr: 'rate(' }))
attempt('for 1m1h', rule({ alert: 'A', for: '1m1h' }))
PROGRAM
seen 'fields' 'replica accepted
imagePulPolicy accepted
ports accepted
selector of other labels accepted
replicas "2" refused
memory 512mi refused
alert and record accepted
neither accepted
annotation accepted
an expression that ends early accepted
for 1m1h refused' "$(cat out)"
