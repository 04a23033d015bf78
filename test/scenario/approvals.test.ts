import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Profile, Quirks } from '../../src/sandbox/index.ts'
import { startService } from '../support/service.ts'
import { aWorkspace, aWorld, isWrite } from '../support/workspace.ts'

const flags = '/api/projects/1/feature_flags'
const requestFor = (id: number) => `01900000-0000-0000-0000-${String(id).padStart(12, '0')}`

const seed = aWorld({
  feature_flags: [
    { id: 7, key: 'gated', active: true, filters: { groups: [{ rollout_percentage: 10 }] } },
    { id: 8, key: 'free', name: 'Before' },
  ],
})

const gated = `  gated: { filters: { groups: [{ rollout_percentage: 50 }] } }\n`
const declared = (rest: string) => ({
  'vexil.yaml': 'version: 1\n',
  'flags.yaml': `feature_flags:\n${gated}${rest}`,
})

let desk: Awaited<ReturnType<typeof sitDown>> | undefined

async function sitDown(
  profile: Profile,
  approvals: Quirks['approvals'],
  rest = '  free: { name: After }\n  made: { active: true }\n',
) {
  const service = await startService({ seed, profile, quirks: { approvals } })
  const env = { ...service.env, VEXIL_PROFILE: profile }
  const { vexil, write, remove } = await aWorkspace(service, declared(rest), { env })
  return {
    service,
    vexil,
    write,
    writesOf: async (line: string) => {
      const { result, requests } = await service.watch(() => vexil(line))
      return { ...result, writes: requests.filter(isWrite) }
    },
    async leave() {
      await service.close()
      await remove()
    },
  }
}

beforeEach(() => {
  desk = undefined
})
afterEach(() => desk?.leave())

describe.each([
  ['documented', 'required'],
  ['posthog-2026', 'required'],
  ['posthog-2026', 'pending'],
  ['posthog-2026', 'accepted'],
] as const)('on the %s profile, where approval is %s', (profile, approvals) => {
  it('says what waits, with the id of its request, asks once, and does everything else', async () => {
    desk = await sitDown(profile, approvals)
    const { code, stdout, writes } = await desk.writesOf('apply --auto-approve')
    expect(code, stdout).toBe(4)
    expect(stdout).toContain(`gated waits for approval: change request ${requestFor(7)}`)
    expect(stdout).toMatch(/flag made waits for approval: change request 01900000-/)
    expect(stdout).toContain('1 change applied, 2 waiting for approval')
    expect(stdout).toContain('then plan again')
    expect([...writes].sort()).toEqual([`PATCH ${flags}/7`, `PATCH ${flags}/8`, `POST ${flags}`])
    expect(await desk.service.get(`${flags}/7/`)).toMatchObject({
      filters: { groups: [{ rollout_percentage: 10 }] },
    })
    expect((await desk.vexil('history last')).stdout).toContain('1 done, 2 pending')
  })

  it('asks no second time in a later run, until somebody says so or wants something else', async () => {
    desk = await sitDown(profile, approvals)
    await desk.vexil('apply --auto-approve')
    const { code, stdout, writes } = await desk.writesOf('apply --auto-approve')
    expect([code, writes], stdout).toEqual([0, []])
    expect(stdout).toContain('blocked by approval_pending')
    expect(stdout).toContain(`it waits for approval in the service: change request ${requestFor(7)}`)
    const allowed = await desk.writesOf('apply --auto-approve --allow approval_pending=feature_flag.gated')
    expect(allowed.writes).toEqual([`PATCH ${flags}/7`])
    expect((await desk.writesOf('apply --auto-approve')).writes).toEqual([])
    await desk.write({ 'flags.yaml': declared('')['flags.yaml'].replace('50', '40') })
    expect((await desk.writesOf('apply --auto-approve')).writes).toEqual([`PATCH ${flags}/7`])
  })

  it('ends in 3 where nothing else was to be done', async () => {
    desk = await sitDown(profile, approvals, '')
    const { code, stdout } = await desk.vexil('apply --auto-approve --json')
    expect(code, stdout).toBe(3)
    const lines = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines).toContainEqual(
      expect.objectContaining({ type: 'change_pending', change_request: requestFor(7) }),
    )
    expect(lines.at(-1)).toMatchObject({
      pending: 1,
      failed: 0,
      errors: [{ code: 'pending', address: 'feature_flag.gated' }],
    })
  })
})

