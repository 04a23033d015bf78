import { TerraformStack } from 'cdktf'
import * as cdktn from 'cdktn'
import { expect, it, vi } from 'vitest'
import { describePolicyPlaces } from './policy-places.ts'

vi.mock('cdktf', () => import('cdktn'))

describePolicyPlaces()

it('with cdktn', () => {
  expect(TerraformStack).toBe(cdktn.TerraformStack)
})
