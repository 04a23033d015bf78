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
  const [question, read, done] = words[verb]
  if (!canAsk(host, input)) {
    const before = verb === 'apply' ? saved : read === undefined ? '' : `read ${read}, then `
    throw new CommandError(`nobody can be asked here; ${before}pass --auto-approve`, exitCode.refused)
  }
  const answer = await askUntilStopped(host, `${question} Only "yes" goes on: `)
  if (answer.trim() !== 'yes') throw new DeclinedError(`nothing was ${done}`)
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

/** For each command: the question, what to read before it is answered by an option, and what was not done. */
const words: Readonly<Record<Verb, readonly [question: string, read: string | undefined, done: string]>> = {
  apply: ['Apply these changes?', undefined, 'applied'],
  undo: ['Undo these changes?', 'what would be undone', 'undone'],
  claim: ['Put the ownership tag on these objects?', 'what would be claimed', 'claimed'],
  unclaim: ['Take the ownership tag off these objects?', 'what would be unclaimed', 'unclaimed'],
  disable: ['Turn it off?', undefined, 'turned off'],
  enable: ['Turn it on?', 'who would get it', 'turned on'],
  unlock: ['Remove this lock?', 'whose lock it is', 'removed'],
}

const saved = 'apply a saved plan (`vexil plan --out FILE`, `vexil apply FILE`) or '
