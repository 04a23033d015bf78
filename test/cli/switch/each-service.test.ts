import { afterEach, describe, expect, it } from 'vitest'
import type { Profile, Quirks } from '../../../src/sandbox/index.ts'
import type { WorldFlag } from '../../../src/schema/world-schema.ts'
import { startService, type Through } from '../../support/service.ts'
import { anOrganization, aWorkspace, flagsPath, type Workspace } from '../../support/workspace.ts'

const everyoneAt = (percent: number) => ({ groups: [{ properties: [], rollout_percentage: percent }] })
const one = `${flagsPath}/7/`

type Handle = Parameters<Through>[0]

interface Sent {
  readonly line: string
  readonly body?: unknown
}

const flagsOfAll = (flags: readonly WorldFlag[]) =>
  anOrganization({
    projects: [{ id: 1, name: 'Acme', feature_flags: flags }],
  })

const checkout = { id: 7, key: 'checkout', active: true, filters: everyoneAt(25) }

interface Desk extends Workspace {
  readonly sent: readonly Sent[]
}

let desk: Desk | undefined
afterEach(async () => {
  await desk?.service.close()
  await desk?.remove()
  desk = undefined
})

/** A service that is asked by its name or with `auto`, and every request that it gets, with its query and body. */
async function sitDown(
  profile: Profile,
  {
    flags = [checkout],
    quirks = {},
    named = 'auto',
    answer,
  }: {
    flags?: readonly WorldFlag[]
    quirks?: Partial<Quirks>
    named?: string
    answer?: (request: Request, handle: Handle) => Promise<Response> | undefined
  } = {},
): Promise<Desk> {
  const sent: Sent[] = []
  const seed = flagsOfAll(flags)
  const service = await startService({ seed, profile, quirks }, handle => async (request, connection) => {
    const { method, url } = request
    const text = method === 'GET' ? '' : await request.clone().text()
    const { pathname, search } = new URL(url)
    sent.push({ line: `${method} ${pathname}${search}`, ...(text === '' ? {} : { body: JSON.parse(text) }) })
    return answer?.(request, handle) ?? handle(request, connection)
  })
  const env = { ...service.env, VEXIL_PROFILE: named }
  const workspace = await aWorkspace(service, { 'vexil.yaml': 'version: 1\n' }, { env })
  desk = { ...workspace, sent }
  return desk
}

const off = ['disable', 'checkout', '--reason', 'payments fail', '--auto-approve']
const on = ['enable', 'checkout', '--auto-approve']

describe('a flag among thousands', () => {
  const others = Array.from({ length: 2500 }, (_, at) => ({ id: 100 + at, key: `other_${at}` }))

  const byKey = `GET ${flagsPath}/?key=checkout&limit=1000`
  const versioned = { version: 1, original_flag: { active: true } }

  it.each([
    // A service that is not known yet is asked for the key; one that does not take it answers with its list.
    ['posthog-2026', 'auto', [byKey], versioned],
    ['posthog-2026', 'posthog-2026', [byKey], versioned],
    ['documented', 'documented', [`GET ${flagsPath}/?limit=1000`], {}],
    ['documented', 'auto', [byKey], {}],
    ['posthog', 'auto', [byKey], {}],
  ] as const)(
    'is found by as few requests as %s allows, known as %s',
    async (profile, named, asked, held) => {
      const { vexil, sent } = await sitDown(profile, { named, flags: [...others, checkout] })
      const { code, stdout, stderr } = await vexil(off)
      expect(code, stdout + stderr).toBe(0)
      const lists = sent.filter(({ line }) => line.startsWith(`GET ${flagsPath}/?`))
      expect(lists.slice(0, 1).map(({ line }) => line)).toEqual(asked)
      // The flag is on the first page of a list, the newest first; two more may have been asked for by then.
      expect(lists.length).toBeLessThanOrEqual(profile === 'posthog-2026' ? 1 : 3)
      expect(sent.slice(lists.length)).toEqual([
        { line: `GET ${one}` },
        { line: `PATCH ${one}`, body: { active: false, ...held } },
      ])
    },
  )
})

