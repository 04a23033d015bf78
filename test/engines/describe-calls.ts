import { isDeepStrictEqual } from 'node:util'
import { decodeValue } from '../../src/hcl/msgpack.ts'
import { isListValue, isObjectValue, Unknown, type Value } from '../../src/hcl/values.ts'
import { type Block, isComputed, typeOfBlock } from '../../src/terraform/provider.ts'
import { decodeMessage } from '../../src/terraform/serve/codec.ts'
import { type MessageName, messages } from '../../src/terraform/serve/messages.ts'
import { createVexilProvider } from '../../src/terraform/vexil-provider.ts'
import { testRuntime } from '../support/test-runtime.ts'
import published from '../terraform/wire/published-protocol.json' with { type: 'json' }
import type { Note, Recorded } from './life-of-flags.ts'

/** A title, and lines below it. */
export type Sections = ReadonlyMap<string, readonly string[]>

interface Call {
  readonly step: string
  readonly rpc: string
  /** The key of a flag, the type of a data source, or what else it is about. */
  readonly object: string
  readonly words: string
  /** What is unknown in it, or empty. */
  readonly open: string
  readonly fields: readonly string[]
}

/**
 * The calls of a life in words: one section for each command, and one for the fields of all requests. Processes are in
 * the order of their starts, the calls of each in theirs.
 */
export function describeLife(recorded: Recorded): Sections {
  const seen = new Map<string, string>()
  const all: Call[] = []
  const sections = new Map<string, readonly string[]>()
  for (const [step, { command, notes }] of recorded) {
    const processes = callsOf(step, notes)
    const lines = processes.flatMap((calls, index) => {
      const objects = linesOf(calls)
      const content = objects.join('\n')
      if (content.length < 80) return [`process: ${objects.join(', ')}`]
      const before = seen.get(content)
      if (before !== undefined) return [`process: as ${before}`]
      seen.set(content, `${step} ${index + 1}`)
      return ['process', ...objects.map(line => `  ${line}`)]
    })
    all.push(...processes.flat())
    const count = `${processes.length} processes, ${processes.flat().length} calls`
    sections.set(`${step}: ${command}`, [count, ...lines])
  }
  return sections.set('Private state, identities and capabilities in requests', describeFields(all))
}

/** The calls of each process that was started, or of each connection to one that runs. */
function callsOf(step: string, notes: readonly Note[]): readonly (readonly Call[])[] {
  const found = new Map<string, Call[]>()
  for (const { pid, connection, rpc, request = '', answer = '' } of notes) {
    const calls = found.get(`${pid}/${connection}`) ?? []
    found.set(`${pid}/${connection}`, calls)
    const [asked, answered] = [request, answer].map(each => Buffer.from(each, 'base64')) as [Buffer, Buffer]
    if (rpc) calls.push({ step, ...describeCall(rpc, asked, answered) })
  }
  return [...found.values()]
}

/** One line for each object in turn. A call with something unknown ends its line. */
function linesOf(calls: readonly Call[]): readonly string[] {
  const lines: string[] = []
  for (const [index, { object, words, open }] of calls.entries()) {
    const text = words + (open && ` (${open})`)
    const before = calls[index - 1]
    const isNext = before?.object === object && !before.open
    lines.push(isNext ? `${lines.pop()}, ${text}` : `${object}: ${text}`)
  }
  return lines
}

const provider = createVexilProvider({
  env: {},
  runtime: testRuntime(),
  directory: '.',
  userAgent: 'test',
  proxyEnvironment: {},
})

type Wire = { readonly msgpack: Uint8Array } | undefined
type Decoded = Readonly<Record<string, unknown>>

/** The values of requests and of answers that may hold something unknown. */
const values = {
  config: 'config',
  prior_state: 'prior',
  proposed_new_state: 'proposed',
  planned_state: 'planned',
  current_state: 'state',
} as const

function describeCall(rpc: string, request: Uint8Array, answer: Uint8Array): Omit<Call, 'step'> {
  const fields = fieldsOf(`${rpc}.Request`, request)
  const asked = decode(`${rpc}Request`, request)
  if (!asked) return { rpc, object: 'no such call', words: rpc, open: '', fields }
  const planned = rpc === 'PlanResourceChange' ? decode(`${rpc}Response`, answer) : undefined
  const block = blockFor(rpc, asked)
  const found = new Map<string, Value>()
  // From the paths of what is unknown to the values that lack it.
  const open = new Map<string, string>()
  for (const [name, label] of Object.entries(values)) {
    const wire = (name === 'planned_state' && planned ? planned : asked)[name] as Wire
    if (!block || !wire) continue
    const value = decodeValue(typeOfBlock(block), wire.msgpack)
    found.set(label, value)
    const paths = openIn(value, block)
    if (paths) open.set(paths, [open.get(paths), label].filter(Boolean).join(' and '))
  }
  const {
    name,
    private: state,
    prior_private,
    planned_private,
  } = asked as Readonly<Record<string, Uint8Array>>
  const isKept = [state, prior_private, planned_private].some(bytes => bytes && bytes.length > 0)
  const words = [rpc, actionOf(found), isKept ? '+private' : '', name].filter(Boolean).join(' ')
  const opens = [...open].map(([paths, labels]) => `${labels}: ${paths}`)
  const unknown = [...opens, ...openArguments(asked)].join('; ')
  return { rpc, object: objectOf(rpc, asked, found), words, open: unknown, fields }
}

