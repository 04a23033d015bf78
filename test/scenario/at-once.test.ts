import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realRuntime } from '../../src/core/real-runtime.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts'
import { type CliResult, cli, folderWith } from '../support/cli.ts'
import { grantedRoles } from '../support/granted-roles.ts'
import { rounds } from '../support/rounds.ts'
import { type Service, startService, suiteService, type Through } from '../support/service.ts'
import { shuffledBy } from '../support/shuffled.ts'

const support = '01900000-0000-0000-0000-0000000000aa'

const files = {
  'vexil.yaml': `version: 1\nroles: { support: ${support} }\n`,
  'flags.yaml': `feature_flags: { checkout: { active: false, role_access: [support] } }
plugins: { geoip: { plugin_type: source, description: Adds the country, source: { index.ts: "export {}" } } }
`,
}

/** One address for all rounds, so that one saved plan is for all of them; the service behind it is a new one each time. */
let service: Service
let handle: Sandbox['fetch']
let folders: { path: string; remove(): Promise<void> }[] = []

beforeAll(async () => {
  service = await startService({}, () => (request, connection) => handle(request, connection))
  handle = service.sandbox.fetch
  folders = await Promise.all(Array.from({ length: 5 }, () => folderWith(files)))
  for (const { path } of folders) await cli('plan --out plan.json', { directory: path, env: service.env })
})
afterAll(async () => {
  await service.close()
  await Promise.all(folders.map(folder => folder.remove()))
})

/** Runs the same command in five folders at the same time, so that no lock of a folder keeps the five apart. */
async function five(line: string, network: Through): Promise<CliResult[]> {
  const sandbox = await createSandbox({ runtime: realRuntime, empty: true, ...suiteService() })
  handle = network(sandbox.fetch)
  await Promise.all(folders.map(({ path }) => rm(join(path, '.vexil'), { recursive: true, force: true })))
  // Git has nothing to say here, and asking it takes longer than all the rest.
  const env = { ...service.env, PATH: '/nowhere' }
  return Promise.all(folders.map(({ path }) => cli(line, { directory: path, env })))
}

/** A network on which nobody creates a plugin before all five are about to. */
const meeting: Through = handle => {
  let release = () => {}
  const together = new Promise<void>(resolve => {
    release = resolve
  })
  let arrived = 0
  return async (request, connection) => {
    if (request.method === 'POST' && request.url.includes('/plugins/')) {
      arrived += 1
      if (arrived === folders.length) release()
      await together
    }
    return handle(request, connection)
  }
}

function expectedCode({ stdout }: CliResult): number {
  if (stdout.includes('not written')) return 5
  return stdout.includes('blocked by ambiguous') ? 3 : 0
}

async function countLive() {
  const get = async (path: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${service.env.VEXIL_API_KEY}` }
    const answer = await fetch(`${service.url}${path}`, { headers })
    if (answer.ok) return answer.json()
    throw new Error(`${path}: ${answer.status}`)
  }
  const ask = async (path: string) =>
    ((await get(`${path}?limit=100`)) as { results: { id: number }[] }).results
  const flags = await ask('/api/projects/1/feature_flags/')
  const plugins = await ask(`/api/organizations/${service.env.VEXIL_ORGANIZATION_ID}/plugins/`)
  const grants = await Promise.all(flags.map(({ id }) => grantedRoles({ get }, id)))
  return { flags: flags.length, grants: grants.flat().length, plugins: plugins.length }
}

/** What holds whatever came first; returns the number of plugins, whose names the service does not keep unique. */
async function expectOneOfEach(results: readonly CliResult[], round: string): Promise<number> {
  const output = results.map(({ code, stdout, stderr }) => `${code}\n${stdout}${stderr}`).join('\n')
  const { plugins, ...others } = await countLive()
  expect({ round, ...others }, output).toEqual({ round, flags: 1, grants: 1 })
  const codes = results.map(({ code }) => code)
  // Done or found done ends in 0, not written in 5, planned while there were several in 3; nothing fails or is skipped.
  expect(codes, output).toEqual(results.map(expectedCode))
  expect(output).not.toMatch(/failed|skipped/)
  // Whoever looked last has seen all of them.
  const isReported = output.includes(`${plugins} objects have this name`)
  expect({ round, isReported, ends: codes.some(code => code === 5) }, output).toEqual({
    round,
    isReported: plugins > 1,
    ends: plugins > 1,
  })
  return plugins
}

describe.each([
  ['of one saved plan', 'apply plan.json', rounds(20)],
  ['that make their own plan', 'apply --auto-approve', rounds(50)],
])('five applies at once %s', (_, line, times) => {
  it('leave one of each object with a unique name, and report every other one', async () => {
    expect(await expectOneOfEach(await five(line, meeting), 'all create one')).toBe(folders.length)
  })

  it('do so whatever comes first, and the next plan agrees', async () => {
    for (let round = 1; round <= times; round++) {
      const plugins = await expectOneOfEach(await five(line, shuffledBy(round)), `${round}`)
      if (round % 5 > 0) continue
      const [{ path } = { path: '' }] = folders
      const last = await cli('plan --detailed-exitcode', { directory: path, env: service.env })
      expect(last.code, last.stdout).toBe(plugins > 1 ? 3 : 0)
    }
  })
})
