/*
 * A program of Windows begins with the place of its header; the header lists tables by their place and size, and the
 * fifth of them is the signature, which stands at the end of the file. See Microsoft's "PE Format", "Optional Header Data
 * Directories" and "The Attribute Certificate Table".
 */
const headerPointer = 0x3c
const optionalHeader = 24
const magicOf64Bits = 0x20b
const tablesIn64Bits = 112
const signatureEntry = 4 * 8

/** A program without its signature, which would be wrong of what is changed. Throws where the file is no 64-bit program. */
export function withoutSignature(program: Uint8Array): Uint8Array {
  const bytes = Buffer.from(program)
  const entry = entryOf(bytes)
  const [offset, size] = [bytes.readUInt32LE(entry), bytes.readUInt32LE(entry + 4)]
  if (size === 0) return bytes
  if (offset + size !== bytes.length) throw new Error('the signature is not at the end of the file')
  bytes.writeUInt32LE(0, entry)
  bytes.writeUInt32LE(0, entry + 4)
  return bytes.subarray(0, offset)
}

/** Whether there is a signature, be it right or wrong. */
export function isSigned(program: Uint8Array): boolean {
  const bytes = Buffer.from(program.buffer, program.byteOffset, program.byteLength)
  return bytes.readUInt32LE(entryOf(bytes) + 4) !== 0
}

function entryOf(bytes: Buffer): number {
  const header = bytes.length > headerPointer + 4 ? bytes.readUInt32LE(headerPointer) : 0
  const isProgram = header > 0 && bytes.toString('latin1', header, header + 4) === 'PE\0\0'
  if (!isProgram || bytes.readUInt16LE(header + optionalHeader) !== magicOf64Bits) {
    throw new Error('this is no 64-bit program of Windows')
  }
  return header + optionalHeader + tablesIn64Bits + signatureEntry
}
