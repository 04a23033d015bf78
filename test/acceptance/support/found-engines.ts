import { binaryOf, builtEngines } from '../../engines/engines.ts'
import { findBinary, terraform } from './binary.ts'

export interface FoundEngine {
  readonly title: 'Terraform' | 'OpenTofu'
  readonly command: string
}

/** Terraform and OpenTofu, those of the two that are found. */
export const foundEngines: readonly FoundEngine[] = [
  { title: 'Terraform' as const, command: terraform?.command },
  { title: 'OpenTofu' as const, command: openTofu() },
].flatMap(({ title, command }) => (command === undefined ? [] : [{ title, command }]))

/** OpenTofu from the PATH, or as it is built for the other tests. */
function openTofu(): string | undefined {
  const built = builtEngines().find(({ command }) => command === 'tofu')
  return findBinary('tofu')?.command ?? (built && binaryOf(built))
}
