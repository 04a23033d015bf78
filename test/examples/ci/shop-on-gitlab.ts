import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { packageRoot } from '../../support/built.ts'
import { aFakeGitlab, type FakeGitlab } from '../../support/pipelines/gitlab/fake-gitlab.ts'
import { type Played, playPipeline } from '../../support/pipelines/gitlab/play-pipeline.ts'
import { aRemote } from '../../support/pipelines/remote.ts'
import { aRunner } from '../../support/pipelines/runner.ts'
import { type Shop, shopFiles, shopKeys, shopService } from '../../support/pipelines/shop.ts'

export interface PipelineKind {
  readonly ref?: string
  /** The project that a merge request comes from; 1 is the project itself. */
  readonly fork?: string
  /** The project that the pipeline runs in, with its variables: that of a fork, unless a member starts it in the other. */
  readonly runsIn?: string
  /** A manual job that somebody starts. */
  readonly started?: string
}

type Source = 'merge_request_event' | 'push' | 'schedule'

export interface ShopOnGitlab extends Shop {
  readonly host: FakeGitlab
  /** Plays a pipeline, and expects that nobody is shown a key. */
  play(source: Source, kind?: PipelineKind): Promise<Played>
}

const token = 'glpat-of-the-project-0001'

/** The shop with `examples/ci/gitlab`, against a code host with GitLab's routes. */
export async function aShopOnGitlab(): Promise<ShopOnGitlab> {
  const service = await shopService()
  const host = await aFakeGitlab(token)
  const runner = await aRunner()
  const remote = await aRemote({
    ...shopFiles(service),
    '.gitlab-ci.yml': await readFile(join(packageRoot, 'examples/ci/gitlab/.gitlab-ci.yml')),
  })
  let pipeline = 1000

  const play: ShopOnGitlab['play'] = async (
    source,
    { ref = 'main', fork = '1', runsIn = fork, started } = {},
  ) => {
    const id = String(pipeline++)
    const isMergeRequest = source === 'merge_request_event'
    const played = await playPipeline({
      runner,
      remote,
      ref,
      ...(started === undefined ? {} : { started }),
      predefined: {
        CI_PIPELINE_SOURCE: source,
        CI_PIPELINE_ID: id,
        CI_PIPELINE_URL: `https://gitlab.example.com/acme/flags/-/pipelines/${id}`,
        CI_API_V4_URL: `${host.url}/api/v4`,
        CI_PROJECT_ID: runsIn,
        CI_DEFAULT_BRANCH: 'main',
        ...(isMergeRequest
          ? {
              CI_MERGE_REQUEST_IID: '7',
              CI_MERGE_REQUEST_PROJECT_ID: '1',
              CI_MERGE_REQUEST_SOURCE_PROJECT_ID: fork,
            }
          : { CI_COMMIT_BRANCH: 'main' }),
      },
      variables:
        runsIn === '1'
          ? {
              VEXIL_READ_KEY: { 'production/read': shopKeys.read },
              VEXIL_GITLAB_TOKEN: { 'production/read': token },
              // Protected: only pipelines of protected branches have it.
              ...(isMergeRequest ? {} : { VEXIL_WRITE_KEY: { production: shopKeys.write } }),
            }
          : {},
    })
    await expectNoKey(played)
    return { ...played, start: async job => expectNoKey(await played.start(job)) }
  }

  const expectNoKey = async (played: Played) => {
    expect(host.unknown).toEqual([])
    const installing = await readFile(join(runner.home, 'npm-ci.env'), 'utf8')
    for (const secret of [shopKeys.read, shopKeys.write, token])
      for (const text of [played.log, installing, JSON.stringify([host.issues, ...host.notes])])
        expect(text.includes(secret)).toBe(false)
    return played
  }

  return {
    service,
    remote,
    host,
    play,
    async deliver(meanwhile = async () => {}) {
      const planned = await play('push')
      expect(planned.jobs.plan?.code, planned.log).toBe(0)
      await meanwhile()
      const { jobs, log } = await planned.start('apply')
      return { isDone: jobs.apply?.code === 0, shown: `${planned.log}${log}` }
    },
  }
}
