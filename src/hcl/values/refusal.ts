/**
 * Something that an expression asks for and does not get: one line, lower case, with what to do about it.
 * `invalid` fails in Terraform too, and `try` and `can` may catch it there. Terraform refuses `undeclared`
 * names before it evaluates anything, so these two do not help. `unsupported` is not evaluated here; a
 * `consequence` only follows from another refusal, which is reported already.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly is: 'invalid' | 'undeclared' | 'unsupported' | 'consequence'
  readonly remedy: string | undefined
  /** The innermost function around it. */
  readonly inFunction: string | undefined

  constructor(is: Refusal['is'], message: string, remedy?: string, inFunction?: string) {
    super(message)
    this.is = is
    this.remedy = remedy
    this.inFunction = inFunction
  }
}

export function invalid(message: string, remedy?: string): Refusal {
  return new Refusal('invalid', message, remedy)
}

export function undeclared(message: string, remedy?: string): Refusal {
  return new Refusal('undeclared', message, remedy)
}

export function unsupported(message: string, remedy: string): Refusal {
  return new Refusal('unsupported', message, remedy)
}

/** Refused by Terraform, accepted by OpenTofu: if either may run it, `try` must not hide the refusal. */
export function invalidToTerraform(engine: string | undefined, message: string, remedy = elsewhere): Refusal {
  return new Refusal(engine === 'Terraform' ? 'invalid' : 'unsupported', message, remedy)
}

/** The refusal of something that depends on a refused value. */
export function consequence(): Refusal {
  return new Refusal('consequence', 'it follows from something that is refused')
}

/** The remedy for everything that only Terraform evaluates. */
export const elsewhere = 'compute it in TypeScript, or run this stack with Terraform'
