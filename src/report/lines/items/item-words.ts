import { type Item, type Line, plainText } from '../report.ts'

/** An item on one line, without its sign and its place. */
export function itemWords({ name, became, because }: Item): string {
  const end = became === undefined ? '' : ` ${became.text}`
  return `${name}${end}${because === undefined ? '' : `: ${because}`}`
}

/** A line with what says of it what it is. */
export function lineWords({ is, words }: Line): string {
  const text = plainText(words)
  if (is === 'would') return `would: ${text}`
  return is === 'remedy' ? `to go on: ${text}` : text
}

/** The file of an item as seen from where the command runs; undefined for one without a place. */
export function pathOf({ path, source }: Item, folder = ''): string | undefined {
  if (path !== undefined || source === undefined) return path
  return folder === '' ? source.file : `${folder}/${source.file}`
}
