import { hasErrors, type Problem } from '../../model/problem.ts'
import { counted } from '../../report/object-names.ts'

/** What cannot be read of the declarations at a commit, a line each with what to do. */
export function pastNotes(
  commit: string,
  { problems, isSettled, submodules, files, environment }: PastFindings,
): readonly string[] {
  const at = `at ${shortCommit(commit)}`
  if (!isSettled) {
    const which = environment === undefined ? 'the settings' : `the environment "${environment}"`
    return [`${at}, ${which} cannot be read, so nothing is compared with that commit`]
  }
  const broken = [
    ...new Set(problems.filter(isError).map(({ source, address }) => address ?? source?.file ?? '')),
  ]
  const within = submodules.filter(folder => files.some(file => file.startsWith(`${folder}/`)))
  return [
    ...(broken.length === 0
      ? []
      : [
          `${at}, ${counted(broken.length, 'declaration')} cannot be read and ${broken.length === 1 ? 'is' : 'are'} not compared with that commit: ${someOf(broken)}`,
        ]),
    ...within.map(
      folder =>
        `"${folder}" is a submodule, and its files ${at} are not read; keep declarations in the repository itself`,
    ),
  ]
}

interface PastFindings {
  readonly problems: readonly Problem[]
  readonly isSettled: boolean
  readonly submodules: readonly string[]
  /** The files that are read today. */
  readonly files: readonly string[]
  readonly environment: string | undefined
}

/** Enough of a commit for people to find it. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 10)
}

function isError(problem: Problem): boolean {
  return hasErrors([problem])
}

const mostNamed = 3

/** The first few of some names, and how many more there are. */
export function someOf(names: readonly string[]): string {
  const more = names.length - mostNamed
  return [...names.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}
