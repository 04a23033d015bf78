import { profiles } from '../../model/connection.ts'
import { valueCells } from '../../schema/reference/reference-services.ts'
import { code, table } from '../../schema/reference/reference-table.ts'
import { sdkRoutes } from '../evaluation/sdk-routes.ts'
import { type Quirk, quirkTable } from './quirks.ts'

/** The parts of the sandbox documentation that come from its own tables, in Markdown. */
export function sandboxReference(): string {
  return [
    '# The sandbox',
    '',
    '`vexil sandbox` answers every operation of the interface, and what SDKs ask. Emitted by `npm run generate`.',
    '',
    '## Profiles and quirks',
    '',
    'The interface document and the public service that has this interface differ. `--profile documented`, the default, follows',
    'the letter of the document, and the public service of early 2024 where the document is silent; `--profile posthog` is that',
    'service on the wire, `--profile posthog-2026` the one of autumn 2026. Each row is one behaviour, which `--quirk NAME=VALUE` sets by',
    'itself; [services.md](services.md) has the sources of those in which the profiles differ. `--scope NAME`, which may be repeated, gives the',
    'key those scopes alone, as in `feature_flag:read`; a request that needs another one gets 403.',
    '',
    'The key is that of the first user. Each other one has a key as well, the same with `_user_` and their id behind it',
    '(`phx_sandbox_local_only_000000000000000000000_user_2`): use it to change a flag as somebody else. The activity trail tells',
    'who it was. Scopes do not bind it.',
    '',
    ...table(['Quirk', ...profiles.map(code), 'Values', 'What it decides'], quirkRows()),
    '## What SDKs ask',
    '',
    'These are answered in every profile, with or without a slash at the end. A project is named by its token, which `vexil sandbox` prints',
    'and `api_token` of a world sets: give an SDK that token, and the address of the sandbox as its host. Payloads are',
    'JSON text, `cohorts` is an object, and percentages are told as they were declared: clients in Go read whole numbers alone.',
    '',
    ...table(['Route', 'Answers'], sdkRows()),
    '## What is undecided',
    '',
    'The sandbox works out conditions as the service of its profile does ([services.md](services.md)). What it cannot (a pattern that looks',
    'around or back, what people did, a text that is no date; but for `posthog-2026` newer operators and holdouts; and whatever else in',
    'filters is decided by other parts of the product) is never taken for "no" without a word: `undecided` then tells why, beside the',
    'value in `my_flags`, in the `evaluation` of `evaluation_reasons`, and with `users_undecided` in `user_blast_radius` and in',
    'the cohort of `create_static_cohort_for_flag`; SDKs get `errorsWhileComputingFlags` and `failed` on the flag; `evaluate` of',
    '`vexil/testing` rejects.',
    '',
  ].join('\n')
}

function quirkRows(): readonly (readonly string[])[] {
  return Object.entries<Quirk>(quirkTable).map(([name, quirk]) => {
    return [code(name), ...valueCells(quirk), valuesOf(quirk), quirk.doc]
  })
}

function valuesOf(quirk: Quirk): string {
  if (quirk.type === 'choice') return quirk.of.map(code).join(', ')
  return quirk.type === 'switch' ? '`true`, `false`' : 'a number'
}

function sdkRows(): readonly (readonly string[])[] {
  return Object.entries(sdkRoutes).map(([path, { method, doc }]) => [code(`${method} ${path}`), doc])
}
