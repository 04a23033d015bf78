import type { JsonObject } from '../../model/json/json.ts'
import { type DeclarableKind, isTargeting, targetingField } from '../../model/kind.ts'
import { brokenTogether, isHeld } from '../../targeting/check/filter-mistakes.ts'
import type { Block } from '../change.ts'
import type { Desired, LiveOnly } from '../desired.ts'
import {
  declaredFields,
  ignoredIn,
  ignoredPlaces,
  isSameField,
  isThere,
  keepByPosition,
  placedIn,
} from '../diff.ts'
import type { Live } from '../live.ts'
import type { ObjectContext } from '../plan/object-context.ts'

/**
 * Which broken rules of a declaration are problems, compared with the live object.
 *
 * | live                             | a broken rule                                     |
 * |----------------------------------|---------------------------------------------------|
 * | nothing                          | is a problem                                      |
 * | the value, or its part, is equal | is none: nobody wrote it now, and nothing is lost |
 * | anything else                    | is a problem                                      |
 */
export function brokenRules(
  kind: DeclarableKind,
  desired: Desired,
  live: Live | undefined,
): readonly LiveOnly[] {
  const { liveOnly = [] } = desired
  if (liveOnly.length === 0 || !live) return liveOnly
  const field = targetingField(kind) ?? ''
  const declared = declaredFields(kind, desired, live)[field] ?? null
  return liveOnly.filter(({ requires }) =>
    requires.is === 'filters'
      ? !isHeld(declared, live.record[field] ?? null, requires)
      : isWritten(requires.name, desired, live),
  )
}

/** The reason if an object is not planned because its declaration is invalid compared with the live one. */
export function invalidBlock([first, ...others]: readonly LiveOnly[]): Block {
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  return {
    rule: 'invalid',
    reason: `${first?.problem.message}${more}`,
    remedy: first?.problem.hint ?? 'correct the declaration',
  }
}

/** Another guard is responsible for files that cannot be compared. */
function isWritten(name: string, { files }: Desired, live: Live): boolean {
  return live.filesUnreadable === undefined && live.files?.[name] !== files?.[name]
}

/**
 * Why declared values and places that are left to the service cannot be sent together.
 *
 * | a place that is left to the service                              | blocked |
 * |------------------------------------------------------------------|---------|
 * | is in the declared and in the live value, each once              | no      |
 * | is in the declared value alone, and all live parts are declared  | no      |
 * | the same, and was written as a position that is another one live | yes     |
 * | is ambiguous, or may be any of those that are live               | yes     |
 * | is another one to the engine, which goes by positions            | yes     |
 * | makes the whole break a rule that it does not break live         | yes     |
 */
export function ignoredBlock(
  { kind, desired, redaction }: Pick<ObjectContext, 'kind' | 'desired' | 'redaction'>,
  { record }: Live,
  after: JsonObject,
): Block | undefined {
  for (const [field, sent = null] of Object.entries(after)) {
    const ignored = ignoredIn(desired, field)
    const live = record[field] ?? null
    const places = ignoredPlaces(kind, desired, field, live)
    for (const [index, { pointer, found }] of places.entries()) {
      const isTaken = () => isThere(placedIn(kind, field, live), pointer)
      const isByPosition = () => desired.positions?.includes(ignored[index] ?? '') === true
      if (found.is === 'unclear') return unclear(desired, ignored[index], found.reason)
      if (found.is === 'new' && isByPosition() && isTaken())
        return unclear(desired, ignored[index], 'what is live at that position is another one')
    }
    if (places.length === 0) continue
    const declared = desired.fields[field] ?? null
    if (desired.positions === 'engine') {
      const byEngine = keepByPosition(kind, desired, field, { declared, live })
      if (!isSameField(kind, field, byEngine, sent))
        return unclear(
          desired,
          ignored[0],
          'the engine goes by positions, and what is live there is another one',
        )
    }
    const [broken] = isTargeting(kind, field) ? brokenTogether(sent, [declared, live]) : []
    if (broken)
      return {
        rule: 'invalid',
        reason: `together with what \`${memberOf(desired)}\` leaves to the product, ${redaction ? `a rule is broken: ${broken.code}` : broken.message}`,
        remedy: `${broken.hint ?? 'correct the declaration'}, there or in the product`,
      }
  }
  return undefined
}

function unclear(desired: Desired, place = '', reason: string): Block {
  return {
    rule: 'ignored_place',
    reason: `which part of the live flag is meant by ${place.slice(1).replaceAll('/', '.')} is unclear: ${reason}`,
    remedy: `make the declaration and the product equal but for that, or take it out of \`${memberOf(desired)}\``,
  }
}

function memberOf({ positions }: Desired): string {
  return positions === 'engine' ? 'ignore_changes' : 'ignore'
}
