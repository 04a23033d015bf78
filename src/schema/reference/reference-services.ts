import { profiles } from '../../model/connection.ts'
import { enginesOf } from '../../services/engines.ts'
import { limits } from '../../services/facts.ts'
import { type Difference, differences, evaluation, valueIn } from '../../services/index.ts'
import { type Refusal, refusals } from '../../services/refusals.ts'
import { waysOfSdks } from '../../services/sdk-ways.ts'
import { type Sdk, sdks } from '../../services/sdks.ts'
import { code, table } from './reference-table.ts'

/** The known services and their differences, in Markdown. */
export function servicesReference(): string {
  return [
    '# Services',
    '',
    'Vexil serves the interface as its document has it, and the public service with this interface as it was in early 2024 and as it is in',
    'autumn 2026. A profile names one of them; with `profile: auto`, the default, the first record of a flag or an event definition tells. Emitted by `npm run generate` from the table that the client, the reconciler and the sandbox',
    'go by; [sandbox.md](sandbox.md) has the behaviours in which all three are alike and that a sandbox can be told all the same.',
    '',
    ...table(['Behaviour', ...profiles.map(code), 'What it decides', 'Sources', 'How sure'], rows()),
    '## What is refused',
    '',
    'What the service of today refuses and a person can do something about. The message of a refusal is what the service said, and then this; it is told of',
    'the object that was to be changed. What a plan can know of it is blocked before anything is written ([how-it-decides.md](how-it-decides.md#what-is-blocked)).',
    '',
    ...table(['Refusal', 'Status', 'What to do', 'Sources'], refusalRows()),
    '## How much they take',
    '',
    "The limits that are known, past which a service answers 429; the document names none, and a server of one's own has none unless it is told. `vexil",
    'doctor` shows them beside what the answers say.',
    '',
    ...table(
      ['Service', 'What is counted', 'Per minute', 'Per hour', 'For each', 'Sources', 'How sure'],
      limitRows(),
    ),
    '## Who evaluates',
    '',
    'Flags of today are evaluated by the service, and by SDKs that have loaded them. An SDK that cannot tell asks the service; these are the rules by',
    'which it gives something else. `sdks` in vexil.yaml names those that a team uses: `sdks: { posthog-go: "1.5.2", posthog-python: ">=7.79" }`. Then `validate`,',
    '`plan`, `evaluate` and `test` go by these, and a flag that would stop one of them is an error. Without it, the newest of each is reckoned with where an',
    'environment has the profile `posthog-2026`, and `validate` warns once for a flag that they answer otherwise. `sdks: {}` is for teams that ask the service.',
    'The names are those of the packages; `posthog-server` is the one for Java. The rules were written from what these versions answered in over 230 cases;',
    '`npm run sdks` in this repository asks them again.',
    '',
    ...table(['SDK', 'From', 'Published', 'Newest that was run'], rangeRows()),
    ...table(['Rule', ...engines.map(({ name }) => name)], engineRows()),
    ...table(['Rule', 'Only in SDKs', 'What it is'], wayRows()),
  ].join('\n')
}

function rows(): readonly (readonly string[])[] {
  return Object.entries<Difference>(differences).flatMap(([name, row]) => {
    const cells = valueCells(row)
    if (cells.slice(1).every(cell => cell === theSame)) return []
    return [[code(name), ...cells, row.doc, row.sources.map(link).join(', '), row.certainty ?? 'high']]
  })
}

function refusalRows(): readonly (readonly string[])[] {
  return Object.entries<Refusal>(refusals).map(([name, { status, remedy, source }]) => [
    code(name),
    code(status),
    remedy.replace('$1', 'that it names'),
    link(source),
  ])
}

function limitRows(): readonly (readonly string[])[] {
  return profiles.flatMap(profile =>
    limits[profile].map(({ of, perMinute, perHour = '', each, sources, certainty = 'high' }) => [
      ...[
        code(profile),
        of,
        String(perMinute),
        String(perHour),
        each,
        sources.map(link).join(', '),
        certainty,
      ],
    ]),
  )
}

const engines = enginesOf('posthog-2026')

function rangeRows(): readonly (readonly string[])[] {
  return Object.entries<Sdk>(sdks).flatMap(([name, { newest, ranges }]) =>
    ranges.map(({ from, since }) => [code(name), from, since, newest]),
  )
}

function engineRows(): readonly (readonly string[])[] {
  const names = [...new Set([...Object.keys(evaluation), ...Object.keys(waysOfSdks)])]
  return names.flatMap(name => {
    const ways = engines.map(({ rules }) => Object.entries(rules).find(([rule]) => rule === name)?.[1])
    if (ways.every(way => way === ways[0])) return []
    const cells = ways.map((way, at) =>
      way === ways[0] && at > 0 ? theSame : way === undefined ? '' : code(way),
    )
    return [[code(name), ...cells]]
  })
}

function wayRows(): readonly (readonly string[])[] {
  return Object.entries(waysOfSdks).flatMap(([rule, ways]) =>
    Object.entries(ways).map(([way, says]) => [code(rule), code(way), says]),
  )
}

const theSame = 'the same'

/** The value of each profile, or `the same` if it equals that of the previous profile. */
export function valueCells(row: Difference): readonly string[] {
  const values = profiles.map(profile => valueIn(row, profile))
  return values.map((value, index) => (index > 0 && value === values[index - 1] ? theSame : code(value)))
}

function link(source: string): string {
  const [page = '', section = ''] = source.split(' ')
  return `[${page} ${section}](${page}.md)`
}
