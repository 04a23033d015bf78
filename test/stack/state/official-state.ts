import { readFile } from 'node:fs/promises'
import type { WorldFile } from '../../../src/sandbox/index.ts'
import { worldOf, worldRoles } from '../../support/live-worlds.ts'

/**
 * A state as the service's own provider left it (commit a771afa of its repository) on a sandbox of `posthog-2026` with
 * Terraform 1.11.4; `posthog_access_control.support` was written by its schema.
 */
export function officialState(): Promise<string> {
  return readFile(new URL('official-provider.state.json', import.meta.url), 'utf8')
}

/** The configuration that made it, as far as Vexil reads one: resources and their lifecycles. */
export const officialConfiguration = {
  'official.tf': `resource "posthog_feature_flag" "Share" {
  key = "share"
}
resource "posthog_feature_flag" "many" {
  for_each = toset(["a", "b.c"])
  key      = "many_\${replace(each.key, ".", "_")}"
}
resource "posthog_feature_flag" "new_checkout" {
  key = "new_checkout"
}
resource "posthog_access_control" "support" {
  resource = "feature_flag"
}
module "m" {
  source = "./official"
  count  = 2
}
`,
  'official/main.tf': 'resource "posthog_feature_flag" "inner" {\n  key = "inner"\n}\n',
}

const share = (percent: number) => ({ groups: [{ properties: [], rollout_percentage: percent }] })

/** What was live then. */
const taken = {
  feature_flags: [
    { id: 4, key: 'many_b_c', name: '', active: false, filters: share(5) },
    { id: 5, key: 'many_a', name: '', active: false, filters: share(5) },
    { id: 6, key: 'inner_0', name: '', active: false, filters: share(1) },
    { id: 7, key: 'inner_1', name: '', active: false, filters: share(1) },
    {
      id: 8,
      key: 'new_checkout',
      name: 'The new checkout',
      active: true,
      tags: ['shop'],
      filters: {
        groups: [
          {
            properties: [{ key: 'country', type: 'person', operator: 'exact', value: ['DE'] }],
            rollout_percentage: 25,
          },
        ],
      },
      role_access: [worldRoles[0].name],
    },
    { id: 9, key: 'share', name: '', active: false, filters: share(40) },
  ],
}

export const takenOverWorld: WorldFile = worldOf([], taken)

/** The same beside another project, which has a flag of the same key. */
export const twoProjectsWorld: WorldFile = worldOf([], taken, {
  feature_flags: [
    { id: 20, key: 'share', name: 'Elsewhere', active: true, filters: share(70) },
    {
      id: 21,
      key: 'after',
      name: '',
      active: true,
      filters: {
        groups: [
          {
            properties: [{ key: '20', type: 'flag', operator: 'flag_evaluates_to', value: true }],
            rollout_percentage: 100,
          },
        ],
      },
    },
  ],
})
