import { writeJson } from '../model/json/json-text.ts'
import { escapeText } from '../model/text/escape-text.ts'
import type { Document, RunDocument, RunEvent, RunHead } from './document.ts'

/** What a format has to be told of whoever reads it: nothing here looks it up. */
export interface View {
  /** Whether colours are shown; they are not when nothing is said. */
  readonly isColourful?: boolean
  /** Whether it goes to the file of a report: it then lists the warnings that a terminal is only told the number of. */
  readonly isReport?: boolean
  /** Whether it goes to a terminal, which shows some text otherwise than a file holds it. */
  readonly isTerminal?: boolean
  /** Whether each object is told by itself, also where many are alike. */
  readonly isVerbose?: boolean
  /** Whether what to type next is left out. */
  readonly isQuiet?: boolean
  /** The folder with the declarations, as seen from where the command runs; empty for that folder itself. */
  readonly folder?: string
  /** What tells it apart from others of the same command, where no environment does: `stack` and its name. */
  readonly part?: readonly string[]
}

/** A part of what is written. What stands beside the result, a command line writes to standard error. */
export interface Piece {
  readonly text: string
  readonly isBeside?: true
}

/** A form of every document. To add one, write it in a file of its own and enter it in `formats.ts`. */
export interface Format {
  render(document: Document, view: View): readonly Piece[]
  /** For a format that tells of a run while it is under way; others tell of it when it has ended. */
  readonly follow?: (head: RunHead, view: View) => Following
}

/** Tells of a run as it goes on. All that it says, one after the other, is what `render` says of the whole run. */
export interface Following {
  /** What is said at once; empty for what nobody waits for. */
  event(event: RunEvent): string
  /** What was kept for the end. */
  end(run: RunDocument): string
}

/** Follows a run to its end in any format. */
export function followRun(format: Format, head: RunHead, view: View): Following {
  return (
    format.follow?.(head, view) ?? {
      event: () => '',
      end: run => textOf(format.render(run, view)),
    }
  )
}

/** What a format that can follow a run says of one that has ended. */
export function wholeRun(following: Following, run: RunDocument): string {
  return [...run.events.map(event => following.event(event)), following.end(run)].join('')
}

/** Pieces of an output, or the words of a line without their tones, as one text. */
export function textOf(pieces: readonly { readonly text: string }[]): string {
  return pieces.map(({ text }) => text).join('')
}

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
