import { fileOfField, sourceField } from './field.ts'
import { type DeclarableKind, identityField, managedFields } from './kind.ts'
import { isJsonObject, type Json } from './text/json.ts'

/** If a field was changed in the product: keep the live value, or write the declared value. */
export const liveEditWays = ['hold', 'revert'] as const

export type LiveEditWay = (typeof liveEditWays)[number]

/** The field name for the existence of an object, in reports of live edits. */
export const existsField = 'exists'

/** The name for all fields without their own entry. */
export const defaultMember = 'default'

/** How live edits of one object are treated, by field. */
export interface LiveEditPolicy {
  /** For fields without their own entry. */
  readonly default: LiveEditWay
  /** By field name, including `exists`. */
  readonly fields: Readonly<Record<string, LiveEditWay | undefined>>
  /** E-mail addresses of users that are not persons. Their changes are not live edits. */
  readonly automation: readonly string[]
}

/** One `live_edits` setting: a mode for all fields, or modes by field name, with `default` for the others. */
export type GivenLiveEdits = LiveEditWay | Readonly<Record<string, LiveEditWay | undefined>>

/**
 * The defaults: live targeting is kept, because people who watch a flag decide who gets it; edited code is
 * not lost; the repository decides everything else.
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
 * Merges a policy with a more specific setting.
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

/** Without the existence of the object. All source files are one field. */
export function liveEditFields(kind: DeclarableKind): string[] {
  const fields = managedFields(kind).filter(name => name !== identityField(kind))
  return [...fields, ...(kind.lifecycle.files ? [sourceField] : [])]
}

export function liveEditWay({ default: rest, fields }: LiveEditPolicy, field: string): LiveEditWay {
  return fields[fileOfField(field) === undefined ? field : sourceField] ?? rest
}

/** Skips invalid parts, which the check of the setting has reported. Undefined without a setting. */
export function parseLiveEdits(value: Json | undefined): GivenLiveEdits | undefined {
  if (isLiveEditWay(value)) return value
  if (!isJsonObject(value)) return undefined
  const modes = Object.entries(value).flatMap(([name, way]) =>
    isLiveEditWay(way) ? [[name, way] as const] : [],
  )
  return Object.fromEntries(modes)
}
