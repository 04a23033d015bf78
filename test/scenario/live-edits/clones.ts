import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { SandboxOptions } from '../../../src/sandbox/index.ts'
import { git, gitEnv } from '../../git/repository.ts'
import { type CliResult, cli, nextSecondOfFile } from '../../support/cli.ts'
import { folderOfTest, writeFiles } from '../../support/folder.ts'
import { type Service, startService } from '../../support/service.ts'
import { flagsPath, type LiveFlag } from '../../support/workspace.ts'

type Files = Readonly<Record<string, string>>

/** Over what every command gets: the service, its key and the project. */
type Env = Readonly<Record<string, string | undefined>>

/** What a plan says, short enough to be read in a test: `checkout active held`. */
export interface Said {
  readonly code: number
  /** `update checkout: filters`, in the order of the plan. */
  readonly changes: readonly string[]
  /** `checkout rollout_step` */
  readonly blocked: readonly string[]
  /** `checkout active held` */
  readonly edits: readonly string[]
  /** What people read. */
  readonly text: string
}

/** A clone of the repository: a folder with a pipeline, or a person, that runs commands in it. */
export interface Clone {
  readonly folder: string
  git(...words: readonly string[]): Promise<string>
  /** Writes files and commits them; answers with the commit. */
  commit(files: Files): Promise<string>
  vexil(line: string | readonly string[], env?: Env): Promise<CliResult>
  /** Plans, and tells what the plan says. Options are words of the command line. */
  plan(options?: string, env?: Env): Promise<Said>
  apply(options?: string, env?: Env): Promise<CliResult>
}

/** A repository under git, a service, and people who click there. */
export interface World extends Clone {
  readonly service: Service
  /** A clone of its own, with the records that a pipeline carries from run to run. */
  clone(...options: readonly string[]): Promise<Clone>
  flag(key: string): Promise<LiveFlag>
  flags(): Promise<readonly LiveFlag[]>
  /** Somebody changes a flag in the product. */
  click(key: string, body: object, user?: number): Promise<void>
}

/** One of its own for a test; `files` are the first commit on branch main. */
export async function worldOf(files: Files, options: Partial<SandboxOptions> = {}): Promise<World> {
  const service = await startService(options)
  onTestFinished(service.close)
  const folder = await folderOfTest({ '.gitignore': '.vexil/\n', 'vexil.yaml': 'version: 1\n', ...files })
  await git(folder, 'init', '--quiet')
  const main = cloneIn(folder, service)
  await main.commit({})
  const flags = async () =>
    ((await service.get(`${flagsPath}/?limit=100`)) as { results: LiveFlag[] }).results
  const flag = async (key: string) => {
    const all = await flags()
    const found = all.find(each => each.key === key)
    if (!found) throw new Error(`no flag ${key} among ${all.map(each => each.key)}`)
    return found
  }
  return {
    ...main,
    service,
    flags,
    flag,
    async clone(...options) {
      const path = join(await folderOfTest({}), 'clone')
      await git(folder, 'clone', '--quiet', ...options, `file://${folder}`, path)
      await cp(join(folder, '.vexil'), join(path, '.vexil'), { recursive: true })
      return cloneIn(path, service)
    },
    async click(key, body, user) {
      const { id } = await flag(key)
      await service.send('PATCH', `${flagsPath}/${id}/`, body, user)
    },
  }
}

/** A clone that is in a folder already, on a machine whose clock is ahead of the others, or behind. */
export function cloneIn(folder: string, service: Service, clockMs = 0): Clone {
  const run = async (line: string | readonly string[], env: Env = {}) => {
    const clock = await nextSecondOfFile()
    const runtime = { ...clock, now: () => clock.now() + clockMs }
    return cli(line, { directory: folder, env: { ...service.env, ...gitEnv, ...env }, host: { runtime } })
  }
  return {
    folder,
    git: (...words) => git(folder, ...words),
    async commit(files) {
      await writeFiles(folder, files)
      await git(folder, 'add', '--all')
      await git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'Change')
      return git(folder, 'rev-parse', 'HEAD')
    },
    vexil: run,
    async plan(options = '', env) {
      const json = await run(`plan --json ${options}`, env)
      const { stdout } = await run(`plan ${options}`, env)
      return said(json, stdout)
    },
    apply: (options = '', env) => run(`apply --auto-approve ${options}`, env),
  }
}

/** What the document of a plan says, beside the text that people read. */
export function said({ code, stdout, stderr }: CliResult, text: string): Said {
  const document: PlanDocument = JSON.parse(stdout === '' ? '{}' : stdout)
  const { changes, blocked, live_edits } = document
  if (!changes || !blocked || !live_edits) throw new Error(`no plan: ${code} ${stdout} ${stderr}`)
  return {
    code,
    changes: changes.map(
      ({ action, address, after }) => `${action} ${short(address)}: ${Object.keys(after).join(', ')}`,
    ),
    blocked: blocked.map(({ address, rule }) => `${short(address)} ${rule}`),
    edits: live_edits.flatMap(({ address, fields }) =>
      fields.map(({ field, treatment }) => `${short(address)} ${field} ${treatment}`),
    ),
    text,
  }
}

function short(address: string): string {
  return address.replace(/^feature_flag\./, '')
}

interface PlanDocument {
  readonly changes?: readonly {
    readonly action: string
    readonly address: string
    readonly after: Readonly<Record<string, unknown>>
  }[]
  readonly blocked?: readonly { readonly address: string; readonly rule: string }[]
  readonly live_edits?: readonly {
    readonly address: string
    readonly fields: readonly { readonly field: string; readonly treatment: string }[]
  }[]
}

/** A plan that has nothing to do and nothing to say. */
export const nothing = { code: 0, changes: [], blocked: [], edits: [] } as const

/** Conditions of one group: a share of everybody. */
export function everyoneAt(percent: number): object {
  return { groups: [{ properties: [], rollout_percentage: percent }] }
}

/** The share of each group of conditions that is live. */
export function sharesOf({ filters }: LiveFlag): unknown[] {
  const { groups } = filters as { groups: readonly { rollout_percentage: unknown }[] }
  return groups.map(({ rollout_percentage }) => rollout_percentage)
}

/** A file that declares flags: on or off, and a share of everybody. */
export function declared(
  flags: Readonly<Record<string, { active?: boolean; percent?: number | string; more?: string }>>,
): Files {
  const lines = Object.entries(flags).map(([key, { active = true, percent = 10, more = '' }]) => {
    const filters = `filters: { groups: [{ rollout_percentage: ${percent} }] }`
    return `  ${key}: { active: ${active}, ${filters}${more && `, ${more}`} }\n`
  })
  return { 'flags.yaml': `feature_flags:\n${lines.join('')}` }
}
