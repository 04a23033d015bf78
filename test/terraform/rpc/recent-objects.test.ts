import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readObject } from '../../../src/terraform/rpc/dynamic-value.ts'
import { RecentObjects } from '../../../src/terraform/rpc/recent-objects.ts'

/** Reads an object that says what it was read from. */
function reading(recent: RecentObjects) {
  const read: string[] = []
  const get = (bytes: Uint8Array) =>
    recent.get(bytes, () => {
      const text = Buffer.from(bytes).toString('hex')
      read.push(text)
      return { text }
    })
  return { get, read }
}

const numbered = (index: number) => Buffer.from(`object ${index}`)

describe('the objects that were read last', () => {
  it('are those of their bytes, whatever came before', () => {
    const { get } = reading(new RecentObjects())
    const anyBytes = fc.uint8Array({ maxLength: 3 })
    fc.assert(
      fc.property(anyBytes, bytes => {
        expect(get(bytes)).toEqual({ text: Buffer.from(bytes).toString('hex') })
      }),
    )
  })

  it('are read once for the same bytes, wherever those stand', () => {
    const { get, read } = reading(new RecentObjects())
    const first = get(Buffer.from('same'))
    expect(get(Buffer.from('-same-').subarray(1, 5))).toBe(first)
    expect(read).toHaveLength(1)
  })

  it('are no more than 240, and the oldest goes first', () => {
    const { get, read } = reading(new RecentObjects())
    for (let index = 0; index <= 240; index++) get(numbered(index))
    get(numbered(1))
    expect(read).toHaveLength(241)
    get(numbered(0))
    expect(read).toHaveLength(242)
  })

  it('are none of the large ones', () => {
    const { get, read } = reading(new RecentObjects())
    const [large, largest] = [Buffer.alloc(16_385), Buffer.alloc(16_384)]
    for (const bytes of [large, large, largest, largest]) get(bytes)
    expect(read).toHaveLength(3)
  })

  it('are told apart by the schema that they are read with', () => {
    const [text, flag] = ['string', 'bool'].map(type => ({
      attributes: { a: { type: type as 'string' | 'bool', presence: 'optional' as const } },
    }))
    // {"a": nil} of any schema that has "a".
    const wire = { msgpack: Buffer.from('81a161c0', 'hex'), json: new Uint8Array() }
    expect(readObject(text!, wire)).toBe(readObject(text!, wire))
    expect(readObject(text!, wire)).not.toBe(readObject(flag!, wire))
    expect(readObject(text!, { ...wire, msgpack: Buffer.from('c0', 'hex') })).toBeNull()
  })
})
