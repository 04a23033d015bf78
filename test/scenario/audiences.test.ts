import { beforeEach, describe, expect, it } from 'vitest'
import { cli, writeFiles } from '../support/cli.ts'
import { folderOfTest } from '../support/folder.ts'
import { useService } from '../support/service.ts'

const settings = 'version: 1\n'
const dach = (countries: string, more = '') => `audiences:
  dach: { properties: { country: [${countries}]${more} } }
  plus_dach: { audience: dach, properties: { plan: plus } }
`
const flags = `feature_flags:
  one: { active: true, release: { some: { audience: dach, rollout_percentage: 10 } } }
  two: { active: true, release: { none: { properties: { beta: "no" }, rollout_percentage: 1 }, some: { audience: dach, rollout_percentage: 10 } } }
  three: { active: true, release: { some: { audience: dach, rollout_percentage: 10 } } }
  four: { active: true, release: { some: { audience: plus_dach, rollout_percentage: 10 } } }
  other: { active: true, release: { rest: { rollout_percentage: 5 } } }
`

const service = useService()
let folder: string

beforeEach(async () => {
  folder = await folderOfTest({
    'vexil.yaml': settings,
    'audiences.yaml': dach('DE, AT'),
    'flags.yaml': flags,
  })
  expect(await run('apply --auto-approve')).toMatchObject({ code: 0 })
})

function run(line: string) {
  return cli(line.split(' '), { directory: folder, env: service.env })
}

async function changed(line: string): Promise<Record<string, readonly string[] | undefined>> {
  const { stdout } = await run(line)
  const { changes } = JSON.parse(stdout) as {
    changes: readonly { readonly identity: string; readonly audiences?: readonly string[] }[]
  }
  return Object.fromEntries(changes.map(({ identity, audiences }) => [identity, audiences]))
}

describe('a change of an audience', () => {
  it('is the change of each of its flags, told together where they change in the same manner', async () => {
    await writeFiles(folder, { 'audiences.yaml': dach('DE, AT, CH') })
    const { stdout } = await run('plan')
    expect(stdout).toContain('audience dach: 3 flags change in the same manner')
    expect(stdout).toContain('flag one, flag three, flag two')
    expect(stdout.match(/^ {2}~ /gm)).toHaveLength(2)
    expect(stdout).toContain('~ flag four')
    expect(stdout).toContain('4 to change')
    const verbose = await run('plan --verbose')
    expect(verbose.stdout.match(/^ {2}~ flag /gm)).toHaveLength(4)
    expect(await changed('plan --json')).toEqual({
      one: ['dach'],
      two: ['dach'],
      three: ['dach'],
      four: ['dach'],
    })
  })

  it('is one too where it loses a property, which lets in more people', async () => {
    await writeFiles(folder, { 'audiences.yaml': dach('DE, AT', ', trial: "yes"') })
    expect(await run('apply --auto-approve --allow rollout_step')).toMatchObject({ code: 0 })
    await writeFiles(folder, { 'audiences.yaml': dach('DE, AT') })
    expect(await changed('plan --json')).toEqual({
      one: ['dach'],
      two: ['dach'],
      three: ['dach'],
      four: ['plus_dach'],
    })
  })

  it('is not one where the flag itself changes', async () => {
    await writeFiles(folder, { 'flags.yaml': flags.replaceAll('percentage: 10', 'percentage: 12') })
    expect(await changed('plan --json')).toEqual({
      one: undefined,
      two: undefined,
      three: undefined,
      four: undefined,
    })
  })

  it('is applied, undone, and then planned again', async () => {
    await writeFiles(folder, { 'audiences.yaml': dach('DE, AT, CH') })
    expect(await run('apply --auto-approve')).toMatchObject({ code: 0 })
    expect(await changed('plan --json')).toEqual({})
    expect(
      await run('evaluate four --distinct-id ada --property country=CH --property plan=free'),
    ).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('four: false'),
    })
    expect(await run('undo last --auto-approve')).toMatchObject({ code: 0 })
    // What an undo put back stays until git changes it.
    const after = JSON.parse((await run('plan --json')).stdout)
    expect(after.changes).toEqual([])
    expect(after.live_edits.map(({ address }: { address: string }) => address).sort()).toEqual(
      ['four', 'one', 'three', 'two'].map(key => `feature_flag.${key}`),
    )
  })
})
