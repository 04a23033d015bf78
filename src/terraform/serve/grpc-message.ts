/** What a call ends with, of the codes that are answered here. */
export const grpcStatus = { ok: 0, resourceExhausted: 8, unimplemented: 12, internal: 13 } as const
export type GrpcStatus = (typeof grpcStatus)[keyof typeof grpcStatus]

/** As large as those that Terraform's own SDK takes. */
export const largestMessageBytes = 256 * 1024 * 1024

/** A call that cannot be answered, with what its caller is told. */
export class GrpcError extends Error {
  override readonly name = 'GrpcError'
  readonly status: GrpcStatus

  constructor(status: GrpcStatus, message: string) {
    super(message)
    this.status = status
  }
}

/** A message as a stream carries it: whether it is compressed, its length, and itself. */
export function framed(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(prefixBytes + message.length)
  frame[0] = 0
  frame.writeUInt32BE(message.length, 1)
  frame.set(message, prefixBytes)
  return frame
}

/** The one message of a call. */
export function unframed(chunks: readonly Buffer[]): Buffer {
  const frame = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
  if (frame.length < prefixBytes) throw new GrpcError(grpcStatus.internal, 'the call came without a message')
  if (frame[0] !== 0) throw new GrpcError(grpcStatus.unimplemented, 'compressed messages are not read')
  if (frame.length !== prefixBytes + frame.readUInt32BE(1))
    throw new GrpcError(grpcStatus.internal, 'the message is not as long as it says')
  return frame.subarray(prefixBytes)
}

/** The text of a status as its header carries it: what is not plain ASCII, and the percent sign, as bytes in hex. */
export function statusText(message: string): string {
  return Array.from(Buffer.from(message), byte =>
    byte >= 0x20 && byte <= 0x7e && byte !== 0x25
      ? String.fromCharCode(byte)
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('')
}

const prefixBytes = 5
