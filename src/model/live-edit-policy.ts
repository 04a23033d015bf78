import { fileOfField, sourceField } from './field.ts'
import { type DeclarableKind, identityField, managedFields } from './kind.ts'
import { isJsonObject, type Json } from './text/json.ts'

/** The result for a field that was changed in the product: it stays, or is set to the declared value. */
export const liveEditWays = ['hold', 'revert'] as const

export type LiveEditWay = (typeof liveEditWays)[number]

/** The field for the existence of an object, in reports of live edits. */
export const existsField = 'exists'

/** The name for all fields that are not named. */
export const defaultMember = 'default'

/** The treatment of live edits of one object, field by field. */
export interface LiveEditPolicy {
  /** For fields that are not named. */
  readonly default: LiveEditWay
  /** By name; `exists` is a field as well. */
  readonly fields: Readonly<Record<string, LiveEditWay | undefined>>
  /** E-mail addresses of users that are no persons: their changes are no live edits. */
  readonly automation: readonly string[]
}

/**
 * The setting at one place: one mode for all fields, or modes by the names of fields, with `default` for the
 * others.
 */
export type GivenLiveEdits = LiveEditWay | Readonly<Record<string, LiveEditWay | undefined>>

/**
 * The defaults: people who watch a flag decide who gets it, code that somebody wrote is not lost, and the
 * repository decides everything else.
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
 * A policy with the setting of a place that is nearer to the object.
 *
 * | setting             | result                                                         |
 * |---------------------|----------------------------------------------------------------|
 * | nothing             | the policy                                                     |
 * | `revert`            | that for every field, even for those that the policy names     |
 * | `{ tags: hold }`    | that for this field, and the policy for all others             |
 * | `{ default: hold }` | that for fields that neither it nor the policy names           |
 */
export function layLiveEdits(policy: LiveEditPolicy, given: GivenLiveEdits | undefined): LiveEditPolicy {
  if (given === undefined) return policy
  if (isLiveEditWay(given)) return { ...policy, default: given, fields: {} }
  const { [defaultMember]: rest, ...fields } = given
  return { ...policy, default: rest ?? policy.default, fields: { ...policy.fields, ...fields } }
}

/** The fields of a kind that can be changed in the product, without its existence; all files are one. */
export function liveEditFields(kind: DeclarableKind): string[] {
  const fields = managedFields(kind).filter(name => name !== identityField(kind))
  return [...fields, ...(kind.lifecycle.files ? [sourceField] : [])]
}

/** The treatment of a live edit of a field. */
export function liveEditWay({ default: rest, fields }: LiveEditPolicy, field: string): LiveEditWay {
  return fields[fileOfField(field) === undefined ? field : sourceField] ?? rest
}

/** Invalid parts are skipped: the check of the place has reported them. Undefined without a setting. */
export function parseLiveEdits(value: Json | undefined): GivenLiveEdits | undefined {
  if (isLiveEditWay(value)) return value
  if (!isJsonObject(value)) return undefined
  const modes = Object.entries(value).flatMap(([name, way]) =>
    isLiveEditWay(way) ? [[name, way] as const] : [],
  )
  return Object.fromEntries(modes)
}
