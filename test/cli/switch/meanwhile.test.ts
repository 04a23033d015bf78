import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type HoldingRelay, holdingRelay } from '../../support/relay.ts'
import { flagsPath, isWrite, useWorkspace } from '../../support/workspace.ts'

const everyoneAt = (percent: number) => ({ groups: [{ properties: [], rollout_percentage: percent }] })
const workspace = useWorkspace({
  'vexil.yaml': 'version: 1\n',
  'flags.yaml': `feature_flags:
  checkout: { active: true, name: Widened, filters: { groups: [{ rollout_percentage: 100 }] } }
`,
})
const { vexil, service, records, flag, edit } = workspace

let id = 0
beforeEach(async () => {
  const made = await service.send('POST', `${flagsPath}/`, {
    key: 'checkout',
    filters: everyoneAt(25),
  })
  id = (made as { id: number }).id
})

const disable = (over: Readonly<Record<string, string>> = {}, options = {}) =>
  vexil(['disable', 'checkout', '--reason', 'payments fail', '--auto-approve'], {
    env: { ...service.env, ...over },
    ...options,
  })

describe('a flag that is turned off', () => {
  it.each([
    ['its answer is lost', 'PATCH nth=1 reset_after', 1],
    ['a gateway gives up on it after it was done', 'PATCH nth=1 committed status=504', 1],
    ['it never arrives', 'PATCH nth=1 reset_before', 2],
    ['the service fails before it', 'PATCH nth=1 status=500', 2],
  ])('is off in the end, and written once, where %s', async (_, fault, writes) => {
    service.faults(fault)
    const { result, requests } = await service.watch(() => disable())
    expect(result.code, result.stdout + result.stderr).toBe(0)
    const sent = requests.flatMap((line, at) => (isWrite(line) ? [at] : []))
    expect(sent).toHaveLength(writes)
    // It was looked at before it was sent again.
    if (writes === 2) expect(requests.slice(sent[0], sent[1])).toContain(`GET ${flagsPath}/${id}`)
    service.faults()
    expect((await flag('checkout')).active).toBe(false)
  })

  it('fails where the service goes on failing, and says so', async () => {
    service.faults('PATCH status=500')
    const { code, stdout } = await disable()
    expect(code).toBe(1)
    expect(stdout).toContain('x flag checkout failed')
    service.faults()
    expect((await flag('checkout')).active).toBe(true)
  })

  it('is off though somebody changes it while the person at the terminal reads', async () => {
    const ask = async () => {
      await edit('checkout', { filters: everyoneAt(100) })
      return 'yes'
    }
    const line = ['disable', 'checkout', '--reason', 'payments fail']
    const { result, requests } = await service.watch(() => vexil(line, { host: { ask } }))
    expect(result.code, result.stdout).toBe(0)
    expect(result.stderr).toContain('flag checkout was changed in the meantime; reading it again\n')
    expect(result.stdout).toContain('who had it until now: everyone at 100%')
    // One is that of the colleague.
    expect(requests.filter(isWrite)).toHaveLength(2)
    expect(await flag('checkout')).toMatchObject({ active: false, filters: everyoneAt(100) })
    expect(await records()).toHaveLength(2)
  })

  it('is off already where a colleague was faster', async () => {
    const ask = async () => {
      await edit('checkout', { active: false })
      return 'yes'
    }
    const line = ['disable', 'checkout', '--reason', 'payments fail']
    const { result, requests } = await service.watch(() => vexil(line, { host: { ask } }))
    expect(result).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('flag checkout already done'),
    })
    expect(requests.filter(isWrite)).toHaveLength(1)
  })

  it('is off once however many do it at once, each on record', async () => {
    const ends = await Promise.all(Array.from({ length: 5 }, () => disable()))
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0])
    expect((await flag('checkout')).active).toBe(false)
    expect(await records()).toHaveLength(5)
    expect((await vexil('history --json')).code).toBe(0)
  })
})

describe('while an apply of the same folder is under way', () => {
  let relay: HoldingRelay
  beforeEach(async () => {
    const isReadAgain = ({ method, url = '' }: { method?: string; url?: string }) =>
      method === 'GET' && url.includes(`/feature_flags/${id}/`)
    relay = await holdingRelay(service.url, isReadAgain)
  })
  afterEach(() => {
    relay.release()
    relay.close()
  })

  it('a flag is turned off at once, and the apply leaves it alone', async () => {
    const env = { ...service.env, VEXIL_BASE_URL: relay.url }
    const applying = vexil('apply --auto-approve', { env })
    await relay.held
    const disabled = await disable()
    expect(disabled.code, disabled.stderr).toBe(0)
    relay.release()
    const applied = await applying
    expect(applied).toMatchObject({ code: 5, stdout: expect.stringContaining('flag checkout not written') })
    expect(await flag('checkout')).toMatchObject({ active: false, name: '', filters: everyoneAt(25) })
    expect(await records()).toHaveLength(2)
  })
})
