import { fileOfField, sourceField } from './field.ts'
import { isJsonObject, type Json } from './json/json.ts'
import { type DeclarableKind, identityField, managedFields } from './kind.ts'

/** What becomes of a field that was changed in the product: it stays as it is there, or is set to what is declared. */
export const liveEditWays = ['hold', 'revert'] as const

export type LiveEditWay = (typeof liveEditWays)[number]

/** The field under which it is told that an object is there, or is not. */
export const existsField = 'exists'

/** The name that stands for all fields that are not named. */
export const defaultMember = 'default'

/** What becomes of live edits of one object, field by field. */
export interface LiveEditPolicy {
  /** Of fields that are not named. */
  readonly default: LiveEditWay
  /** By name; `exists` is a field as well. */
  readonly fields: Readonly<Record<string, LiveEditWay | undefined>>
  /** E-mail addresses of users that no person is behind: what they change is no live edit. */
  readonly automation: readonly string[]
}

/**
 * What one place says of it: a way for all fields, or ways by the names of fields, `default` for those that are not
 * named.
 */
export type GivenLiveEdits = LiveEditWay | Readonly<Record<string, LiveEditWay | undefined>>

/**
 * What holds where nobody says otherwise: who gets a flag is for those who watch it, code that somebody wrote is not lost,
 * and everything else is for the repository.
 */
export const defaultLiveEdits: LiveEditPolicy = {
  default: 'revert',
  fields: { active: 'hold', archived: 'hold', filters: 'hold', [sourceField]: 'hold', [existsField]: 'hold' },
  automation: [],
}

export function isLiveEditWay(value: unknown): value is LiveEditWay {
  return liveEditWays.some(way => way === value)
}

/**
 * A policy with what a place that is nearer to the object says.
 *
 * | said                | holds                                                          |
 * |---------------------|----------------------------------------------------------------|
 * | nothing             | the policy                                                     |
 * | `revert`            | that for every field, whatever the policy says of some by name |
 * | `{ tags: hold }`    | that for this field, and the policy for all others             |
 * | `{ default: hold }` | that for fields that neither it nor the policy names           |
 */
export function layLiveEdits(policy: LiveEditPolicy, said: GivenLiveEdits | undefined): LiveEditPolicy {
  if (said === undefined) return policy
  if (isLiveEditWay(said)) return { ...policy, default: said, fields: {} }
  const { [defaultMember]: rest, ...fields } = said
  return { ...policy, default: rest ?? policy.default, fields: { ...policy.fields, ...fields } }
}

/** The names of what may be changed in the product of objects of a kind, beside that they are there: its files have one together. */
export function liveEditFields(kind: DeclarableKind): string[] {
  const fields = managedFields(kind).filter(name => name !== identityField(kind))
  return [...fields, ...(kind.lifecycle.files ? [sourceField] : [])]
}

/** What becomes of a live edit of a field. */
export function liveEditWay({ default: rest, fields }: LiveEditPolicy, field: string): LiveEditWay {
  return fields[fileOfField(field) === undefined ? field : sourceField] ?? rest
}

/** What does not fit is left out: whoever checked the place has told it. Undefined where nothing is said. */
export function parseLiveEdits(value: Json | undefined): GivenLiveEdits | undefined {
  if (isLiveEditWay(value)) return value
  if (!isJsonObject(value)) return undefined
  const ways = Object.entries(value).flatMap(([name, way]) =>
    isLiveEditWay(way) ? [[name, way] as const] : [],
  )
  return Object.fromEntries(ways)
}
