import { binaryOf, builtEngines } from '../../engines/engines.ts'
import { findBinary, type Product, productOf, terraform } from './binary.ts'

export interface FoundEngine {
  readonly title: Product
  readonly command: string
}

/** Terraform and OpenTofu, those of the two that are found: in place of Terraform there may be an OpenTofu alone. */
export const foundEngines: readonly FoundEngine[] = [terraform?.command, openTofu()]
  .flatMap(command => (command === undefined ? [] : [{ title: productOf(command), command }]))
  .filter(({ title }, index, all) => all.findIndex(other => other.title === title) === index)

/** OpenTofu from the PATH, or as it is built for the other tests. */
function openTofu(): string | undefined {
  const built = builtEngines().find(({ name }) => name === 'opentofu')
  return findBinary('tofu')?.command ?? (built && binaryOf(built))
}
