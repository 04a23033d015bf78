import { expect, it } from 'vitest'
import { oncePer } from '../../../src/model/runtime.ts'

it('works something out once for each object, and undefined too', () => {
  const asked: object[] = []
  const [one, other] = [{ name: 'one' }, { name: 'other' }]
  const lengthOf = oncePer((key: { readonly name: string }) => {
    asked.push(key)
    return key === other ? undefined : key.name.length
  })
  expect([lengthOf(one), lengthOf(other), lengthOf(one), lengthOf(other)]).toEqual([
    3,
    undefined,
    3,
    undefined,
  ])
  expect(asked).toEqual([one, other])
})
