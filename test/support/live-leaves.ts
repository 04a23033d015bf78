import type { Service } from './service.ts'

/**
 * What may differ between two services that were brought to one state: numbers and times that each gives out by itself,
 * who did it, and what it makes for each flag in turn. Every other leaf has to be the same; the order of tags and of grants says
 * nothing, and a flag that a condition is about counts by its key.
 */
export const passing: ReadonlySet<string> = new Set([
  'id',
  'created_at',
  'updated_at',
  'last_called_at',
  'last_seen_at',
  'last_updated_at',
  'created_by',
  'updated_by',
  'last_modified_by',
  'usage_dashboard',
  'version',
])

type Row = Readonly<Record<string, unknown>>

/** Everything that is live in a service of today, leaf by leaf: from `flags.checkout.filters.groups.0.rollout_percentage` to 5. */
export async function liveLeaves(service: Service): Promise<Readonly<Record<string, unknown>>> {
  const project = `/api/projects/${service.env.VEXIL_PROJECT_ID}`
  const organization = `/api/organizations/${service.env.VEXIL_ORGANIZATION_ID}`
  const leaves: Record<string, unknown> = {}
  const flags = await rows(service, `${project}/feature_flags`)
  const keys = new Map(flags.map(({ id, key }) => [String(id), String(key)]))
  for (const { id, ...flag } of flags) {
    addLeaves(leaves, `flags.${flag.key}`, withKeys(flag, keys))
    const { access_controls: grants } = (await service.get(
      `${project}/feature_flags/${id}/access_controls`,
    )) as { access_controls: Row[] }
    const levels = grants.flatMap(({ role, access_level: level }) => (role ? [`${role} ${level}`] : []))
    addLeaves(leaves, `flags.${flag.key}.grants`, levels.toSorted())
  }
  for (const { id, ...plugin } of await rows(service, `${organization}/plugins`)) {
    addLeaves(leaves, `plugins.${plugin.name}`, plugin)
    addLeaves(
      leaves,
      `plugins.${plugin.name}.source`,
      await service.get(`${organization}/plugins/${id}/source`),
    )
  }
  for (const event of await rows(service, `${project}/event_definitions`))
    addLeaves(leaves, `events.${event.name}`, event)
  return leaves
}

/** A condition on another flag names that by its number. */
function withKeys(value: unknown, keys: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map(each => withKeys(each, keys))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [name, withKeys(member, keys)] as const)
  const made: Row = Object.fromEntries(members)
  return made.type === 'flag' ? { ...made, key: keys.get(String(made.key)) } : made
}

async function rows(service: Service, path: string): Promise<Row[]> {
  const { results } = (await service.get(path)) as { results: Row[] }
  const name = (row: Row) => String(row.key ?? row.name)
  return results.toSorted((one, other) => (name(one) < name(other) ? -1 : 1))
}

function addLeaves(leaves: Record<string, unknown>, path: string, value: unknown): void {
  const isInside = typeof value === 'object' && value !== null && Object.keys(value).length > 0
  if (!isInside) {
    leaves[path] = value
    return
  }
  const isTags = path.endsWith('.tags') && Array.isArray(value)
  for (const [name, member] of Object.entries(isTags ? value.toSorted() : value)) {
    if (!passing.has(name)) addLeaves(leaves, `${path}.${name}`, member)
  }
}
