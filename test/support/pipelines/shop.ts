import { onTestFinished } from 'vitest'
import { sandboxApiKey } from '../../../src/sandbox/sandbox.ts'
import type { Files } from '../folder.ts'
import { type Service, startService } from '../service.ts'
import { withReadingKey } from './reading-key.ts'
import type { Remote } from './remote.ts'

/** What a pipeline has made of what is on main. */
export interface Delivered {
  /** Whether what it has planned was carried out, all of it. */
  readonly isDone: boolean
  /** All that people are shown of it. */
  readonly shown: string
}

/** The shop on one code host, with the pipeline that is an example for that. */
export interface Shop {
  readonly service: Service
  readonly remote: Remote
  /** Plans what is on main, and applies that plan: `meanwhile` happens between the two. */
  deliver(meanwhile?: () => Promise<unknown>): Promise<Delivered>
}

/** Keys of two users: the first one reads, and what it would write is refused. */
export const shopKeys = {
  read: 'phx_key_that_reads_0000000000000000000000000',
  write: `${sandboxApiKey}_user_2`,
}

/** The service of the shop. Ends with the test. */
export async function shopService(): Promise<Service> {
  const service = await startService({ empty: false }, withReadingKey(shopKeys.read, sandboxApiKey))
  onTestFinished(service.close)
  return service
}

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
