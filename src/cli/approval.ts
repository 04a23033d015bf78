import type { Change } from '../core/change.ts'
import { CommandError, DeclinedError, exitCode } from './exit-code.ts'
import type { Host } from './host.ts'

export type Verb = 'apply' | 'undo' | 'adopt' | 'release'

export interface ApprovalFlags {
  readonly autoApprove?: boolean
  readonly input?: boolean
}

/**
 * Asks the person at the terminal, where anything would be changed. Throws when the answer is not yes, and where nobody
 * can be asked.
 */
export async function requireApproval(
  host: Host,
  verb: Verb,
  { autoApprove, input }: ApprovalFlags,
  changes: readonly Change[],
): Promise<void> {
  if (autoApprove || changes.length === 0) return
  const { question, otherwise, refused } = words[verb]
  if (!host.ask || host.env.CI || input === false) {
    throw new CommandError(`nobody can be asked here; ${otherwise}`, exitCode.refused)
  }
  const answer = await host.ask(`${question} Only "yes" goes on: `)
  if (answer.trim() !== 'yes') throw new DeclinedError(refused)
}

interface Words {
  readonly question: string
  /** What to do where nobody can be asked. */
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
  adopt: {
    question: 'Put the marker on these objects?',
    otherwise: 'read what would be adopted, then pass --auto-approve',
    refused: 'nothing was adopted',
  },
  release: {
    question: 'Take the marker off these objects?',
    otherwise: 'read what would be released, then pass --auto-approve',
    refused: 'nothing was released',
  },
}
