import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Profile } from '../../src/model/connection.ts'
import type { Quirks } from '../../src/sandbox/index.ts'
import { type Service, startService } from '../support/service.ts'
import { aWorkspace, isWrite, type Workspace } from '../support/workspace.ts'

const flags = '/api/projects/1/feature_flags'
const at = (rollout_percentage: number) => ({ groups: [{ properties: [], rollout_percentage }] })
const ten = `name: At first, active: true, filters: { groups: [{ properties: [], rollout_percentage: 10 }] }`
const twenty = ten.replace('10', '20')

/** A service of today with one flag, and a repository that declares it. */
interface Desk extends Workspace {
  /** The bodies of the PATCHes that came in. */
  readonly patches: readonly unknown[]
  /** What a colleague does just before the next PATCH goes in. */
  beforePatch(edit: object): void
  /** What the next PATCH is answered in the service's place. */
  answerPatch(status: number, code: string): void
}

let desk: Desk | undefined
beforeEach(() => {
  desk = undefined
})
afterEach(async () => {
  await desk?.service.close()
  await desk?.remove()
})

async function sitDown(
  declared: string,
  quirks: Partial<Quirks> = {},
  live: object = {},
  profile: Profile = 'posthog-2026',
): Promise<Desk> {
  const patches: unknown[] = []
  let edit: object | undefined
  let answer: Response | undefined
  const service: Service = await startService(
    { profile: 'posthog-2026', quirks },
    handle => async (request, connection) => {
      if (request.method !== 'PATCH') return handle(request, connection)
      const body = await request.text()
      patches.push(JSON.parse(body))
      const [edited, answered] = [edit, answer]
      edit = undefined
      answer = undefined
      if (edited) await service.send('PATCH', `${flags}/1/`, edited)
      return answered ?? handle(new Request(request.url, { method: 'PATCH', headers: request.headers, body }))
    },
  )
  await service.send('POST', `${flags}/`, { key: 'checkout', name: 'At first', filters: at(10), ...live })
  const files = {
    'vexil.yaml': 'version: 1\n',
    'flags.yaml': `feature_flags:\n  checkout: { ${declared} }\n`,
  }
  const env = { ...service.env, VEXIL_PROFILE: profile }
  desk = {
    ...(await aWorkspace(service, files, { env })),
    patches,
    beforePatch(once) {
      edit = once
    },
    answerPatch(status, code) {
      const refusal = { type: 'server_error', code, detail: 'No.', attr: null }
      answer = Response.json(refusal, { status })
    },
  }
  return desk
}

const apply = 'apply --auto-approve'

describe('a change of a flag that shows a version', () => {
  it('carries the version and what its fields were like, and nothing is read before it', async () => {
    const { vexil, service, patches } = await sitDown(twenty)
    const { result, requests } = await service.watch(() => vexil(apply))
    expect(result.code, result.stdout).toBe(0)
    expect(patches).toEqual([
      { filters: expect.objectContaining(at(20)), version: 1, original_flag: { filters: expect.anything() } },
    ])
    expect(requests.filter(line => /^(GET|PATCH) .*\/1$/.test(line))).toEqual([`PATCH ${flags}/1`])
  })

  it.each(['documented', 'posthog'] as const)(
    'carries them whatever service the settings name: %s',
    async profile => {
      const { vexil, service, patches } = await sitDown(twenty, {}, {}, profile)
      const { result, requests } = await service.watch(() => vexil(apply))
      expect(result.code, result.stdout).toBe(0)
      expect(patches).toEqual([
        expect.objectContaining({ version: 1, original_flag: { filters: expect.anything() } }),
      ])
      expect(requests.filter(line => /^(GET|PATCH) .*\/1$/.test(line))).toEqual([`PATCH ${flags}/1`])
    },
  )

  it('is left alone where a colleague has changed the same field meanwhile, with exit code 5', async () => {
    const { vexil, flag, records, read, beforePatch } = await sitDown(twenty)
    beforePatch({ filters: at(50) })
    const { code, stdout } = await vexil(apply)
    expect(code, stdout).toBe(5)
    expect(stdout).toContain('checkout not written: it was changed after the plan was made; plan again')
    expect((await flag('checkout')).filters).toMatchObject({ groups: [{ rollout_percentage: 50 }] })
    const [record] = await records()
    const [entry] = JSON.parse(await read(`.vexil/runs/${record}`)).entries
    // Refused, it has not been written: nothing of it is there to be undone.
    expect([entry.outcome, entry.maybe_written]).toEqual(['stale', undefined])
    expect((await vexil('undo last --auto-approve')).stderr).toContain('there is no run to undo')
  })

  it('is said not to be made where the service answers as if all were well', async () => {
    const { vexil, flag, beforePatch } = await sitDown(twenty, { stale_patch: 'dropped' })
    beforePatch({ filters: at(50) })
    const { code, stdout } = await vexil(apply)
    expect(code, stdout).toBe(5)
    expect(stdout).toContain('someone else has changed filters in the meantime; plan again')
    expect((await flag('checkout')).filters).toMatchObject({ groups: [{ rollout_percentage: 50 }] })
    // What was not written because of somebody else is no field that the service does not keep.
    expect((await vexil('plan')).stdout).toContain('50% -> 20%')
  })

  it('leaves what a colleague has changed in another field, and is done', async () => {
    const { vexil, flag, beforePatch } = await sitDown(twenty)
    beforePatch({ name: 'Theirs' })
    expect((await vexil(apply)).code).toBe(0)
    expect(await flag('checkout')).toMatchObject({ name: 'Theirs', filters: at(20) })
    expect((await vexil('plan')).stdout).toContain('Theirs')
  })

  it.each([
    ['deleted', { deleted: true }, 'it was deleted after the plan was made'],
    ['renamed', { key: 'other' }, 'it was renamed after the plan was made'],
  ])('is not called done on a flag that was %s meanwhile', async (_, edit, reason) => {
    const { vexil, beforePatch } = await sitDown(twenty)
    beforePatch(edit)
    const { code, stdout } = await vexil(apply)
    expect(code, stdout).toBe(5)
    expect(stdout).toContain(reason)
  })

  it('is made after a conflict with nothing that it changes', async () => {
    // Names of cohorts are shown in conditions and not stored, so the service sees a difference where there is none.
    const { vexil, patches, answerPatch } = await sitDown(twenty)
    answerPatch(409, 'conflict')
    expect((await vexil(apply)).code).toBe(0)
    expect(patches.length).toBe(2)
  })

  it('is gone where the service knows no such flag any more', async () => {
    const { vexil, answerPatch } = await sitDown(twenty)
    answerPatch(404, 'not_found')
    const { code, stdout } = await vexil(apply)
    expect(code, stdout).toBe(5)
    expect(stdout).toContain('it is gone')
  })
})

