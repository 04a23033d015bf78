/** Somebody of the company: an account in the product, and a name in git. */
export interface Person {
  readonly name: string
  readonly email: string
  /** The id of the account; everybody's key is the sandbox's with that id behind it. */
  readonly id: number
}

function person(id: number, name: string): Person {
  return { id, name, email: `${name.toLowerCase()}@example.com` }
}

/** Whose key the pull requests have. It is the first account, since only the key of that one can be limited to scopes. */
export const plans = person(1, 'Plans')

/** Whose key the merges have. */
export const deploys = person(2, 'Deploys')

/** They write declarations, each for a team. */
export const ada = person(3, 'Ada')
export const ben = person(4, 'Ben')
export const grace = person(5, 'Grace')

/** They click in the product: one is on call, one decides who gets what, one writes to customers. */
export const nora = person(6, 'Nora')
export const paul = person(7, 'Paul')
export const lena = person(8, 'Lena')

export const everybody = [plans, deploys, ada, ben, grace, nora, paul, lena] as const
