import type { JsonObject } from '../../../model/json/json.ts'
import { isTargeting } from '../../../model/kind.ts'
import { brokenTogether } from '../../../targeting/index.ts'
import type { Block } from '../../change.ts'
import type { Desired } from '../../desired.ts'
import { isSameField } from '../../diff.ts'
import { ignoredIn, ignoredPlaces, isThere, keepByPosition, placedIn } from '../../ignored-places.ts'
import type { Live } from '../../live.ts'
import type { ObjectContext } from '../object/object-context.ts'

/**
 * Why what is declared and what is left to the service cannot be sent together.
 *
 * | a place that is left to the service                                  | blocked |
 * |----------------------------------------------------------------------|---------|
 * | is in what is declared and in what is live, each once                | no      |
 * | is in what is declared alone, and all that is live is declared       | no      |
 * | the same, and was written as a position that something else has live | yes     |
 * | cannot be told from others, or may be any of those that are live     | yes     |
 * | is another one to the engine, which goes by positions                | yes     |
 * | makes the whole break a rule that it does not break live             | yes     |
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
