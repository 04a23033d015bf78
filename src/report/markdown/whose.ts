import type { People, Report } from '../lines/report.ts'

/** Who last changed the declarations of all that is told of, where that is one person in one commit: it need not be said beside each. */
export function declaredByAll({
  sections,
  people = new Map<string, People>(),
}: Pick<Report, 'sections' | 'people'>): string | undefined {
  const authors = sections
    .filter(({ is }) => is === 'changes')
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
