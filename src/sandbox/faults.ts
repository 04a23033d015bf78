import type { Method } from '../model/endpoint.ts'
import { meantHint } from '../model/text/names.ts'

/** A request pattern and the effect on the requests that it matches. */
export interface FaultRule {
  readonly match: FaultMatch
  readonly effect: FaultEffect
}

export interface FaultMatch {
  readonly method?: Method
  /** Without a star: any part of the path. With one: its end; a star matches the text between slashes. */
  readonly path?: string
  /** Which of the matching requests is the first one with the effect; counts from 1. */
  readonly nth?: number
  /** How many requests it affects. One if `nth` is given, otherwise all of them. */
  readonly times?: number
}

export type FaultEffect =
  /** Another status. `committed`: only after the work was done, as if a gateway gives up. */
  | {
      readonly type: 'status'
      readonly status: number
      readonly retryAfter?: number
      readonly committed?: boolean
    }
  | { readonly type: 'slow'; readonly ms: number }
  | { readonly type: 'reset_before' }
  | { readonly type: 'reset_after' }
  | { readonly type: 'truncate' }
  /** Done twice, as if a proxy repeats it; the answer is that of the second request. */
  | { readonly type: 'twice' }

/** The active rules, and how often each has matched. */
export class FaultPlan {
  #rules: { readonly rule: FaultRule; readonly matches: (path: string) => boolean; seen: number }[] = []

  #refused = 0

  constructor(rules: readonly FaultRule[] = []) {
    this.add(rules)
  }

  get rules(): readonly FaultRule[] {
    return this.#rules.map(({ rule }) => rule)
  }

  /** How many requests got another status than their own. */
  get refused(): number {
    return this.#refused
  }

  add(rules: readonly FaultRule[]): void {
    for (const rule of rules) this.#rules.push({ rule, matches: pathMatcher(rule.match.path), seen: 0 })
  }

  clear(): void {
    this.#rules = []
  }

  /** Counts a request and returns its effect; if several rules match it, the first one wins. */
  hit(method: string, path: string): FaultEffect | undefined {
    let effect: FaultEffect | undefined
    for (const entry of this.#rules) {
      const { match } = entry.rule
      if (match.method && match.method !== method) continue
      if (!entry.matches(path)) continue
      entry.seen += 1
      const from = match.nth ?? 1
      const times = match.times ?? (match.nth === undefined ? Number.POSITIVE_INFINITY : 1)
      if (entry.seen >= from && entry.seen < from + times) effect ??= entry.rule.effect
    }
    if (effect?.type === 'status') this.#refused += 1
    return effect
  }
}

