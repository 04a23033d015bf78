import type { JsonObject } from '../../model/json/json.ts'
import { flagNames, isFlagId, KnownFlags } from '../../targeting/index.ts'
import { invalid } from '../http/refusal.ts'
import type { ProjectCall } from '../resource/resource.ts'
import { inContainer } from '../store/collection.ts'
import type { FlagRow } from '../store/rows.ts'
import { mapProperties } from './rewritten-filters.ts'

/** The flags that conditions of a project's flags may name. */
export function knownFlags({ store, project }: Pick<ProjectCall, 'store' | 'project'>): KnownFlags {
  return new KnownFlags(store.liveFlags.all(project.id))
}

/** Refuses a condition that names a flag in an unsupported form, or a missing flag. */
export function checkDependency(call: ProjectCall, { key = null, operator }: JsonObject): void {
  if (operator !== 'flag_evaluates_to')
    throw invalid('filters', "Flag properties must use the 'flag_evaluates_to' operator")
  const named = typeof key === 'string' ? flagNamed(call, key) : undefined
  if (named && call.quirks.filter_rules === '2026' && !named.active)
    throw invalid('filters', `Flag dependency references a flag that is disabled: ${named.key}`)
  if (named && (named.filters.version ?? 1) !== 1)
    throw invalid(
      'filters',
      `Flag dependency references a flag whose configuration version is not supported: ${named.id}`,
      'unsupported_dependency_config_version',
    )
  if (named) return
  const isKeyRefused = !takesKeys(call) && !isFlagId(String(key))
  throw invalid(
    'filters',
    isKeyRefused
      ? `Flag dependencies must reference flag IDs (integers), not flag keys. Invalid reference: '${String(key)}'`
      : `Flag dependency references non-existent flag ${JSON.stringify(key)}`,
  )
}

/** Refuses filters that would make a flag wait for itself, through any number of others. */
export function checkCircle(call: ProjectCall, flag: FlagRow, filters: JsonObject): void {
  const cameFrom = new Map<number, FlagRow>()
  const waiting: FlagRow[] = []
  const goOn = (from: FlagRow, names: readonly string[]) => {
    for (const name of names) {
      // Others may still name this key, since an older flag had it.
      const next = flagNamed(call, name) ?? (takesKeys(call) && name === flag.key ? flag : undefined)
      if (!next || cameFrom.has(next.id)) continue
      cameFrom.set(next.id, from)
      waiting.push(next)
    }
  }
  goOn(flag, flagNames(filters))
  for (const next of waiting) {
    if (next.id !== flag.id) goOn(next, flagNames(next.filters))
    else throw invalid('filters', circleText(flag, cameFrom))
  }
}

/** Refuses to remove a flag, or to switch it off, while active flags wait for it. */
export function refuseWhileNeeded(call: ProjectCall, flag: FlagRow, action: 'disable' | 'delete'): void {
  if (call.quirks.flag_dependencies === 'refused') return
  const waiting = flagsWaitingFor(call, flag).filter(({ active }) => active)
  if (waiting.length === 0) return
  const shown = waiting.slice(0, 5).map(({ key, id }) => `${key} (ID: ${id})`)
  const rest = waiting.length > shown.length ? [`and ${waiting.length - shown.length} more`] : []
  throw invalid(
    null,
    `Cannot ${action} this feature flag because other flags depend on it: ${[...shown, ...rest].join(', ')}.`,
  )
}

/** Refuses to switch on a flag that waits for one that is off. [service-today 3] */
export function refuseWithoutNeeded(call: ProjectCall, flag: FlagRow): void {
  if (call.quirks.filter_rules === '2024') return
  const off = flagNames(flag.filters).find(name => flagNamed(call, name)?.active === false)
  if (off !== undefined)
    throw invalid(null, `Cannot enable this feature flag because a flag it depends on is disabled: ${off}.`)
}

/**
 * Filters for local evaluation: flags are named by their keys, each with the flags that have to be evaluated
 * first, in order. There are none for a missing one, or one that waits for the flag itself.
 */
export function withDependencyChains(flags: KnownFlags, asking: string, filters: JsonObject): JsonObject {
  return mapProperties(filters, property => {
    if (property.type !== 'flag' || typeof property.key !== 'string') return property
    const other = flags.find(property.key)
    const isOpen = other !== undefined && !flags.isCircular(asking, other)
    const chain = isOpen ? flags.inOrder([property.key]).map(({ key }) => key) : []
    return { ...property, key: other?.key ?? property.key, dependency_chain: chain }
  })
}

function flagsWaitingFor(call: ProjectCall, flag: FlagRow): FlagRow[] {
  const { store, project } = call
  const names = [String(flag.id), flag.key].filter(name => flagNamed(call, name)?.id === flag.id)
  const waiting = new Set(names.flatMap(name => store.flagsNaming.all(inContainer(project.id, name))))
  return [...waiting].filter(({ id }) => id !== flag.id).sort((left, right) => left.id - right.id)
}

function flagNamed(call: ProjectCall, name: string): FlagRow | undefined {
  const { store, project } = call
  const byId = isFlagId(name) ? store.flags.get(Number(name)) : undefined
  if (byId?.project_id === project.id && !byId.deleted) return byId
  return takesKeys(call) ? store.liveFlag(project.id, name) : undefined
}

function circleText(flag: FlagRow, cameFrom: ReadonlyMap<number, FlagRow>): string {
  const way = [flag.key]
  for (let at = cameFrom.get(flag.id); at && at.id !== flag.id; at = cameFrom.get(at.id)) way.unshift(at.key)
  if (way.length === 1) return `Feature flag '${flag.key}' cannot depend on itself`
  return `Circular dependency detected: ${[flag.key, ...way].join(' → ')}`
}

function takesKeys({ quirks }: ProjectCall): boolean {
  return quirks.flag_dependencies === 'id_or_key'
}
