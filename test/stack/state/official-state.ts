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

const share = (percent: number) => ({ groups: [{ properties: [], rollout_percentage: percent }] })

/** What was live then. */
export const takenOverWorld: WorldFile = worldOf([], {
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
})
