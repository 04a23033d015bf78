/**
 * Something that an expression asks for and that is not answered: one line, lower case, with what to do about it.
 * `invalid` would fail in Terraform too, where `try` and `can` may ask for it; what is `undeclared` Terraform refuses
 * before it works anything out, so that neither helps; `unsupported` is beyond what is worked out here; a `consequence`
 * only follows from another one, which is told already.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly is: 'invalid' | 'undeclared' | 'unsupported' | 'consequence'
  readonly remedy: string | undefined
  /** The innermost function that it is about. */
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

/** What Terraform refuses and OpenTofu takes: if either may run it, nothing may hide that, as `try` would. */
export function invalidToTerraform(engine: string | undefined, message: string, remedy = elsewhere): Refusal {
  return new Refusal(engine === 'Terraform' ? 'invalid' : 'unsupported', message, remedy)
}

/** The refusal to go on from something that was refused itself. */
export function consequence(): Refusal {
  return new Refusal('consequence', 'it follows from something that is refused')
}

/** What to do about everything that only Terraform works out. */
export const elsewhere = 'compute it in TypeScript, or run this stack with Terraform'
