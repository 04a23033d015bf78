import { Testing } from 'cdktf'
import { expect, it } from 'vitest'
import { shopStack } from './shop-stack.ts'

it('a stack with some of everything synthesizes with cdktf', async () => {
  const synthesized = JSON.parse(Testing.synth(shopStack(), true))
  await expect(JSON.stringify(synthesized, null, 2)).toMatchFileSnapshot('./__snapshots__/shop.tf.json.snap')
})
