import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Runtime } from '../../../src/model/runtime.ts'
import { gitEnv } from '../../git/repository.ts'
import { aClock } from '../../recording/clock.ts'
import { type CliResult, cli } from '../../support/cli.ts'
import { folderWith, writeFiles } from '../../support/folder.ts'
import { type Service, startService } from '../../support/service.ts'
import { firstFiles, scopes, world } from './shop.ts'

/** Somebody with an account in the product and a name in git. Whoever has the first account has the key that only reads. */
export interface Person {
  readonly id: number
  readonly name: string
}

/** A new clone of the repository. */
export interface Clone {
  readonly folder: string
  git(...words: readonly string[]): Promise<string>
  /** Runs a command with the key of its owner, or of somebody else. */
  vexil(words: readonly string[], keyOf?: Person): Promise<Ran>
}

export interface Ran extends CliResult {
  readonly requests: readonly string[]
}

/** The service, the remote that everybody pushes to, and one clock for all. */
export interface Company {
  readonly clock: Runtime
  readonly service: Service
  /** The key that all others begin with. */
  readonly key: string
  clone(person: Person, ...options: readonly string[]): Promise<Clone>
  close(): Promise<void>
}

const run = promisify(execFile)

export function emailOf({ name }: Person): string {
  return `${name.toLowerCase()}@example.com`
}

/** Without housekeeping, which would only cost time here. */
const quickGit = `[gc]
  auto = 0
[maintenance]
  auto = false
[receive]
  autogc = false
[init]
  defaultBranch = main
  templateDir =
[core]
  fsync = none
`

export async function foundCompany(startMs: number): Promise<Company> {
  const clocks = aClock()
  const clock = clocks()
  await clock.sleep(startMs - clock.now())
  const service = await startService({ runtime: clocks(), seed: world, scopes, profile: 'documented' })
  const key = `${service.env.VEXIL_API_KEY}`
  const { path, remove } = await folderWith({})
  const remote = join(path, 'remote.git')
  await writeFiles(path, { 'git-config': quickGit })
  await writeFiles(join(path, 'first'), firstFiles)
  const envOf = (person: Person) => {
    const [name, email] = [person.name, emailOf(person)]
    const date = `@${Math.floor(clock.now() / 1000)} +0000`
    return {
      ...gitEnv,
      GIT_CONFIG_GLOBAL: join(path, 'git-config'),
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
      GIT_COMMITTER_DATE: date,
    }
  }
  const git = async (person: Person, cwd: string, ...words: readonly string[]) =>
    (await run('git', [...words], { cwd, env: envOf(person) })).stdout.trim()
  const ada = { id: 3, name: 'Ada' }
  const first = (...words: readonly string[]) => git(ada, join(path, 'first'), ...words)
  await first('init', '--quiet')
  await first('add', '--all')
  await first('commit', '--quiet', '--message', 'Declare the flags of the shop')
  await first('clone', '--quiet', '--bare', '.', remote)
  let clones = 0
  return {
    clock,
    service,
    key,
    async clone(person, ...options) {
      clones++
      const folder = join(path, `clone-${clones}`)
      const who = ['-c', `user.name=${person.name}`, '-c', `user.email=${emailOf(person)}`]
      await git(person, path, 'clone', '--quiet', '--shared', ...who, ...options, remote, folder)
      return {
        folder,
        git: (...words) => git(person, folder, ...words),
        async vexil(words, { id } = person) {
          await clock.sleep(1000)
          const env = {
            ...envOf(person),
            VEXIL_BASE_URL: service.url,
            VEXIL_API_KEY: id === 1 ? key : `${key}_user_${id}`,
            GITHUB_ACTOR: undefined,
            // One request at a time: the lines of a run have one order.
            VEXIL_PARALLELISM: '1',
          }
          const ran = await service.watch(() =>
            cli(words, { directory: folder, env, host: { runtime: clock } }),
          )
          return { ...ran.result, requests: ran.requests }
        },
      }
    },
    async close() {
      await service.close()
      await remove()
    },
  }
}
