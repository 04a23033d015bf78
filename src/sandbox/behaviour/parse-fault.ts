import type { Method } from '../../model/endpoint.ts'
import { type FaultSetting, type FaultWord, faultSettings, faultWords, happenings } from './fault-grammar.ts'
import type { FaultEffect, FaultMatch, FaultRule } from './faults.ts'
import { suggestion } from './suggestion.ts'

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
// The tables have these keys and no others.
const words = Object.keys(faultWords) as readonly FaultWord[]
const settings = Object.keys(faultSettings) as readonly FaultSetting[]

/** Reads the way a fault is written on the command line. Throws a RangeError that says what is wrong. */
export function parseFault(text: string): FaultRule {
  const tokens = text.trim().split(/\s+/)
  const method = methods.find(candidate => candidate === tokens[0]?.toUpperCase())
  if (method) tokens.shift()
  const path = tokens[0]?.startsWith('/') || tokens[0]?.startsWith('*') ? tokens.shift() : undefined
  const given = new Set<FaultWord>()
  const numbers = new Map<FaultSetting, number>()
  for (const token of tokens) readToken(text, token, given, numbers)
  const nth = numbers.get('nth')
  const times = numbers.get('times')
  const match: FaultMatch = {
    ...(method ? { method } : {}),
    ...(path ? { path } : {}),
    ...(nth === undefined ? {} : { nth }),
    ...(times === undefined ? {} : { times }),
  }
  return { match, effect: effectOf(text, given, numbers) }
}

function readToken(
  text: string,
  token: string,
  given: Set<FaultWord>,
  numbers: Map<FaultSetting, number>,
): void {
  const word = words.find(candidate => candidate === token)
  if (word) {
    given.add(word)
    return
  }
  const [name = '', value = ''] = token.split('=', 2)
  const setting = settings.find(candidate => candidate === name)
  if (!setting) {
    const known = [...words, ...settings.map(candidate => `${candidate}=`)]
    throw new RangeError(`fault "${text}": "${token}" is not a part of a fault${suggestion(token, known)}`)
  }
  if (!/^\d{1,9}$/.test(value))
    throw new RangeError(`fault "${text}": "${name}" takes a whole number, not "${value}"`)
  if ((setting === 'nth' || setting === 'times') && Number(value) === 0)
    throw new RangeError(`fault "${text}": "${name}" counts from 1`)
  numbers.set(setting, Number(value))
}

function effectOf(
  text: string,
  given: ReadonlySet<FaultWord>,
  numbers: ReadonlyMap<FaultSetting, number>,
): FaultEffect {
  const found: FaultEffect[] = []
  const [status, ms, retryAfter] = [numbers.get('status'), numbers.get('slow'), numbers.get('retry_after')]
  if (status !== undefined) {
    if (status < 400 || status > 599)
      throw new RangeError(`fault "${text}": "status" takes 400 to 599, not "${status}"`)
    found.push({
      type: 'status',
      status,
      ...(retryAfter === undefined ? {} : { retryAfter }),
      ...(given.has('committed') ? { committed: true } : {}),
    })
  } else if (retryAfter !== undefined || given.has('committed')) {
    throw new RangeError(`fault "${text}": "retry_after" and "committed" go with "status=..." only`)
  }
  if (ms !== undefined) found.push({ type: 'slow', ms })
  for (const type of happenings) if (given.has(type)) found.push({ type })
  const [effect, second] = found
  if (!effect)
    throw new RangeError(
      `fault "${text}" says nothing of what happens; add status=CODE, slow=MS, ${happenings.slice(0, -1).join(', ')} or ${happenings.at(-1)}`,
    )
  if (second)
    throw new RangeError(`fault "${text}": "${effect.type}" and "${second.type}" cannot happen at once`)
  return effect
}
