import type { Attributes, Presence } from '../../../src/terraform/schema/schema.ts'
import { reattachSetting } from '../../../src/terraform/serve/handshake.ts'
import { startProvider } from '../../../src/terraform/serve/start.ts'
import { aHost, providerOf } from '../../terraform/support/served.ts'

/** The resources of the service's own provider that a state of the tests has, by its schema of a771afa; nothing is behind them. */
const resources: Readonly<Record<string, readonly (readonly [string, Attributes[string]])[]>> = {
  posthog_feature_flag: [
    ...texts('computed', 'project_id'),
    ...texts('required', 'key'),
    ...texts('optional+computed', 'name', 'filters'),
    ...['active', 'ensure_experience_continuity', 'deleted'].map(
      name => [name, { type: 'bool', presence: 'optional+computed' }] as const,
    ),
    ['id', { type: 'number', presence: 'computed' }],
    ['rollout_percentage', { type: 'number', presence: 'optional+computed' }],
    ['tags', { type: ['set', 'string'], presence: 'optional' }],
  ],
  posthog_access_control: [
    ...texts('computed', 'id', 'project_id', 'created_at', 'updated_at'),
    ...texts('required', 'resource', 'access_level'),
    ...texts('optional', 'resource_id', 'role', 'organization_member'),
  ],
}

function texts(presence: Presence, ...names: readonly string[]) {
  return names.map(name => [name, { type: 'string', presence }] as const)
}

/** Stands in for it: Terraform wants to know what a state is of, also to forget it. */
export async function serveOfficialProvider() {
  const { host } = aHost()
  const define = () => {
    const { resources: one, ...provider } = providerOf({ schema: { version: 0, block: { attributes: {} } } })
    const all = Object.entries(resources).map(([type, attributes]) => [
      type,
      { ...one.notes_note, schema: { version: 0, block: { attributes: Object.fromEntries(attributes) } } },
    ])
    return { ...provider, resources: Object.fromEntries(all) }
  }
  const started = await startProvider(define, host, () => undefined)
  // OpenTofu looks for what is of Terraform's registry in its own.
  const sources = ['registry.terraform.io', 'registry.opentofu.org'].map(host => `${host}/posthog/posthog`)
  const setting = reattachSetting(sources, started.address, process.pid)
  const [, running = '{}'] = /'(.*)'/.exec(setting) ?? []
  return { running: JSON.parse(running) as Record<string, unknown>, close: () => started.close() }
}
