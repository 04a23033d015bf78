/** Where a stack goes, and how far a release may go there. The address and the key come from the environment. */
export interface Environment {
  readonly project: string
  /** The share of the first countries that get a new thing, in percent. */
  readonly share: number
  /** No release to everybody goes further than that, in percent. */
  readonly ceiling: number
}

export const organization = '01900000-0000-0000-0000-000000000001'

export const environments = {
  staging: { project: '2', share: 100, ceiling: 100 },
  production: { project: '1', share: 25, ceiling: 50 },
} satisfies Record<string, Environment>
