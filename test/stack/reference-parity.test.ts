import { expect, it } from 'vitest'
import recorded from './recorded-references.json' with { type: 'json' }
import { refusedByVexil } from './refused-references.ts'

it('refuses the references that Terraform refuses by their text alone, and no other ones', async () => {
  const { refused, taken } = recorded
  expect(Math.min(refused.length, taken.length)).toBeGreaterThan(50)
  expect(await refusedByVexil([...refused, ...taken])).toEqual(refused)
})
