import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { type Evaluation, payloadText, type Subject } from '../../targeting/index.ts'
import { uuidFrom } from '../draw-uuid.ts'
import { type Answer, jsonAnswer, missingField } from '../http/refusal.ts'
import type { ProjectCall } from '../resource/resource.ts'
import type { FlagRow } from '../store/rows.ts'
import { distinctIdIn } from './capture.ts'
import { evaluationFor } from './evaluation-for.ts'

interface Evaluated {
  readonly flag: FlagRow
  readonly evaluation: Evaluation
}

/** The configuration that browsers get with their flags; nothing makes them send more. [sdk-routes 4] */
const quietConfig = {
  config: { enable_collect_everything: true },
  supportedCompression: ['gzip', 'gzip-js'],
  hasFeatureFlags: true,
  sessionRecording: false,
  surveys: false,
  heatmaps: false,
  capturePerformance: false,
  autocapture_opt_out: true,
  autocaptureExceptions: false,
  captureDeadClicks: false,
  siteApps: [],
  isAuthenticated: false,
  toolbarParams: {},
} as const satisfies JsonObject

/**
 * The flags of one person, as SDKs request them: `POST /decide/?v=` and `POST /flags/?v=`. [sdk-routes 2]
 *
 * | route, version          | flags                                                                    |
 * |-------------------------|--------------------------------------------------------------------------|
 * | `/decide`, 1            | `featureFlags`: the keys of those that are on                            |
 * | `/decide`, 2            | `featureFlags`: the values of those that are on                          |
 * | `/decide`, 3; `/flags`, 1 | `featureFlags`: all values, `featureFlagPayloads`: JSON texts           |
 * | `/decide`, 4; `/flags`, 2 and later | `flags`: each with its value, reason and payload              |
 */
export function remoteEvaluation(call: ProjectCall, route: 'decide' | 'flags'): Answer {
  const found = call.body.disable_flags === true ? [] : evaluated(call)
  const version = Number(call.url.searchParams.get('v') ?? 1)
  const config = route === 'decide' ? quietConfig : {}
  // A doubt is no refusal: values are still used, and clients can show that there was a problem.
  const errorsWhileComputingFlags = found.some(({ evaluation }) => evaluation.undecided !== undefined)
  return jsonAnswer({
    ...config,
    ...flagsIn(found, route === 'decide' ? version : version + 2),
    errorsWhileComputingFlags,
    requestId: uuidFrom(call.random),
    evaluatedAt: call.now,
  })
}

function flagsIn(found: readonly Evaluated[], version: number): JsonObject {
  const on = found.filter(({ evaluation }) => evaluation.value !== false)
  if (version >= 4) return { flags: Object.fromEntries(found.map(each => [each.flag.key, flagRecord(each)])) }
  if (version >= 3) return { featureFlags: valuesOf(found), featureFlagPayloads: payloadsOf(on) }
  if (version === 2) return { featureFlags: valuesOf(on) }
  return { featureFlags: on.map(({ flag }) => flag.key) }
}

function valuesOf(found: readonly Evaluated[]): JsonObject {
  return Object.fromEntries(found.map(({ flag, evaluation }) => [flag.key, evaluation.value]))
}

function payloadsOf(found: readonly Evaluated[]): JsonObject {
  const payloads = found.flatMap(({ flag, evaluation }) => {
    const text = payloadTextOf(evaluation)
    return text === null ? [] : [[flag.key, text] as const]
  })
  return Object.fromEntries(payloads)
}

function flagRecord({ flag, evaluation }: Evaluated): JsonObject {
  const { value, reason, conditionIndex = null, undecided } = evaluation
  return {
    key: flag.key,
    enabled: value !== false,
    variant: typeof value === 'string' ? value : null,
    reason: {
      code: reason,
      condition_index: conditionIndex,
      description: undecided ?? reasonText(evaluation),
    },
    metadata: {
      id: flag.id,
      version: flag.version,
      payload: payloadTextOf(evaluation),
      description: flag.name === '' ? null : flag.name,
    },
    ...(undecided === undefined ? {} : { failed: true }),
  }
}

function reasonText({ reason, conditionIndex }: Evaluation): string {
  switch (reason) {
    case 'condition_match':
      return `Matched condition set ${(conditionIndex ?? 0) + 1}`
    case 'out_of_rollout_bound':
      return 'Out of rollout bound'
    case 'holdout_condition_value':
      return 'Holdout condition value'
    case 'super_condition_value':
      return 'Super condition value'
    default:
      return 'No matching condition set'
  }
}

function payloadTextOf({ payload }: Evaluation): string | null {
  return payload === undefined ? null : payloadText(payload)
}

/** Inactive flags are not evaluated: the caller learns nothing about them. */
function evaluated(call: ProjectCall): readonly Evaluated[] {
  const { store, project, body } = call
  const wanted = isJsonArray(body.flag_keys_to_evaluate) ? body.flag_keys_to_evaluate : undefined
  const evaluate = evaluationFor(call, subjectIn(body))
  return store.liveFlags
    .all(project.id)
    .filter(flag => flag.active && (wanted === undefined || wanted.includes(flag.key)))
    .map(flag => ({ flag, evaluation: evaluate(flag) }))
}

function subjectIn(body: JsonObject): Subject {
  const { distinct_id, person_properties, groups, group_properties, device_id, $device_id } = body
  const properties = objectIn(person_properties)
  const distinctId = distinctIdIn(distinct_id)
  if (distinctId === undefined) throw missingField('distinct_id')
  // Browsers send the device beside the person, servers as a property or beside it.
  const device = $device_id ?? device_id ?? properties.$device_id
  return {
    distinctId,
    properties,
    ...(typeof device === 'string' ? { deviceId: device } : {}),
    groups: Object.fromEntries(Object.entries(objectIn(groups)).map(([type, key]) => [type, String(key)])),
    groupProperties: Object.fromEntries(
      Object.entries(objectIn(group_properties)).map(([type, known]) => [type, objectIn(known)]),
    ),
  }
}

function objectIn(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}
