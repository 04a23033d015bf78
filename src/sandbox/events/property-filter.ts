import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import {
  compilePattern,
  isLocalOperator,
  matchCondition,
  matchProperty,
  operatorOf,
  readDate,
} from '../../targeting/index.ts'
import { contextFor, subjectOf } from '../evaluation/evaluation-for.ts'
import { knownFlags } from '../flags/flag-dependencies.ts'
import { invalid } from '../http/refusal.ts'
import type { ProjectCall } from '../resource/call.ts'
import { groupTypesOf } from '../seed/project.ts'
import type { EventRow } from '../store/rows.ts'
import { groupKey } from '../store/store.ts'
import { elementProperties, readElements, readSelector } from './elements.ts'
import { parseWhere } from './event-expression.ts'
import { personOf, readableEvent } from './event-record.ts'

export type Accepts = (event: EventRow) => boolean

/**
 * One condition on events, or a group of them: `{ "type": "OR", "values": [...] }`. [service-behaviour 6]
 *
 * | type      | looks at                                                                           |
 * |-----------|------------------------------------------------------------------------------------|
 * | `event`   | the properties of the event; the type that is meant when there is none             |
 * | `person`  | those of the person                                                                |
 * | `group`   | those of the event's group of the type at `group_type_index`                       |
 * | `element` | `tag_name`, `text` and `href` of the elements of the page, or a `selector` of them |
 * | `cohort`  | whether the person is in it                                                        |
 * | `hogql`   | the event, by the expression that is the key, in the forms that `where` takes      |
 *
 * What cannot be worked out is refused: rows that are missing would be taken for none.
 */
export function propertyFilter(call: ProjectCall, property: Json): Accepts {
  if (!isJsonObject(property)) throw invalid('properties', 'Expected a list of dictionaries.')
  const { type = 'event', values } = property
  if (isJsonArray(values) && (type === 'AND' || type === 'OR')) {
    const filters = values.map(value => propertyFilter(call, value))
    return type === 'AND'
      ? event => filters.every(accepts => accepts(event))
      : event => filters.some(accepts => accepts(event))
  }
  if (type === 'hogql') return expressionFilter(call, property)
  if (type === 'cohort' || type === 'static-cohort') return cohortFilter(call, property)
  checkOperator(property)
  switch (type) {
    case 'event':
      return event => isMet(call, property, event.properties)
    case 'person':
      return event => isMet(call, property, personOf(call, event)?.properties ?? {})
    case 'group':
      return groupFilter(call, property)
    case 'element':
      return elementFilter(call, property)
    default:
      throw invalid('properties', `Cannot filter events by properties of type "${String(type)}".`)
  }
}

function checkOperator(property: JsonObject): void {
  const operator = operatorOf(property)
  if (typeof operator !== 'string' || !isLocalOperator(operator))
    throw invalid('properties', `Operator ${JSON.stringify(operator)} is not supported.`)
  const { value = null } = property
  if (operator === 'regex' || operator === 'not_regex') {
    const pattern = compilePattern(String(value))
    if (pattern.kind !== 'ready')
      throw invalid('properties', `The pattern ${JSON.stringify(value)} cannot be searched: ${pattern.why}.`)
  }
  if (operator === 'is_date_before' || operator === 'is_date_after') {
    const reading = typeof value === 'string' ? readDate(value, 0) : { why: 'it is no text' }
    if ('why' in reading)
      throw invalid('properties', `The date ${JSON.stringify(value)} is not read: ${reading.why}.`)
  }
}

/** A property that is itself no date, or too long, is not met: no query fails over one event. */
function isMet({ now }: ProjectCall, property: JsonObject, properties: JsonObject): boolean {
  return matchProperty(property, { properties, isComplete: true, now }) === true
}

function cohortFilter(call: ProjectCall, property: JsonObject): Accepts {
  const cohort = call.store.cohorts.get(Number(property.value))
  if (cohort?.project_id !== call.project.id)
    throw invalid('properties', `Cohort with id ${JSON.stringify(property.value ?? null)} does not exist`)
  const condition = { properties: [{ ...property, type: 'cohort' }] }
  const flags = knownFlags(call)
  // Queries of events obey what flags of the same age ignore.
  const quirks = { ...call.quirks, cohort_operators: 'obeyed' as const }
  return event => {
    const person = personOf(call, event)
    return (
      person !== undefined &&
      matchCondition(condition, null, subjectOf(person), contextFor({ ...call, quirks }, person, flags)) ===
        true
    )
  }
}

/** Events name their groups as `$groups: { company: "acme" }` or, once they are taken up, as `$group_0: "acme"`. */
function groupFilter(call: ProjectCall, property: JsonObject): Accepts {
  const { store, project } = call
  const index = Number(property.group_type_index ?? 0)
  const type = groupTypesOf(project)[index]
  if (type === undefined) throw invalid('properties', `There is no group type ${index}.`)
  return ({ properties }) => {
    const named = isJsonObject(properties.$groups) ? properties.$groups[type] : undefined
    const key = named ?? properties[`$group_${index}`]
    const group =
      key === undefined ? undefined : store.groupByKey.get(groupKey(project.id, index, String(key)))
    return isMet(call, property, group?.properties ?? {})
  }
}

const negations = new Set(['is_not', 'is_not_set', 'not_icontains', 'not_regex'])

function elementFilter(call: ProjectCall, property: JsonObject): Accepts {
  if (property.key === 'selector') return selectorFilter(property)
  // "None of them" is what a negation means, and "is one of them" everything else.
  const isNegative = negations.has(String(operatorOf(property)))
  return event => {
    const elements = readElements(event.elements_chain).map(elementProperties)
    return isNegative
      ? elements.every(element => isMet(call, property, element))
      : elements.some(element => isMet(call, property, element))
  }
}

function selectorFilter(property: JsonObject): Accepts {
  const { value = null } = property
  const operator = operatorOf(property)
  const texts = (isJsonArray(value) ? value : [value]).map(String)
  const selectors = texts.map(text => {
    const meets = readSelector(text)
    if (meets) return meets
    throw invalid('properties', `The selector ${JSON.stringify(text)} is not understood.`)
  })
  if (operator !== 'exact' && operator !== 'is_not')
    throw invalid('properties', 'A selector is compared with "exact" or "is_not".')
  return event => {
    const elements = readElements(event.elements_chain)
    return selectors.some(meets => meets(elements)) === (operator === 'exact')
  }
}

function expressionFilter(call: ProjectCall, { key }: JsonObject): Accepts {
  if (typeof key !== 'string') throw invalid('properties', 'An expression is a text, given as the key.')
  const accepts = parseWhere(key, 'properties')
  return event => accepts(readableEvent(call, event))
}
