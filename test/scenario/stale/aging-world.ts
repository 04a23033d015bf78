import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import type { Runtime } from '../../../src/model/runtime.ts'
import type { SandboxOptions } from '../../../src/sandbox/index.ts'
import { git, gitEnv } from '../../git/repository.ts'
import { type CliResult, cli } from '../../support/cli.ts'
import { type Files, folderOfTest, writeFiles } from '../../support/folder.ts'
import { type Service, startService, type Through } from '../../support/service.ts'
import { testRuntime } from '../../support/test-runtime.ts'
import { flagsPath, type LiveFlag } from '../../support/workspace.ts'

const run = promisify(execFile)
const dayMs = 86_400_000

/** A repository under git and a service that grow older together. */
export interface AgingWorld {
  readonly folder: string
  readonly service: Service
  /** From now on it is this day; days count from 2026-01-01 on. */
  on(day: number): void
  commit(files: Files): Promise<string>
  vexil(line: string, env?: Readonly<Record<string, string | undefined>>): Promise<CliResult>
  /** Commits and applies. */
  deliver(files: Files, options?: string): Promise<void>
  /** What `vexil retire --json` tells, short enough to be read in a test. */
  stale(options?: string): Promise<ToldStale>
  click(key: string, body: object): Promise<void>
}

export interface ToldStale {
  readonly code: number
  /** `checkout production everyone 30`, with `...` before it where the flag is stale only in some environments. */
  readonly told: readonly string[]
  readonly notes: readonly string[]
  readonly permanent: number
}

/** One of its own for a test; it begins on day 0 with `files` committed. */
export async function agingWorld(
  files: Files,
  {
    hasGit = true,
    through,
    ...options
  }: Partial<SandboxOptions> & { readonly hasGit?: boolean; readonly through?: Through } = {},
): Promise<AgingWorld> {
  let now = dateOf(0)
  const clock = testRuntime()
  const runtime: Runtime = {
    now: () => now,
    // A second later, so that two runs of a day are two.
    sleep: (ms, signal) => clock.sleep(ms, signal),
    random: () => clock.random(),
    uniqueId: () => clock.uniqueId(),
  }
  const service = await startService({ ...options, runtime }, through)
  onTestFinished(service.close)
  const folder = await folderOfTest({ '.gitignore': '.vexil/\n', 'vexil.yaml': 'version: 1\n', ...files })
  const commit = async (changed: Files) => {
    await writeFiles(folder, changed)
    if (!hasGit) return ''
    await git(folder, 'add', '--all')
    const date = `${Math.floor(now / 1000)} +0000`
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
    await run('git', [...who, 'commit', '--quiet', '--allow-empty', '--message', 'Change'], {
      cwd: folder,
      env: { ...gitEnv, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    })
    return git(folder, 'rev-parse', 'HEAD')
  }
  const vexil: AgingWorld['vexil'] = (line, env = {}) => {
    now += 1000
    return cli(line, { directory: folder, env: { ...service.env, ...gitEnv, ...env }, host: { runtime } })
  }
  if (hasGit) await git(folder, 'init', '--quiet')
  await commit({})
  return {
    folder,
    service,
    on(day) {
      now = dateOf(day)
    },
    commit,
    vexil,
    async deliver(changed, words = '') {
      await commit(changed)
      const { code, stderr } = await vexil(`apply --auto-approve ${words}`)
      if (code !== 0) throw new Error(`apply ended in ${code}: ${stderr}`)
    },
    async stale(words = '') {
      const { code, stdout, stderr } = await vexil(`retire --json ${words}`)
      const document: StaleJson = JSON.parse(stdout === '' ? '{}' : stdout)
      if (!document.flags) throw new Error(`no document: ${code} ${stdout} ${stderr}`)
      return {
        code,
        told: document.flags.flatMap(toldOf),
        notes: document.notes,
        permanent: document.permanent,
      }
    },
    async click(key, body) {
      now += 1000
      const { results } = (await service.get(`${flagsPath}/?limit=100`)) as { results: LiveFlag[] }
      const flag = results.find(each => each.key === key)
      await service.send('PATCH', `${flagsPath}/${flag?.id}/`, body)
    },
  }
}

function dateOf(day: number): number {
  return Date.UTC(2026, 0, 1) + day * dayMs
}

interface ReasonJson {
  readonly reason: string
  readonly value?: unknown
  readonly since?: { readonly days: number; readonly at_least: boolean; readonly from: string }
}

interface StaleJson {
  readonly flags: readonly {
    readonly key: string
    readonly stale: 'everywhere' | 'partly'
    readonly reasons: readonly ReasonJson[]
    readonly environments: readonly {
      readonly environment: string | null
      readonly reasons: readonly ReasonJson[]
    }[]
  }[]
  readonly notes: readonly string[]
  readonly permanent: number
}

function toldOf({ key, stale, reasons, environments }: StaleJson['flags'][number]): readonly string[] {
  const lead = stale === 'partly' ? '... ' : ''
  const line = (environment: string | null, { reason, value, since }: ReasonJson) =>
    [
      `${lead}${key}`,
      ...(environment === null ? [] : [environment]),
      reason,
      ...(value === undefined || value === true ? [] : [String(value)]),
      ...(since ? [`${since.at_least ? '>=' : ''}${since.days} ${since.from}`] : []),
    ].join(' ')
  return [
    ...environments.flatMap(({ environment, reasons: own }) => own.map(each => line(environment, each))),
    ...reasons.map(each => line(null, each)),
  ]
}

/** A file with flags, each at a percentage, or as the words say. */
export function flagsAt(flags: Readonly<Record<string, number | string>>, file = 'flags.yaml'): Files {
  const lines = Object.entries(flags).map(([key, said]) =>
    typeof said === 'number'
      ? `  ${key}: { active: true, filters: { groups: [{ rollout_percentage: ${said} }] } }\n`
      : `  ${key}: { ${said} }\n`,
  )
  return { [file]: `feature_flags:\n${lines.join('')}` }
}
