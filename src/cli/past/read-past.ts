import { withoutEndSlash } from '../../api/settings.ts'
import type { PlanInput } from '../../core/plan/plan.ts'
import { isSandbox, type Target, targetText } from '../../core/target.ts'
import type { AskAncestry } from '../../git/commits.ts'
import type { GitFolder } from '../../git/run.ts'
import type { ConnectionSettings } from '../connection/resolve-connection.ts'
import { type ComparedPast, comparedPast } from './compared-past.ts'
import type { PastAsking, PastDeclarations } from './past-declarations.ts'
import { shortCommit } from './past-notes.ts'

/** Where a plan is made, as far as the history of its repository is asked. */
export interface PastPlace {
  readonly git: GitFolder
  readonly target: Target
  /** The commit that is planned; undefined where git tells none. */
  readonly head: string | undefined
  /** How other commits stand to that one. */
  readonly askAncestry: AskAncestry | undefined
  /** What is declared at other commits; a stack has none. */
  readonly past: PastDeclarations | undefined
  /** Tells people, in one line. */
  readonly note: (line: string) => void
}

/** Reads what was declared at a commit, told once what stands in the way; undefined where nothing can be compared with it. */
export type ReadPast = (commit: string, asking?: PastAsking) => Promise<ComparedPast | undefined>

export function readingPast(asked: PlanInput, { target, past, note }: PastPlace): ReadPast {
  const known = new Map<string, Promise<ComparedPast | undefined>>()
  const read = async (commit: string, asking: PastAsking): Promise<ComparedPast | undefined> => {
    const state = await past?.at(commit, asking)
    if (!state) {
      note(
        past
          ? `the declarations at ${shortCommit(commit)} are not to be had; \`git fetch origin ${commit}\` may bring them`
          : 'a stack tells only what it declares now, so nothing of it is compared by value with another commit',
      )
      return undefined
    }
    for (const line of state.notes) note(line)
    const elsewhere = placeElsewhere(state.connection, target)
    if (elsewhere === undefined) return comparedPast(asked, state.declarations)
    note(
      `at ${shortCommit(commit)} this environment was ${elsewhere}, not ${targetText(target)}, so nothing is compared with that commit`,
    )
    return undefined
  }
  return (commit, asking = {}) => {
    const found = known.get(commit) ?? read(commit, asking)
    if (asking.isKept !== false) known.set(commit, found)
    return found
  }
}

/** Where the settings of a commit put the environment, where that is another place than the one that is planned for. */
function placeElsewhere(
  { baseUrl, project, organization }: ConnectionSettings,
  target: Target,
): string | undefined {
  if (isSandbox(target)) return undefined
  if (baseUrl !== undefined && withoutEndSlash(baseUrl) !== withoutEndSlash(target.baseUrl))
    return `at ${baseUrl}`
  if (project !== undefined && target.projectId !== undefined && project !== target.projectId)
    return `project ${project}`
  const isOther = organization !== undefined && target.organizationId !== undefined
  return isOther && organization !== target.organizationId ? `organization ${organization}` : undefined
}
