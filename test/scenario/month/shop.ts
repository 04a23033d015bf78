import type { WorldFile } from '../../../src/sandbox/index.ts'
import { emailOf, type Person } from './company.ts'

const organization = '01900000-0000-0000-0000-000000000001'

export const reads: Person = { id: 1, name: 'Reads' }
export const deploys: Person = { id: 2, name: 'Deploys' }
export const ada: Person = { id: 3, name: 'Ada' }
export const grace: Person = { id: 4, name: 'Grace' }
export const nora: Person = { id: 5, name: 'Nora' }
export const paul: Person = { id: 6, name: 'Paul' }

/** The service before the month, without a flag. */
export const world: WorldFile = {
  users: [reads, deploys, ada, grace, nora, paul].map(person => ({
    id: person.id,
    email: emailOf(person),
    first_name: person.name,
    uuid: `01900000-0000-0000-0000-00000000010${person.id}`,
  })),
  organizations: [{ id: organization, name: 'Shop', projects: [{ id: 1, name: 'production' }] }],
}

/** What the key of pull requests may do. */
export const scopes = ['feature_flag:read', 'activity_log:read', 'organization:read'] as const

/** The repository before the first apply. */
export const firstFiles = {
  '.gitignore': '.vexil/\nplan.json\n',
  'vexil.yaml': `version: 1
environments:
  production: { project: "1", organization: ${organization} }
# A pipeline throws its clone away: its records are kept on this ref of the remote.
runs: { ref: refs/vexil/runs }
limits: { rollout_step: 25 }
`,
  'flags/checkout.yaml': `feature_flags:
  one_page_checkout:
    name: The checkout on one page
    active: true
    release:
      germany: { properties: { country: [DE] }, rollout_percentage: 20 }
      austria: { properties: { country: [AT] }, rollout_percentage: 10 }

  express_pay:
    name: Paying with one click
    active: true
    rollout_percentage: 100
`,
  'flags/growth.yaml': `feature_flags:
  spring_sale:
    name: Prices of the spring sale
    active: true
    rollout_percentage: 100
`,
} as const
