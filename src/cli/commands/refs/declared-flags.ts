import { declarableKind } from '../../../kinds/index.ts'
import { hasTargeting } from '../../../model/kind.ts'
import { compareTexts } from '../../../model/text/compare-texts.ts'
import type { FileDeclarations, ObjectDeclaration } from '../../../yaml/declaration.ts'

/** A flag as code knows it. */
export interface DeclaredFlag {
  readonly key: string
  readonly address: string
  /** Whether it is to be nowhere. */
  readonly isAbsent: boolean
  /** More than one where environments are declared apart, each with `only`. */
  readonly declarations: readonly ObjectDeclaration[]
}

/** The flags that are declared for any environment, by their keys. */
export function declaredFlags(files: readonly FileDeclarations[]): readonly DeclaredFlag[] {
  const byKey = new Map<string, ObjectDeclaration[]>()
  for (const object of files.flatMap(({ objects }) => objects)) {
    if (!hasTargeting(declarableKind(object.kind.name))) continue
    byKey.set(object.identity, [...(byKey.get(object.identity) ?? []), object])
  }
  return [...byKey]
    .sort(([one], [other]) => compareTexts(one, other))
    .map(([key, declarations]) => ({
      key,
      address: declarations[0]?.address ?? key,
      isAbsent: declarations.every(isAbsent),
      declarations,
    }))
}

/** What an environment does not say, it takes from what all share. */
function isAbsent({ base, environments }: ObjectDeclaration): boolean {
  const overrides = [...environments.values()].filter(({ skip }) => skip !== true)
  return base.ensure === 'absent' && overrides.every(({ ensure }) => ensure !== 'present')
}
