import { realRuntime } from '../../src/core/real-runtime.ts'
import type { Runtime } from '../../src/model/runtime.ts'
import type { Json } from '../../src/model/text/json.ts'
import { behaviourOf } from '../../src/services/differences.ts'
import { canonicalFilters } from '../../src/targeting/index.ts'
import { grantedLevels } from '../support/granted-roles.ts'
import { type Service, startService, suiteService } from '../support/service.ts'

/** Where roles have levels, the repository gives some of them others than a grant means elsewhere. */
const { profile = 'documented' } = suiteService() ?? {}
const hasLevels = behaviourOf(profile).grants_route === 'access_controls'

/**
 * A repository whose apply makes every kind of write: creates, one of them of a flag that depends on a new one, PATCHes, a
 * restore, a deletion, grants, source files.
 */
export function faultFiles(service: Service): Record<string, string> {
  const roles = service.sandbox.summary.roles.map(({ id, name }) => `${name}: ${id}`)
  const granted = (name: string, level: string) => (hasLevels ? `{ ${name}: ${level} }` : `[${name}]`)
  return {
    'vexil.yaml': `version: 1\nparallelism: 1\nroles: { ${roles.join(', ')} }\n`,
    'flags.yaml': `feature_flags:
  brand_new: { active: true, filters: { groups: [ { rollout_percentage: 10 } ] }, tags: [one], role_access: ${granted('support', 'viewer')} }
  changed: { name: After, active: true, tags: [two], role_access: ${granted('growth', 'manager')} }
  granted: { active: true, filters: { groups: [ { rollout_percentage: 5 } ] }, role_access: ${granted('growth', 'none')} }
  comes_back: { name: Back again }
  goes_away: { ensure: absent }
  needs_new:
    active: true
    filters: { groups: [ { properties: [ { key: brand_new, type: flag, operator: flag_evaluates_to, value: true } ] } ] }
plugins:
  geoip: { plugin_type: source, description: After, source: { index.ts: "export const after = 1" } }
  fresh: { plugin_type: source, source: { index.ts: "export {}" } }
event_definitions:
  paid: { tags: [money] }
`,
  }
}

/** The service before that apply. */
export async function startFaultService(runtime: Runtime = realRuntime): Promise<Service> {
  const role = (id: string, name: string) => ({ id, name })
  const support = '01900000-0000-0000-0000-0000000000aa'
  const growth = '01900000-0000-0000-0000-0000000000bb'
  return startService({
    runtime,
    seed: {
      organizations: [
        {
          id: '01900000-0000-0000-0000-000000000001',
          name: 'Faults',
          roles: [role(support, 'support'), role(growth, 'growth')],
          plugins: [
            { name: 'geoip', plugin_type: 'source', description: 'Before', source: { 'index.ts': 'old' } },
          ],
          projects: [
            {
              id: 1,
              name: 'Faults',
              event_definitions: [{ name: 'paid' }],
              feature_flags: [
                { key: 'changed', name: 'Before', role_access: [support] },
                { key: 'comes_back', name: 'Gone', deleted: true },
                { key: 'goes_away', name: 'Goes away' },
                { key: 'granted', filters: { groups: [{ rollout_percentage: 5 }] }, role_access: [growth] },
                { key: 'not_ours', name: 'Nobody declared this' },
              ],
            },
          ],
        },
      ],
    },
  })
}

/** Everything that the apply can touch, without ids and times that depend on how often it was tried. */
export async function stateOf(service: Service) {
  const project = '/api/projects/1'
  const organization = `/api/organizations/${service.env.VEXIL_ORGANIZATION_ID}`
  const flags = (await service.get(`${project}/feature_flags/?limit=100`)) as Page<Flag>
  const plugins = (await service.get(`${organization}/plugins/?limit=100`)) as Page<Plugin>
  const definitions = (await service.get(`${project}/event_definitions/?limit=100`)) as Page<{
    name: string
    tags: unknown
  }>
  return {
    flags: await Promise.all(
      sorted(flags.results, ({ key }) => key).map(
        async ({ id, key, name, active, deleted, filters, tags }) => {
          const held = await grantedLevels(service, id)
          const granted = service.sandbox.summary.roles.filter(role => role.id in held)
          return {
            key,
            name,
            active,
            deleted,
            // Services rewrite them each in its own way.
            filters: canonicalFilters(filters),
            tags,
            roles: granted.map(role => role.name).sort(),
            levels: Object.fromEntries(granted.map(role => [role.name, held[role.id]])),
          }
        },
      ),
    ),
    plugins: await Promise.all(
      sorted(plugins.results, ({ name }) => name).map(async ({ id, name, description }) => ({
        name,
        description,
        source: await service.get(`${organization}/plugins/${id}/source/`),
      })),
    ),
    definitions: definitions.results.map(({ name, tags }) => ({ name, tags })),
  }
}

interface Page<Row> {
  readonly results: readonly Row[]
}

interface Flag {
  readonly id: number
  readonly key: string
  readonly name: string
  readonly active: boolean
  readonly deleted: boolean
  readonly filters: Json
  readonly tags: unknown
}

interface Plugin {
  readonly id: number
  readonly name: string
  readonly description: string
}

function sorted<T>(rows: readonly T[], by: (row: T) => string): T[] {
  return [...rows].sort((left, right) => (by(left) < by(right) ? -1 : 1))
}
