import type { Kind } from '../../../src/model/kind.ts'

/** A kind with a field that no file of ours knows. */
export function withSeverity<K extends Kind>(kind: K) {
  const severity = {
    type: 'string',
    access: 'managed',
    oneOf: ['low', 'high'],
    doc: 'How bad it is when it fails.',
  } as const
  return { ...kind, fields: { ...kind.fields, severity } }
}
