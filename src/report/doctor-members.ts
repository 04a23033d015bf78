import type { DoctorDocument, FoundLimits, FoundService, OfferedKind, Permission } from './document.ts'

/** What `vexil doctor --json` says, member by member; what could not be asked is left out. */
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
