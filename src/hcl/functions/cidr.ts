import ipaddr from 'ipaddr.js'
import { elsewhere, invalid, unsupported } from '../values/refusal.ts'
import { type FunctionRows, row, textList } from './function-row.ts'

export const cidrFunctions: FunctionRows = {
  cidrhost: row(['text', 'huge'], 'string', (written, number) =>
    addressText(host(parsePrefix(written), number)),
  ),
  cidrnetmask: row(['text'], 'string', written => {
    const prefix = parsePrefix(written)
    if (prefix.bits !== 32) throw invalid('only a prefix of IPv4 has a netmask')
    return addressText({ bits: 32, value: maskOf(prefix) })
  }),
  cidrsubnet: row(['text', 'whole', 'huge'], 'string', (written, more, number) =>
    prefixText(subnet(parsePrefix(written), more, number)),
  ),
  cidrsubnets: row(['text', '...whole'], ['list', 'string'], (written, ...lengths) =>
    textList(subnets(parsePrefix(written), lengths).map(prefixText)),
  ),
}

/** An address as a number of 32 or 128 bits. */
interface Address {
  readonly bits: number
  readonly value: bigint
}

/** A network: its first address, and the length of its prefix in bits. */
interface Prefix extends Address {
  readonly length: number
}

function parsePrefix(text: string): Prefix {
  const [, written = '', digits = ''] = /^([^/]*)\/(\d+)$/.exec(text) ?? []
  const address = written.includes(':') ? parseLong(written) : parseShort(written)
  const length = Number(digits)
  if (!address || digits === '' || length > address.bits)
    throw invalid(`${JSON.stringify(text.slice(0, 60))} is no prefix of addresses`, 'write one as 10.0.0.0/8')
  const prefix = { ...address, length }
  return { ...prefix, value: address.value & maskOf(prefix) }
}

/** Zeros at the beginning of a number are ignored. */
function parseShort(text: string): Address | undefined {
  const parts = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text)?.slice(1).map(Number)
  if (!parts || parts.some(part => part > 255)) return undefined
  return { bits: 32, value: parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n) }
}

function parseLong(text: string): Address | undefined {
  if (text.includes('%') || text.includes('.'))
    throw unsupported('an address of IPv6 in this form', elsewhere)
  if (!ipaddr.IPv6.isValid(text)) return undefined
  const value = BigInt(`0x${Buffer.from(ipaddr.IPv6.parse(text).toByteArray()).toString('hex')}`)
  if (value >> 32n === 0xffffn) throw unsupported('an address of IPv4 within IPv6', elsewhere)
  return { bits: 128, value }
}

function maskOf({ bits, length }: { readonly bits: number; readonly length: number }): bigint {
  return ((1n << BigInt(length)) - 1n) << BigInt(bits - length)
}

/** A negative number counts from the end. */
function host({ bits, value, length }: Prefix, number: bigint): Address {
  const count = 1n << BigInt(bits - length)
  // Terraform reads only 64 bits of the number, and may continue with one that is too large.
  const seen = number < 0n ? -number - 1n : BigInt.asIntN(64, number)
  if (seen >= count) throw invalid(`a prefix of ${length} bits has no address with the number ${number}`)
  if (number >= count) throw unsupported('a number beyond the end of the prefix', elsewhere)
  return { bits, value: value | (number < 0n ? count + number : number) }
}

function subnet({ bits, value, length }: Prefix, more: number, number: bigint): Prefix {
  if (more < 0 || number < 0n) throw unsupported('a negative number', elsewhere)
  if (length + more > bits) throw invalid(`a prefix of ${length} bits cannot be made ${more} bits longer`)
  if (number >= 1n << BigInt(more)) {
    if (BigInt.asUintN(64, number) < 1n << BigInt(more))
      throw unsupported('a number beyond the end of the prefix', elsewhere)
    throw invalid(`${more} bits do not hold the number ${number}`)
  }
  return { bits, value: value | (number << BigInt(bits - length - more)), length: length + more }
}

/** Networks in sequence, each at the first place after the one before that fits. */
function subnets(whole: Prefix, lengths: readonly number[]): readonly Prefix[] {
  const end = whole.value + (1n << BigInt(whole.bits - whole.length))
  let next = whole.value
  return lengths.map(more => {
    const length = whole.length + more
    if (more < 1 || more > 32 || length > whole.bits)
      throw invalid(`a prefix of ${whole.length} bits cannot be made ${more} bits longer`)
    const size = 1n << BigInt(whole.bits - length)
    const value = ((next + size - 1n) / size) * size
    // A network that wraps around to zero is refused as well, though it may be intended.
    if (value + size > end || value === 0n)
      throw invalid(`there is no room left for a network with a prefix of ${length} bits`)
    next = value + size
    return { bits: whole.bits, value, length }
  })
}

function prefixText(prefix: Prefix): string {
  return `${addressText(prefix)}/${prefix.length}`
}

function addressText({ bits, value }: Address): string {
  const bytes = Buffer.from(value.toString(16).padStart(bits / 4, '0'), 'hex')
  if (bits === 32) return bytes.join('.')
  return new ipaddr.IPv6([...bytes]).toRFC5952String()
}
