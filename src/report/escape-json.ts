import { writeJson } from '../model/json/json-text.ts'
import { escapeText } from '../model/text/escape-text.ts'

/** JSON for standard output: the same value, with nothing in it that could move a cursor or turn the reading direction. */
export function jsonText(value: unknown, indent?: number): string {
  return escapeJson(writeJson(value, indent))
}

/** The same for text that is JSON already: it still means what it meant. */
export function escapeJson(json: string): string {
  return json.replace(/[^\u0000-\u007e]/gu, character =>
    escapeText(character) === character ? character : utf16Escapes(character),
  )
}

function utf16Escapes(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return units.map(unit => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
