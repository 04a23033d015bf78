import { describe, expect, it } from 'vitest'
import { editShopFlag, liveShopFlag, type Shop, shopFlag } from '../../support/pipelines/shop.ts'
import { variants } from '../../support/rounds.ts'
import { isWrite } from '../../support/workspace.ts'
import { aShopOnGithub } from './github/shop-on-github.ts'
import { aShopOnAtlantis } from './shop-on-atlantis.ts'
import { aShopOnBuildkite } from './shop-on-buildkite.ts'
import { aShopOnGitlab } from './shop-on-gitlab.ts'

/** What holds for the pipeline of every code host, between a plan and what comes of it. */

const hosts: readonly (readonly [string, () => Promise<Shop>])[] = [
  ['GitHub', aShopOnGithub],
  ['GitLab', aShopOnGitlab],
  ['Buildkite', aShopOnBuildkite],
  ['Atlantis', aShopOnAtlantis],
]

/** Another one comes first for each story, so that a plain run has several. */
const hostsFrom = (first: number) => variants([...hosts.slice(first), ...hosts.slice(0, first)])

const rollout = async ({ service }: Shop) =>
  (await liveShopFlag(service))?.filters.groups[0]?.rollout_percentage

/** What a pipeline writes to the service while something happens. */
async function writesOf({ service }: Shop, run: () => Promise<unknown>): Promise<readonly string[]> {
  return (await service.watch(run)).requests.filter(isWrite)
}

const plugin = 'plugins: { geo: { plugin_type: source } }\n'

describe('a plan that is stale when it is applied', () => {
  it.each(hostsFrom(2))(
    'writes nothing to what was changed meanwhile, and says what to do: %s',
    async (_, open) => {
      const shop = await open()
      expect((await shop.deliver()).isDone).toBe(true)
      await shop.remote.push('main', { 'flags.yaml': shopFlag(100) })

      const stale = await shop.deliver(() => editShopFlag(shop.service, false))
      expect(stale.isDone, stale.shown).toBe(false)
      expect(stale.shown).toMatch(
        /flag checkout_v2 not written: it was changed after the plan was made; plan again/,
      )
      expect(await liveShopFlag(shop.service)).toMatchObject({ active: false })
      expect(await rollout(shop)).toBe(0)

      // The next plan has been told of the change, and holds it.
      const next = await shop.deliver()
      expect(next.isDone, next.shown).toBe(true)
      expect(await liveShopFlag(shop.service)).toMatchObject({ active: false })
      expect(await rollout(shop)).toBe(100)
    },
    120_000,
  )

  it.each(hostsFrom(3))(
    'takes nothing back that a newer commit has brought: %s',
    async (_, open) => {
      const shop = await open()
      await shop.remote.push('main', { 'flags.yaml': shopFlag(100) })
      // Where git knows both commits the run is refused as a whole; in a clone of before, whatever was changed is left alone.
      const older = await shop.deliver(async () => {
        await shop.remote.push('main', { 'flags.yaml': shopFlag(0), 'plugins.yaml': plugin })
        expect((await shop.deliver()).isDone).toBe(true)
      })
      expect(older.isDone, older.shown).toBe(false)
      expect(older.shown).toMatch(
        /older_commit: \w+ is older than|flag checkout_v2 not written: .*plan again/,
      )
      expect(await rollout(shop)).toBe(0)
    },
    120_000,
  )
})

it.each(hostsFrom(0))(
  'a run that failed half-way is finished by the next one, and then nothing is left: %s',
  async (_, open) => {
    const shop = await open()
    await shop.remote.push('main', { 'plugins.yaml': plugin })
    shop.service.faults('POST /plugins times=1000 status=403')
    const failed = await shop.deliver()
    expect(failed.isDone, failed.shown).toBe(false)
    expect(failed.shown).toMatch(/plugin geo failed: [\s\S]*1 change applied, 1 failed/)
    expect(await rollout(shop)).toBe(0)

    shop.service.faults()
    const rest = await writesOf(shop, async () => expect((await shop.deliver()).isDone).toBe(true))
    expect(rest).toEqual([expect.stringMatching(/^POST .*\/plugins/)])
    expect(await writesOf(shop, async () => expect((await shop.deliver()).isDone).toBe(true))).toEqual([])
  },
  120_000,
)
