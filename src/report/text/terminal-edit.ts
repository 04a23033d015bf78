import { escapeText } from '../../model/text/escape-text.ts'
import type { EditDocument, PulledEdits, RampedCondition } from '../document.ts'
import type { Piece } from '../format.ts'
import { counted } from '../object-names.ts'
import type { Style } from './style.ts'
import { retireText } from './terminal-retire.ts'

/** What changes in files, as people read it: a diff of each, and which of them were written. */
export function editPieces(
  { files, notes, isDryRun, next, ramp, pull, retire }: EditDocument,
  style: Style,
): readonly Piece[] {
  const diffs = files.map(({ diff }) => diffText(diff, style))
  const written = files.map(
    ({ path, removed = false }) => `${verbOf(removed, isDryRun)} ${escapeText(path)}\n`,
  )
  const hint = next === undefined ? '' : `Next: ${escapeText(next)}\n`
  const said = notes.map(note => `${escapeText(note)}\n`).join('')
  return [
    {
      text: `${diffs.join('')}${written.join('')}${ramp ? rampText(ramp) : ''}${pull ? pullText(pull) : ''}${retire ? retireText(retire, style) : ''}${hint}`,
    },
    ...(said === '' ? [] : [{ text: said, isBeside: true } as const]),
  ]
}

function verbOf(isRemoved: boolean, isDryRun: boolean): string {
  if (isRemoved) return isDryRun ? 'would remove' : 'removed'
  return isDryRun ? 'would write' : 'wrote'
}

function rampText({
  address,
  environment,
  condition,
  before,
  after,
  to,
  stepsLeft,
}: RampedCondition): string {
  const where = escapeText(environment === null ? address : `${address} in ${environment}`)
  const what = `${where}: condition ${escapeText(condition)}`
  if (before === after) return `${what} is at ${after}% already\n`
  const left = stepsLeft === 0 ? '' : `; ${counted(stepsLeft, 'more step')} to ${to}%`
  return `${what} ${before}% -> ${after}%${left}\n`
}

function pullText({ liveEdits, leftOut }: PulledEdits): string {
  return liveEdits.length + leftOut.length === 0 ? 'nothing to take into the files\n' : ''
}

function diffText(diff: string, style: Style): string {
  const lines = diff.replace(/\n$/, '').split('\n')
  return lines.map((line, index) => `${shownLine(line.replace(/\r$/, ''), index, style)}\n`).join('')
}

function shownLine(line: string, index: number, { bold, dim, good, bad }: Style): string {
  const shown = escapeText(line)
  if (index < 2) return bold(shown)
  if (line.startsWith('@@')) return dim(shown)
  if (line.startsWith('+')) return good(shown)
  return line.startsWith('-') ? bad(shown) : shown
}
