import validators from './validators.generated.js'

/** One violation of a schema: ajv's message, with the place as a JSON pointer. */
export interface SchemaProblem {
  readonly pointer: string
  /** The schema keyword that was not met: `type`, `enum`, `additionalProperties`, `maximum`... */
  readonly keyword: string
  readonly message: string
  readonly params: Readonly<Record<string, unknown>>
}

/** The documents with a schema, and the bodies of requests by kind and endpoint. */
type Checked = 'declarations' | 'settings' | 'plan' | 'run' | 'journal' | 'world' | `${string}$${string}`

/** Checks a document, or the body of a request. Members that the interface does not name are no violation. */
export function validateAgainst(name: Checked, value: unknown): readonly SchemaProblem[] {
  const validate = validators[name]
  if (!validate) throw new RangeError(`there is no validator "${name}"`)
  if (validate(value)) return []
  // Problems in a branch are reported separately; people need not know that there is a branch.
  const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if')
  return errors.map(({ instancePath, keyword, message, params }) => ({
    pointer: instancePath,
    keyword,
    message: message ?? keyword,
    params,
  }))
}
