import { code, table } from '../../schema/reference/reference-page.ts'
import { sdkRoutes } from '../http/sdk-routes.ts'

/** The page of the sandbox, in Markdown. */
export function sandboxReference(): string {
  return [
    '# The sandbox',
    '',
    '`vexil sandbox` runs a stand-in of the service. It answers every operation of the interface, and what SDKs ask. `npm run generate` computes this page.',
    '',
    '| you want | command |',
    '|---|---|',
    '| a server | `vexil sandbox --port 8100`; it prints what to export |',
    '| no server | `--sandbox` with any command: kept in `.vexil/sandbox` |',
    '| content of your own | `--world FILE` ([schema](../schemas/world.schema.json)) |',
    '| content that stays | `--data FOLDER` |',
    '| another service | `--profile posthog` or `--profile posthog-2026`; the default is `documented` |',
    '| one behaviour of a service | `--quirk NAME=VALUE`; `vexil sandbox quirks` lists all ([meanings](services.md#differences)) |',
    '| a key with few scopes | `--scope feature_flag:read`, repeatable |',
    '| errors and lost answers | `--fault`; `vexil sandbox --help` shows how |',
    '| a container to reach it | `--allow-host NAME`: it answers only to loopback and to the address that it listens on |',
    '',
    'The key belongs to the first user. Every other user has the same key with `_user_` and their id behind it, such as',
    '`phx_sandbox_local_only_000000000000000000000_user_2`. Use it to change a flag as somebody else; the activity trail shows who it was.',
    '',
    '## What SDKs ask',
    '',
    'Give an SDK the address of the sandbox as its host, and the project token that `vexil sandbox` prints (`api_token` of a world sets it).',
    'Every profile answers, with or without a slash at the end. Payloads are JSON text.',
    '',
    ...table(['Route', 'Answer'], sdkRows()),
    '## What is undecided',
    '',
    'The sandbox evaluates conditions as the service of its profile does. If it cannot (a pattern that looks around, what people did, a text that is no date),',
    'it never answers a plain "no":',
    '',
    '| answer | shows it as |',
    '|---|---|',
    '| `my_flags`, `evaluation_reasons` | `undecided`, with the reason |',
    '| `user_blast_radius`, `create_static_cohort_for_flag` | `users_undecided` |',
    '| SDKs | `errorsWhileComputingFlags`, `failed` at the flag |',
    '| `evaluate` of `vexil/testing` | an error |',
    '',
  ].join('\n')
}

function sdkRows(): readonly (readonly string[])[] {
  return Object.entries(sdkRoutes).map(([path, { method, doc }]) => [code(`${method} ${path}`), doc])
}
