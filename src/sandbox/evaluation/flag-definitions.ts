import { isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { payloadText } from '../../targeting/index.ts'
import { knownFlags, withDependencyChains } from '../flags/flag-dependencies.ts'
import { minimalFlagRecord } from '../flags/flag-record.ts'
import type { ProjectCall } from '../resource/call.ts'
import { groupTypeMapping } from '../seed/project.ts'
import { sharedCohorts } from './evaluation-for.ts'

interface Wanted {
  /** As since 2026: with inactive flags, since who finds none asks the service each time, and with how to match. */
  readonly asSince2026: boolean
  readonly withCohorts: boolean
}

/**
 * What callers need to evaluate flags by themselves. Payloads are JSON text: one that is none costs some callers all
 * of their flags. `cohorts` is an object even when it is empty.
 */
export function definitionsOf(call: ProjectCall, { asSince2026, withCohorts }: Wanted): JsonObject {
  const flags = knownFlags(call)
  const listed = call.store.liveFlags.all(call.project.id).filter(flag => asSince2026 || flag.active)
  return {
    flags: listed.map(flag => {
      const record = minimalFlagRecord(call, flag)
      const filters = withDependencyChains(flags, flag.key, record.filters ?? null)
      return {
        ...record,
        filters: withPayloadTexts(filters),
        ensure_experience_continuity: record.ensure_experience_continuity === true,
        ...(asSince2026 && flag.bucketing_identifier !== undefined
          ? { bucketing_identifier: flag.bucketing_identifier }
          : {}),
      }
    }),
    group_type_mapping: groupTypeMapping(call.project),
    cohorts: withCohorts ? sharedCohorts(call) : {},
    // By 2, SDKs compare true and false as texts; without it, or by any other, by truth. [service-today 10]
    ...(asSince2026 ? { property_matching_version: call.quirks.truth_values === 'text' ? 2 : 1 } : {}),
  }
}

function withPayloadTexts(filters: Json): Json {
  if (!isJsonObject(filters) || !isJsonObject(filters.payloads)) return filters
  const texts = Object.entries(filters.payloads).map(([name, payload]) => [name, payloadText(payload)])
  return { ...filters, payloads: Object.fromEntries(texts) }
}
