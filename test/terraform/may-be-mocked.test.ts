import { expect, it } from 'vitest'
import { hasMadeUp } from '../../src/terraform/provider.ts'

it.each(['wtkxfsbr', 'a1b2c3d4', 'Em5kV2', 'm9KROWYiX3humqL', 'aB3d'])('takes %s for made up', text => {
  expect(hasMadeUp({ key: text, name: null })).toBe(true)
})

it.each(['support', 'x', '12345', 'two words', 'a-b_c', '01900000-0000-0000-0000-0000000000aa', '{}', ''])(
  'takes "%s" for what somebody wrote',
  text => {
    expect(hasMadeUp({ key: text, name: null })).toBe(false)
  },
)
