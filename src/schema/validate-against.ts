import validators from './validators.generated.js'

/** One violation of a schema: ajv's message, with the place as a JSON pointer. */
export interface SchemaProblem {
  readonly pointer: string
  /** The schema keyword that was not met: `type`, `enum`, `additionalProperties`, `maximum`... */
  readonly keyword: string
  readonly message: string
  readonly params: Readonly<Record<string, unknown>>
}

/** Checks a request body against the interface. Members that the interface does not name are no violation. */
export function validateBody(kind: string, endpoint: string, body: unknown): readonly SchemaProblem[] {
  return schemaProblems(`${kind}$${endpoint}`, body)
}

/** Checks one YAML file of declarations. */
export function validateDeclarationFile(value: unknown): readonly SchemaProblem[] {
  return schemaProblems('declarations', value)
}

/** Checks the settings file. */
export function validateSettings(value: unknown): readonly SchemaProblem[] {
  return schemaProblems('settings', value)
}

/** Checks a saved plan. */
export function validatePlan(value: unknown): readonly SchemaProblem[] {
  return schemaProblems('plan', value)
}

/** Checks the record of a run. */
export function validateRun(value: unknown): readonly SchemaProblem[] {
  return schemaProblems('run', value)
}

/** Checks one line of a journal. */
export function validateJournalLine(value: unknown): readonly SchemaProblem[] {
  return schemaProblems('journal', value)
}

/** Checks a world file of the sandbox. */
export function validateWorld(value: unknown): readonly SchemaProblem[] {
  return schemaProblems('world', value)
}

function schemaProblems(name: string, value: unknown): readonly SchemaProblem[] {
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
