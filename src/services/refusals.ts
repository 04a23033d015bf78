/** Identifies one refusal of the service, and gives a remedy. */
export interface Refusal {
  readonly status: number
  /** Its code, if that alone identifies it. */
  readonly code?: string
  /** The fixed part of its detail: services change the wording from time to time. */
  readonly says?: RegExp
  /** The remedy: an order, in one line. `$1` is the first group of `says`. */
  readonly remedy: string
  readonly source: `service-today ${number}`
}

export interface Refused {
  readonly status: number
  readonly code?: string | undefined
  readonly detail?: string | undefined
}

/** The refusals of today that a person can do something about, the most special first. */
// biome-ignore format: a table
export const refusals = {
  dependents:            { status: 400, says: /flags? depends? on it/i, remedy: 'take it out of the conditions of those flags, or turn them off, first', source: 'service-today 3' },
  dependency_turned_off: { status: 400, says: /flag it depends on is (?:disabled|off)/i, remedy: 'turn the flag on that it depends on, first', source: 'service-today 3' },
  dependency_off:        { status: 400, says: /references? (?:a )?flag that is disabled/i, remedy: 'turn the flag on that the condition names, first', source: 'service-today 2' },
  dependency_by_key:     { status: 400, says: /must reference flag IDs/i, remedy: 'send the id of that flag, or declare the condition: a declaration names the key', source: 'service-today 2' },
  dependency_missing:    { status: 400, says: /references? (?:a )?non-existent flag/i, remedy: 'create that flag first, or correct the condition that names it', source: 'service-today 2' },
  dependency_circle:     { status: 400, says: /circular dependency|cannot depend on itself/i, remedy: 'remove one of these flags from the conditions of the flag before it', source: 'service-today 2' },
  variant_of_experiment: { status: 400, says: /variants?\b.*\bexperiment/i, remedy: 'keep that variant until the experiment has ended, if need be with 0%', source: 'service-today 3' },
  key_of_experiment:     { status: 400, says: /already exists.*\bexperiment/i, remedy: 'end the experiment of the deleted flag in the product first, or take another key', source: 'service-today 2' },
  experiment:            { status: 400, says: /\bexperiment/i, remedy: 'end the experiment in the product first', source: 'service-today 3' },
  early_access_feature:  { status: 400, says: /early access feature/i, remedy: 'take the flag from the early access feature in the product first', source: 'service-today 3' },
  session_replay:        { status: 400, says: /session replay|session recording/i, remedy: 'take the flag out of the settings of session replay first', source: 'service-today 3' },
  survey:                { status: 400, says: /\bsurvey/i, remedy: 'end the survey in the product first', source: 'service-today 3' },
  cohort_missing:        { status: 400, code: 'cohort_does_not_exist', remedy: 'correct its number in `cohorts` of the settings, or in the condition: that cohort was deleted, or is in another project', source: 'service-today 2' },
  key_characters:        { status: 400, code: 'invalid_key', remedy: 'take a key of letters, digits, "-" and "_" alone', source: 'service-today 2' },
  rules_version:         { status: 400, code: 'unsupported_config_version', remedy: 'change that flag in the product: its rules are of a version that can only be turned off and deleted from here', source: 'service-today 3' },
  reserved_version:      { status: 400, code: 'reserved_config_version', remedy: 'leave `version` out of the filters', source: 'service-today 3' },
  dependency_version:    { status: 400, code: 'unsupported_dependency_config_version', remedy: 'take the flag whose rules are of another version out of the conditions', source: 'service-today 3' },
  tags_required:         { status: 400, says: /\btags?\b.*\brequired/i, remedy: 'declare at least one tag: a policy of the team wants one', source: 'service-today 2' },
  contexts_required:     { status: 400, says: /\bcontexts?\b.*\brequired/i, remedy: 'declare at least one evaluation context: a policy of the team wants one', source: 'service-today 2' },
  flag_limit:            { status: 400, says: /(?:maximum|limit)\b.*\bfeature flags|feature flags?\b.*\b(?:maximum|limit)/i, remedy: 'delete flags that nobody uses, or have the limit of the project raised', source: 'service-today 2' },
  scope:                 { status: 403, says: /missing required scope '?([\w:*]+)/i, remedy: 'give the key the scope $1, or take another key', source: 'service-today 9' },
  no_key:                { status: 403, says: /does not support personal api key/i, remedy: 'no key may do this; do it in the product', source: 'service-today 9' },
} as const satisfies Readonly<Record<string, Refusal>>

export type RefusalName = keyof typeof refusals

/** The remedy for a refusal; undefined for one that is not in the table. */
export function refusalRemedy(refused: Refused): string | undefined {
  const found = refusalOf(refused)
  if (found === undefined) return undefined
  const { says, remedy }: Refusal = refusals[found]
  const [, first = ''] = says?.exec(refused.detail ?? '') ?? []
  return remedy.replace('$1', () => first)
}

/** The row of the table for a refusal. */
export function refusalOf({ status, code, detail = '' }: Refused): RefusalName | undefined {
  // The names are those of the table itself.
  const names = Object.keys(refusals) as readonly RefusalName[]
  return names.find(name => {
    const row: Refusal = refusals[name]
    return row.status === status && (row.code ?? code) === code && (row.says?.test(detail) ?? true)
  })
}
