import { profiles } from '../../model/profile.ts'
import { type Quirk, quirkTable } from '../../sandbox/index.ts'
import { valueIn } from '../../services/index.ts'
import { type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'

/** `vexil sandbox quirks`: every behaviour that can be set, what it takes, and what it is in each profile. */
export function runQuirks(host: Host): ExitCode {
  const rows = Object.entries<Quirk>(quirkTable).map(([name, quirk]) => quirkText(name, quirk))
  host.stdout.write(rows.join(''))
  return exitCode.done
}

function quirkText(name: string, quirk: Quirk): string {
  const values = profiles.map(profile => `${profile}: ${valueIn(quirk, profile)}`)
  return `${name}=${takenBy(quirk)}\n    ${quirk.doc} (${[...new Set(values)].join(', ')})\n`
}

function takenBy(quirk: Quirk): string {
  switch (quirk.type) {
    case 'switch':
      return 'true|false'
    case 'number':
      return 'N'
    case 'choice':
      return quirk.of.join('|')
  }
}
