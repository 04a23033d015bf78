import { type DeclarableKind, isDeclarable, type Kind } from '../../../src/model/kind.ts'

type KindsModule = typeof import('../../../src/kinds/index.ts')

/** The module of kinds with more: what everything is derived from that is loaded after it. */
export function kindsWith(original: KindsModule, ...added: readonly Kind[]) {
  const more = Object.fromEntries(added.map(kind => [kind.name, kind]))
  const kinds: Readonly<Record<string, Kind>> = { ...original.kinds, ...more }
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
