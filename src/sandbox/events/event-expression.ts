import { isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { invalid } from '../http/refusal.ts'

/** Reads one value out of an event. */
export type Reader = (event: JsonObject) => Json
export type Condition = (event: JsonObject) => boolean

/**
 * The simple forms of the query language: a path such as `event` or `properties.$browser`, and a comparison of a
 * path with a text, a number, true, false or null. Everything else is refused.
 */
export function parseSelect(text: string): Reader {
  const path = /^\s*(\S+)\s*$/.exec(text)?.[1]
  return readPath(path ?? text, text, 'select')
}

export function parseWhere(text: string, attr = 'where'): Condition {
  const match = /^\s*([\w.$]+)\s*(==|=|!=|<=|>=|<|>)\s*(.+?)\s*$/s.exec(text)
  if (!match) throw invalid(attr, `Unable to parse the expression ${JSON.stringify(text)}.`)
  const [, path = '', operator = '', literal = ''] = match
  const read = readPath(path, text, attr)
  const wanted = parseLiteral(literal, text, attr)
  return event => compare(read(event), operator, wanted)
}

function readPath(path: string, text: string, attr: string): Reader {
  const [root = '', ...rest] = path.split('.')
  const known = ['id', 'uuid', 'event', 'distinct_id', 'timestamp', 'properties', 'person', 'elements_chain']
  if (!known.includes(root) || !/^[\w$]+(\.[\w$-]+)*$/.test(path))
    throw invalid(attr, `Unable to parse the expression ${JSON.stringify(text)}.`)
  const steps = [root === 'uuid' ? 'id' : root, ...rest]
  return event => {
    let value: Json = event
    for (const step of steps)
      value = isJsonObject(value) && Object.hasOwn(value, step) ? (value[step] ?? null) : null
    return value
  }
}

function parseLiteral(literal: string, text: string, attr: string): Json {
  const quoted = /^'((?:[^'\\]|\\.)*)'$|^"((?:[^"\\]|\\.)*)"$/s.exec(literal)
  if (quoted) return (quoted[1] ?? quoted[2] ?? '').replace(/\\(.)/gs, '$1')
  if (/^-?\d+(\.\d+)?$/.test(literal)) return Number(literal)
  switch (literal.toLowerCase()) {
    case 'true':
      return true
    case 'false':
      return false
    case 'null':
      return null
    default:
      throw invalid(attr, `Unable to parse the expression ${JSON.stringify(text)}.`)
  }
}

function compare(value: Json, operator: string, wanted: Json): boolean {
  if (operator === '=' || operator === '==') return value === wanted
  if (operator === '!=') return value !== wanted
  if (typeof value === 'number' && typeof wanted === 'number') return isOrdered(value, operator, wanted)
  if (typeof value === 'string' && typeof wanted === 'string') return isOrdered(value, operator, wanted)
  return false
}

function isOrdered<T extends number | string>(left: T, operator: string, right: T): boolean {
  switch (operator) {
    case '<':
      return left < right
    case '<=':
      return left <= right
    case '>':
      return left > right
    default:
      return left >= right
  }
}
