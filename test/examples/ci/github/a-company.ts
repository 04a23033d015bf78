import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { sandboxApiKey } from '../../../../src/sandbox/sandbox.ts'
import { packageRoot } from '../../../support/built.ts'
import type { Files } from '../../../support/folder.ts'
import {
  aGitHubHost,
  type GitHubHost,
  repository,
  repositoryId,
} from '../../../support/pipelines/github/github-host.ts'
import {
  type Event,
  type PlayedRun,
  playWorkflow,
  type World,
} from '../../../support/pipelines/github/play.ts'
import { withReadingKey } from '../../../support/pipelines/reading-key.ts'
import { aRemote, type Changed, type Remote } from '../../../support/pipelines/remote.ts'
import { aRunner } from '../../../support/pipelines/runner.ts'
import { type Service, startService } from '../../../support/service.ts'
import { flagsPath, type LiveFlag, organization } from '../../../support/workspace.ts'

/** People who keep their flags in a repository on GitHub, with the workflows of `examples/ci/github`. */
export interface Company {
  readonly service: Service
  readonly host: GitHubHost
  readonly remote: Remote
  /** Pushes to the branch of a pull request, which is opened by the first push, and plays what that starts. */
  pullRequest(number: number, changed: Changed, options?: PullOptions): Promise<PlayedRun>
  /** Merges it, and plays what that starts. */
  merge(number: number): Promise<PlayedRun>
  /** Plays a workflow on main as it is. */
  onMain(workflow: string, name?: Event['name']): Promise<PlayedRun>
  flags(): Promise<readonly LiveFlag[]>
  /** Somebody changes a flag in the product. */
  click(key: string, body: object): Promise<void>
  /** Of the two keys: what nobody may see but the steps that ask the service. */
  readonly keys: { readonly read: string; readonly write: string }
}

export interface PullOptions {
  readonly isOfFork?: boolean
  readonly actor?: string
}

export interface CompanyOptions {
  readonly approve?: () => boolean
  /** What happens before a job starts that writes. */
  readonly meanwhile?: () => Promise<unknown>
  /** Further lines of vexil.yaml. */
  readonly settings?: string
  /** In place of others of the same name, or beside them. */
  readonly filesFor?: (service: Service) => Files
}

const example = (name: string) => join(packageRoot, 'examples/ci/github', `${name}.yml`)

export async function aCompany({
  approve = () => false,
  meanwhile = async () => {},
  settings = '',
  filesFor = () => ({}),
}: CompanyOptions = {}): Promise<Company> {
  const keys = { write: sandboxApiKey, read: 'phx_key_that_reads_0000000000000000000000000' }
  const service = await startService({}, withReadingKey(keys.read, keys.write))
  onTestFinished(service.close)
  const [host, runner] = [await aGitHubHost(), await aRunner()]
  const remote = await aRemote({
    '.gitignore': 'node_modules/\n.vexil/\n',
    'package.json': '{ "private": true }\n',
    'package-lock.json': '{}\n',
    'vexil.yaml': `${settingsFor(service.url)}${settings}`,
    'flags.yaml': flagsAt(10),
    ...filesFor(service),
  })
  const world: World = {
    host,
    remote,
    runner,
    secrets: { VEXIL_READ_KEY: keys.read },
    environments: {
      production: { secrets: { VEXIL_WRITE_KEY: keys.write }, approve: () => meanwhile().then(() => true) },
      'production-approval': {
        secrets: { VEXIL_WRITE_KEY: keys.write },
        approve: () => meanwhile().then(approve),
      },
    },
  }
  const branchOf = (number: number) => `pull-${number}`
  const onBranch = async (name: Event['name']): Promise<Event> => {
    const sha = await remote.git('rev-parse', 'main')
    return {
      name,
      sha,
      ref: 'refs/heads/main',
      actor: 'ada',
      payload: { ref: 'refs/heads/main', after: sha },
      isOfFork: false,
      headSha: sha,
      repositoryId,
      headRepositoryId: repositoryId,
    }
  }
  return {
    service,
    host,
    remote,
    keys,
    async pullRequest(number, changed, { isOfFork = false, actor = 'ada' } = {}) {
      const headSha = await remote.push(branchOf(number), changed)
      const headRepositoryId = isOfFork ? 99 : repositoryId
      const repo = { id: headRepositoryId, full_name: isOfFork ? 'stranger/flags' : repository }
      const pull = { number, head: { sha: headSha, repo }, merge_commit_sha: null, merged_at: null }
      const at = host.pulls.findIndex(each => each.number === number)
      host.pulls.splice(at < 0 ? host.pulls.length : at, at < 0 ? 0 : 1, pull)
      return playWorkflow(world, example('pull-request'), {
        name: 'pull_request',
        sha: await remote.mergePreview(branchOf(number)),
        ref: `refs/pull/${number}/merge`,
        actor,
        payload: { action: 'synchronize', pull_request: { ...pull, user: { login: actor } } },
        isOfFork,
        headSha,
        repositoryId,
        headRepositoryId,
      })
    },
    async merge(number) {
      const merge_commit_sha = await remote.merge(branchOf(number))
      const at = host.pulls.findIndex(each => each.number === number)
      const pull = host.pulls[at]
      if (!pull) throw new Error(`nobody has opened #${number}`)
      host.pulls[at] = { ...pull, merge_commit_sha, merged_at: '2026-11-23T10:00:00Z' }
      return playWorkflow(world, example('merge'), await onBranch('push'))
    },
    onMain: async (workflow, name = 'push') => playWorkflow(world, example(workflow), await onBranch(name)),
    flags: async () => ((await service.get(`${flagsPath}/?limit=100`)) as { results: LiveFlag[] }).results,
    async click(key, body) {
      const { results } = (await service.get(`${flagsPath}/?limit=100`)) as { results: LiveFlag[] }
      const found = results.find(each => each.key === key)
      await service.send('PATCH', `${flagsPath}/${found?.id}/`, body)
    },
  }
}

const settingsFor = (url: string) => `version: 1
environments:
  production: { base_url: "${url}", project: "1", organization: ${organization} }
runs: { ref: refs/vexil/runs }
`

/** One flag, for this share of everybody. */
export const flagsAt = (percent: number, more = '') => `feature_flags:
  checkout:
    name: New checkout
    active: true
    filters: { groups: [ { rollout_percentage: ${percent} } ] }
${more}`

/** All that the runs have shown to anybody: logs, pages, comments, issues, artifacts and what other hosts were sent. */
export function shownIn(host: GitHubHost, ...runs: readonly PlayedRun[]): string {
  const played = runs.flatMap(({ jobs }) => Object.values(jobs))
  return [
    ...played.flatMap(({ log, summary, outputs }) => [log, summary, JSON.stringify(outputs)]),
    ...host.comments.map(({ body }) => body),
    ...host.issues.map(({ body }) => body),
    ...host.artifacts.flatMap(({ files }) => Object.values(files).map(file => Buffer.from(file).toString())),
    ...host.requests.map(({ headers, body }) => JSON.stringify([headers, body])),
  ].join('\n')
}
