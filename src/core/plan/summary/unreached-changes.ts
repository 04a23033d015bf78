import { isJsonObject, isSameJson, type Json, type JsonObject } from '../../../model/json/json.ts'
import { type DeclarableKind, switchField, targetingField } from '../../../model/kind.ts'
import { compactFilters } from '../../../targeting/index.ts'
import type { Action, ExposureChange } from '../../change.ts'

/** A flag before and after, with the fields that differ. */
export interface ReleaseUpdate {
  readonly action: Action
  readonly before: JsonObject | null
  readonly after: JsonObject | null
  readonly fields: readonly string[]
}

/**
 * What changes in the release of a flag although nobody gets it who did not, and nobody loses it.
 *
 * | changes                          | nobody has the flag            | somebody has it                     |
 * |----------------------------------|--------------------------------|-------------------------------------|
 * | its existence: it comes back     | said, and whether it is off    | no such change                      |
 * | its switch                       | that it makes no difference    | the name of the field               |
 * | its targeting                    | that nobody gets it            | which part: conditions, variants, payloads |
 */
export function unreachedChanges(
  kind: DeclarableKind,
  { action, before, after, fields }: ReleaseUpdate,
  exposure: ExposureChange,
): string[] {
  const [turned = '', targeting = ''] = [switchField(kind), targetingField(kind)]
  const [isTurned, isRetargeted] = [fields.includes(turned), fields.includes(targeting)]
  if (!isTurned && !isRetargeted) return []
  if (exposure.after > 0) {
    return [
      ...(isTurned ? [`it changes ${turned}`] : []),
      ...(isRetargeted ? partsOf(before?.[targeting] ?? null, after?.[targeting] ?? null) : []),
    ]
  }
  const isOn = after?.[turned] !== false
  if (action === 'restore')
    return [`it comes back${isOn ? ', and its conditions reach nobody' : ' switched off: nobody gets it'}`]
  return [
    ...(isTurned ? [`it is turned ${isOn ? 'on' : 'off'}, and its conditions reach nobody`] : []),
    ...(isRetargeted ? [`its ${targeting} change, and nobody gets it before or after`] : []),
  ]
}

const parts: Readonly<Record<string, string>> = {
  groups: 'its conditions change, and the same people get it',
  multivariate: 'its variants change',
  payloads: 'code receives other payloads',
}

function partsOf(was: Json, becomes: Json): string[] {
  const [before, after] = [was, becomes].map(filters => {
    const compact = compactFilters(filters)
    return isJsonObject(compact) ? compact : {}
  })
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort()
  return names.flatMap(name =>
    isSameJson(before?.[name] ?? null, after?.[name] ?? null)
      ? []
      : [parts[name] ?? `${name} of its filters changes`],
  )
}
