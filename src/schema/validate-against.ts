import validators from './validators.generated.js'

/** One schema violation: ajv's message, and a JSON pointer to the place. */
export interface SchemaProblem {
  readonly pointer: string
  /** The schema keyword of the violation: `type`, `enum`, `additionalProperties`, `maximum`... */
  readonly keyword: string
  readonly message: string
  readonly params: Readonly<Record<string, unknown>>
}

/** The documents with a schema. Bodies of requests are named by kind and endpoint. */
type Checked =
  | 'declarations'
  | 'settings'
  | 'plan'
  | 'run'
  | 'journal'
  | 'world'
  | 'dev'
  | `${string}$${string}`

/** Checks a document or the body of a request. Members that the interface does not name are allowed. */
export function validateAgainst(name: Checked, value: unknown): readonly SchemaProblem[] {
  const validate = validators[name]
  if (!validate) throw new RangeError(`there is no validator "${name}"`)
  if (validate(value)) return []
  // Problems in a branch are reported separately, so people need not see the branch itself.
  const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if')
  return errors.map(({ instancePath, keyword, message, params }) => ({
    pointer: instancePath,
    keyword,
    message: message ?? keyword,
    params,
  }))
}
