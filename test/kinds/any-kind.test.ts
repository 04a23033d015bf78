import { vi } from 'vitest'
import './any-kind/commands.ts'
import './any-kind/construct.ts'
import './any-kind/terraform.ts'

// What is derived from the kinds is loaded anew with this one among them: once, for all that is tested of it.
vi.mock('../../src/kinds/index.ts', async original => {
  const { kindsWith } = await import('./support/kinds-with.ts')
  const { savedView } = await import('./support/saved-view.ts')
  return kindsWith(await original(), savedView)
})
vi.mock('../../src/schema/validators.generated.js', async () => {
  const { compiledValidators } = await import('./support/compiled-validators.ts')
  return compiledValidators()
})
