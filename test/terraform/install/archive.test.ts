import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { checksumsOf, type ReleaseFile, zipOf } from '../../../src/terraform/install.ts'

const started: ReleaseFile = { path: 'start.cjs', bytes: Buffer.from('go()\n'), isExecutable: true }
const read: ReleaseFile = { path: 'bundle.cjs', bytes: Buffer.from('exports.go = 1\n'), isExecutable: false }

/** The entries of the central directory, where unpackers look for permissions. */
function entriesOf(zip: Uint8Array) {
  const bytes = Buffer.from(zip)
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  let at = bytes.readUInt32LE(end + 16)
  return Array.from({ length: bytes.readUInt16LE(end + 10) }, () => {
    const [name, extra, comment] = [28, 30, 32].map(offset => bytes.readUInt16LE(at + offset))
    const entry = {
      name: bytes.toString('utf8', at + 46, at + 46 + name!),
      madeOn: bytes.readUInt8(at + 5),
      time: bytes.readUInt16LE(at + 12),
      day: bytes.readUInt16LE(at + 14),
      mode: (bytes.readUInt32LE(at + 38) >>> 16).toString(8),
    }
    at += 46 + name! + extra! + comment!
    return entry
  })
}

describe('an archive', () => {
  it('says which file can be executed, in the way of Unix', () => {
    const permissions = entriesOf(zipOf([started, read])).map(({ name, madeOn, mode }) => [
      name,
      madeOn,
      mode,
    ])
    expect(permissions).toEqual([
      ['bundle.cjs', 3, '100644'],
      ['start.cjs', 3, '100755'],
    ])
  })

  it('holds the files as they are', () => {
    const unpacked = Object.entries(unzipSync(zipOf([started, read])))
    expect(unpacked.map(([path, bytes]) => [path, strFromU8(bytes)])).toEqual([
      ['bundle.cjs', 'exports.go = 1\n'],
      ['start.cjs', 'go()\n'],
    ])
  })

  it('was packed at the beginning of time, whenever and wherever it is packed', () => {
    const firstOfJanuary1980 = (1 << 5) | 1
    expect(entriesOf(zipOf([started])).map(({ day, time }) => ({ day, time }))).toEqual([
      { day: firstOfJanuary1980, time: 0 },
    ])
    expect(Buffer.from(zipOf([started, read])).equals(zipOf([started, read]))).toBe(true)
  })
})

describe('checksums', () => {
  it('are lines of `sha256sum`, in the order of the digests', () => {
    expect(
      checksumsOf([
        { path: 'b.zip', bytes: Buffer.from('b') },
        { path: 'a.zip', bytes: Buffer.from('a') },
        { path: 'empty.json', bytes: Buffer.alloc(0) },
      ]),
    ).toBe(
      [
        '3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d  b.zip',
        'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb  a.zip',
        'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  empty.json',
        '',
      ].join('\n'),
    )
  })
})
