import { beforeEach, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/model/text/json.ts'
import type { WorldFile } from '../../src/sandbox/index.ts'
import { isWrite, organization, support, useWorkspace, writeTwoEnvironments } from '../support/workspace.ts'

const count = 64
const owners = ['checkout', 'growth', 'platform', 'search']
const numbers = Array.from({ length: count }, (_, index) => index)
const keyOf = (index: number) => `flag_${String(index).padStart(2, '0')}`

const asks = (key: string, value: Json, operator = 'exact'): JsonObject => ({
  key,
  type: 'person',
  operator,
  value,
})

/** What a flag of a team has in one of the environments: staging is ahead, and has some that production lacks. */
function flagOf(index: number, environment: 'staging' | 'production') {
  const percent = environment === 'staging' ? 50 : 10
  const groups = [
    ...(index % 2 === 0
      ? [{ properties: [asks('email', '@example.org', 'icontains')], rollout_percentage: 100 }]
      : []),
    ...(index % 3 === 0
      ? [{ properties: [asks('country', ['DE', 'AT']), asks('plan', 'plus')], rollout_percentage: percent }]
      : []),
    { properties: [], rollout_percentage: index % 5 === 0 ? 0 : percent },
  ]
  const variants = [
    { key: 'control', rollout_percentage: environment === 'staging' ? 50 : 90 },
    { key: 'treatment', rollout_percentage: environment === 'staging' ? 50 : 10 },
  ]
  return {
    key: keyOf(index),
    name: `Part ${index} of the product`,
    active: environment === 'staging' || index % 7 !== 0,
    filters: {
      groups,
      ...(index % 4 === 0 ? { multivariate: { variants }, payloads: { treatment: '{"steps":2}' } } : {}),
    },
    tags: [`owner:${owners[index % owners.length]}`, 'exported'],
    ...(index % 6 === 0 ? { role_access: ['Support Team'] } : {}),
  }
}

const projectOf = (id: number, name: string, environment: 'staging' | 'production') => ({
  id,
  name,
  feature_flags: numbers
    .filter(index => environment === 'staging' || index % 16 !== 15)
    .map(index => flagOf(index, environment)),
})

const seed: WorldFile = {
  organizations: [
    {
      id: organization,
      name: 'Example',
      roles: [{ id: support, name: 'Support Team' }],
      projects: [projectOf(1, 'Production', 'production'), projectOf(2, 'Staging', 'staging')],
    },
  ],
}

const workspace = useWorkspace({}, { seed })
let env: Readonly<Record<string, string | undefined>>

beforeEach(async () => {
  env = await writeTwoEnvironments(workspace(), 'limits: { rollout_step: 25 }\n')
})

describe('a world of sixty odd flags in two environments', () => {
  it('goes from export by owner over an edit and promote to ramp, with no filters', async () => {
    const { vexil, service, list, read, write } = workspace()
    const run = async (line: string) => {
      const result = await vexil(line, { env })
      expect(result.code, `${line}\n${result.stdout}${result.stderr}`).toBe(0)
      return result
    }
    const files = async () => {
      const names = (await list('flags')).filter(name => name.endsWith('.yaml'))
      return Promise.all(names.map(async name => [`flags/${name}`, await read(`flags/${name}`)] as const))
    }
    const writtenIn = async (key: string) =>
      (await files()).find(([, text]) => text.includes(`  ${key}:`)) ?? ['', '']
    const changesIn = async (environment: string): Promise<readonly string[]> => {
      const { changes, blocked } = JSON.parse((await run(`plan -e ${environment} --json`)).stdout)
      expect(blocked).toEqual([])
      return changes.map(({ action, address }: { action: string; address: string }) => `${action} ${address}`)
    }

    await run('export -e staging -e production -d flags --split owner')
    expect((await list('flags')).filter(name => name.endsWith('.yaml'))).toEqual(
      owners.map(owner => `${owner}.yaml`),
    )
    await run('validate')
    for (const environment of ['staging', 'production']) expect(await changesIn(environment)).toEqual([])

    const [file, text] = await writtenIn('flag_01')
    await write({ [file]: text.replace('Part 1 of the product', 'The first part') })
    for (const environment of ['staging', 'production'])
      expect(await changesIn(environment)).toEqual(['update feature_flag.flag_01'])

    const { requests } = await service.watch(() => run('promote flag_04 --from staging --to production'))
    expect(requests.filter(isWrite)).toEqual([])
    expect(await changesIn('staging')).toEqual(['update feature_flag.flag_01'])
    const held = JSON.parse((await run('plan -e production --json --target flag_04')).stdout)
    expect([...held.changes, ...held.blocked]).toMatchObject([{ address: 'feature_flag.flag_04' }])

    await run('ramp flag_02 --to 100 -e production --condition rest')
    const ramped = JSON.parse((await run('plan -e production --json --target flag_02')).stdout)
    expect(ramped.blocked).toEqual([])
    expect(ramped.changes).toMatchObject([{ action: 'update', exposure: { step: 25 } }])
    await run('apply -e production --auto-approve --target flag_01 --target flag_02')
    expect(JSON.parse((await run('plan -e production --json --target flag_02')).stdout).changes).toEqual([])

    for (const [name, written] of await files()) expect(written, name).not.toMatch(/^\s*filters:/m)
  })
})
