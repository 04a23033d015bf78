import { shellWord } from '../../model/text/shell-word.ts'
import type { RepositoryFlags } from '../connection/repository-settings.ts'
import type { SessionFlags } from '../connection/session.ts'

/** What the command line says of the place that a plan is for. */
export type PlaceFlags = Pick<RepositoryFlags, 'chdir'> & SessionFlags

/** The options by which another command reaches the same place: `--env production`. */
export function placeOptions(flags: PlaceFlags): string {
  return placeWords(flags).map(shellWord).join(' ')
}

/** The same, word by word. */
export function placeWords(flags: PlaceFlags): string[] {
  return [
    ...valueWords('-C', flags.chdir === '.' ? undefined : flags.chdir),
    ...valueWords('--env', flags.env),
    ...valueWords('--base-url', flags.baseUrl),
    ...valueWords('--project', flags.project),
    ...valueWords('--organization', flags.organization),
    ...valueWords('--profile', flags.profile),
    ...(flags.sandbox ? ['--sandbox'] : []),
  ]
}

export function valueWords(flag: string, given: string | undefined): string[] {
  return given === undefined ? [] : [flag, given]
}
