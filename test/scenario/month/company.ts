import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Profile } from '../../../src/model/connection/profile.ts'
import type { Runtime } from '../../../src/model/runtime/runtime.ts'
import { gitEnv } from '../../git/repository.ts'
import { aClock } from '../../recording/clock.ts'
import { type CliResult, cli } from '../../support/cli.ts'
import { folderWith, writeFiles } from '../../support/folder.ts'
import { type Service, startService } from '../../support/service.ts'
import type { Person } from './people.ts'
import { plans } from './people.ts'
import { firstFiles, scopes, world } from './shop.ts'

/** A clone of the repository, and whoever works in it. */
export interface Clone {
  readonly folder: string
  git(...words: readonly string[]): Promise<string>
  vexil(words: readonly string[]): Promise<Ran>
}

/** What came of a command, and what it asked the service. */
export interface Ran extends CliResult {
  readonly requests: readonly string[]
}

/** The service, the remote that everybody pushes to, and a clock that all of them go by. */
export interface Company {
  readonly clock: Runtime
  readonly service: Service
  /** A clone that is new. A pipeline has the name of who started it, and a key of its own. */
  clone(as: Worker, ...options: readonly string[]): Promise<Clone>
  key(of: Person): string
  /** What differs in each run, as the story has it. */
  stable(text: string): string
  close(): Promise<void>
}

export interface Worker {
  readonly person: Person
  /** Whose key a pipeline has; a person has their own. */
  readonly pipelineOf?: Person
}

const run = promisify(execFile)

/** Nobody tidies repositories that are gone in a minute, neither where something is fetched nor where it is pushed to. */
const quickGit = `[gc]
  auto = 0
[maintenance]
  auto = false
[receive]
  autogc = false
[init]
  templateDir =
[core]
  fsync = none
`

export async function foundCompany(startMs: number, profile: Profile): Promise<Company> {
  const clocks = aClock()
  const clock = clocks()
  await clock.sleep(startMs - clock.now())
  const service = await startService({ runtime: clocks(), seed: world, scopes, profile })
  const { path, remove } = await folderWith({})
  const remote = join(path, 'remote.git')
  const gitConfig = join(path, 'git-config')
  await writeFiles(path, { 'git-config': quickGit })
  const key = ({ id }: Person) =>
    id === plans.id ? `${service.env.VEXIL_API_KEY}` : `${service.env.VEXIL_API_KEY}_user_${id}`
  /** Whose commit it is, and when: so a commit has the same name in each run. */
  const gitAs = ({ name, email }: Person) => {
    const date = `@${Math.floor(clock.now() / 1000)} +0000`
    return {
      ...gitEnv,
      GIT_CONFIG_GLOBAL: gitConfig,
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
      GIT_COMMITTER_DATE: date,
    }
  }
  const git = async (person: Person, cwd: string, ...words: readonly string[]) =>
    (await run('git', [...words], { cwd, env: gitAs(person) })).stdout.trim()
  let clones = 0
  const clonePath = new RegExp(`${path}/clone-\\d+`, 'g')
  const cloneIn = (folder: string, { person, pipelineOf }: Worker): Clone => ({
    folder,
    git: (...words) => git(person, folder, ...words),
    async vexil(words) {
      await clock.sleep(1000)
      const { result, requests } = await service.watch(() =>
        cli(words, {
          directory: folder,
          env: {
            ...gitAs(person),
            VEXIL_BASE_URL: service.url,
            VEXIL_API_KEY: key(pipelineOf ?? person),
            // One request at a time leaves in one order, so that the lines of a run have one order.
            VEXIL_PARALLELISM: '1',
            GITHUB_ACTOR: pipelineOf && person.name.toLowerCase(),
          },
          host: { runtime: clock },
        }),
      )
      return { ...result, requests }
    },
  })
  await writeFiles(join(path, 'first'), firstFiles)
  const first = (...words: readonly string[]) => git(plans, join(path, 'first'), ...words)
  await first('-c', 'init.defaultBranch=main', 'init', '--quiet')
  await first('add', '--all')
  await first('commit', '--quiet', '--message', 'Declare the flags of the shop')
  await first('clone', '--quiet', '--bare', '.', remote)
  return {
    clock,
    service,
    key,
    async clone(as, ...options) {
      clones++
      const folder = join(path, `clone-${clones}`)
      const who = ['-c', `user.name=${as.person.name}`, '-c', `user.email=${as.person.email}`]
      await git(as.person, path, 'clone', '--quiet', ...who, ...options, remote, folder)
      return cloneIn(folder, as)
    },
    stable: text => text.replaceAll(service.url, 'https://flags.example.com').replaceAll(clonePath, '/shop'),
    async close() {
      await service.close()
      await remove()
    },
  }
}
