import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { writeJson } from '../../src/model/text/json-text.ts'
import { parseWorld, type WorldFile } from '../../src/sandbox/index.ts'
import { cli, folderWith } from '../support/cli.ts'
import { liveWorld, worldOrganization } from '../support/live-worlds.ts'
import { rounds } from '../support/rounds.ts'
import { startService } from '../support/service.ts'

const closing: (() => Promise<void>)[] = []
async function closeAll(): Promise<void> {
  for (const close of closing.splice(0)) await close()
}
afterEach(closeAll)

interface Compared {
  readonly objects: readonly { readonly address: string; readonly verdict: string }[]
}

/** Two environments, each with a service of its own, and the comparison of what is live in them. */
async function compareWorlds(worlds: Readonly<Record<string, WorldFile>>) {
  const places = await Promise.all(
    Object.entries(worlds).map(async ([name, world]) => {
      const service = await startService({ seed: parseWorld(writeJson(world)) })
      closing.push(service.close)
      const key = `KEY_OF_${name.toUpperCase()}`
      const settings = `  ${name}: { base_url: "${service.url}", project: "1", organization: ${worldOrganization}, api_key_env: ${key} }`
      return { settings, key: [key, service.env.VEXIL_API_KEY] as const }
    }),
  )
  const folder = await folderWith({
    'vexil.yaml': ['version: 1', 'environments:', ...places.map(({ settings }) => settings), ''].join('\n'),
  })
  closing.push(folder.remove)
  const env = Object.fromEntries(places.map(({ key }) => key))
  return async (names: string): Promise<Compared> => {
    const { code, stdout, stderr } = await cli(`compare ${names} --live --json`, {
      directory: folder.path,
      env,
    })
    expect({ code, stderr }).toMatchObject({ code: 0 })
    return JSON.parse(stdout)
  }
}

describe('two environments that are live', () => {
  it('are equal where they hold the same, whatever that is', async () => {
    let seen = 0
    await fc.assert(
      fc.asyncProperty(liveWorld, async world => {
        const compare = await compareWorlds({ staging: world, production: world })
        const { objects } = await compare('staging production')
        seen += objects.length
        expect(objects.filter(({ verdict }) => verdict !== 'equal')).toEqual([])
        await closeAll()
      }),
      { numRuns: rounds(20) },
    )
    expect(seen).toBeGreaterThan(0)
  })

  it('differ in the same objects from either side', async () => {
    let differing = 0
    await fc.assert(
      fc.asyncProperty(liveWorld, liveWorld, async (one, other) => {
        const compare = await compareWorlds({ staging: one, production: other })
        const verdicts = ({ objects }: Compared) => objects.map(({ address, verdict }) => [address, verdict])
        const there = verdicts(await compare('staging production'))
        expect(verdicts(await compare('production staging'))).toEqual(there)
        differing += there.filter(([, verdict]) => verdict !== 'equal').length
        await closeAll()
      }),
      { numRuns: rounds(20) },
    )
    expect(differing).toBeGreaterThan(0)
  })
})
