import { escapeText } from '../../model/text/escape-text.ts'
import type { ReferencesDocument } from '../document.ts'
import { counted } from '../object-names.ts'
import type { Style } from './style.ts'

/** Where code names flags, for people: each place with its line and column, as editors and terminals follow it. */
export function referencesText(document: ReferencesDocument, style: Style): string {
  const { flags, undeclared, shows } = document
  const listed = flags.map(flag => (shows === 'references' ? flagText(flag, style) : unusedText(flag)))
  const unknown = undeclared.map(call => undeclaredText(call, style))
  return `${listed.join('')}${unknown.join('')}${totalText(document)}\n`
}

function flagText(
  { key, declared, references }: ReferencesDocument['flags'][number],
  { bold, dim }: Style,
): string {
  const count = references.length === 0 ? 'no reference' : counted(references.length, 'reference')
  const absent = declared === 'absent' ? ', declared absent' : ''
  const lines = references.map(
    ({ path, line, column, kind, call }) =>
      `    ${escapeText(path)}:${line}:${column}  ${dim(call ?? kind)}\n`,
  )
  return `${bold(escapeText(key))}  ${count}${absent}\n${lines.join('')}`
}

function unusedText({ key }: ReferencesDocument['flags'][number]): string {
  return `${escapeText(key)} is declared, and no code names it\n`
}

function undeclaredText(
  { key, path, line, column, call, declared, meant }: ReferencesDocument['undeclared'][number],
  { bold }: Style,
): string {
  const what = declared === 'absent' ? 'is declared absent' : 'is declared nowhere'
  const hint = meant === null ? '' : `; did you mean "${escapeText(meant)}"?`
  return `${bold(`${escapeText(path)}:${line}:${column}`)} ${call} asks for "${escapeText(key)}", which ${what}${hint}\n`
}

function totalText({ flags, undeclared, unused, shows, searched, unsearched }: ReferencesDocument): string {
  const passed = unsearched.filter(({ why }) => why === 'too_large' || why === 'unreadable')
  const rest = unsearched.length - passed.length
  const left = [
    ...passed.map(
      ({ path, why }) => `${escapeText(path)} (${why === 'too_large' ? 'over 2 MiB' : 'unreadable'})`,
    ),
    ...(rest > 0 ? [`${rest} that ${rest === 1 ? 'is binary or a link' : 'are binary or links'}`] : []),
  ]
  const files = `${counted(searched, 'file')} searched${left.length === 0 ? '' : `, not ${left.join(', ')}`}`
  if (shows === 'references') return `${counted(flags.length, 'flag')}, ${unused} of them unused; ${files}`
  const found = flags.length + undeclared.length
  return found === 0 ? `nothing found; ${files}` : `${found} found; ${files}`
}
