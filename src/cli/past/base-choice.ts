import type { BaseOrigin } from '../../core/live-edits/base.ts'
import type { PlanInput } from '../../core/plan/plan.ts'
import { commitMeant, type DatedCommit } from '../../git/commits.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import type { PastDeclarations } from './past-declarations.ts'
import { shortCommit } from './past-notes.ts'
import { type PastPlace, readingPast } from './read-past.ts'

/** What `--base` says: what live edits are measured from. */
export interface BaseFlags {
  /** `auto`, `none`, or a revision. */
  readonly base?: string
}

/**
 * | `--base` | live edits are measured from                                                  |
 * |----------|-------------------------------------------------------------------------------|
 * | `auto`   | what each object was declared as when it last converged, as runs on record tell |
 * | `none`   | nothing: what is declared and what is live are compared, and nothing else     |
 * | a commit | what is declared at that commit, of all objects                               |
 */
export type BaseChoice = 'auto' | 'none' | DatedCommit

/** What the option means; throws where it means no commit of this clone. */
export async function chooseBase(
  { env }: Pick<Host, 'env'>,
  directory: string,
  past: PastDeclarations | undefined,
  { base = 'auto' }: BaseFlags,
): Promise<BaseChoice> {
  if (base === 'auto' || base === 'none') return base
  if (!past) {
    const words = `--base ${base} reads the YAML files of that commit, and a stack has none; runs on record tell of stacks too (--base auto)`
    throw new CommandError(words, exitCode.usage)
  }
  const commit = await commitMeant({ directory, env }, base)
  if (commit) return commit
  throw new CommandError(
    `--base "${base}" is no commit of this clone; \`git fetch origin ${base}\` may bring it, or give auto or none`,
    exitCode.usage,
  )
}

/** How a choice is kept in a plan; by default it is not. */
export function baseOnRecord(choice: BaseChoice): { readonly base?: string } {
  if (choice === 'auto') return {}
  return { base: choice === 'none' ? choice : choice.commit }
}

/**
 * A plan's input measured from what was chosen. What `vexil undo` and `vexil disable` have set stands in either case, since
 * it is no matter of what it is compared with.
 */
export async function measuredAs(choice: BaseChoice, asked: PlanInput, place: PastPlace): Promise<PlanInput> {
  if (choice === 'auto') return asked
  const { base: recorded = {}, grantLists: _, ...others } = asked
  if (choice === 'none') return { ...others, heldSince: {}, isApplied: false }
  const { commit } = choice
  const state = await readingPast(asked, place)(commit)
  if (!state) {
    throw new CommandError(
      `nothing can be measured from ${shortCommit(commit)}; give another --base, auto or none`,
    )
  }
  // It is no run: what runs have set without a declaration came after it.
  const origin: BaseOrigin = {
    run: `--base ${shortCommit(commit)}`,
    at: 0,
    revision: { commit, dirty: false },
  }
  const base = Object.entries(state.baseOf(origin)).map(([address, object]) => {
    const id = recorded[address]?.id
    return [address, object && id !== undefined ? { ...object, id } : object] as const
  })
  return { ...others, base: Object.fromEntries(base), grantLists: state.grantListsOf(origin), heldSince: {} }
}
