import type { ComparedRow, Comparison } from '../core/compare/comparison.ts'
import type { JsonObject } from '../model/json/json.ts'
import type {
  ComparisonDocument,
  DoctorDocument,
  FoundLimits,
  FoundService,
  LiveState,
  OfferedKind,
  Permission,
  StaleDocument,
  StaleFlag,
  StaleReason,
} from './document.ts'

/** The number of objects by result; `only` for each environment with objects that others lack. */
export interface ComparisonCounts {
  readonly equal: number
  readonly differs: number
  readonly only: Readonly<Record<string, number>>
}

export function comparisonCounts({ environments, rows }: Comparison): ComparisonCounts {
  const count = (fits: (row: ComparedRow) => boolean) => rows.filter(fits).length
  return {
    equal: count(({ verdict }) => verdict === 'equal'),
    differs: count(({ verdict }) => verdict === 'differs'),
    only: Object.fromEntries(
      environments.map(name => [
        name,
        count(row => row.verdict === 'only' && row.environments[name]?.state === 'present'),
      ]),
    ),
  }
}

/** The members of a comparison for programs: every object, even equal ones. */
export function comparisonMembers({ comparison, isLive, places }: ComparisonDocument) {
  return {
    of: isLive ? 'live' : 'declared',
    environments: comparison.environments.map(name => ({
      name,
      ...(places[name] === undefined ? {} : { place: places[name] }),
    })),
    objects: comparison.rows,
    summary: comparisonCounts(comparison),
  }
}

/** The members of `vexil doctor --json`, without those that could not be checked. */
export function doctorMembers(document: DoctorDocument) {
  const { checks, service, kinds, permissions, clock, limits, requests } = document
  const failed = checks.filter(({ verdict }) => verdict === 'failed')
  return {
    ...{ format_version: '1.1', checks },
    ...(service && { service: serviceMembers(service) }),
    ...(kinds && { kinds: kinds.map(kindMembers) }),
    ...(permissions && { permissions: permissions.map(permissionMembers) }),
    ...(clock && { clock: { ahead_ms: clock.aheadMs, tolerance_ms: clock.toleranceMs } }),
    ...(limits && { limits: limitMembers(limits) }),
    ...(requests !== undefined && { requests }),
    errors: failed.map(({ name, summary }) => ({ code: 'failed', message: `${name}: ${summary}` })),
  }
}

function serviceMembers({ profile, known, signs, possible, facts }: FoundService) {
  const { title, newestSource, version } = facts
  return {
    ...{ profile, known, signs, possible },
    facts: { title, version, ...(newestSource !== undefined && { newest_source: newestSource }) },
  }
}

function kindMembers({ kind, offered, route, reason }: OfferedKind) {
  return { kind, offered, ...(route && { route }), ...(reason && { reason }) }
}

function permissionMembers({ operation, purpose, scope, may, reason, lacksScope }: Permission) {
  return {
    ...{ operation, purpose, may },
    ...(scope && { scope }),
    ...(reason && { reason }),
    ...(lacksScope && { lacks_scope: true }),
  }
}

function limitMembers({ known, told, isThrottled }: FoundLimits) {
  return {
    known: known.map(({ of, perMinute, perHour, each }) => ({
      ...{ of, each, per_minute: perMinute },
      ...(perHour !== undefined && { per_hour: perHour }),
    })),
    ...{ told, throttled: isThrottled },
  }
}

/** What `vexil retire --json` prints without a flag, after the members that every document has. */
export function staleMembers(document: StaleDocument): JsonObject {
  const { days, environments, flags, count, permanent, searched, notes } = document
  return {
    days,
    environments: environments.map(name => name ?? null),
    flags: flags.map(flagJson),
    looked_at: count,
    permanent,
    searched: searched ?? null,
    notes: [...notes],
  }
}

function flagJson(flag: StaleFlag): JsonObject {
  const { key, address, owners, source, isReady, reasons, environments } = flag
  return {
    key,
    address,
    owners: [...owners],
    source: { ...source },
    stale: isReady ? 'everywhere' : 'partly',
    reasons: reasons.map(reasonJson),
    environments: environments.map(({ environment = null, declared, reasons: own, live }) => ({
      environment,
      declared,
      reasons: own.map(reasonJson),
      ...(live ? { live: liveJson(live) } : {}),
    })),
    next: nextStep(flag),
  }
}

function reasonJson({ reason, value, since }: StaleReason): JsonObject {
  return {
    reason,
    ...(value === undefined ? {} : { value }),
    ...(since
      ? {
          since: {
            at: new Date(since.at).toISOString(),
            days: since.days,
            at_least: since.isAtLeast,
            from: since.from,
            ...(since.name === undefined ? {} : { name: since.name }),
          },
        }
      : {}),
  }
}

function liveJson({ isThere, value, differs, lastCalled }: LiveState): JsonObject {
  return {
    there: isThere,
    value: value ?? null,
    differs,
    last_called_at: lastCalled === undefined ? null : new Date(lastCalled).toISOString(),
  }
}

/** What to do about a flag: a command, or words if no command does it; undefined if it is not ready to go. */
export function nextStep({ key, isReady, environments }: StaleFlag): string | null {
  if (!isReady) return null
  const isGone = environments.every(({ declared }) => declared === 'absent')
  return isGone ? `delete the declaration of ${key}` : `vexil retire ${key}`
}