describe('what the service does not look at by itself', () => {
  it.each([
    ['turning it off', 'active: false', {}],
    ['turning it on', 'active: true', { active: false }],
    ['conditions of a flag that is off', twenty.replace('active: true, ', ''), { active: false }],
    ['tags', 'tags: [ours]', {}],
    ['a deletion', 'ensure: absent', {}],
  ])('is read before the write: %s', async (_, declared, live) => {
    const { vexil, service, patches } = await sitDown(declared, {}, live)
    const { result, requests } = await service.watch(() => vexil(apply))
    expect(result.code, result.stdout).toBe(0)
    expect(requests.filter(line => line.endsWith('/1'))).toEqual([`GET ${flags}/1`, `PATCH ${flags}/1`])
    expect(patches).toEqual([
      expect.objectContaining({ version: 1, original_flag: expect.objectContaining({}) }),
    ])
  })

  it('is read before a saved plan is carried out, which does nothing where the flag has changed at all', async () => {
    const { vexil, service, edit } = await sitDown(twenty)
    await vexil('plan --out plan.json')
    await edit('checkout', { name: 'Theirs' })
    const { result, requests } = await service.watch(() => vexil('apply plan.json'))
    expect(result.code).toBe(5)
    expect(requests.filter(isWrite)).toEqual([])
  })

  it('is read for all before anything is written, where nothing is to be done by halves', async () => {
    const { vexil, service } = await sitDown(twenty)
    const { requests } = await service.watch(() => vexil(`${apply} --all-or-nothing`))
    expect(requests.filter(line => line.endsWith('/1'))).toEqual([`GET ${flags}/1`, `PATCH ${flags}/1`])
  })

  it('is left alone where a colleague was faster with tags', async () => {
    const { vexil, flag, edit } = await sitDown('tags: [ours]')
    await vexil('plan --out plan.json')
    await edit('checkout', { tags: ['theirs'] })
    expect((await vexil('apply plan.json')).code).toBe(5)
    expect((await flag('checkout')).tags).toEqual(['theirs'])
  })
})

describe('an undo', () => {
  it('leaves alone what a colleague changes meanwhile', async () => {
    const { vexil, flag, beforePatch } = await sitDown(twenty)
    expect((await vexil(apply)).code).toBe(0)
    beforePatch({ filters: at(50) })
    const { code, stdout } = await vexil('undo last --auto-approve')
    expect(code, stdout).toBe(5)
    expect((await flag('checkout')).filters).toMatchObject(at(50))
  })
})

describe('a restored flag', () => {
  it('is brought back with versions, and its key goes with neither', async () => {
    const { vexil, edit, patches, flag } = await sitDown(twenty)
    await edit('checkout', { deleted: true })
    expect((await vexil(apply)).code).toBe(0)
    expect(patches).toEqual([
      expect.objectContaining({ version: 2, original_flag: { filters: expect.anything() } }),
      { deleted: false, version: 3, original_flag: { deleted: true } },
    ])
    expect((await flag('checkout')).filters).toMatchObject(at(20))
  })
})
