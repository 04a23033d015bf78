import type { Files } from '../folder.ts'
import type { Service } from '../service.ts'

/** The repository that pipelines are tried with: one flag for `production`, with a test of who gets it. */
export function shopFiles({ url, sandbox }: Service): Files {
  const { organization, project } = sandbox.summary
  return {
    '.gitignore': 'node_modules/\n.npm/\n.vexil/\nplan/\n.gitlab-ci-local/\n',
    'package-lock.json': '{}\n',
    'vexil.yaml': `version: 1
environments:
  production: { base_url: "${url}", project: "${project}", organization: ${organization} }
limits: { rollout_step: 100 }
runs: { ref: refs/vexil/runs }
`,
    'flags.yaml': shopFlag(0),
  }
}

/** The flag, for a share of everybody. */
export const shopFlag = (share: 0 | 100) => `feature_flags:
  checkout_v2:
    name: New checkout
    active: true
    filters: { groups: [{ rollout_percentage: ${share} }] }
    tests: [{ person: { distinct_id: anna }, expect: ${share === 100} }]
`

interface LiveFlag {
  readonly key: string
  readonly id: number
  readonly active: boolean
  readonly filters: { readonly groups: readonly { readonly rollout_percentage: number }[] }
}

export async function liveShopFlag(service: Service): Promise<LiveFlag | undefined> {
  const list = (await service.get('/api/projects/1/feature_flags/')) as { results: readonly LiveFlag[] }
  return list.results.find(({ key }) => key === 'checkout_v2')
}

/** Turns the flag on or off, as somebody does in the product. */
export async function editShopFlag(service: Service, active: boolean): Promise<void> {
  const flag = await liveShopFlag(service)
  await service.send('PATCH', `/api/projects/1/feature_flags/${flag?.id}/`, { active })
}

/** Keys of two users: what is written must be with the second one. */
export function shopKeys({ sandbox }: Service): { readonly read: string; readonly write: string } {
  const { api_key } = sandbox.summary
  return { read: api_key, write: `${api_key}_user_2` }
}