describe('a change that was approved', () => {
  const id = requestFor(7)
  const waits = {
    code: 'approval_required',
    status: 'approval_required',
    detail: 'Ask.',
    change_request_id: id,
  }

  /** A service where changes of a command have to be approved, and those of a person are made. */
  async function gatedDesk() {
    const service = await startService(
      { seed, profile: 'posthog-2026' },
      handle => (request, connection) =>
        request.method === 'PATCH' && request.headers.get('user-agent')?.startsWith('vexil')
          ? Promise.resolve(Response.json(waits, { status: 409 }))
          : handle(request, connection),
    )
    const { vexil, remove } = await aWorkspace(service, declared(''))
    onTestFinished(async () => {
      await service.close()
      await remove()
    })
    return {
      vexil,
      writesOf: async (line: string) => {
        const { requests } = await service.watch(() => vexil(line))
        return requests.filter(isWrite)
      },
      releaseTo: (rollout_percentage: number) =>
        service.send('PATCH', `${flags}/7/`, {
          filters: { groups: [{ properties: [], rollout_percentage }] },
        }),
    }
  }

  it('is asked for anew once a person has taken it back, where an apply has seen it made', async () => {
    const { vexil, writesOf, releaseTo } = await gatedDesk()
    const apply = 'apply --auto-approve'
    expect((await vexil(apply)).stdout).toContain(`waits for approval: change request ${id}`)
    await releaseTo(50)
    expect((await vexil(apply)).stdout).toContain('No changes')
    await releaseTo(10)
    const again = `${apply} --allow live_edit=gated`
    expect((await vexil(apply)).stdout).toContain('filters: held, changed in the product')
    expect((await vexil(again)).stdout).toContain(`waits for approval: change request ${id}`)
    expect(await writesOf(again)).toEqual([])
  })
})

describe('a request that was decided before any apply has seen it', () => {
  const states = ['none', 'pending', 'approved', 'applied', 'rejected', 'expired', 'failed'] as const
  const isOver = (state: string) => ['applied', 'rejected', 'expired', 'failed'].includes(state)

  async function askedOnce(quirks: Partial<Quirks>, refused?: RegExp) {
    const service = await startService(
      { seed, profile: 'posthog-2026', quirks: { approvals: 'required', ...quirks } },
      handle => async (request, connection) =>
        refused?.test(request.url)
          ? Response.json({ code: 'permission_denied', detail: 'No.' }, { status: 403 })
          : handle(request, connection),
    )
    const { vexil, remove } = await aWorkspace(service, declared(''))
    onTestFinished(async () => {
      await service.close()
      await remove()
    })
    await vexil('apply --auto-approve')
    const { result, requests } = await service.watch(() => vexil('apply --auto-approve'))
    return {
      stdout: result.stdout,
      writes: requests.filter(isWrite),
      asked: requests.filter(line => line.includes('change_requests')),
    }
  }

  it.each(states)('is asked for anew, or waits, as the service says: %s', async change_request => {
    const { stdout, writes, asked } = await askedOnce({ change_request })
    expect(asked).toEqual([`GET /api/projects/1/change_requests/${requestFor(7)}`])
    expect(writes).toEqual(isOver(change_request) ? [`PATCH ${flags}/7`] : [])
    if (!isOver(change_request)) expect(stdout).toContain('blocked by approval_pending')
  })

  it('waits where the key may not ask', async () => {
    const { stdout, writes } = await askedOnce({ change_request: 'rejected' }, /change_requests/)
    expect(writes).toEqual([])
    expect(stdout).toContain('if it was rejected and this key cannot see that')
  })

  it('is looked up for nothing where nothing waits', async () => {
    const { asked } = await askedOnce({ approvals: 'none' })
    expect(asked).toEqual([])
  })
})
