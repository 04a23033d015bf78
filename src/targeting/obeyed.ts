import { type Profile, profiles } from '../model/connection/profile.ts'
import type { ByService } from '../model/field.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, pickMembers } from '../model/json/json.ts'
import type { EvaluationRules } from '../services/engines.ts'
import { behaviourOf } from '../services/index.ts'
import { operatorOf } from './operators.ts'

/**
 * Exclusion on services that ignore some ways of writing it. Inside, `not_in` and `negation` of a cohort mean the same on
 * all of them; what is sent says so in the spelling that the service obeys, and what is read means what it does there.
 *
 * | a property            | sent to a service that obeys `not_in` | to one that does not, or may not | read                          |
 * |-----------------------|---------------------------------------|----------------------------------|-------------------------------|
 * | who is not in a cohort | `not_in`                             | `not_in` with `negation`         | as the service reads it       |
 * | who is in a cohort    | `in` or nothing                       | `in` or nothing                  | the same                      |
 * | any other, negated    | as it is: a check refuses it          | as it is                         | without, if that is ignored   |
 */
export const byService: ByService = {
  toWire: (filters, services) => mapProperties(filters, property => spelledFor(property, services)),
  fromWire: (filters, services) => mapProperties(filters, property => readFrom(property, services)),
}

/** The services that a client may be talking to. */
export function servicesBehind({ profile, known }: { readonly profile: Profile; readonly known: string }) {
  return known === 'assumed' ? profiles : [profile]
}

/** Whether a property of a declaration asks for who is not in a cohort. */
export function isExclusion(property: JsonObject): boolean {
  return property.type === 'cohort' && (operatorOf(property) === 'not_in' || property.negation === true)
}

/** Whom a property of a cohort means to whoever evaluates it; undefined for nobody. */
export function membershipOf(
  property: JsonObject,
  { cohort_operators, property_negation }: EvaluationRules,
): 'in' | 'not_in' | undefined {
  const operator = operatorOf(property)
  if (cohort_operators === 'obeyed' && operator === 'not_in') return 'not_in'
  if (cohort_operators === 'obeyed' && operator !== 'in') return undefined
  return property.negation === true && property_negation === 'obeyed' ? 'not_in' : 'in'
}

function spelledFor(property: JsonObject, services: readonly Profile[]): JsonObject {
  if (property.type !== 'cohort') return property
  if (!isExclusion(property)) return property
  const isObeyed = services.every(profile => behaviourOf(profile).cohort_operators === 'obeyed')
  const spelled = { ...property, operator: 'not_in' }
  return isObeyed ? without(spelled, 'negation') : { ...spelled, negation: true }
}

function readFrom(property: JsonObject, services: readonly Profile[]): JsonObject {
  const rules = services.map(behaviourOf)
  const { type, negation } = property
  const operator = operatorOf(property)
  if (type !== 'cohort') {
    const isIgnored = negation === true && rules.every(each => each.property_negation === 'ignored')
    return isIgnored ? without(property, 'negation') : property
  }
  if (negation !== true && operator === 'in') return property
  const [membership, ...others] = new Set(rules.map(each => membershipOf(property, each)))
  // Which of the two it means shows only once it is known which service it is.
  if (others.length > 0) return property
  if (membership === 'in') return { ...without(property, 'negation'), operator: 'in' }
  if (membership === 'not_in' && operator === 'not_in') return property
  return membership ? { ...property, operator: 'not_in' } : without(property, 'negation')
}

/** The same filters where no property is another one. */
function mapProperties(filters: Json, form: (property: JsonObject) => JsonObject): Json {
  if (!isJsonObject(filters) || !isJsonArray(filters.groups)) return filters
  const groups = mapped(filters.groups, condition => {
    if (!isJsonObject(condition) || !isJsonArray(condition.properties)) return condition
    const properties = mapped(condition.properties, each => (isJsonObject(each) ? form(each) : each))
    return properties === condition.properties ? condition : { ...condition, properties }
  })
  return groups === filters.groups ? filters : { ...filters, groups }
}

function mapped(list: readonly Json[], form: (element: Json) => Json): readonly Json[] {
  const formed = list.map(form)
  return formed.every((element, index) => element === list[index]) ? list : formed
}

function without(property: JsonObject, name: string): JsonObject {
  return pickMembers(property, (_, member) => member !== name)
}
