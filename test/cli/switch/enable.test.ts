import { describe, expect, it } from 'vitest'
import { flagsPath, isWrite, useWorkspace } from '../../support/workspace.ts'

const everyoneAt = (percent: number) => ({ groups: [{ properties: [], rollout_percentage: percent }] })
const workspace = useWorkspace({
  'vexil.yaml': 'version: 1\nlimits: { rollout_step: 50 }\n',
  'flags.yaml': 'feature_flags: { checkout: { active: true, filters: {} } }\n',
})
const { vexil, service, declareFlags, read, records, flag, edit } = workspace

const create = (over: object = {}) =>
  service.send('POST', `${flagsPath}/`, {
    key: 'checkout',
    active: false,
    filters: everyoneAt(25),
    ...over,
  })

/** A command with the writes that it made. */
async function run(line: string, options = {}) {
  const { result, requests } = await service.watch(() => vexil(line, options))
  return { ...result, writes: requests.filter(isWrite) }
}

describe('vexil enable', () => {
  it('says who gets it, asks, turns the flag on and nothing else, and needs no reason', async () => {
    await create({ name: 'Live', tags: ['a'] })
    const before = await flag('checkout')
    const { code, stdout, stderr, writes } = await run('enable checkout', { answer: 'yes' })
    expect({ code, stderr, writes: writes.length }).toEqual({ code: 0, stderr: '', writes: 1 })
    expect(stdout).toContain('      active: off -> on\n      who gets it from now on: everyone at 25%\n')
    expect(await flag('checkout')).toMatchObject({
      ...before,
      active: true,
      performed_rollback: false,
    })
    const record = JSON.parse(await read(`.vexil/runs/${(await records()).at(-1)}`))
    expect(record).toMatchObject({ command: 'enable', entries: [{ outcome: 'done' }] })
    expect(Object.keys(record)).not.toContain('reason')
  })

  it('ends a disable, as history tells', async () => {
    await create({ active: true })
    await vexil(['disable', 'checkout', '--reason', 'payments fail', '--auto-approve'])
    await vexil(['enable', 'checkout', '--reason', 'mended', '--auto-approve'])
    expect((await flag('checkout')).active).toBe(true)
    const { stdout } = await vexil('history')
    expect(stdout.match(/(?:enable|disable) in|why: .*/g)).toEqual([
      'enable in',
      'why: mended',
      'disable in',
      'why: payments fail',
    ])
  })

  it('says where the files declare it off', async () => {
    await create()
    await declareFlags('  checkout: { active: false, filters: {} }')
    const { code, stderr } = await run('enable checkout --auto-approve')
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'flags.yaml:2 declares it off\n' })
  })

  it('is held back where the service rolled it back by itself, unless somebody allows it', async () => {
    await create({ performed_rollback: true })
    const blocked = await run('enable checkout --auto-approve')
    expect(blocked).toMatchObject({ code: 3, writes: [] })
    expect(blocked.stdout).toContain('update blocked by rollback')
    expect(blocked.stdout).toContain('--allow rollback=feature_flag.checkout')
    const allowed = await run('enable checkout --auto-approve --allow rollback=checkout')
    expect(allowed).toMatchObject({ code: 0, writes: [expect.stringMatching(/^PATCH /)] })
    expect(allowed.stdout).toContain('allowed: rollback')
  })

  it('goes back in one step, which nobody overlooks', async () => {
    await create({ filters: everyoneAt(100) })
    const { code, stdout } = await run('enable checkout --auto-approve')
    expect(code).toBe(0)
    expect(stdout).toContain('!! flag checkout  everyone: 0% -> 100%')
  })

  it('goes by what the declaration allows', async () => {
    await create({ performed_rollback: true })
    await declareFlags('  checkout: { active: true, filters: {}, allow: [rollback] }')
    expect(await run('enable checkout --auto-approve')).toMatchObject({ code: 0 })
  })

  it('leaves alone what somebody changes meanwhile: more people may get it than were shown', async () => {
    await create()
    const meanwhile = async () => {
      await edit('checkout', { filters: everyoneAt(100) })
      return 'yes'
    }
    const { code, stdout } = await run('enable checkout', { host: { ask: meanwhile } })
    expect(code).toBe(5)
    expect(stdout).toContain('not written')
    expect((await flag('checkout')).active).toBe(false)
  })
})
