import { escapeText } from '../../model/text/escape-text.ts'
import type { Authors, ShownPlan } from '../document.ts'
import type { People, Report } from './report.ts'

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

/** Who last changed the declarations of all that is told of, where that is one person in one commit: it need not be said beside each. */
export function declaredByAll({
  sections,
  people = new Map<string, People>(),
}: Pick<Report, 'sections' | 'people'>): string | undefined {
  const authors = sections
    .filter(({ is }) => is === 'changes' || is === 'events')
    .flatMap(({ items }) => items.map(({ address = '' }) => people.get(address)?.askedBy))
  const [first] = authors
  return authors.length > 1 && authors.every(author => author === first) ? first : undefined
}

/** Who answers for an object and, where that is not said once for all, who asked for what happens to it. */
export function peopleBeside({ owners, askedBy }: People, forAll: string | undefined): string[] {
  return [
    ...owners.map(owner => `owner ${owner}`),
    ...(askedBy === undefined || askedBy === forAll ? [] : [`by ${askedBy}`]),
  ]
}
