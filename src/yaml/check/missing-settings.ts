import { hasErrors, type Problem } from '../../model/problem.ts'
import { listNames } from '../../model/text/list-names.ts'

interface Found {
  readonly hasFiles: boolean
  /** Folders below that have settings. */
  readonly repositories: readonly string[]
  /** What is wrong in the files. */
  readonly found: readonly Problem[]
}

/**
 * That a folder has no settings. Declarations can do without, so it is said only where there are none either, which
 * means that another folder is meant, and where there are problems, of which it may be the reason.
 */
export function missingSettings(directory: string, { hasFiles, repositories, found }: Found): Problem[] {
  if (hasFiles && !hasErrors(found)) return []
  const [first] = repositories
  const below = listNames(repositories.slice(0, mostNamed).map(folder => JSON.stringify(folder)))
  const hint =
    first === undefined
      ? beginHere
      : `there is one in ${below}; name the folder with -C, or run \`vexil init\` to begin here`
  return [{ ...noSettings(directory), severity: hasFiles ? 'warning' : 'error', hint }]
}

export function noSettings(directory: string, more = ''): Problem {
  return {
    code: 'no-settings',
    severity: 'error',
    // Not cut off, as other values are: the end of a path says most.
    message: `there is no vexil.yaml in ${JSON.stringify(directory)}${more}`,
    hint: beginHere,
  }
}

const beginHere = 'run `vexil init` to begin here, or name the folder that has one with -C'

const mostNamed = 3
