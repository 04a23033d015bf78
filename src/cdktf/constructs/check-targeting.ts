import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { segmentsOf } from '../../model/pointer.ts'
import { checkFilters } from '../../targeting/check-filters.ts'
import { quoted } from '../../targeting/describe.ts'
import type { FilterProblem } from '../../targeting/filter-problem.ts'
import { hasReference, isReference } from './reference.ts'
import type { DeclaredFilters } from './targeting.ts'

/** What is wrong with a flag's filters and what is only odd, each in one line. */
export interface TargetingProblems {
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}

/**
 * The same rules as for filters that are written in YAML or in Terraform's language. What is known only once a plan is
 * made counts as right, and nothing is called odd that it might set right.
 */
export function checkTargeting(filters: DeclaredFilters): TargetingProblems {
  const isWhole = !hasReference(filters)
  const known = isWhole ? (filters as Json) : knownPart(filters)
  const variants = membersOf(filters.multivariate).variants
  const variantKeysAreKnown = Array.isArray(variants)
    ? variants.every(variant => !isReference(variant) && !isReference(membersOf(variant).key))
    : !hasReference(variants)
  const problems = checkFilters(known).filter(
    ({ code }) => variantKeysAreKnown || !aboutVariantKeys.has(code),
  )
  const lines = (severity: FilterProblem['severity']) =>
    problems.filter(problem => problem.severity === severity).map(problem => inWords(problem, known))
  return { errors: lines('error'), warnings: isWhole ? lines('warning') : [] }
}

const aboutVariantKeys = new Set(['unknown-variant', 'payload-without-variant'])

/** The filters with something harmless wherever a reference stands. */
function knownPart(filters: DeclaredFilters): JsonObject {
  const members = Object.entries(filters).filter(([, member]) => !isReference(member))
  return Object.fromEntries(
    members.map(([name, member]) => {
      // What holds no reference is JSON; where it is not, that is found when its text is written.
      if (!hasReference(member)) return [name, member as Json]
      return [name, (knownForms[name] ?? withoutReferences)(member)]
    }),
  )
}

const knownForms: Readonly<Record<string, (member: unknown) => Json>> = {
  groups: groups => elements(groups, knownCondition),
  multivariate: multivariate => {
    const { variants, ...others } = membersOf(multivariate)
    return { ...withoutReferences(others), variants: knownVariants(variants) }
  },
  payloads: payloads =>
    Object.fromEntries(
      Object.entries(membersOf(payloads)).map(([key, value]) => [
        key,
        hasReference(value) ? 0 : (value as Json),
      ]),
    ),
}

function knownCondition(condition: unknown): Json {
  const { properties, ...others } = membersOf(condition)
  const known = elements(properties, property =>
    hasReference(property) ? knownProperty(membersOf(property)) : (property as Json),
  )
  return { ...withoutReferences(others), properties: known }
}

/**
 * Looking at nothing but its name, a property can have no wrong value; a cohort is always looked at by its id, and a
 * flag by what it gives.
 */
function knownProperty(property: { readonly [name: string]: unknown }): Json {
  return {
    key: 'reference',
    ...withoutReferences(property),
    operator: 'is_set',
    ...(property.type === 'cohort' ? { value: 0 } : {}),
    ...(property.type === 'flag' ? { operator: 'flag_evaluates_to', value: true } : {}),
  }
}

/** Shares that are references count as what the others leave to them. */
function knownVariants(variants: unknown): Json {
  const shares = (Array.isArray(variants) ? variants : []).map(each => membersOf(each).rollout_percentage)
  const given = shares.filter(share => typeof share === 'number' && !isReference(share)) as number[]
  const left = Math.max(0, 100 - given.reduce((sum, share) => sum + share, 0))
  const share = left / Math.max(1, shares.length - given.length)
  return elements(variants, (variant, index) => {
    const { key, rollout_percentage: percent, ...others } = membersOf(variant)
    return {
      ...withoutReferences(others),
      key: isReference(key) ? `reference ${index}` : (key as Json),
      rollout_percentage: isReference(percent) ? share : (percent as Json),
    }
  })
}

function elements(value: unknown, form: (element: unknown, index: number) => Json): Json {
  // A list that is a reference has one element, its mark.
  if (!Array.isArray(value) || (value.length === 1 && isReference(value[0]))) return []
  return value.map(form)
}

function withoutReferences(value: unknown): JsonObject {
  return Object.fromEntries(
    Object.entries(membersOf(value)).filter(([, member]) => !hasReference(member)),
  ) as JsonObject
}

function membersOf(value: unknown): { readonly [name: string]: unknown } {
  return isJsonObject(value) ? value : {}
}

function inWords({ pointer, code, message, hint }: FilterProblem, filters: Json): string {
  // That message names its conditions itself.
  const place = code === 'unreachable-condition' ? '' : placeInWords(segmentsOf(pointer), filters)
  const words = `${message}${hint === undefined ? '' : ` (${hint})`}`
  return `${place === '' ? '' : `${place}: `}${words.replaceAll('aggregation_group_type_index', 'groupTypeIndex')}`
}

function placeInWords([member, ...steps]: readonly string[], filters: Json): string {
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
