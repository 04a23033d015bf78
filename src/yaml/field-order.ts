import { type DeclarableKind, managedFields, switchField, targetingField } from '../model/kind.ts'

/**
 * The fields of a kind in the order in which declarations are written: as the kind has them, but that whoever reads a flag
 * asks whether it is on before who gets it.
 */
export function fieldOrder(kind: DeclarableKind): readonly string[] {
  const [targeting, turned] = [targetingField(kind), switchField(kind)]
  const fields = managedFields(kind)
  if (targeting === undefined || turned === undefined) return fields
  return fields.flatMap(name => (name === targeting ? [turned, name] : name === turned ? [] : [name]))
}
