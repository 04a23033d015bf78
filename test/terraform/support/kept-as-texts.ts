import type { Private } from '../../../src/terraform/provider.ts'
import type { Remembered } from '../../../src/terraform/resources/apply/remembered.ts'

/** What is remembered in the form before this one, as states of earlier versions have it: a text for each entry. */
export function keptAsTexts({ fingerprint, fields, origin, pending, base, isNew }: Remembered): Private {
  return {
    format: '1',
    fields: JSON.stringify(fields),
    ...(fingerprint === undefined ? {} : { fingerprint }),
    ...(origin ? { origin: JSON.stringify(origin) } : {}),
    ...(pending ? { pending: JSON.stringify(pending) } : {}),
    ...(base ? { base: JSON.stringify(base) } : {}),
    ...(isNew ? { new: '1' } : {}),
  }
}
