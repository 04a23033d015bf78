import { deepest } from '../limits.ts'

/**
 * Whether a JSON text goes deeper than anybody may. Counted before it is parsed and by a loop: what walks through
 * values recursively, a parser or our own code, would end in a bare "Maximum call stack size exceeded".
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

const [quote, backslash, bracket, endBracket, brace, endBrace] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]
const colon = 0x3a
