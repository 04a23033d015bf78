/** Recognizes one refusal of the service, and has a remedy for it. */
export interface Refusal {
  readonly status: number
  /** The error code, if it alone identifies the refusal. */
  readonly code?: string
  /** The fixed part of the error detail, because services change the wording from time to time. */
  readonly says?: RegExp
  /** The remedy: an instruction on one line. `$1` is the first group of `says`. */
  readonly remedy: string
  readonly source: `service-today ${number}`
}

export interface Refused {
  readonly status: number
  readonly code?: string | undefined
  readonly detail?: string | undefined
}

/** The known refusals with a remedy, most specific first. */
// biome-ignore format: a table
export const refusals = {
  dependents:            { status: 400, says: /flags? depends? on it/i, remedy: 'first remove it from the conditions of those flags, or turn those flags off', source: 'service-today 3' },
  dependency_turned_off: { status: 400, says: /flag it depends on is (?:disabled|off)/i, remedy: 'first turn on the flag that it depends on', source: 'service-today 3' },
  dependency_off:        { status: 400, says: /references? (?:a )?flag that is disabled/i, remedy: 'first turn on the flag in the condition', source: 'service-today 2' },
  dependency_by_key:     { status: 400, says: /must reference flag IDs/i, remedy: 'send the id of that flag; or use a declaration, which refers to it by key', source: 'service-today 2' },
  dependency_missing:    { status: 400, says: /references? (?:a )?non-existent flag/i, remedy: 'create that flag first, or correct the condition that refers to it', source: 'service-today 2' },
  dependency_circle:     { status: 400, says: /circular dependency|cannot depend on itself/i, remedy: 'remove one of these flags from the conditions of the flag before it', source: 'service-today 2' },
  variant_of_experiment: { status: 400, says: /variants?\b.*\bexperiment/i, remedy: 'keep that variant until the experiment has ended, with 0% if necessary', source: 'service-today 3' },
  key_of_experiment:     { status: 400, says: /already exists.*\bexperiment/i, remedy: 'first end the experiment of the deleted flag in the product, or use another key', source: 'service-today 2' },
  experiment:            { status: 400, says: /\bexperiment/i, remedy: 'first end the experiment in the product', source: 'service-today 3' },
  early_access_feature:  { status: 400, says: /early access feature/i, remedy: 'first remove the flag from the early access feature in the product', source: 'service-today 3' },
  session_replay:        { status: 400, says: /session replay|session recording/i, remedy: 'first remove the flag from the settings of session replay', source: 'service-today 3' },
  survey:                { status: 400, says: /\bsurvey/i, remedy: 'first end the survey in the product', source: 'service-today 3' },
  cohort_missing:        { status: 400, code: 'cohort_does_not_exist', remedy: 'correct its id in `cohorts` of the settings, or in the condition: that cohort was deleted, or is in another project', source: 'service-today 2' },
  key_characters:        { status: 400, code: 'invalid_key', remedy: 'use only letters, digits, "-" and "_" in the key', source: 'service-today 2' },
  rules_version:         { status: 400, code: 'unsupported_config_version', remedy: 'change that flag in the product: because of the version of its rules, Vexil can only turn it off or delete it', source: 'service-today 3' },
  reserved_version:      { status: 400, code: 'reserved_config_version', remedy: 'remove `version` from the filters', source: 'service-today 3' },
  dependency_version:    { status: 400, code: 'unsupported_dependency_config_version', remedy: 'remove the flag with the other rule version from the conditions', source: 'service-today 3' },
  tags_required:         { status: 400, says: /\btags?\b.*\brequired/i, remedy: "declare at least one tag: the team's policy requires one", source: 'service-today 2' },
  contexts_required:     { status: 400, says: /\bcontexts?\b.*\brequired/i, remedy: "declare at least one evaluation context: the team's policy requires one", source: 'service-today 2' },
  flag_limit:            { status: 400, says: /(?:maximum|limit)\b.*\bfeature flags|feature flags?\b.*\b(?:maximum|limit)/i, remedy: 'delete unused flags, or ask for a higher project limit', source: 'service-today 2' },
  scope:                 { status: 403, says: /missing required scope '?([\w:*]+)/i, remedy: 'add the scope $1 to the key, or use another key', source: 'service-today 9' },
  no_key:                { status: 403, says: /does not support personal api key/i, remedy: 'API keys may not do this; do it in the product', source: 'service-today 9' },
} as const satisfies Readonly<Record<string, Refusal>>

export type RefusalName = keyof typeof refusals

/** The remedy for a refusal; undefined for an unknown refusal. */
export function refusalRemedy(refused: Refused): string | undefined {
  const found = refusalOf(refused)
  if (found === undefined) return undefined
  const { says, remedy }: Refusal = refusals[found]
  const [, first = ''] = says?.exec(refused.detail ?? '') ?? []
  return remedy.replace('$1', () => first)
}

export function refusalOf({ status, code, detail = '' }: Refused): RefusalName | undefined {
  // The names are the table's own keys.
  const names = Object.keys(refusals) as readonly RefusalName[]
  return names.find(name => {
    const row: Refusal = refusals[name]
    return row.status === status && (row.code ?? code) === code && (row.says?.test(detail) ?? true)
  })
}
