import { counted } from '../../../report/object-names.ts'
import type { ReadCommits } from './commits-of.ts'
import type { FoundStale, KnownEnvironment } from './find-stale.ts'

/** What cannot be told, and what tells it, a line each. */
export function staleNotes(
  { undated, otherwise }: FoundStale,
  { hasGit, note }: ReadCommits,
  environments: readonly KnownEnvironment[],
): readonly string[] {
  const refused = environments.flatMap(({ name, live }) =>
    live?.why === undefined ? [] : [`${name === undefined ? '' : `${name}: `}${live.why}`],
  )
  const isAsked = environments.some(({ live }) => live)
  return [
    ...(note === undefined ? [] : [note]),
    ...(undated === 0
      ? []
      : [`since when ${flags(undated)} not known: ${whyUndated(isAsked, refused, hasGit)}`]),
    ...(otherwise === 0
      ? []
      : [
          `${counted(otherwise, 'flag')} ${otherwise === 1 ? 'is' : 'are'} not live as declared, as runs on record say, and not told; \`vexil plan\` shows what differs, --activity goes by what is live`,
        ]),
  ]
}

function flags(count: number): string {
  return count === 1 ? '1 flag is as it is, is' : `${count} flags are as they are, is`
}

function whyUndated(isAsked: boolean, refused: readonly string[], hasGit: boolean): string {
  if (refused.length > 0) return refused.join('; ')
  if (isAsked) return 'the activity trail has no rows'
  const told = hasGit
    ? 'neither a commit nor a run on record tells'
    : 'there is no git repository, and no run on record tells'
  return `${told}; --activity asks the service, and \`expires\` and --in go by no age`
}
