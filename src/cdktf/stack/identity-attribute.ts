import type { DeclarableKind } from '../../model/kind.ts'

/** The attribute by which an object is found. */
export function identityAttribute({ identity }: DeclarableKind): string {
  return identity.by === 'field' ? identity.field : identity.sentAs
}
