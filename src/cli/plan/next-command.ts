import { shellWord } from '../../model/text/shell-word.ts'
import { type RepositoryFlags, stackText } from '../connection/repository-settings.ts'
import type { SessionFlags } from '../connection/session.ts'
import { placeWords, valueWords } from './place-options.ts'
import type { ChoiceFlags } from './plan-for.ts'

/** What the command line of a plan says of what is planned. */
type PlannedFlags = RepositoryFlags & SessionFlags & ChoiceFlags & { readonly out?: string }

/** The apply that does what a plan has shown: the same place, the same choice, or the saved plan. */
export function nextApply(flags: PlannedFlags): string {
  const { out } = flags
  const each = (flag: string, given: readonly string[] = []) => given.flatMap(one => [flag, one])
  const words = [
    'vexil',
    'apply',
    ...(out === undefined ? [] : [out]),
    ...placeWords(flags),
    ...stackText(flags),
    // A saved plan has these in it already.
    ...(out === undefined
      ? [
          ...each('--target', flags.target),
          ...each('--owner', flags.owner),
          ...each('--allow', flags.allow),
          ...valueWords('--base', flags.base),
          ...valueWords('--prune', flags.prune),
        ]
      : []),
  ]
  return words.map(shellWord).join(' ')
}
