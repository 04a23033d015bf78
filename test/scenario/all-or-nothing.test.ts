import { beforeEach, describe, expect, it } from 'vitest'
import {
  aWorld,
  flagsPath,
  isWrite,
  jsonLines,
  organization,
  support,
  useWorkspace as useBench,
} from '../support/workspace.ts'

const declared = `feature_flags:
  changed: { name: After, role_access: [support] }
  goes_away: { ensure: absent }
  comes_back: { name: Back again }
  fresh: { active: false, role_access: [support] }
plugins:
  geoip: { plugin_type: source, description: Ours, source: { index.ts: "export {}" } }
  written: { plugin_type: source, description: After, source: { index.ts: "export {}" } }
event_definitions:
  paid: { tags: [money] }
`

const bench = useBench(
  { 'vexil.yaml': `version: 1\nroles: { support: ${support} }\n`, 'flags.yaml': declared },
  {
    seed: aWorld(
      {
        event_definitions: [{ name: 'paid' }],
        feature_flags: [
          { key: 'changed', name: 'Before' },
          { key: 'goes_away', name: 'Goes away' },
          { key: 'comes_back', name: 'Gone', deleted: true },
        ],
      },
      {
        roles: [{ id: support, name: 'support' }],
        plugins: [
          { name: 'written', plugin_type: 'source', description: 'Before', source: { 'index.ts': 'old' } },
        ],
      },
    ),
  },
)

const plugins = `/api/organizations/${organization}/plugins`
const edit = (key: string, body: object) => bench().edit(key, body)
const post = (path: string, body: object) => bench().service.send('POST', `${path}/`, body)
const patchPlugin = async (path: string, body: object) => {
  await bench().service.send('PATCH', `${plugins}/1/${path}`, body)
}

/** Every way in which an object can be another one than the plan has seen. */
const moves: readonly (readonly [string, string, () => Promise<unknown>])[] = [
  ['a flag to change was edited', 'flag changed', () => edit('changed', { name: 'Theirs' })],
  ['a flag to change was deleted', 'flag changed', () => edit('changed', { deleted: true })],
  ['a flag to change was renamed', 'flag changed', () => edit('changed', { key: 'renamed' })],
  ['a flag to delete was edited', 'flag goes_away', () => edit('goes_away', { active: false })],
  [
    'a flag to create was created otherwise',
    'flag fresh',
    () => post(flagsPath, { key: 'fresh', name: 'Theirs' }),
  ],
  [
    'a flag to create was created and deleted',
    'flag fresh',
    async () => {
      await post(flagsPath, { key: 'fresh' })
      await edit('fresh', { deleted: true })
    },
  ],
  [
    'a plugin to create was created otherwise',
    'plugin geoip',
    () => post(plugins, { plugin_type: 'source', name: 'geoip', description: 'Theirs' }),
  ],
  ['a plugin to change was edited', 'plugin written', () => patchPlugin('', { description: 'Theirs' })],
  [
    'the source of a plugin was edited',
    'plugin written',
    () => patchPlugin('update_source/', { 'index.ts': 'theirs' }),
  ],
  [
    'an event definition was edited',
    'event paid',
    async () => {
      const { results } = (await bench().service.get('/api/projects/1/event_definitions/')) as {
        results: { id: string }[]
      }
      await bench().service.send('PATCH', `/api/projects/1/event_definitions/${results[0]?.id}/`, {
        tags: ['x'],
      })
    },
  ],
]

describe('apply --all-or-nothing', () => {
  beforeEach(async () => {
    const { code, stdout, stderr } = await bench().vexil('plan --out plan.json')
    expect(code, stdout + stderr).toBe(0)
  })

  it.each(moves)('writes nothing and ends in 5 when %s', async (_, name, move) => {
    const { vexil, service } = bench()
    await move()
    const { result, requests } = await service.watch(() => vexil('apply plan.json --all-or-nothing'))
    expect(result.stdout).toMatch(new RegExp(`\\n {2}! ${name} not written: [^\\n]*; plan again\\n`))
    expect(result.stdout).toContain('changes skipped: nothing is written unless all changes can be made')
    expect(result.stdout).toMatch(
      /\n0 changes applied, \d not written, \d skipped\. Plan again for the changes that were not written\.\n/,
    )
    expect(result.code).toBe(5)
    expect(requests.filter(isWrite)).toEqual([])
    // Without it, the others are done.
    const partly = await vexil('apply plan.json')
    expect(partly.stdout).toMatch(/\n[1-9]\d* changes? applied/)
  })

  it('does everything when nothing moved, and nothing the second time', async () => {
    const { vexil } = bench()
    const { code, stdout } = await vexil('apply plan.json --all-or-nothing')
    expect(code, stdout).toBe(0)
    expect((await vexil('plan --detailed-exitcode')).code).toBe(0)
    const again = await vexil('apply plan.json --all-or-nothing')
    expect(again.code).toBe(0)
    expect(again.stdout).toContain('\n0 changes applied, 9 already done.\n')
  })

  it('goes on after a run that was cut off', async () => {
    const { vexil, service } = bench()
    service.faults('POST nth=2 times=99 status=500')
    expect((await vexil('apply plan.json --all-or-nothing --parallelism 1')).code).toBe(4)
    service.faults()
    const { code, stdout } = await vexil('apply plan.json --all-or-nothing')
    expect(code, stdout).toBe(0)
    expect((await vexil('plan --detailed-exitcode')).code).toBe(0)
  })

  it('ends in 4 when one fails later', async () => {
    const { vexil, service } = bench()
    service.faults('PATCH nth=1 status=400')
    const { code, stdout } = await vexil('apply plan.json --all-or-nothing --parallelism 1')
    expect(code, stdout).toBe(4)
    expect(stdout).toMatch(/\n[1-9]\d* changes? applied, 1 failed/)
  })

  it('writes nothing and ends in 1 when an object cannot be looked at', async () => {
    const { vexil, service } = bench()
    service.faults(`GET ${flagsPath}/1 times=99 status=500`, `GET ${flagsPath}/ times=99 status=500`)
    const { result, requests } = await service.watch(() => vexil('apply plan.json --all-or-nothing'))
    expect(result.code, result.stdout).toBe(1)
    expect(result.stdout).toContain('0 changes applied')
    expect(requests.filter(isWrite)).toEqual([])
  })

  it('has a record of what was not done, for programs too', async () => {
    const { vexil } = bench()
    await edit('changed', { name: 'Theirs' })
    const { code, stdout } = await vexil('apply plan.json --all-or-nothing --json')
    expect(code).toBe(5)
    expect(jsonLines(stdout).at(-1)).toMatchObject({
      type: 'summary',
      done: 0,
      already: 0,
      failed: 0,
      stale: 1,
    })
  })

  it('is for an apply that makes its own plan as well', async () => {
    const { vexil } = bench()
    const { code, stdout } = await vexil('apply --auto-approve --all-or-nothing')
    expect(code, stdout).toBe(0)
  })
})
