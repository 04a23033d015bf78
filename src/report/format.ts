import { writeJson } from '../model/text/json-text.ts'
import { escapeText } from '../model/text/printable.ts'
import type { Document, RunDocument, RunEvent, RunHead } from './document.ts'

/** The facts about the reader that a format needs. It looks nothing up itself. */
export interface View {
  /** Whether colours are shown; by default they are not. */
  readonly isColourful?: boolean
  /** Whether it goes to the file of a report, which lists warnings. A terminal only shows their number. */
  readonly isReport?: boolean
  /** Whether it goes to a terminal, which cannot show some text as it is in a file. */
  readonly isTerminal?: boolean
  /** Whether each object is shown separately, even if many are equal. */
  readonly isVerbose?: boolean
  /** Whether the next command is omitted. */
  readonly isQuiet?: boolean
  /** The folder with the declarations, relative to the working directory; empty if it is that. */
  readonly folder?: string
  /** What distinguishes it from others of the same command if no environment does: `stack` and its name. */
  readonly part?: readonly string[]
}

/** A part of the output. A command line writes what is beside the result to standard error. */
export interface Piece {
  readonly text: string
  readonly isBeside?: true
}

/** A form of every document. To add one, write it in a file of its own and enter it in `formats.ts`. */
export interface Format {
  render(document: Document, view: View): readonly Piece[]
  /** For a format that shows a run while it proceeds; others show it when it has ended. */
  readonly follow?: (head: RunHead, view: View) => Following
}

/** Shows a run while it proceeds. All its texts together equal the `render` of the whole run. */
export interface Following {
  /** The text to show at once; empty if it can wait. */
  event(event: RunEvent): string
  /** The text for the end. */
  end(run: RunDocument): string
}

/** Follows a run to its end in any format. */
export function followRun(format: Format, head: RunHead, view: View): Following {
  return (
    format.follow?.(head, view) ?? {
      event: () => '',
      end: run => joinPieces(format.render(run, view)),
    }
  )
}

/** The text for a run that has ended, from a format that can follow runs. */
export function wholeRun(following: Following, run: RunDocument): string {
  return [...run.events.map(event => following.event(event)), following.end(run)].join('')
}

/** Pieces of an output, or the words of a line without their tones, as one text. */
export function joinPieces(pieces: readonly { readonly text: string }[]): string {
  return pieces.map(({ text }) => text).join('')
}

/** JSON for standard output, without characters that move a cursor or turn the reading direction. */
export function jsonText(value: unknown, indent?: number): string {
  return escapeJson(writeJson(value, indent))
}

/** The same for text that is JSON already; its meaning does not change. */
export function escapeJson(json: string): string {
  return json.replace(/[^\u0000-\u007e]/gu, character =>
    escapeText(character) === character ? character : utf16Escapes(character),
  )
}

function utf16Escapes(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return units.map(unit => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
