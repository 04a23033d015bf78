import { Testing } from 'cdktf'
import * as cdktn from 'cdktn'
import { expect, it, vi } from 'vitest'
import { shopStack } from './shop-stack.ts'

vi.mock('cdktf', () => import('cdktn'))

it('the same stack synthesizes to the same with cdktn', async () => {
  const stack = shopStack()
  expect(stack).toBeInstanceOf(cdktn.TerraformStack)
  const synthesized = JSON.parse(Testing.synth(stack, true))
  await expect(JSON.stringify(synthesized, null, 2)).toMatchFileSnapshot('./__snapshots__/shop.tf.json.snap')
})
