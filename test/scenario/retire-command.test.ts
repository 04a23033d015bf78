import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { profiles } from '../../src/model/connection.ts'
import type { WorldFile } from '../../src/sandbox/index.ts'
import { git, gitEnv } from '../git/repository.ts'
import { cli } from '../support/cli.ts'
import { folderOfTest, writeFiles } from '../support/folder.ts'
import { startService } from '../support/service.ts'
import { testRuntime } from '../support/test-runtime.ts'
import { organization } from '../support/workspace.ts'

const day = 24 * 60 * 60_000

const seed: WorldFile = {
  organizations: [
    {
      id: organization,
      name: 'Example',
      projects: [
        { id: 1, name: 'Production' },
        { id: 2, name: 'Staging' },
      ],
    },
  ],
}

const flags = `feature_flags:
  # The new checkout; see the wiki.
  checkout:
    name: New checkout
    active: true
    release: { rest: { rollout_percentage: 50 } }   # slowly
    environments:
      staging: { release: { rest: { rollout_percentage: 100 } } }

  # Stays.
  menu:
    active: true
    rollout_percentage: 100
`

const without = `feature_flags:
  # Stays.
  menu:
    active: true
    rollout_percentage: 100
`

const code = 'if (posthog.isFeatureEnabled("checkout")) pay()\n'

/** What a call of the command says, short enough to be read in a test. */
interface Told {
  readonly code: number
  readonly step: string
  readonly state: string | undefined
  /** `production unapplied` */
  readonly holds: readonly string[]
}

async function shop(profile: (typeof profiles)[number]) {
  const runtime = testRuntime()
  const service = await startService({ profile, runtime, seed })
  onTestFinished(service.close)
  const at = (project: number) =>
    `{ base_url: "${service.url}", project: "${project}", organization: ${organization}, profile: ${profile} }`
  const folder = await folderOfTest({
    '.gitignore': '.vexil/\n',
    'vexil.yaml': `version: 1\nlimits: { rollout_step: 100 }\nenvironments: { staging: ${at(2)}, production: ${at(1)} }\n`,
    'flags.yaml': flags,
    'shop.ts': code,
  })
  const commit = async () => {
    await git(folder, 'add', '--all')
    await git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'Change')
  }
  await git(folder, 'init', '--quiet')
  await commit()
  const env = { ...gitEnv, VEXIL_API_KEY: service.env.VEXIL_API_KEY }
  const vexil = async (line: string) => {
    await runtime.sleep(1000)
    return cli(line, { directory: folder, env, host: { runtime } })
  }
  const live = async (project: number, key = 'checkout') => {
    const { results } = (await service.get(`/api/projects/${project}/feature_flags/?limit=100`)) as {
      results: { key: string; active: boolean; filters: { groups: { rollout_percentage: number }[] } }[]
    }
    const found = results.find(each => each.key === key)
    if (!found) return 'gone'
    return found.active ? `on ${found.filters.groups[0]?.rollout_percentage}%` : 'off'
  }
  return {
    runtime,
    vexil,
    commit,
    write: (files: Readonly<Record<string, string>>) => writeFiles(folder, files),
    read: (file: string) => readFile(join(folder, file), 'utf8'),
    /** Staging, then production. */
    live: async (key?: string) => Promise.all([live(2, key), live(1, key)]),
    async retire(options = ''): Promise<Told> {
      const { result, requests } = await service.watch(() => vexil(`retire checkout --json ${options}`))
      expect(requests.filter(each => !each.startsWith('GET '))).toEqual([])
      expect(result.stdout, result.stderr).toContain('"retire"')
      const { retire, exit_code } = JSON.parse(result.stdout)
      expect(exit_code).toBe(result.code)
      const { state } = retire.steps.find(({ step }: { step: string }) => step === retire.step)
      return {
        code: result.code,
        step: retire.step,
        state,
        holds: retire.holds
          .filter(({ now }: { now: boolean }) => now)
          .map(({ environment, kind }: { environment: string | null; kind: string }) =>
            [environment ?? 'all', kind].join(' '),
          ),
      }
    },
    async apply(...environments: readonly string[]) {
      await commit()
      for (const environment of environments) {
        const { code, stdout, stderr } = await vexil(`apply --env ${environment} --auto-approve`)
        expect(code, stdout + stderr).toBe(0)
      }
    },
  }
}

describe('a flag that is retired', () => {
  it.each(profiles)('goes from 50% to nothing in two environments of %s', async profile => {
    const { runtime, vexil, write, read, live, retire, apply } = await shop(profile)
    await apply('staging', 'production')
    expect(await live()).toEqual(['on 100%', 'on 50%'])

    expect(await retire()).toEqual({ code: 3, step: 'decide', state: 'held', holds: ['production values'] })
    expect(await read('flags.yaml')).toBe(flags)
    expect(await retire('--value on')).toEqual({ code: 0, step: 'decide', state: 'written', holds: [] })
    expect(await live()).toEqual(['on 100%', 'on 50%'])

    expect(await retire()).toEqual({ code: 3, step: 'code', state: 'held', holds: ['all reference'] })
    await apply('production')
    expect(await live()).toEqual(['on 100%', 'on 100%'])
    expect(await retire()).toMatchObject({ code: 3, step: 'code' })
    await write({ 'shop.ts': 'pay()\n' })

    // One environment first.
    expect(await retire('--env staging')).toEqual({ code: 0, step: 'off', state: 'written', holds: [] })
    expect(await retire('--env staging')).toEqual({
      ...{ code: 3, step: 'absent', state: 'held' },
      holds: ['staging unapplied'],
    })
    await apply('staging')
    expect(await live()).toEqual(['off', 'on 100%'])
    expect(await retire()).toEqual({ code: 0, step: 'off', state: 'written', holds: [] })
    await apply('production')
    expect(await live()).toEqual(['off', 'off'])

    expect(await retire()).toMatchObject({ code: 3, step: 'absent', state: 'held' })
    expect(await retire('--offline')).toMatchObject({
      code: 3,
      holds: ['staging waiting', 'production waiting'],
    })
    await runtime.sleep(7 * day)
    expect(await retire('--env staging')).toEqual({ code: 0, step: 'absent', state: 'written', holds: [] })
    await apply('staging')
    expect(await live()).toEqual(['gone', 'off'])
    expect(await retire('--env staging')).toMatchObject({ code: 3, step: 'forget', holds: ['all elsewhere'] })
    expect(await retire('--offline')).toEqual({ code: 0, step: 'absent', state: 'written', holds: [] })
    expect(await retire()).toEqual({
      ...{ code: 3, step: 'forget', state: 'held' },
      holds: ['production unapplied'],
    })
    await apply('production')
    expect(await live()).toEqual(['gone', 'gone'])

    expect(await retire()).toEqual({ code: 0, step: 'forget', state: 'written', holds: [] })
    expect(await read('flags.yaml')).toBe(without)
    expect(await live('menu')).toEqual(['on 100%', 'on 100%'])
    for (const environment of ['staging', 'production'])
      expect(await vexil(`plan --env ${environment} --detailed-exitcode`)).toMatchObject({ code: 0 })
    expect(await vexil('retire checkout')).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('"checkout" is not declared'),
    })
  })
})
