import { deepest } from '../limits.ts'
import { isJsonArray, isJsonObject } from './json.ts'

/**
 * Whether a JSON text goes deeper than anybody may. Counted by a loop, before it is parsed by what goes through values
 * recursively and would end in a bare "Maximum call stack size exceeded".
 */
export function isTextTooDeep(text: string): boolean {
  return membersWritten(text) === undefined
}

/** How many members a JSON text writes, of all its objects together; undefined where it goes deeper than anybody may. */
export function membersWritten(text: string): number | undefined {
  let members = 0
  let depth = 0
  let isQuoted = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (isQuoted) {
      if (code === backslash) index++
      else if (code === quote) isQuoted = false
    } else if (code === quote) isQuoted = true
    else if (code === brace || code === bracket) {
      depth++
      if (depth > deepest) return undefined
    } else if (code === endBrace || code === endBracket) depth--
    else if (code === colon) members++
  }
  return members
}

/**
 * Whether what is read from JSON is nested deeper than so many levels. To look at the lists and objects of a value takes a
 * tenth of what it takes to look at each character of its text.
 */
export function isDeeperThan(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (isJsonArray(value)) {
    if (most === 0) return true
    for (let at = 0; at < value.length; at++) if (isDeeperThan(value[at], most - 1)) return true
    return false
  }
  if (!isJsonObject(value)) return false
  if (most === 0) return true
  for (const name in value) if (isDeeperThan(value[name], most - 1)) return true
  return false
}

const [quote, backslash, bracket, endBracket, brace, endBrace] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]
const colon = 0x3a
