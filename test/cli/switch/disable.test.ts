import { describe, expect, it } from 'vitest'
import { flagsPath, jsonLines, useWorkspace, writeTwoEnvironments } from '../../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, service, write, read, records, flag } = workspace

const everyoneAt = (percent: number) => ({ groups: [{ properties: [], rollout_percentage: percent }] })

const create = (key: string, over: object = {}) =>
  service.send('POST', `${flagsPath}/`, { key, filters: everyoneAt(25), ...over })

/** The newest record. */
async function newest() {
  return JSON.parse(await read(`.vexil/runs/${(await records()).at(-1)}`))
}

const disable = (words: string, options = {}) =>
  vexil([...`disable ${words}`.split(' '), '--reason', 'payments fail'], options)

describe('vexil disable', () => {
  it('says what it does to people, asks, turns the flag off and nothing else, and is on record', async () => {
    await create('checkout', { name: 'Live', tags: ['a'] })
    const before = await flag('checkout')
    const { code, stdout, stderr } = await disable('checkout', { answer: 'yes' })
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'flags.yaml:2 declares it on: it stays off until `vexil enable checkout`\n',
    })
    const [run] = await records()
    expect(
      stdout.replaceAll(service.url, 'URL'),
    ).toBe(`HIGH risk: turning flag checkout off in project 1 from VEXIL_PROJECT_ID, URL

API profile: documented (the documented interface)

HIGH RISK
  ~ flag checkout
      HIGH: nobody gets it any more: 1 condition of 25% stops (turned_off)
      active: on -> off, nobody gets it any more
      who had it until now: everyone at 25%

0 to create, 1 to change, 0 to delete, 0 blocked, 0 unchanged
  ~ flag checkout changed

1 change applied.
run: ${workspace().path}/.vexil/runs/${run}
`)
    expect(await flag('checkout')).toEqual({ ...before, active: false })
    expect(await newest()).toMatchObject({
      command: 'disable',
      reason: 'payments fail',
      who: { name: 'tester' },
      complete: true,
      entries: [
        {
          outcome: 'done',
          id: String(before.id),
          change: {
            address: 'feature_flag.checkout',
            before: { active: true },
            after: { active: false },
          },
        },
      ],
    })
  })

  it.each(['kill checkout', 'disable feature_flag.checkout'])('goes by other names: %s', async line => {
    await create('checkout')
    const { code } = await vexil(`${line} --reason fails --auto-approve`)
    expect(code).toBe(0)
    expect((await flag('checkout')).active).toBe(false)
  })

  it.each([
    ['no', { answer: 'no' }, 'nothing was turned off'],
    ['nobody there', {}, 'vexil: there is no terminal to ask for approval; pass --auto-approve'],
  ])('writes nothing where the answer is %s', async (_, options, said) => {
    await create('checkout')
    const { code, stderr } = await disable('checkout', options)
    expect({ code, stderr }).toEqual({ code: 3, stderr: `${said}\n` })
    expect((await flag('checkout')).active).toBe(true)
    expect(await records()).toEqual([])
  })

  it('is on record where the flag is off already, asks nobody then, and leaves nothing to undo', async () => {
    await create('checkout', { active: false })
    const { code, stdout, stderr } = await disable('checkout')
    expect({ code, stderr: stderr.split('\n')[0] }).toEqual({
      code: 0,
      stderr: 'flag checkout is off already',
    })
    expect(stdout).toContain('flag checkout already done')
    expect(await newest()).toMatchObject({
      command: 'disable',
      reason: 'payments fail',
      entries: [{ outcome: 'already', change: { after: { active: false } } }],
    })
    expect((await vexil('undo last --auto-approve')).stderr).toContain('there is no run to undo')
  })

  it('tells a program what it did, a line each', async () => {
    await create('checkout')
    const { code, stdout } = await disable('checkout --auto-approve --json')
    expect(code).toBe(0)
    expect(jsonLines(stdout)).toEqual([
      expect.objectContaining({ type: 'change_start', address: 'feature_flag.checkout' }),
      expect.objectContaining({ type: 'change_attempt', request: expect.stringMatching(/^PATCH /) }),
      expect.objectContaining({ type: 'change_done', already: false, not_kept: [] }),
      expect.objectContaining({ type: 'summary', done: 1 }),
    ])
  })

  it('writes to the environment that is chosen, and to none where several are there', async () => {
    const env = await writeTwoEnvironments(workspace())
    await create('checkout')
    const two = await disable('checkout --auto-approve', { env })
    expect(two).toMatchObject({ code: 1, stderr: expect.stringContaining('--env') })
    expect((await disable('checkout --auto-approve --env production', { env })).code).toBe(0)
    expect((await flag('checkout')).active).toBe(false)
    expect(await newest()).toMatchObject({ environment: 'production' })
  })

  it('goes by the settings alone where the files have errors', async () => {
    await create('checkout')
    await write({ 'broken.yaml': 'feature_flags: { checkout: { actve: 1 } }\n' })
    expect((await disable('checkout --auto-approve')).code).toBe(0)
    expect((await flag('checkout')).active).toBe(false)
  })
})

describe('a flag that is none', () => {
  it.each([
    ['chekout', '; did you mean "checkout"?'],
    ['Checkout', '; did you mean "checkout"?'],
    ['zzz', '; it has 1 flag'],
  ])('is told, with what may have been meant: %s', async (key, hint) => {
    await create('checkout')
    const { code, stderr } = await disable(`${key} --auto-approve`)
    expect({ code, stderr }).toEqual({
      code: 64,
      stderr: `vexil: "${key}" is not a flag of project 1, ${service.url}${hint}\n`,
    })
    expect(await records()).toEqual([])
  })

  it('is not a pattern of several', async () => {
    await create('checkout')
    const { code, stderr } = await disable('check* --auto-approve')
    expect({ code, stderr }).toEqual({
      code: 64,
      stderr: 'vexil: "check*" could be several flags; name one by its key\n',
    })
  })

  it('is not a soft-deleted one', async () => {
    const { id } = (await create('checkout')) as { id: number }
    await service.send('PATCH', `${flagsPath}/${id}/`, { deleted: true })
    expect((await disable('checkout --auto-approve')).code).toBe(64)
  })
})

describe('outside of a repository', () => {
  const { vexil, service, list, flag } = useWorkspace({})

  it('works with a key alone, leaves no file, and says that it is on record nowhere', async () => {
    await service.send('POST', `${flagsPath}/`, { key: 'checkout', filters: everyoneAt(25) })
    const { code, stdout, stderr } = await vexil('disable checkout --reason fails --auto-approve')
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        'this folder is not a repository, so this is not recorded: plans can read from the activity trail who did it, but not why\n',
    })
    expect(stdout).toContain('1 change applied.\n')
    expect(stdout).not.toContain('run: ')
    expect((await flag('checkout')).active).toBe(false)
    expect(await list('.')).toEqual([])
  })
})