function decode(name: string, bytes: Uint8Array): Decoded | undefined {
  return Object.hasOwn(messages, name) ? decodeMessage(name as MessageName, bytes) : undefined
}

function blockFor(rpc: string, { type_name: name, config }: Decoded): Block | undefined {
  if (typeof name !== 'string') return config ? provider.schema.block : undefined
  const { resources, dataSources } = provider
  const list = rpc.includes('ListResource') ? resources[name]?.list : undefined
  return (list ?? (rpc.includes('Data') ? dataSources[name] : resources[name]))?.schema.block
}

function objectOf(rpc: string, asked: Decoded, found: ReadonlyMap<string, Value>): string {
  const { type_name: type, name, id = '', raw_state } = asked
  if (typeof type !== 'string') return name ? 'functions' : 'provider'
  if (rpc.includes('Data')) return type
  const raw = raw_state as { readonly json: Uint8Array } | undefined
  const stored = raw ? JSON.parse(Buffer.from(raw.json).toString()) : undefined
  const [key = id] = [stored, ...found.values()].flatMap(value => value?.key ?? [])
  return String(key || type)
}

/** What a plan or an apply does, by its states. */
function actionOf(found: ReadonlyMap<string, Value>): string {
  const [prior, planned] = [found.get('prior'), found.get('planned')]
  if (prior === undefined) return ''
  if (prior === null) return 'create'
  if (planned === null) return 'delete'
  return isDeepStrictEqual(prior, planned) ? 'nothing' : 'update'
}

/** The paths of what is unknown. If that is most that is computed, what is known of it in its place. */
function openIn(value: Value, block?: Block): string {
  const paths = unknownPaths(value, '')
  const attributes = Object.entries(block?.attributes ?? {})
  const computed = attributes.flatMap(([name, attribute]) => (isComputed(attribute) ? [name] : []))
  const known = computed.filter(name => !paths.includes(name))
  if (known.length >= computed.length / 2) return paths.join(', ')
  const others = paths.filter(path => !computed.includes(path))
  return [`computed but ${known.join(', ')}`, ...others].join(', and ')
}

function unknownPaths(value: Value, path: string): readonly string[] {
  if (value instanceof Unknown) return [path || 'all']
  if (isListValue(value)) return value.flatMap((element, index) => unknownPaths(element, `${path}[${index}]`))
  if (!isObjectValue(value)) return []
  return Object.entries(value).flatMap(([name, member]) =>
    unknownPaths(member, path ? `${path}.${name}` : name),
  )
}

function openArguments({ name, arguments: given }: Decoded): readonly string[] {
  const parameters = provider.functions[String(name)]?.parameters ?? []
  return parameters.flatMap(({ type }, index) => {
    const paths = openIn(decodeValue(type, (given as readonly NonNullable<Wire>[])[index]!.msgpack))
    return paths ? [`argument: ${paths}`] : []
  })
}

const rows: Readonly<Record<string, readonly string[]>> = published.messages

/** The fields of a message that are there, by their published names; of capabilities those that are true. */
function fieldsOf(message: string, bytes: Uint8Array): readonly string[] {
  const fields: string[] = []
  let at = 0
  // Of at most 31 bits: numbers of fields, lengths and booleans.
  const readNumber = () => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  while (at < bytes.length) {
    const number = readNumber() >> 3
    const [, name = `field ${number}`, type = ''] =
      rows[message]?.find(row => row.startsWith(`${number} `))?.split(' ') ?? []
    fields.push(name)
    const length = readNumber()
    if (['bool', 'int64'].includes(type)) continue
    if (type === 'ClientCapabilities')
      fields.push(...fieldsOf(type, bytes.subarray(at, at + length)).map(each => `${name}.${each}`))
    at += length
  }
  return fields
}

function describeFields(calls: readonly Call[]): readonly string[] {
  return [...new Set(calls.map(({ rpc }) => rpc))].sort().flatMap(rpc => {
    const all = calls.filter(call => call.rpc === rpc)
    const names = new Set(
      all.flatMap(({ fields }) => fields.filter(name => /private|identity|meta|cap/.test(name))),
    )
    return [...names].sort().map(name => {
      const having = all.filter(({ fields }) => fields.includes(name))
      const steps = [...new Set(having.map(({ step }) => step))].join(', ')
      return `${rpc}.${name}: ${having.length === all.length ? 'always' : `in ${steps}`}`
    })
  })
}
