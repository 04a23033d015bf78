import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { packageRoot } from '../../support/built.ts'
import { type PlayedBuild, playBuild } from '../../support/pipelines/buildkite/play-build.ts'
import { aRemote } from '../../support/pipelines/remote.ts'
import { aRunner } from '../../support/pipelines/runner.ts'
import { type Shop, shopFiles, shopKeys, shopService } from '../../support/pipelines/shop.ts'

export interface BuildKind {
  readonly branch?: string
  readonly source?: 'webhook' | 'schedule'
  readonly isFork?: boolean
  /** What happens before somebody unblocks the build; nobody does without it. */
  readonly beforeUnblock?: () => Promise<unknown>
}

export interface ShopOnBuildkite extends Shop {
  /** Plays a build, and expects that nobody is shown a key. */
  play(kind?: BuildKind): Promise<PlayedBuild>
}

/** The shop with `examples/ci/buildkite`, and an agent that keeps what it is asked. */
export async function aShopOnBuildkite(): Promise<ShopOnBuildkite> {
  const service = await shopService()
  const runner = await aRunner()
  const remote = await aRemote({
    ...shopFiles(service),
    '.buildkite/pipeline.yml': await readFile(join(packageRoot, 'examples/ci/buildkite/pipeline.yml')),
  })
  const play: ShopOnBuildkite['play'] = async ({
    branch = 'main',
    source = 'webhook',
    isFork = false,
    beforeUnblock,
  } = {}) => {
    const isMain = branch === 'main'
    const { read, write } = shopKeys
    const played = await playBuild({
      runner,
      remote,
      ref: branch,
      ...(beforeUnblock ? { beforeUnblock } : {}),
      conditions: {
        build: {
          source,
          branch,
          pull_request: { id: isMain ? null : '7', repository: { fork: isMain ? null : isFork } },
        },
        pipeline: { default_branch: 'main' },
      },
      secrets: isFork ? {} : { VEXIL_READ_KEY: read, ...(isMain ? { VEXIL_WRITE_KEY: write } : {}) },
    })
    const installing = await readFile(join(runner.home, 'npm-ci.env'), 'utf8')
    const logs = Object.values(played.ran).map(({ log }) => log)
    const told = played.calls.flatMap(({ words, input }) => [words, input])
    for (const secret of [read, write])
      for (const text of [...logs, ...told, installing]) expect(text.includes(secret)).toBe(false)
    return played
  }
  return {
    service,
    remote,
    play,
    async deliver(meanwhile = async () => {}) {
      const { ran, calls } = await play({ beforeUnblock: meanwhile })
      expect(ran.plan?.code, ran.plan?.log).toBe(0)
      const shown = [...Object.values(ran).map(({ log }) => log), ...calls.map(({ input }) => input)]
      return { isDone: ran.apply?.code === 0, shown: shown.join('\n') }
    },
  }
}
