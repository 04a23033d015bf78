import type { JsonObject } from '../model/json/json.ts'
import type { LiveState, StaleDocument, StaleFlag, StaleReason } from './document.ts'

/** What `vexil retire --json` prints without a flag, beside what every document begins with. */
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

/** What to do about a flag: a command, or in words where none does it; undefined of one that is not ready to go. */
export function nextStep({ key, isReady, environments }: StaleFlag): string | null {
  if (!isReady) return null
  const isGone = environments.every(({ declared }) => declared === 'absent')
  return isGone ? `delete the declaration of ${key}` : `vexil retire ${key}`
}
