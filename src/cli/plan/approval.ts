import type { Change } from '../../core/change.ts'
import { CommandError, DeclinedError, exitCode } from '../host/exit-code.ts'
import type { Flags } from '../host/flags.ts'
import type { Host } from '../host/host.ts'

export type Verb = 'apply' | 'undo' | 'claim' | 'unclaim' | 'disable' | 'enable' | 'unlock'

/** Asks the person at the terminal if anything would change. Throws as `requireYes` does. */
export async function requireApproval(
  host: Host,
  verb: Verb,
  flags: Flags,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length > 0) await requireYes(host, verb, flags)
}

/** Asks the person at the terminal. Throws if the answer is not yes, and if no person can be asked. */
export async function requireYes(host: Host, verb: Verb, { autoApprove, input }: Flags): Promise<void> {
  if (autoApprove) return
  const { question, otherwise, refused } = words[verb]
  if (!canAsk(host, input)) {
    throw new CommandError(`nobody can be asked here; ${otherwise}`, exitCode.refused)
  }
  const answer = await askUntilStopped(host, `${question} Only "yes" goes on: `)
  if (answer.trim() !== 'yes') throw new DeclinedError(refused)
}

/** Whether a person can be asked. A question is no line of JSON, so programs that read JSON cannot answer. */
export function canAsk({ ask, env, log }: Host, input: boolean | undefined): boolean {
  return ask !== undefined && !env.CI && input !== false && !log.isJson
}

/** Asks for a line. A signal that ends the command ends the question too. */
export async function askUntilStopped({ ask, stop }: Host, question: string): Promise<string> {
  try {
    return (await ask?.(question, stop)) ?? ''
  } catch (error) {
    // The terminal only reports an abort; the signal has the reason.
    stop?.throwIfAborted()
    throw error
  }
}

interface Words {
  readonly question: string
  /** The hint if no person can be asked. */
  readonly otherwise: string
  readonly refused: string
}

const words: Readonly<Record<Verb, Words>> = {
  apply: {
    question: 'Apply these changes?',
    otherwise: 'apply a saved plan (`vexil plan --out FILE`, `vexil apply FILE`) or pass --auto-approve',
    refused: 'nothing was applied',
  },
  undo: {
    question: 'Undo these changes?',
    otherwise: 'read what would be undone, then pass --auto-approve',
    refused: 'nothing was undone',
  },
  claim: {
    question: 'Put the ownership tag on these objects?',
    otherwise: 'read what would be claimed, then pass --auto-approve',
    refused: 'nothing was claimed',
  },
  unclaim: {
    question: 'Take the ownership tag off these objects?',
    otherwise: 'read what would be unclaimed, then pass --auto-approve',
    refused: 'nothing was unclaimed',
  },
  disable: {
    question: 'Turn it off?',
    otherwise: 'pass --auto-approve',
    refused: 'nothing was turned off',
  },
  enable: {
    question: 'Turn it on?',
    otherwise: 'read who would get it, then pass --auto-approve',
    refused: 'nothing was turned on',
  },
  unlock: {
    question: 'Remove this lock?',
    otherwise: 'read whose lock it is, then pass --auto-approve',
    refused: 'nothing was removed',
  },
}
