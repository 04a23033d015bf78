import { describe, expect, it, onTestFinished } from 'vitest'
import type { JsonObject } from '../../src/model/text/json.ts'
import type { Profile, Quirks } from '../../src/sandbox/index.ts'
import { startService } from '../support/service.ts'
import { aWorkspace, aWorld, flagsPath, isWrite } from '../support/workspace.ts'
import { playTerraform, refusalOf } from '../terraform/resources/play.ts'

const declared =
  '  checkout: { active: false, name: Ours, filters: { groups: [ { rollout_percentage: 10 } ] } }'

interface Place {
  readonly profile?: Profile
  readonly quirks?: Partial<Quirks>
  /** The flags that are there. */
  readonly flags?: readonly (JsonObject & { readonly key: string })[]
  /** What a colleague makes just before the first write goes in. */
  readonly before?: JsonObject
}

/** A service that keeps no trail of what happened, where something has a key. */
async function serve({ profile = 'posthog-2026', quirks, flags = [], before }: Place) {
  let made = false
  const service = await startService(
    {
      profile,
      quirks,
      seed: aWorld({ feature_flags: flags }),
    },
    handle => async (request, connection) => {
      if (request.url.includes('/activity')) return Response.json({})
      if (request.method !== 'GET' && before && !made) {
        made = true
        await service.send('POST', `${flagsPath}/`, before)
      }
      return handle(request, connection)
    },
  )
  onTestFinished(() => service.close())
  const ours = (requests: readonly string[]) => requests.filter(isWrite).length - (made ? 1 : 0)
  return { service, profile, ours }
}

/** Applies a new flag. */
async function apply(place: Place) {
  const { service, profile, ours } = await serve(place)
  const { vexil, declareFlags, remove } = await aWorkspace(service, { 'vexil.yaml': 'version: 1\n' })
  onTestFinished(remove)
  await declareFlags(declared)
  const { result, requests } = await service.watch(() => vexil(`apply --auto-approve --profile ${profile}`))
  const [, reason] = /flag checkout not written: (.*)/.exec(result.stdout) ?? []
  return { code: result.code, reason: reason && withoutPort(reason), writes: ours(requests), requests }
}

/** Renames the flag `old`, as only Terraform and an undo do; what is said, and how often was written. */
async function rename(place: Place) {
  const { service, profile, ours } = await serve(place)
  const terraform = await playTerraform(service, { profile })
  const config = { key: 'old', name: 'Ours' }
  const kept = await terraform.import('feature_flag', '3')
  const { result, requests } = await service.watch(() =>
    refusalOf(() => terraform.apply('feature_flag', { ...config, key: 'checkout' }, kept)),
  )
  return { said: withoutPort(result), writes: ours(requests) }
}

function withoutPort(text: string): string {
  return text.replaceAll(/http:\/\/[\d.:]+/g, 'URL')
}

const other = { id: 3, key: 'other' }
const ofSurvey = { id: 12, key: 'checkout', survey_targeting: true }

describe('a key that is taken', () => {
  it('by an archived flag that no list has shown: it is named, with how to go on', async () => {
    const archived = { key: 'checkout', active: false, archived: true, filters: { groups: [{}] } }
    const seen = await apply({ profile: 'posthog-2026', flags: [other], before: archived })
    expect(seen).toMatchObject({
      code: 5,
      writes: 1,
      reason:
        'its key belongs to an archived flag (id 4, URL/project/1/feature_flags/4); declare `id: 4` to adopt it: with `archived: true` it stays archived, without that it is restored; plan again',
    })
  })

  it('by what no list shows', async () => {
    const { code, reason, writes } = await apply({ flags: [other, ofSurvey] })
    expect([code, writes]).toEqual([5, 1])
    expect(reason).toContain(
      'its key is taken, but no list shows which object has it: an archived flag, a flag of a survey',
    )
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
          'it exists (id 4, URL/project/1/feature_flags/4) and differs from the plan; someone else wrote it; plan again',
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

describe('a new key that is taken', () => {
  const own = { id: 3, key: 'old', name: 'Ours' }
  const another = 'take another key, or rename that object first'
  const archived = { key: 'checkout', active: false, archived: true, filters: { groups: [{}] } }
  const living = { key: 'checkout', filters: { groups: [{}] } }
  const page = (id: number) => `(id ${id}, URL/project/1/feature_flags/${id})`

  it.each<[string, Place, string]>([
    ['an archived flag', { flags: [own], before: archived }, `an archived flag ${page(4)}`],
    ['one that is new', { flags: [own], before: living }, `a flag ${page(4)} that exists by now`],
    [
      'one that is new',
      { flags: [own], before: living, profile: 'posthog' },
      `a flag ${page(4)} that exists by now`,
    ],
  ])('by %s', async (_, place, holder) => {
    const { said, writes } = await rename(place)
    expect(said).toBe(
      `error: cannot change flag "old" | Its new key belongs to ${holder}; ${another}. Nothing was written; plan again to see the current state.`,
    )
    expect(writes).toBe(1)
  })

  it('by what no list shows', async () => {
    const { said, writes } = await rename({ flags: [own, ofSurvey] })
    expect(said).toContain(
      'Its new key is taken, but no list shows which object has it: an archived flag, a flag of a survey',
    )
    expect(writes).toBe(1)
  })
})
