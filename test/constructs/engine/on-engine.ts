import { Testing } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { expectCase } from '../../stack/expect-case.ts'
import { describeIterations } from '../../stack/iteration-cases.ts'
import { describeIterators } from '../../stack/iterator-cases.ts'
import { expectPlaces } from '../../stack/places/expect-places.ts'
import { changedTokens, quoteTrap, type TrapCase, trapCases } from '../../stack/trap-cases.ts'
import { describeAdding } from '../flag/describe-adding.ts'
import { describePolicyPlaces } from '../policies/policy-places.ts'
import { describeElsewhere } from '../references/describe-elsewhere.ts'
import { shopStack } from '../shop-stack.ts'
import { describeLost } from './describe-lost.ts'

/** What holds with whichever engine `cdktf` is, and what goes wrong with that one alone. */
export function describeOnEngine(traps: readonly TrapCase[] = []): void {
  it('a stack synthesizes to the same with each engine', async () => {
    const stack = JSON.parse(Testing.synth(shopStack(), true))
    await expect(JSON.stringify(stack, null, 2)).toMatchFileSnapshot('../__snapshots__/shop.tf.json.snap')
  })

  describeAdding()
  describeElsewhere()
  describePolicyPlaces()
  describeIterations()
  describeLost()
  describeIterators()
  describe('the places of constructs', expectPlaces)

  describe('what goes wrong', () => {
    it.each([...trapCases, ...changedTokens, ...traps, quoteTrap])('$title', expectCase)
  })
}
