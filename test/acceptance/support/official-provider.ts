import type { ObjectValue, Value } from '../../../src/hcl/values/value.ts'
import { canonicalText, type Json } from '../../../src/model/text/json.ts'
import type { Attributes, Presence } from '../../../src/terraform/provider.ts'
import { reattachSetting, startProvider } from '../../../src/terraform/serve/serve.ts'
import { aHost, providerOf } from '../../terraform/support/served.ts'

/** The resources of the service's own provider that a state of the tests has, by its schema of a771afa. */
const resources: Readonly<Record<string, readonly (readonly [string, Attributes[string]])[]>> = {
  posthog_feature_flag: [
    ...texts('required', 'key'),
    ...texts('optional+computed', 'name', 'filters', 'project_id'),
    ...['active', 'ensure_experience_continuity', 'deleted'].map(
      name => [name, { type: 'bool', presence: 'optional+computed' }] as const,
    ),
    ['id', { type: 'number', presence: 'computed' }],
    ['rollout_percentage', { type: 'number', presence: 'optional+computed' }],
    ['tags', { type: ['set', 'string'], presence: 'optional' }],
  ],
  posthog_access_control: [
    ...texts('computed', 'id', 'created_at', 'updated_at'),
    ...texts('optional+computed', 'project_id'),
    ...texts('required', 'resource', 'access_level'),
    ...texts('optional', 'resource_id', 'role', 'organization_member'),
  ],
}

function texts(presence: Presence, ...names: readonly string[]) {
  return names.map(name => [name, { type: 'string', presence }] as const)
}

type Row = Readonly<Record<string, Value>>
type Read = (path: string) => Promise<Row>

/** What an import gives a state, by the id that it takes. */
const imports: Readonly<Record<string, (id: string, read: Read) => Promise<ObjectValue>>> = {
  async posthog_feature_flag(id, read) {
    const [project = '', flag = ''] = id.split('/')
    const row = await read(`/api/projects/${project}/feature_flags/${flag}/`)
    const names = ['id', 'key', 'name', 'active', 'tags', 'ensure_experience_continuity']
    const same = Object.fromEntries(names.map(name => [name, row[name] ?? null]))
    return { ...same, project_id: project, filters: canonicalText(row.filters as Json), deleted: false }
  },
  async posthog_access_control(id, read) {
    const [project = '', resource = '', resourceId = '', , role = ''] = id.split('/')
    const path = `/api/projects/${project}/${resource}s/${resourceId}/access_controls`
    const { access_controls: rows } = await read(path)
    const row = (rows as readonly Row[] | undefined)?.find(each => each.role === role)
    return {
      ...{ id, project_id: project, resource, resource_id: resourceId, role },
      access_level: row?.access_level ?? null,
      organization_member: null,
    }
  },
}

/** Stands in for it: Terraform wants to know what a state is of, also to forget it. It reads what it imports, and writes nothing. */
export async function serveOfficialProvider() {
  const { host } = aHost()
  const define = () => {
    const { resources: one, ...provider } = providerOf({ schema: { version: 0, block: { attributes: {} } } })
    let read: Read = () => Promise.reject(new Error('it is not configured'))
    const all = Object.entries(resources).map(([type, attributes]) => [
      type,
      {
        ...one.notes_note,
        schema: { version: 0, block: { attributes: Object.fromEntries(attributes) } },
        import: async (id: string) => ({ state: (await imports[type]?.(id, read)) ?? {} }),
      },
    ])
    return {
      ...provider,
      schema: { version: 0, block: { attributes: Object.fromEntries(texts('optional', 'host', 'api_key')) } },
      resources: Object.fromEntries(all),
      configure: ({ host: url, api_key: key }: ObjectValue) => {
        read = async path => {
          const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })
          return (await answer.json()) as Row
        }
        return []
      },
    }
  }
  const started = await startProvider(define, host, () => undefined)
  // OpenTofu looks for what is of Terraform's registry in its own.
  const sources = ['registry.terraform.io', 'registry.opentofu.org'].map(host => `${host}/posthog/posthog`)
  const running = reattachSetting(sources, started.address, process.pid)
  return { running: JSON.parse(running) as Record<string, unknown>, close: () => started.close() }
}
