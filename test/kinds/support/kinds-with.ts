import { type DeclarableKind, isDeclarable, type Kind } from '../../../src/model/kind.ts'

type KindsModule = typeof import('../../../src/kinds/index.ts')

/** The module of kinds with one more: what everything is derived from that is loaded after it. */
export function kindsWith(original: KindsModule, added: Kind) {
  const kinds: Readonly<Record<string, Kind>> = { ...original.kinds, [added.name]: added }
  const declarableKinds = Object.values(kinds).filter(isDeclarable)
  return {
    ...original,
    kinds,
    declarableKinds,
    kindNamed: (name: string): Kind => kinds[name] ?? original.kindNamed(name),
    declarableKind: (name: string): DeclarableKind =>
      declarableKinds.find(kind => kind.name === name) ?? original.declarableKind(name),
    kindBelow: (parent: string) => declarableKinds.find(({ lifecycle }) => lifecycle.parent?.kind === parent),
  }
}
