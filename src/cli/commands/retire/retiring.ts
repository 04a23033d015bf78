import type { Progress } from '../../../core/retire/retirement.ts'
import type { DeclaredPart } from '../../../yaml/edit/remove-declarations.ts'
import type { EditableRepository } from '../edit/write-edit.ts'
import type { WrittenFlag } from '../refs/declared-flags.ts'
import type { DeclaredIn } from './declared-in.ts'
import type { Findings, FoundStanding } from './find-holds.ts'
import type { RetireChoice } from './retire-choice.ts'

/** A flag that is being removed: what is known of it, and the next step. */
export interface Retiring {
  readonly repository: EditableRepository
  readonly flag: WrittenFlag
  /** In every environment that has it. */
  readonly all: readonly DeclaredIn[]
  readonly found: Findings
  readonly progress: Progress
  readonly choice: RetireChoice
}

export function standingsIn({ found, progress }: Retiring): readonly FoundStanding[] {
  return found.standings.filter(({ environment }) => progress.environments.includes(environment))
}

export function meantIn(retiring: Retiring): readonly DeclaredIn[] {
  return standingsIn(retiring).map(({ flag }) => flag)
}

export function grantsOf({ repository, flag }: Retiring) {
  return repository.declared.flatMap(({ grants }) => grants.filter(grant => grant.flag === flag.key))
}

/** Its declarations, and the grants and tests that stand apart. */
export function partsOf(retiring: Retiring): readonly DeclaredPart[] {
  return [
    ...retiring.flag.declarations.map(({ file, base }) => ({ file, pointer: base.pointer })),
    ...grantsOf(retiring),
    ...testsOf(retiring),
  ]
}

export function testsOf({ repository, flag }: Retiring): readonly DeclaredPart[] {
  const apart = repository.tests.files.flatMap(({ tests }) => tests.filter(test => test.flag === flag.key))
  const lists = apart.map(
    ({ file, flagPointer: pointer }) => [`${file.parsed.file}${pointer}`, { file, pointer }] as const,
  )
  return [...new Map(lists).values()]
}

/** The grants with a declaration of their own that go with the flag, and those that some environment still has a flag for. */
export function grantsLeft(retiring: Retiring) {
  const { all, progress } = retiring
  const stays = all.filter(
    ({ desired, environment }) =>
      desired.ensure === 'present' && !progress.environments.includes(environment.name),
  )
  const isGone = ({ only }: { readonly only?: ReadonlyMap<string, number> }) =>
    !stays.some(({ environment: { name } }) => only === undefined || (name !== undefined && only.has(name)))
  const grants = grantsOf(retiring).filter(({ ensure }) => ensure === 'present')
  return { gone: grants.filter(isGone), left: grants.filter(grant => !isGone(grant)) }
}
