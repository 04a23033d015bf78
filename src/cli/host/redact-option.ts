import { isRedactedPart, redactedPartNames } from '../../model/safety/redacted-part.ts'
import { meantHint } from '../../model/text/did-you-mean.ts'
import { CommandError, exitCode } from './exit-code.ts'
import type { Host } from './host.ts'

/** Hides what an option names, beside what the settings hide. */
export function redactAsAsked({ redaction }: Host, given: readonly string[] = [], option = '--redact'): void {
  const names = redactedPartNames()
  for (const part of given.flatMap(value => value.split(',')).map(part => part.trim())) {
    if (!isRedactedPart(part)) {
      const hint = meantHint(part, names, `there are: ${names.join(', ')}`)
      throw new CommandError(`${option}: "${part}" is no part of an object; ${hint}`, exitCode.usage)
    }
    redaction.add([part])
  }
}
