import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { writeJson } from '../../src/model/text/json-text.ts'
import { parseWorld, type WorldFile } from '../../src/sandbox/index.ts'
import { cli, folderWith } from '../support/cli.ts'
import {
  livePlugins,
  liveProject,
  liveWorld,
  worldOf,
  worldOrganization,
  worldRoles,
} from '../support/live-worlds.ts'
import { notExported } from '../support/not-exported.ts'
import { rounds } from '../support/rounds.ts'
import { startService } from '../support/service.ts'

const closing: (() => Promise<void>)[] = []
async function closeAll(): Promise<void> {
  for (const close of closing.splice(0)) await close()
}
afterEach(closeAll)

const names = ['staging', 'production'] as const
const profile = fc.constantFrom('documented', 'posthog')

/** A repository of two environments, each with a service and a key of its own. */
async function openServices(worlds: readonly WorldFile[], ways: 'documented' | 'posthog') {
  const services = await Promise.all(
    worlds.map(world => startService({ seed: parseWorld(writeJson(world)), profile: ways })),
  )
  closing.push(...services.map(service => service.close))
  const places = services.map(
    ({ url }, index) =>
      `  ${names[index]}: { base_url: "${url}", project: "1", organization: ${worldOrganization}, api_key_env: KEY_${index} }`,
  )
  const keys = services.map(({ env }, index) => [`KEY_${index}`, env.VEXIL_API_KEY])
  return openRepository(places, { ...Object.fromEntries(keys), VEXIL_PROFILE: ways })
}

/** A repository of two environments in one organization. */
async function openProjects(world: WorldFile, ways: 'documented' | 'posthog') {
  const service = await startService({ seed: parseWorld(writeJson(world)), profile: ways })
  closing.push(service.close)
  const places = names.map(
    (name, index) =>
      `  ${name}: { base_url: "${service.url}", project: "${index + 1}", organization: ${worldOrganization} }`,
  )
  return openRepository(places, { VEXIL_API_KEY: service.env.VEXIL_API_KEY, VEXIL_PROFILE: ways })
}

async function openRepository(places: readonly string[], env: Record<string, string | undefined>) {
  const folder = await folderWith({
    'vexil.yaml': [
      'version: 1',
      `roles: { support: ${worldRoles[0].id} }`,
      'environments:',
      ...places,
      '',
    ].join('\n'),
  })
  closing.push(folder.remove)
  return (line: string) => cli(line, { directory: folder.path, env })
}

async function expectNothingPlanned(vexil: Awaited<ReturnType<typeof openServices>>): Promise<void> {
  for (const environment of names) {
    const { code, stdout, stderr } = await vexil(`plan --json -e ${environment}`)
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(JSON.parse(stdout)).toMatchObject({ changes: [], blocked: [] })
  }
}

describe('two environments that were exported together', () => {
  it('plan nothing, whatever they hold', async () => {
    await fc.assert(
      fc.asyncProperty(liveWorld, liveWorld, profile, fc.boolean(), async (one, other, ways, isRaw) => {
        const vexil = await openServices([one, other], ways)
        const { code, stderr } = await vexil(
          `export -d flags -e staging -e production${isRaw ? ' --raw' : ''}`,
        )
        expect({ code, stderr }).toMatchObject({ code: 0 })
        for (const line of stderr.split('\n').filter(text => / not exported: /.test(text)))
          expect(line).toMatch(notExported)
        const checked = await vexil('validate')
        expect(checked, checked.stderr).toMatchObject({ code: 0 })
        await expectNothingPlanned(vexil)
        expect((await vexil('export -d flags -e staging -e production')).stderr).toMatch(
          /^nothing to write: /,
        )
        await closeAll()
      }),
      { numRuns: rounds(20) },
    )
  })

  it('plan nothing where most is alike, and share it', async () => {
    let shared = 0
    await fc.assert(
      fc.asyncProperty(livePlugins, liveProject, liveProject, profile, async (plugins, one, other, ways) => {
        const flags = new Map((one.feature_flags ?? []).map(flag => [flag.key, flag]))
        const later = (other.feature_flags ?? []).map((flag, index) =>
          index % 2 === 0 ? { ...flag, ...flags.get(flag.key) } : flag,
        )
        const vexil = await openProjects(worldOf(plugins, one, { ...other, feature_flags: later }), ways)
        const { stdout } = await vexil('export -e production -e staging')
        const { code, stderr } = await vexil('export -d flags -e staging -e production')
        expect({ code, stderr }).toMatchObject({ code: 0 })
        await expectNothingPlanned(vexil)
        const { feature_flags = {} } = parse(stdout, { intAsBigInt: true, maxAliasCount: -1 }) ?? {}
        shared += Object.values(feature_flags ?? {}).filter(
          flag => typeof flag === 'object' && flag !== null && !('only' in flag),
        ).length
        await closeAll()
      }),
      { numRuns: rounds(20) },
    )
    expect(shared).toBeGreaterThan(0)
  })
})
