import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Command } from 'commander'
import { describe, expect, it, vi } from 'vitest'
import type { Host } from '../../src/cli/host/host.ts'
import { createProgram, runCommandLine } from '../../src/cli/program.ts'
import type { Document } from '../../src/report/document.ts'
import type { Format } from '../../src/report/format.ts'
import { publishedSchemas } from '../../src/schema/schemas.ts'
import type { CliOptions } from '../support/cli.ts'
import { jsonLines, support, useWorkspace, type Workspace } from '../support/workspace.ts'

/** The schemas of documents with another name; of a run, that of each line. */
const names: Record<string, string> = { saved_plan: 'plan', drift: 'plan', run: 'journal', failure: 'errors' }

/** A format of one file, which keeps what it was handed. */
const toys = vi.hoisted(() => ({
  handed: [] as Document[],
  format: {
    render(document) {
      toys.handed.push(document)
      return [{ text: `a toy ${document.is}\n` }]
    },
  } satisfies Format,
}))

vi.mock('../../src/report/formats.ts', async importOriginal => {
  const all = await importOriginal<typeof import('../../src/report/formats.ts')>()
  // The one entry.
  Object.assign(all.formats, { toy: { option: 'print toys', load: async () => toys.format } })
  return all
})

const workspace = useWorkspace({
  'vexil.yaml': `version: 1
roles: { support: ${support} }
ownership: { tag: ours, prune: never }
files: [flags.yaml]
`,
  'two/vexil.yaml': 'version: 1\nenvironments: { staging: {}, production: {} }\n',
  'two/flags.yaml': `feature_flags:
  checkout:
    release: { rest: { rollout_percentage: 10 } }
    environments: { staging: { release: { rest: { rollout_percentage: 100 } } } }
`,
  'flags.yaml': `feature_flags:
  checkout:
    active: true
    filters: { groups: [ { rollout_percentage: 10 } ] }
    role_access: [support]
`,
})
const { vexil } = workspace

interface Call {
  readonly line: string
  readonly is: Document['is']
  /** What has to be there. */
  readonly after?: readonly string[]
}

/** How each command whose format can be chosen is called, and what it hands over. A new one has to say it here. */
const calls: Readonly<Record<string, Call>> = {
  init: { line: 'init', is: 'init' },
  validate: { line: 'validate', is: 'validation' },
  plan: { line: 'plan', is: 'plan' },
  show: { line: 'show plan.json', is: 'saved_plan', after: ['plan --out plan.json'] },
  apply: { line: 'apply --auto-approve', is: 'run' },
  drift: { line: 'drift', is: 'drift' },
  envs: { line: 'envs -C two', is: 'environment_list' },
  compare: { line: 'compare staging production -C two', is: 'comparison' },
  evaluate: { line: 'evaluate --distinct-id ada', is: 'evaluation' },
  test: { line: 'test', is: 'tests' },
  export: { line: 'export', is: 'export', after: ['apply --auto-approve'] },
  promote: { line: 'promote checkout --from staging --to production -C two', is: 'edit' },
  ramp: { line: 'ramp checkout --to 50 -e production -C two', is: 'edit' },
  refs: { line: 'refs --in plan.json', is: 'references', after: ['plan --out plan.json'] },
  pull: { line: 'pull --dry-run', is: 'edit', after: ['apply --auto-approve'] },
  retire: { line: 'retire --in plan.json', is: 'stale_flags', after: ['plan --out plan.json'] },
  fmt: { line: 'fmt --check -C two', is: 'edit' },
  claim: { line: 'claim --auto-approve', is: 'run', after: ['apply --auto-approve'] },
  unclaim: { line: 'unclaim --auto-approve', is: 'run', after: ['apply --auto-approve'] },
  undo: { line: 'undo last --auto-approve', is: 'run', after: ['apply --auto-approve'] },
  disable: {
    line: 'disable checkout --reason fails --auto-approve',
    is: 'run',
    after: ['apply --auto-approve'],
  },
  enable: { line: 'enable checkout --auto-approve', is: 'run', after: ['apply --auto-approve'] },
  history: { line: 'history last', is: 'history', after: ['apply --auto-approve'] },
  call: { line: 'call feature_flag.list', is: 'call' },
  sandbox: { line: 'sandbox --port 0', is: 'sandbox' },
  dev: { line: 'dev --port 0', is: 'sandbox' },
  quirks: { line: 'sandbox quirks', is: 'quirks' },
  doctor: { line: 'doctor', is: 'doctor' },
  unlock: { line: 'unlock', is: 'unlock' },
  install: { line: 'terraform install --directory plugins', is: 'installation' },
}

const program = createProgram({} as Host, { code: 0 }, runCommandLine)

describe('the format of what a command says', () => {
  it('can be chosen for these commands', () => {
    expect(Object.keys(calls).sort()).toEqual(commandsWith('--json').sort())
    expect(commandsWith('--toy')).toEqual(commandsWith('--json'))
  })

  it.each(Object.entries(calls))(
    'is JSON of a published schema for %s',
    async (_name, { line, is, after }) => {
      await prepare(workspace(), after)
      const { stdout, stderr } = await vexil(`${line} --json`, ending(line))
      const values = stdout.startsWith('{"') ? jsonLines(stdout) : [JSON.parse(stdout)]
      const schema = publishedSchemas()[`${names[is] ?? is.replaceAll('_', '-')}.schema.json`]
      const isDescribed = addFormats.default(new Ajv2020({ allowUnionTypes: true })).compile(schema ?? false)
      for (const value of values)
        expect(isDescribed(value), JSON.stringify([value, isDescribed.errors, stderr])).toBe(true)
    },
  )

  it.each(Object.entries(calls))(
    'can be one more, which takes a file and an entry, for %s',
    async (_, { line, is, after }) => {
      await prepare(workspace(), after)
      toys.handed.length = 0
      const { stdout } = await vexil(`${line} --toy`, ending(line))
      expect(stdout).toBe(`a toy ${is}\n`)
      expect(toys.handed.map(document => document.is)).toEqual([is])
      // Plain data: nothing in it is a function or hides what it is.
      expect(structuredClone(toys.handed)).toEqual(toys.handed)
    },
  )

  it('is kept where a command fails', async () => {
    for (const { line } of Object.values(calls))
      expect((await vexil(`${line} --toy --nonsense`)).stdout, line).toBe('a toy failure\n')
  })

  it('leaves to standard error what a person is asked about', async () => {
    const { stdout, stderr } = await vexil('apply --toy', { answer: 'yes' })
    expect(stdout).toBe('a toy run\n')
    expect(stderr).toContain('2 to create')
  })
})

/** Ends the commands that would run until somebody ends them; the others may take their time. */
function ending(line: string): Partial<CliOptions> {
  if (!line.includes(' --port 0')) return {}
  return {
    host: {
      onInterrupt(listener) {
        const timer = setTimeout(() => listener('SIGTERM'), 200)
        return () => clearTimeout(timer)
      },
    },
  }
}

async function prepare({ vexil }: Workspace, lines: readonly string[] = []): Promise<void> {
  for (const line of lines) expect(await vexil(line)).toMatchObject({ code: 0 })
}

function commandsWith(option: string): string[] {
  return below(program).flatMap(command =>
    command.options.some(({ long }) => long === option) ? [command.name()] : [],
  )
}

function below(command: Command): Command[] {
  return command.commands.flatMap(each => [each, ...below(each)])
}
