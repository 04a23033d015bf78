import { writeJson } from '../model/text/json-text.ts'
import { escapeText } from '../model/text/printable.ts'
import type { Document, RunDocument, RunEvent, RunHead } from './document.ts'

/** Facts about the reader that a format needs. A format looks nothing up itself. */
export interface View {
  /** Whether to show colours. Default: false. */
  readonly isColourful?: boolean
  /** Whether it goes into a report file, which lists warnings; a terminal shows only their number. */
  readonly isReport?: boolean
  /** Whether the text goes to a terminal, which cannot show some characters as they are in a file. */
  readonly isTerminal?: boolean
  /** Whether to show each object separately, even if many are equal. */
  readonly isVerbose?: boolean
  /** Whether to omit the next command. */
  readonly isQuiet?: boolean
  /** The folder of the declarations, relative to the working directory; empty if they are the same. */
  readonly folder?: string
  /** What distinguishes documents of a command without an environment: `stack` and its name. */
  readonly part?: readonly string[]
}

/** A part of the output. A command writes everything except the result to standard error. */
export interface Piece {
  readonly text: string
  readonly isBeside?: true
}

/** One output format for all documents. A new format needs its own file and an entry in `formats.ts`. */
export interface Format {
  render(document: Document, view: View): readonly Piece[]
  /** Only for a format that shows a run while it proceeds. Other formats show the run at its end. */
  readonly follow?: (head: RunHead, view: View) => Following
}

/** Shows a run while it proceeds. All texts together equal the `render` of the whole run. */
export interface Following {
  /** The text to show at once; empty if the event is shown later. */
  event(event: RunEvent): string
  /** The text at the end of the run. */
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

/** Joins the pieces of an output, or the words of a line without their tones. */
export function joinPieces(pieces: readonly { readonly text: string }[]): string {
  return pieces.map(({ text }) => text).join('')
}

/** JSON for standard output, without characters that move the cursor or change the reading direction. */
export function jsonText(value: unknown, indent?: number): string {
  return escapeJson(writeJson(value, indent))
}

/** Escapes such characters in JSON text. The meaning of the JSON does not change. */
export function escapeJson(json: string): string {
  return json.replace(/[^\u0000-\u007e]/gu, character =>
    escapeText(character) === character ? character : utf16Escapes(character),
  )
}

function utf16Escapes(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return units.map(unit => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
