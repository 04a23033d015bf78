import { profiles } from '../model/connection.ts'
import { type Difference, differences, evaluation, valueIn } from '../services/differences.ts'
import { enginesOf } from '../services/engines.ts'
import { facts, limits } from '../services/facts.ts'
import { type Refusal, refusals } from '../services/refusals.ts'
import { waysOfSdks } from '../services/sdk-ways.ts'
import { type Sdk, sdks } from '../services/sdks.ts'
import { code, table } from './reference.ts'

/** The known services and their differences, in Markdown. */
export function servicesReference(): string {
  return [
    '# Services',
    '',
    'Vexil works with three services. `profile` in an environment names one; with `auto`, the default, the first answers show which it is. `npm run generate` computes',
    'this page. Facts and sources: [service-facts.md](service-facts.md).',
    '',
    ...table(
      ['Profile', 'Service'],
      profiles.map(profile => [code(profile), facts[profile].title]),
    ),
    '## Differences',
    '',
    'An empty cell repeats the cell before it. `vexil sandbox quirks` prints the same with all values that a [sandbox](sandbox.md) can have.',
    '',
    ...table(['Behaviour', ...profiles.map(code), 'Meaning'], differenceRows()),
    '## What is refused',
    '',
    'The service of 2026 refuses these. The message has the text of the service and this remedy. A plan blocks most of them before anything is written',
    '([rules](how-it-decides.md#what-is-blocked)).',
    '',
    ...table(['Refusal', 'Remedy'], refusalRows()),
    '## Limits',
    '',
    'Past these limits a service answers 429. `vexil doctor` shows them beside what the answers report.',
    '',
    ...table(['Service', 'Counted', 'Per minute', 'Per hour', 'For each'], limitRows()),
    '## Who evaluates',
    '',
    'The service evaluates flags, and so do SDKs that have loaded them. Some SDKs answer differently. `sdks` in vexil.yaml names those of your team, such as',
    '`sdks: { posthog-go: "1.5.2", posthog-python: ">=7.79" }`. Then `validate`, `plan`, `evaluate` and `test` use their rules, and a flag that stops one of them is an error.',
    'Without `sdks`, `validate` warns if the newest ones differ, for the profile `posthog-2026`. `sdks: {}` is for teams that ask the service. `posthog-server` is the SDK for Java.',
    'The rules come from over 230 cases that these versions answered.',
    '',
    ...table(['SDK', 'Rules change at', 'Newest that was run'], rangeRows()),
    'An empty cell is as the service.',
    '',
    ...table(['Rule', ...engines.map(({ name }) => name)], engineRows()),
    ...table(['Rule', 'Values that only SDKs have'], wayRows()),
  ].join('\n')
}

function differenceRows(): readonly (readonly string[])[] {
  return Object.entries<Difference>(differences).flatMap(([name, row]) => {
    const values = profiles.map(profile => valueIn(row, profile))
    if (values.every(value => value === values[0])) return []
    const cells = values.map((value, at) => (at > 0 && value === values[at - 1] ? '' : code(value)))
    return [[code(name), ...cells, row.doc]]
  })
}

function refusalRows(): readonly (readonly string[])[] {
  return Object.entries<Refusal>(refusals).map(([name, { remedy }]) => [
    code(name),
    remedy.replace('$1', 'that it names'),
  ])
}

function limitRows(): readonly (readonly string[])[] {
  return profiles.flatMap(profile =>
    limits[profile].map(({ of, perMinute, perHour = '', each }) => [
      ...[code(profile), of, String(perMinute), String(perHour), each],
    ]),
  )
}

const engines = enginesOf('posthog-2026')

function rangeRows(): readonly (readonly string[])[] {
  return Object.entries<Sdk>(sdks).map(([name, { newest, ranges }]) => [
    code(name),
    ranges
      .map(({ from }) => from)
      .reverse()
      .join(', '),
    newest,
  ])
}

function engineRows(): readonly (readonly string[])[] {
  const names = [...new Set([...Object.keys(evaluation), ...Object.keys(waysOfSdks)])]
  return names.flatMap(name => {
    const ways = engines.map(({ rules }) => Object.entries(rules).find(([rule]) => rule === name)?.[1])
    if (ways.every(way => way === ways[0])) return []
    const cells = ways.map((way, at) => (way === undefined || (at > 0 && way === ways[0]) ? '' : code(way)))
    return [[code(name), ...cells]]
  })
}

function wayRows(): readonly (readonly string[])[] {
  return Object.entries(waysOfSdks).map(([rule, ways]) => [
    code(rule),
    Object.entries(ways)
      .map(([way, meaning]) => `${code(way)}: ${meaning}`)
      .join('<br>'),
  ])
}
