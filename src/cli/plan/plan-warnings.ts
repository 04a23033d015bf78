import type { Plan } from '../../core/change.ts'
import type { JsonObject } from '../../model/json/json.ts'
import type { Problem, Source } from '../../model/problem.ts'
import type { ToldProblem } from '../../report/document.ts'
import { faultIn } from '../../report/text/problem-text.ts'
import type { Repository } from '../connection/repository-settings.ts'

/**
 * The warnings about what a plan tells of. What is as declared has been judged before, and `validate` tells of all.
 *
 * | a warning that has           | is told where                            |
 * |------------------------------|------------------------------------------|
 * | an address                   | the plan tells of that object            |
 * | a place alone, as of a stack | the plan tells of an object of that place |
 * | the place of a whole stack   | that is planned: it tells no others      |
 */
export function warningsAbout(plan: Plan, { warnings, stack }: Declared): readonly Problem[] {
  const { changes, blocked, liveEdits, drift } = plan
  const told = [...changes, ...blocked, ...liveEdits, ...drift]
  // Whoever gives a role a flag looks at the flag.
  const flags = changes.flatMap(({ parent }) => (parent === undefined ? [] : [parent.$ref]))
  const addresses = new Set([...told.map(({ address }) => address), ...flags])
  const places = new Set(told.flatMap(({ source }) => (source ? [placeText(source)] : [])))
  return warnings.filter(({ address, source, isOfWholeFile }) => {
    if (address !== undefined) return addresses.has(address)
    if (source === undefined || isOfWholeFile) return stack !== undefined && told.length > 0
    return places.has(placeText(source))
  })
}

type Declared = Pick<Repository, 'warnings' | 'stack'>

/** The same as a plan in JSON has them. */
export function warningsMember(warnings: readonly ToldProblem[]): JsonObject {
  if (warnings.length === 0) return {}
  // Texts and numbers, which JSON holds as they are.
  return { warnings: warnings.map(({ problem }) => faultIn(problem)) as unknown as JsonObject[] }
}

function placeText({ file, line, column }: Source): string {
  return `${file}:${line}:${column}`
}
