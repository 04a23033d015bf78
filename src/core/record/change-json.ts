import { isJsonArray, type Json, type JsonObject } from '../../model/json/json.ts'
import { oncePer } from '../../model/runtime/once-per.ts'
import type { Blocked, Change, Drift } from '../change.ts'
import type { RiskReason } from '../plan/summary/risk-reasons.ts'

/**
 * A change as it stands in plan files, records of runs and `--json`: the same members in snake case, but for the version.
 * Reading it back is exact, which a property test holds. An apply asks for the same one several times.
 */
export const changeToJson = oncePer((change: Change): JsonObject => {
  const {
    fingerprint,
    dependsOn,
    filesBefore,
    source,
    exposure,
    flippedTests,
    parent,
    names,
    renameOf,
    summary,
    allowed,
    riskReasons,
    sensitive,
    hidden,
    digests,
    version: _,
    ...same
  } = change
  return {
    ...same,
    fingerprint,
    risk_reasons: riskReasons.map(reason => ({ ...reason })),
    summary: [...summary],
    allowed: [...allowed],
    depends_on: [...dependsOn],
    ...(filesBefore ? { files_before: filesBefore } : {}),
    ...(parent ? { parent: { ...parent } } : {}),
    ...(names ? { names: names.map(name => ({ ...name })) } : {}),
    ...(flippedTests ? { flipped_tests: { ...flippedTests } } : {}),
    ...(exposure ? { exposure: { ...exposure } } : {}),
    ...(renameOf ? { rename_of: { ...renameOf } } : {}),
    ...(sensitive === undefined ? {} : { sensitive: sensitive === true ? sensitive : [...sensitive] }),
    ...(hidden ? { hidden: [...hidden] } : {}),
    ...(digests ? { digests: { ...digests } } : {}),
    ...(source ? { source: { ...source } } : {}),
  }
})

/** Reads a change back from a document whose shape was checked against the plan schema. */
export function changeFromJson(json: JsonObject): Change {
  const { depends_on, files_before, rename_of, risk_reasons, flipped_tests, ...same } = json
  return {
    // The schema gives what is left the members of a change.
    ...(same as unknown as Omit<
      Change,
      'dependsOn' | 'filesBefore' | 'renameOf' | 'riskReasons' | 'flippedTests'
    >),
    dependsOn: isJsonArray(depends_on) ? depends_on.map(String) : [],
    // The schema gives it the members of reasons.
    riskReasons: risk_reasons as unknown as RiskReason[],
    ...flippedFrom(flipped_tests),
    // The schema gives it the members of a reference.
    ...(rename_of === undefined ? {} : { renameOf: rename_of as unknown as Change['renameOf'] }),
    // The schema lets nothing into it but texts and null.
    ...(files_before === undefined ? {} : { filesBefore: files_before as Change['filesBefore'] }),
  }
}

function flippedFrom(flipped: Json | undefined): Pick<Change, 'flippedTests'> {
  if (flipped === undefined) return {}
  // The schema gives it the two counts.
  return { flippedTests: flipped as unknown as NonNullable<Change['flippedTests']> }
}

export function blockedToJson({ summary, source, ...same }: Blocked): JsonObject {
  return { ...same, summary: [...summary], ...(source ? { source: { ...source } } : {}) }
}

export function blockedFromJson(json: JsonObject): Blocked {
  // The schema gives it the members of something blocked.
  return json as unknown as Blocked
}

export function driftToJson({ summary, fields, source, ...same }: Drift): JsonObject {
  return { ...same, fields: [...fields], summary: [...summary], ...(source ? { source: { ...source } } : {}) }
}

/** Reads drift back, as a change is read. */
export function driftFromJson(json: JsonObject): Drift {
  // The schema gives it the members of drift.
  return json as unknown as Drift
}
