import { canonicalValue } from '../model/json/canonical.ts'
import { isSameJson, type Json, type JsonObject, pickMembers } from '../model/json/json.ts'
import { type DeclarableKind, targetingField } from '../model/kind.ts'
import { overrideFor } from '../targeting/short/merge-short.ts'
import { shortMembers } from '../targeting/short/short-form.ts'
import type { ObjectDeclaration } from './declaration.ts'
import { shortIn } from './expanded-layer.ts'

/**
 * The overrides of an environment that make one declaration of another, member by member as files have them: laid over `shared`,
 * they say what `wanted` says. Empty where both say the same; undefined where no overrides can.
 *
 * | a member                                    | so the overrides                                            |
 * |---------------------------------------------|-------------------------------------------------------------|
 * | of the short form                           | are merged with it, as `overrideFor` has them               |
 * | any other, with another value               | name the value that is wanted                               |
 * | that says how, in `shared` alone            | say what holds where it is not named                        |
 * | any other in `shared` alone                 | cannot take it back: undefined                              |
 * | of the short form here, and `filters` there | cannot mix them: undefined                                  |
 *
 * A default of the settings is part of neither: overrides name what is to hold against it, and never repeat it.
 */
export function declarationOverride(
  { kind, defaults }: Pick<ObjectDeclaration, 'kind' | 'defaults'>,
  shared: JsonObject,
  wanted: JsonObject,
): JsonObject | undefined {
  const short = shortDifference(kind, shared, wanted)
  if (!short) return undefined
  const [ours, theirs] = [withoutShort(kind, shared), withoutShort(kind, wanted)]
  const override: Record<string, Json> = { ...short }
  for (const name of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
    // Where the settings have a default, only naming a member says that it holds.
    const below = defaults?.places.has(name) ? undefined : unnamed[name]
    const [left, value] = [ours, theirs].map(members =>
      Object.hasOwn(members, name) ? members[name] : below,
    )
    if (value === undefined) return undefined
    if (!isSameMember(kind, name, left, value)) override[name] = value
  }
  return override
}

/** What holds where neither a declaration nor a default of the settings names a member. */
const unnamed: JsonObject = {
  ensure: 'present',
  protect: false,
  sensitive: false,
  permanent: false,
  ignore: [],
  allow: [],
  live_edits: {},
  skip: false,
  payload_schema: null,
}

function shortDifference(
  kind: DeclarableKind,
  shared: JsonObject,
  wanted: JsonObject,
): JsonObject | undefined {
  const [below, short] = [shortIn(kind, shared), shortIn(kind, wanted)]
  if (!below && !short) return {}
  const field = targetingField(kind) ?? ''
  const isMixed = [shared, wanted].some(members => members[field] !== undefined)
  return isMixed || !short ? undefined : overrideFor(below ?? {}, short)
}

function withoutShort(kind: DeclarableKind, members: JsonObject): JsonObject {
  if (targetingField(kind) === undefined) return members
  return pickMembers(members, (_, name) => !shortMembers.includes(name))
}

function isSameMember(kind: DeclarableKind, name: string, left: Json | undefined, right: Json): boolean {
  if (left === undefined) return false
  const field = kind.fields[name]
  return field
    ? isSameJson(canonicalValue(field, left), canonicalValue(field, right))
    : isSameJson(left, right)
}
