import type { ShownQuirk } from '../../report/document.ts'
import { type Quirk, quirkTable } from '../../sandbox/index.ts'
import { valuesIn } from '../../services/index.ts'
import { type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { type OutputFlags, print } from '../host/output.ts'

/** `vexil sandbox quirks`: every behaviour that can be set, what it takes, and what it is in each profile. */
export async function runQuirks(host: Host, flags: OutputFlags): Promise<ExitCode> {
  const quirks = Object.entries<Quirk>(quirkTable).map(([name, quirk]) => shownQuirk(name, quirk))
  await print(host, flags, { is: 'quirks', quirks })
  return exitCode.done
}

function shownQuirk(name: string, quirk: Quirk): ShownQuirk {
  const { doc, sources, certainty = 'high' } = quirk
  return { name, doc, takes: takenBy(quirk), profiles: valuesIn(quirk), sources, certainty }
}

function takenBy(quirk: Quirk): ShownQuirk['takes'] {
  switch (quirk.type) {
    case 'switch':
      return [true, false]
    case 'number':
      return 'number'
    case 'choice':
      return quirk.of
  }
}
