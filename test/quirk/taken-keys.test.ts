import { describe, expect, it, onTestFinished } from 'vitest'
import type { JsonObject } from '../../src/model/json/json.ts'
import type { Profile, Quirks } from '../../src/sandbox/index.ts'
import { startService } from '../support/service.ts'
import { aWorkspace, flagsPath, isWrite } from '../support/workspace.ts'

const declared =
  '  checkout: { active: false, name: Ours, filters: { groups: [ { rollout_percentage: 10 } ] } }'

interface Place {
  readonly profile?: Profile
  readonly quirks?: Partial<Quirks>
  /** The flags that are there. */
  readonly flags?: readonly (JsonObject & { readonly key: string })[]
  /** What a colleague makes just before the first creation goes in. */
  readonly before?: JsonObject
  /** Paths that are refused, as by a key that may not ask. */
  readonly refused?: RegExp
}

/** Applies a new flag where something has its key, on a service that keeps no trail of what happened. */
async function apply({ profile = 'posthog-2026', quirks, flags = [], before, refused }: Place) {
  let made = false
  const service = await startService(
    {
      profile,
      quirks,
      seed: { organizations: [{ name: 'E', projects: [{ id: 1, name: 'P', feature_flags: flags }] }] },
    },
    handle => async (request, connection) => {
      if (refused?.test(request.url)) return Response.json({ code: 'permission_denied' }, { status: 403 })
      if (request.url.includes('/activity')) return Response.json({})
      if (request.method === 'POST' && before && !made) {
        made = true
        await service.send('POST', `${flagsPath}/`, before)
      }
      return handle(request, connection)
    },
  )
  const { vexil, declareFlags, remove } = await aWorkspace(service, { 'vexil.yaml': 'version: 1\n' })
  onTestFinished(async () => {
    await service.close()
    await remove()
  })
  await declareFlags(declared)
  const { result, requests } = await service.watch(() => vexil(`apply --auto-approve --profile ${profile}`))
  const [, reason] = /flag checkout left alone: (.*)/.exec(result.stdout) ?? []
  return {
    code: result.code,
    reason: reason?.replaceAll(/http:\/\/[\d.:]+/g, 'URL'),
    writes: requests.filter(isWrite).length - (made ? 1 : 0),
    requests,
  }
}

const other = { id: 3, key: 'other' }
const link = 'URL/project/1/feature_flags/12'

describe('a key that is taken', () => {
  it('by an archived flag that no list has shown: it is named, with how to go on', async () => {
    const archived = { key: 'checkout', active: false, archived: true, filters: { groups: [{}] } }
    const seen = await apply({ profile: 'posthog-2026', flags: [other], before: archived })
    expect(seen).toMatchObject({
      code: 5,
      writes: 1,
      reason:
        'its key is that of an archived flag (id 4, URL/project/1/feature_flags/4); declare `id: 4` to take it over, with `archived: true` as it is or without to bring it back; plan again',
    })
  })

  it('by a flag of a survey', async () => {
    const flags = [other, { id: 12, key: 'checkout', survey_targeting: true }]
    expect(await apply({ flags })).toMatchObject({
      code: 5,
      writes: 1,
      reason: `its key is that of a flag (id 12, ${link}) that lists leave out, as they do with those of surveys and product tours; take another key: that one belongs to what made it; plan again`,
    })
  })

  it('by a flag that this key may not see', async () => {
    const flags = [other, { id: 12, key: 'checkout', access_level: 'none' }]
    expect(await apply({ flags })).toMatchObject({
      code: 5,
      writes: 1,
      reason: `its key is that of a flag (id 12, ${link}) that this key may not see; use a key that may, or take another key; plan again`,
    })
  })

  it('by what nobody tells this key of', async () => {
    const flags = [other, { id: 12, key: 'checkout', survey_targeting: true }]
    const { code, reason, writes } = await apply({ flags, refused: /organizations/ })
    expect([code, writes]).toEqual([5, 1])
    expect(reason).toContain('its key is taken, and no list says by what: an archived flag, one of a survey')
  })

  it.each(['documented', 'posthog', 'posthog-2026'] as const)(
    'by what somebody has just made, which is read again by its key: %s',
    async profile => {
      const seen = await apply({
        profile,
        flags: [other],
        before: { key: 'checkout', filters: { groups: [{}] } },
      })
      expect(seen).toMatchObject({
        code: 5,
        writes: 1,
        reason:
          'it exists (id 4, URL/project/1/feature_flags/4) and is not as planned; somebody else wrote it; plan again',
      })
    },
  )

  it('by just such a flag is no reason to do anything', async () => {
    const same = { key: 'checkout', name: 'Ours', active: false }
    const before = { ...same, filters: { groups: [{ properties: [], rollout_percentage: 10 }] } }
    expect(await apply({ flags: [other], before })).toMatchObject({ code: 0, writes: 1 })
  })

  it('costs no request before it is refused', async () => {
    const { requests } = await apply({ flags: [other] })
    expect(requests.filter(line => /organizations|archived|key=/.test(line))).toEqual([])
  })

  it('is looked for in one page, where the service finds flags by their keys', async () => {
    const flags = Array.from({ length: 130 }, (_, index) => ({ id: index + 20, key: `flag_${index}` }))
    const { requests, code } = await apply({ flags, before: { key: 'checkout', filters: { groups: [{}] } } })
    expect(code).toBe(5)
    expect(requests.slice(requests.findLastIndex(isWrite) + 1)).toHaveLength(1)
  })
})
