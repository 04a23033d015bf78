import { escapeText } from '../../model/text/escape-text.ts'
import type { Authors, ShownPlan } from '../document.ts'
import type { People } from './report.ts'

/** Who answers for what a plan tells of, and who asked for it, as far as either is known. */
export function peopleOf(
  { owners = {} }: Pick<ShownPlan, 'owners'>,
  authors: Authors = new Map(),
): ReadonlyMap<string, People> {
  const addresses = new Set([...Object.keys(owners), ...authors.keys()])
  return new Map(
    [...addresses].map(address => {
      const author = authors.get(address)
      const when = author && new Date(author.at).toISOString().slice(0, 10)
      const askedBy = author && escapeText(`${author.name}, ${when}, ${author.commit.slice(0, 8)}`)
      return [address, { owners: (owners[address] ?? []).map(escapeText), ...(askedBy ? { askedBy } : {}) }]
    }),
  )
}
