import { describe, expect, it } from 'vitest'
import { isSigned, withoutSignature } from '../../../src/generate/provider-release/single-executable.ts'

const header = 0x80
const signatureEntry = header + 24 + 112 + 4 * 8

/** The parts of a program that say where its signature is, and a signature of some bytes. */
function program({ magic = 0x20b, signature = 'signed', more = '' } = {}): Buffer {
  const bytes = Buffer.alloc(0x200, 1)
  bytes.writeUInt32LE(header, 0x3c)
  bytes.write('PE\0\0', header, 'latin1')
  bytes.writeUInt16LE(magic, header + 24)
  bytes.writeUInt32LE(signature === '' ? 0 : bytes.length, signatureEntry)
  bytes.writeUInt32LE(signature.length, signatureEntry + 4)
  return Buffer.concat([bytes, Buffer.from(signature + more)])
}

describe('a program of Windows', () => {
  it('is the same without its signature, but for what says where that is', () => {
    const unsigned = program({ signature: '' })
    expect([isSigned(program()), isSigned(unsigned)]).toEqual([true, false])
    expect(Buffer.from(withoutSignature(program())).equals(unsigned)).toBe(true)
  })

  it('stays as it is where there is none, and is no other bytes than those given', () => {
    const [unsigned, signed] = [program({ signature: '' }), program()]
    expect(Buffer.from(withoutSignature(unsigned)).equals(unsigned)).toBe(true)
    withoutSignature(signed)
    expect(signed.equals(program())).toBe(true)
  })

  it.each([
    ['a script', Buffer.from('#!/bin/sh\n')],
    ['nothing', Buffer.alloc(0)],
    ['a program of 32 bits', program({ magic: 0x10b })],
  ])('is not %s', (_, bytes) => {
    expect(() => withoutSignature(bytes)).toThrow('this is not a 64-bit Windows program')
  })

  it('is refused where something follows the signature, which would be lost', () => {
    expect(() => withoutSignature(program({ more: 'more' }))).toThrow(
      'the signature is not at the end of the file',
    )
  })
})
