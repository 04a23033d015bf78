import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Secrets } from '../../../src/api/index.ts'
import { anyText } from '../../support/any-text.ts'

const lengths = { minLength: 8, maxLength: 60 }

/** Of any characters that a key may have, or of those that real ones have, which are looked for in a shorter way. */
const aKey = fc.oneof(
  fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map(code => String.fromCharCode(code)),
    ...lengths,
  }),
  fc.string({ unit: fc.constantFrom(...'abyzABYZ0129_-+=.'), ...lengths }),
)

/** Ways in which one character of a key gets written. */
const writings: readonly ((character: string) => string)[] = [
  character => character,
  character => character.toUpperCase(),
  character => `%${hexOf(character)}`,
  character => `%25${hexOf(character).toUpperCase()}`,
  character => `\\u00${hexOf(character)}`,
  character => `\\\\u00${hexOf(character)}`,
  character => `\\x${hexOf(character)}`,
  character => JSON.stringify(character).slice(1, -1),
  character => JSON.stringify(JSON.stringify(character).slice(1, -1)).slice(1, -1),
]

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, '0')
}

function secretsOf(...keys: readonly string[]): Secrets {
  const secrets = new Secrets()
  for (const key of keys) secrets.add(key)
  return secrets
}

describe('the secrets of a run', () => {
  it('are found with each character written in any way', () => {
    fc.assert(
      fc.property(
        aKey,
        fc.array(fc.nat({ max: writings.length - 1 }), { minLength: 60, maxLength: 60 }),
        (key, ways) => {
          const written = Array.from(key, (each, index) => writings[ways[index] ?? 0]?.(each)).join('')
          const secrets = secretsOf(key)
          expect(secrets.isIn(`before ${written} after`)).toBe(true)
          expect(secrets.hide(`before ${written} after`)).toBe('before [redacted] after')
        },
      ),
    )
  })

  it('are found in base64 at whatever place they begin', () => {
    fc.assert(
      fc.property(
        aKey,
        fc.string(),
        fc.string(),
        fc.constantFrom('base64', 'base64url' as const),
        (key, before, after, encoding) => {
          const written = Buffer.from(`${before}${key}${after}`).toString(encoding as 'base64')
          expect(secretsOf(key).isIn(written)).toBe(true)
        },
      ),
    )
  })

  it('leave no beginning of a key where a text was cut', () => {
    const secrets = secretsOf('phx_0123456789abcdef')
    expect(secrets.hide('it is "phx_0123456789ab…", and "phx_0…"')).toBe('it is "[redacted]…", and "phx_0…"')
  })

  it('are overwritten in bytes without moving anything', () => {
    fc.assert(
      fc.property(aKey, fc.uint8Array(), fc.uint8Array(), (key, before, after) => {
        const bytes = Buffer.concat([before, Buffer.from(key), after])
        const safe = Buffer.from(secretsOf(key).overwrite(bytes))
        expect(safe.length).toBe(bytes.length)
        expect(safe.includes(key)).toBe(false)
      }),
    )
  })

  it('change no text that holds none of them', () => {
    fc.assert(
      fc.property(anyText(), text => {
        expect(secretsOf('phx_0123456789abcdef').hide(text)).toBe(text)
        expect(new Secrets().hide(text)).toBe(text)
      }),
    )
  })

  it('of the greatest length are found as well, and what is no key is none', () => {
    const long = `phx_${'"\\%a'.repeat(249)}`
    expect(secretsOf(long).hide(`x ${JSON.stringify(long)} y`)).toBe('x "[redacted]" y')
    expect(secretsOf('short', 'two words', '').isIn('short two words')).toBe(false)
  })
})
