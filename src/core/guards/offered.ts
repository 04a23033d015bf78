import { declarableKind } from '../../kinds/index.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import type { Problem } from '../../model/problem.ts'
import { oncePer } from '../../model/runtime.ts'
import { type Json, type JsonObject, pickMembers } from '../../model/text/json.ts'
import { profilesWith } from '../../services/differences.ts'
import type { Block, Change } from '../change.ts'
import type { Declarations, Desired } from '../desired.ts'
import { isSameField } from '../diff.ts'
import type { Snapshot } from '../read/snapshot.ts'

/** Whether a service has a field; undefined if only a write could show it. */
export type HasField = (kind: DeclarableKind, name: string) => boolean | undefined

/**
 * Which services have which fields. A service may omit an empty field, so a record proves only that the
 * fields that it shows exist.
 *
 * | the field in a record | the profile has the field | a record exists, or the profile was given | it has it |
 * |-----------------------|---------------------------|-------------------------------------------|-----------|
 * | shown                 |                           |                                           | yes       |
 * | not shown             | yes                       |                                           | yes       |
 * | not shown             | no                        | yes                                       | no        |
 * | not shown             | no                        | no                                        | unknown   |
 */
export function fieldsOf({
  live,
  undeclared = [],
  profile = 'documented',
  isGuessed,
}: Pick<Snapshot, 'live' | 'undeclared' | 'profile' | 'isGuessed'>): HasField {
  const records = new Map<string, JsonObject>()
  for (const one of [...live, ...undeclared]) if (!records.has(one.kind)) records.set(one.kind, one.record)
  return ({ name: kind, fields }, name) => {
    const offered = fields[name]?.offered
    const record = records.get(kind)
    if (!offered || (record && name in record)) return true
    if (profilesWith(offered.behaviour, offered.is).includes(profile)) return true
    return record === undefined && isGuessed ? undefined : false
  }
}

/**
 * The part of a declaration that the service has fields for, with the default for each undeclared field.
 *
 * | the service | the field                            | result                              |
 * |-------------|--------------------------------------|-------------------------------------|
 * | lacks it    | is declared as it is everywhere else | it is left out                      |
 * | lacks it    | was removed from newer services      | it is left out, with a warning      |
 * | lacks it    | is new in newer services             | it stays, and the object is blocked |
 * | shows it    | is not declared, and has a default   | it gets the default                 |
 */
export function offeredPart(
  kind: DeclarableKind,
  desired: Desired,
  has: HasField,
  live?: JsonObject,
): Desired {
  if (desired.ensure === 'absent') return desired
  const declared = lackingFields(kind, desired, has)
  const assumed = desired.isPart || !live ? [] : shownOf(assumedFields(kind), live)
  if (declared.length === 0 && assumed.length === 0) return desired
  const lacking = declared.filter(name => !kind.fields[name]?.newer || isIdle(kind, desired, name))
  if (lacking.length === 0 && assumed.length === 0) return desired
  const fields = pickMembers(desired.fields, (_, name) => !lacking.includes(name))
  const meant = assumed.map(({ name, value }) => [name, value] as const)
  return { ...desired, fields: { ...Object.fromEntries(meant), ...fields } }
}

interface AssumedField {
  readonly name: string
  readonly value: Json
}

/** Fields that a record has: none from older services. */
function shownOf(assumed: readonly AssumedField[], record: JsonObject): readonly AssumedField[] {
  return assumed.some(({ name }) => name in record) ? assumed.filter(({ name }) => name in record) : []
}

/** The defaults of undeclared fields that not every service has. */
const assumedFields = oncePer(({ fields }: DeclarableKind) =>
  Object.entries(fields).flatMap(([name, { offered, assumed }]) =>
    offered && assumed !== undefined ? [{ name, value: assumed }] : [],
  ),
)

/** Declared fields that the service does not have yet: nothing is written instead. */
export function missingFields(kind: DeclarableKind, desired: Desired, has: HasField): string[] {
  return lackingFields(kind, desired, has).filter(
    name => kind.fields[name]?.newer && !isIdle(kind, desired, name),
  )
}

/** Declared fields that the service no longer has. */
function goneFields(kind: DeclarableKind, desired: Desired, has: HasField): string[] {
  return lackingFields(kind, desired, has).filter(name => !kind.fields[name]?.newer)
}

/** Whether a declared field has the value that it would have undeclared. */
function isIdle(kind: DeclarableKind, { fields }: Desired, name: string): boolean {
  return isSameField(kind, name, fields[name] ?? null, null)
}

