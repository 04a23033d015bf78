import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/model/json/json.ts'
import type { Profile } from '../../../src/model/profile.ts'
import { checkFilters } from '../../../src/targeting/check/check-filters.ts'

const variants: Json = {
  variants: [
    { key: 'a', rollout_percentage: 50 },
    { key: 'b', rollout_percentage: 50 },
  ],
}

describe('a condition behind others', () => {
  const groups: Json = [{ variant: 'a' }, {}, { variant: 'b' }]
  it.each([
    ['documented', ['/groups/1', '/groups/2']],
    ['posthog-2026', ['/groups/1', '/groups/2']],
  ] as const)('never matches by the order of %s', (profile, pointers) => {
    const found = checkFilters({ groups, multivariate: variants }, undefined, [profile])
    expect(
      found.filter(({ code }) => code === 'unreachable-condition').map(({ pointer }) => pointer),
    ).toEqual(pointers)
  })

  it('is one that no later one covers, where conditions are tried as they are written', () => {
    const groups: Json = [{ rollout_percentage: 10 }, { variant: 'a' }]
    const filters = { groups, multivariate: variants }
    const codes = (profile: Profile) =>
      checkFilters(filters, undefined, [profile]).flatMap(({ code, pointer }) =>
        code === 'unreachable-condition' ? [pointer] : [],
      )
    expect(codes('posthog')).toEqual(['/groups/0'])
    expect(codes('posthog-2026')).toEqual([])
  })
})
