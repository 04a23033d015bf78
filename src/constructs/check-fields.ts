import { segmentsOf } from '../model/json/pointer.ts'
import { type DeclarableKind, managedFields, targetingField } from '../model/kind.ts'
import { checkObject } from '../rules/check-object.ts'
import type { ObjectProblem } from '../rules/object-problem.ts'
import { propertyOf } from './engine/property-name.ts'
import { partlyKnown } from './synthesized/terraform-references.ts'

/** Throws the problems of properties that are fields of a kind, including missing ones. */
export function requireRight(kind: DeclarableKind, props: object): void {
  const given = new Map<string, unknown>(Object.entries(props))
  const missing = managedFields(kind).find(
    name => kind.fields[name]?.required && given.get(propertyOf(name)) === undefined,
  )
  // The compiler finds it as well, if there is one.
  if (missing !== undefined) throw new Error(`"${propertyOf(missing)}" is missing`)
  requireRightFields(kind, props)
}

/**
 * Throws the problems of some of them, all at once; references count as right. Several properties together
 * define who gets an object, so that is checked where they are combined.
 */
export function requireRightFields(kind: DeclarableKind, props: object): void {
  const given = new Map<string, unknown>(Object.entries(props))
  const names = managedFields(kind).filter(name => name !== targetingField(kind))
  const fields = names.flatMap(name => {
    const value = given.get(propertyOf(name))
    return value === undefined ? [] : [[name, partlyKnown(value)] as const]
  })
  // Only YAML warns of what newer services refuse, and only the reader of a stack knows its engines.
  const problems = checkObject(kind, Object.fromEntries(fields)).filter(
    ({ rule }) => rule !== 'characters' && rule !== 'engines',
  )
  if (problems.length > 0) throw new Error(problems.map(inText).join('; '))
}

function inText({ rule, pointer, field, message, hint }: ObjectProblem): string {
  const [, index] = segmentsOf(pointer)
  const words = message.replace(field, propertyOf(field))
  if (rule === 'length' && index !== undefined) return `${propertyOf(field)}[${index}]: ${words} (${hint})`
  return rule === 'empty' || hint === undefined ? words : `${words} (${hint})`
}
