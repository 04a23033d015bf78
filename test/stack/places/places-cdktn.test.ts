import { TerraformStack } from 'cdktf'
import * as cdktn from 'cdktn'
import { describe, expect, it, vi } from 'vitest'
import { expectPlaces } from './expect-places.ts'

vi.mock('cdktf', () => import('cdktn'))

describe('the places of constructs with cdktn', () => {
  expectPlaces()

  it('are those of cdktn', () => {
    expect(TerraformStack).toBe(cdktn.TerraformStack)
  })
})
