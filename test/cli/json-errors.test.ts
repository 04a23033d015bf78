import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import type { Host } from '../../src/cli/host/host.ts'
import { createProgram, runCommandLine } from '../../src/cli/program.ts'
import { failureSchema } from '../../src/schema/plan-schema.ts'
import type { CliOptions, CliResult } from '../support/cli.ts'
import { jsonLines, useWorkspace, type Workspace } from '../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, service, write } = workspace

/** How each command with `--json` is called, beside its own name. A new one has to say it here. */
const calls: Readonly<Record<string, string>> = {
  validate: 'validate',
  plan: 'plan',
  show: 'show plan.json',
  apply: 'apply --auto-approve',
  drift: 'drift',
  export: 'export',
  ramp: 'ramp nothing --to 50',
  pull: 'pull nothing',
  retire: 'retire nothing',
  fmt: 'fmt nothing.yaml',
  refs: 'refs nothing',
  promote: 'promote nothing --from staging --to production',
  claim: 'claim',
  unclaim: 'unclaim',
  undo: 'undo last --auto-approve',
  disable: 'disable nothing --reason fails --auto-approve',
  enable: 'enable nothing --auto-approve',
  // The list of runs needs nothing that could fail here.
  history: 'history no-such-run',
  call: 'call feature_flag.create --body {"key":"a"}',
  // Those that could start would run until somebody ends them.
  sandbox: 'sandbox --port 0 --world nowhere.yaml',
  dev: 'dev --port 0 --set nowhere=true',
  envs: 'envs',
  compare: 'compare staging production',
  doctor: 'doctor',
  evaluate: 'evaluate',
  test: 'test nothing',
  init: 'init',
  unlock: 'unlock',
  quirks: 'sandbox quirks',
  install: 'terraform install --directory plugins',
}

const withJson = allCommands(createProgram({} as Host, { code: 0 }, runCommandLine)).filter(({ options }) =>
  options.some(({ long }) => long === '--json'),
)

const unchanged = (call: string) => call
const asking = (call: string) => call.replace('--auto-approve', '')

/** What goes wrong, how the line becomes that, and what is prepared. */
const failings: readonly (readonly [
  what: string,
  line: (call: string) => string,
  prepare: (workspace: Workspace) => Partial<CliOptions> | Promise<void> | undefined,
])[] = [
  ['an unknown option', call => `${call} --nonsense`, () => undefined],
  ['a folder that is not there', call => `${call} -C nowhere/at/all`, () => undefined],
  ['an environment that is not there', call => `${call} --env nowhere`, () => undefined],
  ['no key', unchanged, ({ service }) => ({ env: { ...service.env, VEXIL_API_KEY: undefined } })],
  [
    'a service that is not there',
    unchanged,
    ({ service }) => ({ env: { ...service.env, VEXIL_BASE_URL: 'http://127.0.0.1:1' } }),
  ],
  [
    'a key that is refused',
    unchanged,
    ({ service }) => ({ env: { ...service.env, VEXIL_API_KEY: 'phx_another_key' } }),
  ],
  [
    'an answer of 500',
    unchanged,
    ({ service }) => service.faults('GET /* times=1000 status=500') as undefined,
  ],
  [
    'declarations with two problems',
    unchanged,
    ({ write }) => write({ 'flags.yaml': 'feature_flags: { a: { actve: true }, b: { nme: b } }\n' }),
  ],
  ['settings with a problem', unchanged, ({ write }) => write({ 'vexil.yaml': 'version: 1\nroels: {}\n' })],
  [
    'writes that the service refuses',
    unchanged,
    ({ service }) => service.faults('POST /* times=1000 status=400') as undefined,
  ],
  ['a no from the person', asking, () => ({ answer: 'no' })],
  ['nobody to ask', asking, () => undefined],
]

describe('--json where a command fails', () => {
  it('is called here for every command that has it', () => {
    expect(Object.keys(calls).sort()).toEqual(withJson.map(({ name }) => name).sort())
  })

  it.each(Object.entries(calls))(
    'prints a document with errors for each failure of %s',
    async (name, call) => {
      let failures = 0
      for (const [what, lineOf, prepare] of failings) {
        await write({ 'plan.json': '{"format_version":"9.9"}' })
        const options = (await prepare(workspace())) ?? undefined
        const result = await vexil(`${lineOf(call)} --json`, options)
        service.faults()
        await write({ 'vexil.yaml': 'version: 1\n', 'flags.yaml': 'feature_flags: {}\n' })
        if (result.code === 0 || result.code === 6) continue
        failures += 1
        expectErrors(result, `${name}: ${what}`)
      }
      expect(failures).toBeGreaterThan(1)
    },
  )

  it('has the problems of files with their positions, one by one', async () => {
    await write({ 'flags.yaml': 'feature_flags:\n  a: { actve: true }\n  b: { nme: b }\n' })
    const { code, stdout } = await vexil('plan --json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toEqual({
      format_version: '1.0',
      exit_code: 1,
      errors: [
        {
          code: 'unknown-key',
          message: '"actve" is not a field of a flag',
          hint: 'did you mean "active"?',
          source: { file: 'flags.yaml', line: 2, column: 8 },
          address: 'feature_flag.a',
        },
        {
          code: 'unknown-key',
          message: '"nme" is not a field of a flag',
          hint: 'did you mean "name"?',
          source: { file: 'flags.yaml', line: 3, column: 8 },
          address: 'feature_flag.b',
        },
      ],
    })
  })
})

const isDescribed = new Ajv2020({ allowUnionTypes: true }).compile({
  ...failureSchema(),
  unevaluatedProperties: true,
})

function expectErrors({ stdout, stderr, code }: CliResult, what: string): void {
  // A command that says one thing prints one document; one that tells its progress, a line each.
  const document = stdout.startsWith('{\n') ? JSON.parse(stdout) : jsonLines(stdout).at(-1)
  expect(document.errors, `${what}: ${stdout}${stderr}`).not.toEqual([])
  for (const { message } of document.errors) expect(message, what).toEqual(expect.stringMatching(/\S/))
  if ('exit_code' in document) {
    expect(document.exit_code, what).toBe(code)
    expect(isDescribed(document), JSON.stringify(isDescribed.errors)).toBe(true)
  }
}

function allCommands(command: Command): { readonly name: string; readonly options: Command['options'] }[] {
  const below = command.commands.flatMap(allCommands)
  return command.parent ? [{ name: command.name(), options: command.options }, ...below] : below
}
