import type { Services } from '../../model/connection.ts'
import type { Json } from '../../model/json/json.ts'
import { segmentsOf } from '../../model/json/pointer.ts'
import { checkTargeting } from '../../rules/check-targeting.ts'
import { knownFilters } from '../../rules/known-part.ts'
import type { ObjectProblem, ProblemOf } from '../../rules/object-problem.ts'
import { quoted } from '../../targeting/describe/describe.ts'
import { replaceMarks } from '../engine/engine-marks.ts'
import type { Messages } from '../on-services.ts'
import { partlyKnown } from '../synthesized/templates.ts'
import type { DeclaredFilters } from './targeting.ts'

/**
 * The errors and warnings for a flag's filters, one line each, by the same rules as for filters in YAML or in
 * Terraform's language.
 */
export function targetingProblems(filters: DeclaredFilters, services?: Services): Messages {
  const partly = partlyKnown(filters)
  const known = knownFilters(partly)
  const problems = checkTargeting('filters', partly, undefined, services)
  const lines = (severity: ObjectProblem['severity']) =>
    problems.filter(problem => problem.severity === severity).map(problem => inText(problem, known))
  return { errors: lines('error'), warnings: lines('warning') }
}

function inText({ inside, code, message, hint }: ProblemOf<'targeting'>, filters: Json): string {
  // That message names its conditions itself.
  const place = code === 'unreachable-condition' ? '' : placeInText(segmentsOf(inside), filters)
  const words = `${message}${hint === undefined ? '' : ` (${hint})`}`
  // Keys of variants and payloads may contain references.
  return replaceMarks(`${place === '' ? '' : `${place}: `}${inProperties(words)}`, '(reference)')
}

/** Replaces names of the wire by those of the constructs. */
function inProperties(words: string): string {
  return words
    .replaceAll('aggregation_group_type_index', 'groupTypeIndex')
    .replaceAll('"early_exit"', '"earlyExit"')
}

function placeInText([member, ...steps]: readonly string[], filters: Json): string {
  const at = (...path: (string | undefined)[]) =>
    path.reduce<unknown>((value, step) => membersOfAny(value)[step ?? ''], filters)
  if (member === 'groups' && steps[0] !== undefined) {
    const condition = `condition ${Number(steps[0]) + 1}`
    const key = steps[1] === 'properties' ? at('groups', steps[0], 'properties', steps[2], 'key') : undefined
    return typeof key === 'string' && key !== '' ? `${condition}, property ${quoted(key)}` : condition
  }
  if (member === 'multivariate' && steps[1] !== undefined) {
    const key = at('multivariate', 'variants', steps[1], 'key')
    return typeof key === 'string' && key !== ''
      ? `variant ${quoted(key)}`
      : `variant ${Number(steps[1]) + 1}`
  }
  return ''
}

function membersOfAny(value: unknown): { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
