import { profiles } from '../../model/profile.ts'
import { type Difference, differences, valueIn } from '../../services/index.ts'
import { table } from './reference-table.ts'

/** The services that people meet and where they differ, in Markdown. */
export function servicesReference(): string {
  return [
    '# Services',
    '',
    'Vexil serves the interface as its document has it, and the public service with this interface as it was in early 2024 and as it is in',
    'autumn 2026. A profile names one of them; with `profile: auto` the first record of a flag or an event definition tells. Emitted by `npm run generate` from the table that the client, the reconciler and the sandbox',
    'go by; [sandbox.md](sandbox.md) has the behaviours in which all three are alike and that a sandbox can be told all the same.',
    '',
    ...table(['Behaviour', ...profiles.map(code), 'What it decides', 'Sources', 'How sure'], rows()),
  ].join('\n')
}

function rows(): readonly (readonly string[])[] {
  return Object.entries<Difference>(differences).flatMap(([name, row]) => {
    const cells = valueCells(row)
    if (cells.slice(1).every(cell => cell === theSame)) return []
    return [[code(name), ...cells, row.doc, row.sources.map(link).join(', '), row.certainty ?? 'high']]
  })
}

const theSame = 'the same'

/** What each profile does, and `the same` where that is what the profile before it does. */
export function valueCells(row: Difference): readonly string[] {
  const values = profiles.map(profile => valueIn(row, profile))
  return values.map((value, index) => (index > 0 && value === values[index - 1] ? theSame : code(value)))
}

function link(source: string): string {
  const [page = '', section = ''] = source.split(' ')
  return `[${page} ${section}](${page}.md)`
}

function code(value: string | number | boolean): string {
  return `\`${value}\``
}
