import type { WorldFile } from '../../../src/sandbox/index.ts'
import { type Leaves, leavesOf } from './leaves.ts'
import { everybody } from './people.ts'

const organization = '01900000-0000-0000-0000-000000000001'
const marketing = '01900000-0000-0000-0000-0000000000aa'

/** The projects of both environments. */
export const projects = { staging: 2, production: 1 } as const

/** The path of the flags of an environment. */
export function flagsOf(environment: Environment): string {
  return `/api/projects/${projects[environment]}/feature_flags`
}

export type Environment = keyof typeof projects

export const environments = ['staging', 'production'] as const satisfies readonly Environment[]

/** The service before the month: nobody has made a flag yet. */
export const world: WorldFile = {
  users: everybody.map(({ id, name, email }) => ({
    id,
    email,
    first_name: name,
    uuid: `01900000-0000-0000-0000-00000000010${id}`,
  })),
  organizations: [
    {
      id: organization,
      name: 'Shop',
      roles: [{ id: marketing, name: 'marketing', feature_flags_access_level: 21 }],
      projects: Object.entries(projects).map(([name, id]) => ({ id, name })),
    },
  ],
}

/** What the key of pull requests may do: nothing but read. */
export const scopes = ['feature_flag:read', 'activity_log:read', 'organization:read'] as const

/** The repository before the first apply: settings, and a file of each team. The address of the service is a variable of the pipelines. */
export const firstFiles = {
  '.gitignore': '.vexil/\nplan.json\n',
  'vexil.yaml': `version: 1

environments:
  staging: { project: "2", organization: ${organization} }
  production: { project: "1", organization: ${organization} }

roles: { marketing: ${marketing} }

# A pipeline throws its clone away: its records are kept on this ref of the remote.
runs: { ref: refs/vexil/runs }

limits: { rollout_step: 25 }

defaults:
  - { files: flags/checkout.yaml, owner: checkout }
  - { files: flags/search.yaml, owner: search }
  - { files: flags/growth.yaml, owner: growth }
`,
  'flags/checkout.yaml': `feature_flags:
  one_page_checkout:
    name: The checkout on one page
    active: true
    release:
      germany: { properties: { country: [DE] }, rollout_percentage: 20 }
      austria: { properties: { country: [AT] }, rollout_percentage: 10 }
    environments:
      staging: { release: { germany: { rollout_percentage: 100 }, austria: { rollout_percentage: 100 } } }

  express_pay:
    name: Paying with one click
    active: true
    rollout_percentage: 100
`,
  'flags/search.yaml': `feature_flags:
  new_ranking:
    name: Results in the order of the new model
    active: true
    rollout_percentage: 0
    environments:
      staging: { rollout_percentage: 100 }

  instant_results:
    name: Results while somebody types
    active: true
    rollout_percentage: 50
`,
  'flags/growth.yaml': `feature_flags:
  referral_banner:
    name: Asks customers to invite their friends
    active: true
    rollout_percentage: 25
    role_access: [marketing]

  spring_sale:
    name: Prices of the spring sale
    active: true
    rollout_percentage: 100
`,
} as const

/** What is live in an environment once those are applied. */
export function firstLeaves(environment: Environment): Leaves {
  const isStaging = environment === 'staging'
  const share = (percent: number, ...properties: readonly object[]) => ({
    ...(properties.length > 0 ? { properties } : {}),
    rollout_percentage: percent,
  })
  const country = (code: string) => ({ key: 'country', type: 'person', operator: 'exact', value: [code] })
  const flag = (name: string, owner: string, ...groups: readonly object[]) => ({
    name,
    active: true,
    tags: [`owner:${owner}`],
    filters: { groups },
  })
  return leavesOf({
    one_page_checkout: flag(
      'The checkout on one page',
      'checkout',
      share(isStaging ? 100 : 20, country('DE')),
      share(isStaging ? 100 : 10, country('AT')),
    ),
    express_pay: flag('Paying with one click', 'checkout', share(100)),
    new_ranking: flag('Results in the order of the new model', 'search', share(isStaging ? 100 : 0)),
    instant_results: flag('Results while somebody types', 'search', share(50)),
    referral_banner: {
      ...flag('Asks customers to invite their friends', 'growth', share(25)),
      grants: ['marketing'],
    },
    spring_sale: flag('Prices of the spring sale', 'growth', share(100)),
  })
}
