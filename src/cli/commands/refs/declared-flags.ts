import type { Desired } from '../../../core/desired.ts'
import { declarableKind } from '../../../kinds/index.ts'
import type { JsonObject } from '../../../model/json/json.ts'
import { hasTargeting } from '../../../model/kind.ts'
import { compareTexts } from '../../../model/text/compare-texts.ts'
import type { FileDeclarations, ObjectDeclaration } from '../../../yaml/declaration.ts'
import { resolveAddresses } from '../../plan/target-filter.ts'

/** A flag as code knows it. */
export interface DeclaredFlag {
  readonly key: string
  readonly address: string
  /** Whether it is to be nowhere. */
  readonly isAbsent: boolean
  /** What is said of it: for all environments, and then for each that says something else. */
  readonly said: readonly SaidOfFlag[]
}

/** A flag that files declare. */
export interface WrittenFlag extends DeclaredFlag {
  /** More than one where environments are declared apart, each with `only`. */
  readonly declarations: readonly ObjectDeclaration[]
}

/** Fields of a flag as they are declared in one place. */
export interface SaidOfFlag {
  readonly fields: JsonObject
  readonly payloadSchema?: JsonObject | null
}

/** The flags that are declared for any environment, by their keys. */
export function declaredFlags(files: readonly FileDeclarations[]): readonly WrittenFlag[] {
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
      said: declarations.flatMap(({ base, environments }) => [base, ...environments.values()]),
    }))
}

/** The flags that stacks declare, by their keys. */
export function flagsOfStacks(desired: readonly Desired[]): readonly DeclaredFlag[] {
  const byKey = new Map<string, Desired[]>()
  for (const one of desired) {
    if (!hasTargeting(declarableKind(one.kind))) continue
    byKey.set(one.identity, [...(byKey.get(one.identity) ?? []), one])
  }
  return [...byKey]
    .sort(([one], [other]) => compareTexts(one, other))
    .map(([key, all]) => ({
      key,
      address: all[0]?.address ?? key,
      isAbsent: all.every(({ ensure }) => ensure === 'absent'),
      said: all,
    }))
}

/** What an environment does not say, it takes from what all share. */
function isAbsent({ base, environments }: ObjectDeclaration): boolean {
  const overrides = [...environments.values()].filter(({ skip }) => skip !== true)
  return base.ensure === 'absent' && overrides.every(({ ensure }) => ensure !== 'present')
}

/** The flags that are named, by keys, addresses and globs; all of them where none is. */
export function wantedFlags(
  declared: readonly DeclaredFlag[],
  named: readonly string[],
): readonly DeclaredFlag[] {
  if (named.length === 0) return declared
  const addresses = declared.map(({ address }) => address)
  const wanted = new Set(named.flatMap(name => resolveAddresses(name, addresses)))
  return declared.filter(({ address }) => wanted.has(address))
}
