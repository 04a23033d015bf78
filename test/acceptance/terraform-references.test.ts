import fc from 'fast-check'
import { expect, it } from 'vitest'
import { arbitraryReference } from '../stack/arbitrary-reference.ts'
import { refusedByTerraform, refusedByVexil } from '../stack/refused-references.ts'
import { terraform } from './support/binary.ts'

it.skipIf(!terraform)(
  'is answered alike by Terraform and by Vexil, whatever a reference leads to',
  async () => {
    const references = [...new Set(fc.sample(arbitraryReference, { seed: 7, numRuns: 300 }))]
    const refused = await refusedByTerraform(references)
    expect(refused.length).toBeGreaterThan(50)
    expect(await refusedByVexil(references)).toEqual(refused)
  },
)
