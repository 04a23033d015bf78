import { shortDigest } from '../../../core/diff.ts'
import { isObjectValue, isWhollyKnown, memberOf, type ObjectValue, type Value } from '../../../hcl/values.ts'
import { tagSet } from '../../../model/json/canonical.ts'
import type { Json } from '../../../model/json/json.ts'
import { type DeclarableKind, managedFields, targetingField } from '../../../model/kind.ts'
import { givenTyped, targetingText } from '../../../schema/terraform/targeting-attributes.ts'
import { typedAttributes } from '../../../targeting/typed-form.ts'
import type { Session } from '../../session/session.ts'
import type { StateBase } from '../apply/remembered.ts'
import { configuredValue } from '../configured-value.ts'
import { canonicalOf, jsonOf } from '../field-value.ts'
import { withoutManagedElsewhere } from '../managed-elsewhere.ts'
import { defaultsIn, textsOf } from '../plan/tags.ts'
import type { Wanted } from '../resource-context.ts'

/**
 * What a base has of an object, each under a name of its own: its managed fields, and
 *
 * | name       | is                                                                          |
 * |------------|-----------------------------------------------------------------------------|
 * | `tags`     | the tags of the configuration with the default ones of the provider         |
 * | `tags_all` | the default ones alone, where the configuration leaves the tags to others   |
 * | `source`   | the source files that the configuration names                               |
 */
export function baseFields(kind: DeclarableKind): readonly string[] {
  const { ownedBy, files } = kind.lifecycle
  return [
    ...managedFields(kind),
    ...(ownedBy === undefined ? [] : [allTagsName]),
    ...(files ? [filesName] : []),
  ]
}

const allTagsName = 'tags_all'
const filesName = 'source'

/** Where the configuration leaves the tags to others, only the default ones are measured. */
export const defaultTagsField = allTagsName

/** The attributes that say one field of a base, those of the typed form last. */
export function attributesOf(kind: DeclarableKind, field: string): readonly string[] {
  if (field === targetingField(kind)) return [field, ...typedAttributes]
  return field === kind.lifecycle.ownedBy ? [field, allTagsName] : [field]
}

/** The base of an object that is live as a configuration wants it, but for fields that the service did not keep. */
export function appliedBase(
  { context: { kind, session }, config }: Pick<Wanted, 'context' | 'config'>,
  state: ObjectValue,
  notKept: readonly string[] = [],
): StateBase {
  const fields = baseFields(kind).flatMap(field => {
    const declared = notKept.includes(field) ? undefined : configuredForm(kind, session, field, state, config)
    return declared === undefined ? [] : [[field, shortDigest(declared)] as const]
  })
  return { at: session.runtime.now(), fields: Object.fromEntries(fields) }
}

/** What a configuration says of a field, in the form in which it is compared; undefined where it says nothing as yet. */
export function configuredForm(
  kind: DeclarableKind,
  session: Session,
  field: string,
  values: ObjectValue,
  config: ObjectValue,
): Json | undefined {
  const { ownedBy } = kind.lifecycle
  const tags = ownedBy === undefined ? null : memberOf(config, ownedBy)
  const all = memberOf(values, allTagsName)
  switch (field) {
    case allTagsName: {
      const defaults = defaultsIn(session.defaultTags)
      return tags === null && defaults.length > 0 ? tagSet([...defaults]) : undefined
    }
    case ownedBy:
      return tags !== null && isWhollyKnown(all) ? tagSet(textsOf(all)) : undefined
    case filesName:
      return isObjectValue(memberOf(config, filesName)) ? filesForm(memberOf(values, filesName)) : undefined
    default: {
      const json = jsonOf(kind, field, configuredValue(kind, field, values, config) ?? null)
      return json === undefined || json === null ? undefined : canonicalOf(kind, field, json)
    }
  }
}

/**
 * What the service holds of a field by its state, in that form: as it is compared with what is configured, then as a base
 * may have it, which may have named other members of what is managed elsewhere.
 */
export function heldForms(
  kind: DeclarableKind,
  session: Session,
  field: string,
  state: ObjectValue,
  declared: Json = null,
): readonly Json[] {
  const all = textsOf(memberOf(state, allTagsName))
  switch (field) {
    case allTagsName: {
      const defaults = textsOf(tagSet([...defaultsIn(session.defaultTags)]))
      return [tagSet(all.filter(tag => defaults.includes(tag)))]
    }
    case kind.lifecycle.ownedBy:
      return [tagSet(all)]
    case filesName:
      return [filesForm(memberOf(state, filesName)) ?? null]
    default: {
      const held = heldJson(kind, field, state)
      const forms = [
        withoutManagedElsewhere(kind, field, held, declared),
        held,
        withoutManagedElsewhere(kind, field, held),
      ]
      return forms.map(form => canonicalOf(kind, field, form))
    }
  }
}

/** What is live, where a state says it. Beside typed attributes `filters` has what they cannot say, and is no whole. */
function heldJson(kind: DeclarableKind, field: string, state: ObjectValue): Json {
  if (field !== targetingField(kind)) return jsonOf(kind, field, memberOf(state, field)) ?? null
  const held = jsonOf(kind, field, targetingText(field, state)) ?? null
  const unsaid = memberOf(state, field)
  return givenTyped(state).length > 0 && unsaid !== null
    ? { said: held, unsaid: jsonOf(kind, field, unsaid) ?? null }
    : held
}

function filesForm(files: Value): Json | undefined {
  if (!isObjectValue(files) || !isWhollyKnown(files)) return undefined
  const texts = Object.entries(files).filter((file): file is [string, string] => typeof file[1] === 'string')
  return Object.fromEntries(texts)
}
