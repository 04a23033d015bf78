import { describe, expect, it } from 'vitest'
import { nothing, sharesOf, worldOf } from './clones.ts'

const conditions = (germany: number, austria: number) => [
  { properties: [countryIs('DE')], rollout_percentage: germany },
  { properties: [countryIs('AT')], rollout_percentage: austria },
]

function countryIs(code: string) {
  return { key: 'country', type: 'person', operator: 'exact', value: [code] }
}

const declares = (germany: number, austria: number) => ({
  'flags.yaml': `feature_flags:
  checkout: { active: true, filters: ${JSON.stringify({ groups: conditions(germany, austria) })} }
`,
})

describe('a product manager widens one condition while the repository changes another', () => {
  it('and both come: each side is told as its own doing, and pull takes the rest into the files', async () => {
    const { apply, click, commit, flag, plan, vexil } = await worldOf(declares(10, 20))
    await apply()
    await click('checkout', { filters: { groups: conditions(15, 20) } }, 2)
    await commit(declares(10, 25))
    const planned = await plan()
    expect(planned).toMatchObject({
      code: 0,
      changes: ['update checkout: filters'],
      blocked: [],
      edits: ['checkout filters merged'],
    })
    const [product, repository] = planned.text.split('MEDIUM RISK')
    expect(product).toContain('filters: merged, changed in the product by grace@example.com')
    expect(product).toContain('condition 1  country is DE  10% -> 15%')
    expect(product).not.toContain('condition 2')
    expect(repository).toContain('condition 2  country is AT  20% -> 25%')
    expect(repository).not.toContain('condition 1')
    expect((await apply()).code).toBe(0)
    expect(sharesOf(await flag('checkout'))).toEqual([15, 25])
    expect(await plan()).toMatchObject({ ...nothing, edits: ['checkout filters held'] })
    expect((await vexil('pull checkout')).code).toBe(0)
    expect(await plan()).toMatchObject(nothing)
  })

  it('and git does not have what it was before: a conflict, and nothing is sent', async () => {
    const world = await worldOf(declares(10, 20))
    await world.apply()
    await world.click('checkout', { filters: { groups: conditions(15, 20) } })
    await world.commit(declares(10, 25))
    const shallow = await world.clone('--depth', '1')
    const planned = await shallow.plan()
    expect(planned).toMatchObject({ code: 3, changes: [], edits: ['checkout filters conflict'] })
    expect(planned.text).toContain('its earlier value is not available')
    expect((await shallow.apply()).code).toBe(3)
    expect(sharesOf(await world.flag('checkout'))).toEqual([15, 20])
  })
})
