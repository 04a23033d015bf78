import { fieldDigests } from '../../core/diff.ts'
import { canonicalField, canonicalManaged, type Live } from '../../core/live.ts'
import { readFiles } from '../../core/read/read-record.ts'
import {
  isObjectValue,
  mapMembers,
  memberOf,
  type ObjectValue,
  Unknown,
  type Value,
} from '../../hcl/values.ts'
import { type DeclarableKind, managedFields, shownFields, targetingField } from '../../model/kind.ts'
import type { JsonObject } from '../../model/text/json.ts'
import { givenTyped, targetingText } from '../../schema/terraform/terraform-attribute.ts'
import { saysTheSame, shownValue } from './field-value.ts'
import { typedState } from './plan-filters.ts'
import { addedBefore, allTags, defaultsIn, textsOf, withoutDefaults } from './propose.ts'
import type { Remembered } from './remembered.ts'
import {
  deletedMark,
  ownerAttribute,
  parentValue,
  type ResourceContext,
  shortFingerprint,
  withoutManagedElsewhere,
} from './resource-context.ts'

/**
 * Updates a state from the live object, by comparing the remembered values with the current live values.
 *
 * | the live value                                | the state keeps                          |
 * |-----------------------------------------------|------------------------------------------|
 * | is what it was when the state was last right  | its value                                |
 * | means the same as the state                   | its value                                |
 * | is anything else: drift                       | the live value, without empty parts      |
 *
 * So a person's spelling stays, however the service writes the value. A value that the service accepted but
 * did not store is reported once and not planned again.
 */
export function refresh(
  context: ResourceContext,
  state: ObjectValue,
  live: Live,
  was: Remembered,
  is: Remembered,
): ObjectValue {
  const { kind } = context
  const { ownedBy } = kind.lifecycle
  const fields = managedFields(kind)
    .filter(name => name !== ownedBy)
    .map(name => {
      const isSame = isAsBefore(name, was, is)
      return [name, refreshed(kind, name, memberOf(state, name), live.record, isSame)] as const
    })
  return {
    ...state,
    ...Object.fromEntries(fields),
    ...refreshedTyped(kind, state, live.record, was, is),
    ...(ownedBy === undefined
      ? {}
      : refreshedTags(context, ownedBy, state, live.record, isAsBefore(ownedBy, was, is))),
    ...identified(context, live),
  }
}

/** Replaces every unknown of a plan with the live value. Known values stay as planned. */
export function settled(context: ResourceContext, planned: ObjectValue, live: Live): ObjectValue {
  const { kind } = context
  const shown: ObjectValue = {
    ...Object.fromEntries(
      managedFields(kind)
        .filter(name => name in live.record)
        .map(name => [name, shownValue(kind, name, live.record)]),
    ),
    ...identified(context, live),
    ...tagsShown(context, live.record),
  }
  return mapMembers<Value, Value>(planned, (value, name) =>
    value instanceof Unknown ? memberOf(shown, name) : value,
  )
}

/** The data to remember for a state that equals the live object. */
export function remembering(kind: DeclarableKind, live: Live, before: Remembered): Remembered {
  const { origin, pending, base } = before
  const fingerprint = shortFingerprint(kind, live)
  const names = managedFields(kind).filter(name => name in live.record)
  // The fingerprint covers all of these fields. If it is unchanged, every digest is unchanged too.
  const isSame =
    fingerprint === before.fingerprint &&
    names.length === Object.keys(before.fields).length &&
    names.every(name => name in before.fields)
  return {
    fingerprint,
    fields: isSame ? before.fields : fieldDigests(canonicalManaged(kind, live.record)),
    ...(origin ? { origin } : {}),
    ...(base ? { base } : {}),
    // A change of the object ends the wait for approval.
    ...(pending && fingerprint === before.fingerprint ? { pending } : {}),
  }
}

/** Whether the live value is the same as when the state was last correct. */
function isAsBefore(name: string, was: Remembered, is: Remembered): boolean {
  return is.fields[name] !== undefined && is.fields[name] === was.fields[name]
}

/**
 * The live content of the source files in the state; after an import, all files. If the service does not show
 * them, the state stays unchanged.
 */
export async function refreshedSource(
  context: ResourceContext,
  state: ObjectValue,
  live: Live,
  isNew: boolean,
): Promise<Value> {
  const { kind, run, signal } = context
  const source = memberOf(state, 'source')
  const isTracked = isObjectValue(source)
  if (!kind.lifecycle.files || (!isTracked && !isNew)) return source
  const read = await readFiles(live, { client: run.client, signal })
  const { files } = read
  if (!files) return source
  if (!isTracked) return Object.keys(files).length > 0 ? files : null
  return Object.fromEntries(
    Object.keys(source).flatMap(name => (files[name] === undefined ? [] : [[name, files[name]]])),
  )
}

function refreshed(
  kind: DeclarableKind,
  name: string,
  value: Value,
  record: JsonObject,
  isSame: boolean,
): Value {
  // A field that the service does not return stays unchanged.
  if (!(name in record)) return value
  if (value === null) return shownValue(kind, name, record)
  if (isSame) return value
  return saysTheSame(kind, name, value, record[name]) ? value : shownValue(kind, name, record, value)
}

/** Typed attributes follow the live filters. `filters` contains the rest that they cannot express. */
function refreshedTyped(
  kind: DeclarableKind,
  state: ObjectValue,
  record: JsonObject,
  was: Remembered,
  is: Remembered,
): ObjectValue {
  const field = targetingField(kind)
  if (field === undefined || !(field in record) || givenTyped(state).length === 0) return {}
  if (saysTheSame(kind, field, targetingText(field, state), record[field])) return { [field]: null }
  if (isAsBefore(field, was, is)) return { [field]: memberOf(state, field) }
  return typedState(field, state, withoutManagedElsewhere(kind, field, record[field] ?? null))
}

function refreshedTags(
  { kind, session }: ResourceContext,
  name: string,
  state: ObjectValue,
  record: JsonObject,
  isSame: boolean,
): ObjectValue {
  if (!(name in record)) return {}
  const [own, all] = [memberOf(state, name), memberOf(state, 'tags_all')]
  if (isSame && own !== null && all !== null) return {}
  const live = canonicalField(kind, name, record[name])
  const expected = allTags(own, session.defaultTags)
  const isAsMeant =
    !(expected instanceof Unknown) && textsOf(expected).join('\n') === textsOf(live).join('\n')
  const added = [...defaultsIn(session.defaultTags), ...addedBefore(all, own)]
  return { [name]: isAsMeant ? own : withoutDefaults(live, own, added), tags_all: textsOf(live) }
}

function tagsShown({ kind, session }: ResourceContext, record: JsonObject): ObjectValue {
  const { ownedBy } = kind.lifecycle
  if (ownedBy === undefined) return {}
  const live = canonicalField(kind, ownedBy, record[ownedBy])
  return { [ownedBy]: withoutDefaults(live, null, session.defaultTags), tags_all: textsOf(live) }
}

function identified(context: ResourceContext, { id, record }: Live): ObjectValue {
  const { kind, run } = context
  const { projectId, organizationId } = run.client.target
  const owner = kind.scope === 'project' ? projectId : organizationId
  const shown = shownFields(kind).map(name => [name, shownValue(kind, name, record)] as const)
  return {
    id,
    [ownerAttribute(kind)]: owner ?? null,
    ...parentValue(context),
    ...deletedMark(kind, false),
    ...Object.fromEntries(shown),
  }
}