function pathMatcher(pattern: string | undefined): (path: string) => boolean {
  if (pattern === undefined) return () => true
  const trimmed = pattern.replace(/(?<=.)\/+$/, '')
  if (!trimmed.includes('*')) return path => path.includes(trimmed)
  const parts = trimmed.split(/(\*+)/).map(part => {
    if (part === '*') return '[^/]+'
    return part.startsWith('*') ? '.*' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  const expression = new RegExp(`${parts.join('')}$`)
  return path => expression.test(path)
}

/** The effects and the times of a fault; each as it is written. */
export const faultWords = {
  reset_before: 'the connection is reset before the request takes effect',
  reset_after: 'the request takes effect, and the connection is reset before the answer',
  truncate: 'the answer is cut off in the middle',
  twice: 'the request takes effect twice, as if a proxy repeated it; the second answer is sent',
  committed: 'with status=: the request takes effect before that answer, as if a gateway timed out',
} as const

/** Effects with a whole number. */
export const faultSettings = {
  status: { value: 'CODE', doc: 'this answer in place of the real one, 400 to 599' },
  retry_after: { value: 'SECONDS', doc: 'with status=: its header Retry-After' },
  slow: { value: 'MS', doc: 'the answer is delayed by this number of milliseconds' },
  nth: { value: 'N', doc: 'only the Nth matching request; with times=, starting with that request' },
  times: { value: 'N', doc: 'the number of matching requests; all if both this and nth= are absent' },
} as const

type FaultWord = keyof typeof faultWords
type FaultSetting = keyof typeof faultSettings

/** The grammar of `--fault`, for people. */
export function faultHelp(): string {
  const rows = [
    ['METHOD', 'GET, POST, PATCH or DELETE; any if absent'],
    ['PATH', 'a part of the path; with a star, its end: * matches text between slashes, ** any text'],
    ...Object.entries(faultSettings).map(([name, { value, doc }]) => [`${name}=${value}`, doc]),
    ...Object.entries(faultWords),
  ]
  const width = Math.max(...rows.map(([name = '']) => name.length))
  const lines = rows.map(([name = '', doc]) => `  ${name.padEnd(width)}  ${doc}`)
  return `Faults, as in --fault "PATCH /feature_flags/* nth=2 reset_after":
  [METHOD] [PATH] [nth=N] [times=N] and one of status=, slow=, ${happenings.join(', ')}
${lines.join('\n')}
`
}

/** The effects that are a single word. */
// The table has these keys and no others.
const happenings = (Object.keys(faultWords) as readonly FaultWord[]).filter(
  (word): word is Exclude<FaultWord, 'committed'> => word !== 'committed',
)

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
// The tables have these keys and no others.
const words = Object.keys(faultWords) as readonly FaultWord[]
const settings = Object.keys(faultSettings) as readonly FaultSetting[]

/** Reads a fault in the form of the command line. Throws a RangeError with the problem. */
export function parseFault(text: string): FaultRule {
  const tokens = text.trim().split(/\s+/)
  const method = methods.find(candidate => candidate === tokens[0]?.toUpperCase())
  if (method) tokens.shift()
  const path = tokens[0]?.startsWith('/') || tokens[0]?.startsWith('*') ? tokens.shift() : undefined
  const given: Given = new Map(tokens.map(token => readToken(text, token)))
  const match = { method, path, nth: given.get('nth'), times: given.get('times') }
  return { match, effect: effectOf(text, given) }
}

/** The parts of a fault; the number of a word means nothing. */
type Given = ReadonlyMap<FaultWord | FaultSetting, number>

function readToken(text: string, token: string): [FaultWord | FaultSetting, number] {
  const word = words.find(candidate => candidate === token)
  if (word) return [word, 1]
  const [name = '', value = ''] = token.split('=', 2)
  const setting = settings.find(candidate => candidate === name)
  if (!setting) {
    const known = [...words, ...settings.map(candidate => `${candidate}=`)]
    throw new RangeError(`fault "${text}": "${token}" is not a part of a fault${suggestion(token, known)}`)
  }
  if (!/^\d{1,9}$/.test(value))
    throw new RangeError(`fault "${text}": "${name}" requires a whole number, not "${value}"`)
  if ((setting === 'nth' || setting === 'times') && Number(value) === 0)
    throw new RangeError(`fault "${text}": "${name}" counts from 1`)
  return [setting, Number(value)]
}

function effectOf(text: string, given: Given): FaultEffect {
  const found: FaultEffect[] = []
  const [status, ms, retryAfter] = [given.get('status'), given.get('slow'), given.get('retry_after')]
  if (status !== undefined) {
    if (status < 400 || status > 599)
      throw new RangeError(`fault "${text}": "status" requires 400 to 599, not "${status}"`)
    found.push({ type: 'status', status, retryAfter, committed: given.has('committed') || undefined })
  } else if (retryAfter !== undefined || given.has('committed')) {
    throw new RangeError(`fault "${text}": "retry_after" and "committed" require "status=..."`)
  }
  if (ms !== undefined) found.push({ type: 'slow', ms })
  for (const type of happenings) if (given.has(type)) found.push({ type })
  const [effect, second] = found
  if (!effect)
    throw new RangeError(
      `fault "${text}" has no effect; add status=CODE, slow=MS, ${happenings.slice(0, -1).join(', ')} or ${happenings.at(-1)}`,
    )
  if (second)
    throw new RangeError(`fault "${text}": "${effect.type}" and "${second.type}" exclude each other`)
  return effect
}

/** `; did you mean "tags"?`, or nothing if no known name is near. */
export function suggestion(given: string, known: readonly string[]): string {
  const hint = meantHint(given, known, undefined)
  return hint === undefined ? '' : `; ${hint}`
}