function lackingFields(kind: DeclarableKind, { fields, ensure }: Desired, has: HasField): readonly string[] {
  const lacking = lackingOf(has)(kind)
  if (ensure === 'absent' || lacking.size === 0) return []
  const found: string[] = []
  for (const name in fields) if (lacking.has(name)) found.push(name)
  return found
}

/** The fields of a kind that a service lacks. */
const lackingOf = oncePer((has: HasField) =>
  oncePer(
    (kind: DeclarableKind): ReadonlySet<string> =>
      new Set(Object.keys(kind.fields).filter(name => has(kind, name) === false)),
  ),
)

/**
 * Declared fields that the service does not have. A field of a newer service stops the plan, because its
 * value would be lost. A field of an older service produces a warning.
 */
export function offerProblems({ desired }: Declarations, snapshot: Snapshot): Problem[] {
  const has = fieldsOf(snapshot)
  return desired.flatMap(one => {
    const kind = declarableKind(one.kind)
    if (lackingFields(kind, one, has).length === 0) return []
    const { address, source } = one
    const at = { address, ...(source ? { source } : {}) }
    const gone = goneFields(kind, one, has).filter(name => !isIdle(kind, one, name))
    return [
      ...missingFields(kind, one, has).map((name): Problem => {
        const { reason, remedy } = notOfferedYet(name)
        return { code: 'field-not-offered', severity: 'error', message: reason, hint: remedy, ...at }
      }),
      ...gone.map(
        (name): Problem => ({
          code: 'field-gone',
          severity: 'warning',
          message: goneReason(name),
          hint: elsewhere,
          ...at,
        }),
      ),
    ]
  })
}

/** The warning for a declared field that newer services no longer have. */
export function goneReason(name: string): string {
  return `"${name}" means nothing to this service, which has it no more; it is neither compared nor sent`
}

/** Why an object with a field that the service does not know is not planned. */
export function notOfferedYet(name: string): Block {
  return {
    rule: 'invalid',
    reason: `"${name}" is declared, and this service has no such field: it would be lost`,
    remedy: elsewhere,
  }
}

const elsewhere = 'leave it out, or limit it to the environments whose service has it'

/**
 * A declaration with its level. Without a level, a grant permits editing, as on older services.
 *
 * | declared | the service has levels | it has none | unknown yet               |
 * | a level  | that one               | a problem   | that, or the change fails |
 * | a level  | that                   | a problem   | that, or the change fails |
 * | none     | the default one        | none        | decided when it is known  |
 */
export function withLevel(
  { fields, lifecycle }: DeclarableKind,
  desired: Desired,
  { hasLevels }: Pick<Snapshot, 'hasLevels'>,
): Desired {
  const level = lifecycle.levels?.field
  if (level === undefined || !hasLevels || desired.ensure === 'absent') return desired
  return { ...desired, fields: { [level]: fields[level]?.assumed ?? null, ...desired.fields } }
}

/** Whether a new grant lets its role edit: levels are listed from the lowest to the highest. */
export function givesLeaveToEdit({ kind: name, after }: Pick<Change, 'kind' | 'after'>): boolean {
  const { fields, lifecycle } = declarableKind(name)
  const field = fields[lifecycle.levels?.field ?? '']
  const level = after[lifecycle.levels?.field ?? '']
  if (level === undefined || field?.type !== 'string') return true
  const levels: readonly (Json | undefined)[] = field.oneOf ?? []
  return levels.indexOf(level) >= levels.indexOf(field.assumed)
}

/** Whether a declaration gives a level and the service has none. */
export function hasLevelInVain(
  { lifecycle }: DeclarableKind,
  { fields, ensure }: Desired,
  { hasLevels }: Pick<Snapshot, 'hasLevels'>,
): boolean {
  const { levels } = lifecycle
  return levels !== undefined && hasLevels === false && ensure === 'present' && levels.field in fields
}

/** Declared levels although the service has none: no plan is made with them. */
export function levelProblems({ desired }: Declarations, snapshot: Snapshot): Problem[] {
  return desired
    .filter(one => hasLevelInVain(declarableKind(one.kind), one, snapshot))
    .map(({ address, source }) => ({
      code: 'no-levels',
      severity: 'error',
      message: noLevels.reason,
      hint: noLevels.remedy,
      address,
      ...(source ? { source } : {}),
    }))
}

export const noLevels: Block = {
  rule: 'invalid',
  reason: 'a level is declared, and this service gives roles none: a role may edit a flag, or it may not',
  remedy: 'leave the level out, or limit the declaration to the environments whose service has levels',
}