describe.each(['documented', 'posthog', 'posthog-2026'] as const)('on %s', profile => {
  it('is turned off and on again', async () => {
    const { vexil, flag, sent } = await sitDown(profile)
    expect((await vexil(off)).code).toBe(0)
    expect((await flag('checkout')).active).toBe(false)
    expect((await vexil(off)).code).toBe(0)
    expect((await vexil(on)).code).toBe(0)
    expect((await flag('checkout')).active).toBe(true)
    expect(sent.filter(({ body }) => body).map(({ body }) => body)).toMatchObject([
      { active: false },
      { active: true },
    ])
  })

  it('waits for approval where somebody has to give it, with the id of the request', async () => {
    const { vexil, flag, sent } = await sitDown(profile, { quirks: { approvals: 'required' } })
    const { code, stdout } = await vexil(off)
    expect(stdout).toMatch(/flag checkout waits for approval: change request 01900000-/)
    expect(code).toBe(3)
    expect((await flag('checkout')).active).toBe(true)
    expect(sent.filter(({ body }) => body)).toHaveLength(1)
  })

  it('is turned off whatever hangs from it, which is told', async () => {
    const links = { experiment_set: [3], surveys: [{ id: 'one' }], features: [{ id: 'two' }] }
    const { vexil, flag } = await sitDown(profile, { flags: [{ ...checkout, ...links }] })
    const { code, stdout } = await vexil(off)
    expect(code, stdout).toBe(0)
    expect(stdout).toContain('      although an experiment runs on it\n')
    expect(stdout).toContain('      although a survey uses it\n')
    expect(stdout).toContain('      although it belongs to an early access feature\n')
    expect((await flag('checkout')).active).toBe(false)
  })

  it('fails, and says so, where the service answers and does not do it', async () => {
    const { vexil, flag } = await sitDown(profile, {
      answer: ({ method, url, headers }, handle) =>
        method === 'PATCH' ? handle(new Request(url, { headers })) : undefined,
    })
    const { code, stdout, stderr } = await vexil(off)
    // A service that counts versions shows that what it answers is not what was sent: it is looked at again, three times.
    const [end, said, told] =
      profile === 'posthog-2026'
        ? [5, 'was changed in the meantime; reading it again\n', 'flag checkout not written']
        : [1, 'the service answered, but did not make the change\n', 'the service did not store active']
    expect({ code, stdout, stderr }).toEqual({
      code: end,
      stdout: expect.stringContaining(told),
      stderr: expect.stringContaining(said),
    })
    expect((await flag('checkout')).active).toBe(true)
  })

  it('fails where the key may not write, and is tried all the same', async () => {
    const { vexil, sent, flag } = await sitDown(profile, { flags: [{ ...checkout, can_edit: false }] })
    const { code, stdout } = await vexil(off)
    expect(stdout).toContain('although the service reports that this key may not edit it')
    expect(sent.filter(({ body }) => body)).toHaveLength(1)
    expect([code, (await flag('checkout')).active]).toEqual([1, true])
  })

  it('is not turned on where the key may not write, unless somebody says so', async () => {
    const flags = [{ ...checkout, active: false, can_edit: false }]
    const { vexil, sent } = await sitDown(profile, { flags })
    const { code, stdout } = await vexil(on)
    expect({ code, stdout }).toEqual({
      code: 3,
      stdout: expect.stringContaining('update blocked by can_edit'),
    })
    expect(sent.filter(({ body }) => body)).toEqual([])
    expect((await vexil([...on, '--allow', 'can_edit'])).code).toBe(1)
    expect(sent.filter(({ body }) => body)).toHaveLength(1)
  })
})

describe('a service of today', () => {
  const profile = 'posthog-2026'
  const needs = { properties: [{ key: '7', type: 'flag', operator: 'flag_evaluates_to', value: true }] }

  it('refuses while other flags that are on ask for it, and names them', async () => {
    const child = {
      id: 8,
      key: 'child',
      active: true,
      filters: { groups: [{ ...needs, rollout_percentage: 100 }] },
    }
    const { vexil, flag } = await sitDown(profile, { flags: [checkout, child] })
    const { code, stdout } = await vexil(off)
    expect(code).toBe(1)
    expect(stdout).toContain('other flags depend on it: child (ID: 8)')
    expect((await flag('checkout')).active).toBe(true)
  })

  it.each(['off', 'on'])('knows an archived flag, which is %s', async turned => {
    const { vexil, sent } = await sitDown(profile, {
      flags: [{ ...checkout, active: false, archived: true }],
    })
    const { code, stdout, stderr } = await vexil(turned === 'off' ? off : on)
    expect(sent.filter(({ body }) => body)).toEqual([])
    if (turned === 'off')
      expect({ code, stderr }).toEqual({ code: 0, stderr: 'flag checkout is off already\n' })
    else
      expect({ code, stdout }).toEqual({
        code: 3,
        stdout: expect.stringContaining('an archived flag cannot be on'),
      })
  })

  it('is asked for its list once more, archived flags too, where it has no such flag', async () => {
    const { vexil, sent } = await sitDown(profile)
    const { code, stderr } = await vexil(['disable', 'chekout', '--reason', 'fails', '--auto-approve'])
    expect({ code, stderr }).toEqual({
      code: 64,
      stderr: expect.stringContaining('did you mean "checkout"?'),
    })
    expect(sent.map(({ line }) => line)).toEqual([
      `GET ${flagsPath}/?key=chekout&limit=1000`,
      `GET ${flagsPath}/?limit=1000`,
      `GET ${flagsPath}/?archived=true&limit=1000`,
    ])
  })

  it('of an earlier build ignores the key, and is not asked twice for a flag that it has', async () => {
    const { vexil, sent } = await sitDown(profile, { quirks: { flag_list_query: 'without_key' } })
    expect((await vexil(off)).code).toBe(0)
    expect(sent).toHaveLength(3)
  })
})

describe('a service that refuses a query that it does not know', () => {
  it('is asked for its list', async () => {
    const answer = ({ url }: Request) =>
      new URL(url).searchParams.has('key')
        ? Promise.resolve(Response.json({ detail: 'unknown' }, { status: 400 }))
        : undefined
    const { vexil, flag } = await sitDown('documented', { answer })
    expect((await vexil(off)).code).toBe(0)
    expect((await flag('checkout')).active).toBe(false)
  })
})
