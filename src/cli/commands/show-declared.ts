import type { ShownObject } from '../../model/shown-object.ts'
import {
  type DeclaredRepository,
  isDeclaredIn,
  type RepositoryOptions,
  readDeclared,
  showDeclaration,
} from '../../yaml/index.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'
import { resolveAddresses } from '../plan/target-filter.ts'

/** A repository, checked, with some objects as they are declared for one environment. */
export async function showDeclared(
  options: RepositoryOptions,
  wanted: readonly string[],
): Promise<DeclaredRepository & { readonly shown: readonly ShownObject[] }> {
  const repository = await readDeclared(options)
  const { declared, settings } = repository
  const names = settings.environments.map(({ name }) => name)
  const environment = options.environment ?? (names.length === 1 ? names[0] : undefined)
  if (environment === undefined && names.length > 1)
    throw new CommandError(
      `--show shows one environment; choose it with --env: ${names.join(', ')}`,
      exitCode.usage,
    )
  // An environment that is not there is among the problems.
  if (environment !== undefined && !names.includes(environment)) return { ...repository, shown: [] }
  const place = environment === undefined ? {} : { name: environment }
  const there = declared.flatMap(({ objects }) => objects.filter(one => isDeclaredIn(one, place)))
  const addresses = there.map(({ address }) => address)
  const where = environment === undefined ? '' : ` in ${environment}`
  const unknown = { name: `is not declared${where}`, glob: `fits nothing that is declared${where}` }
  const named = new Set(wanted.flatMap(one => resolveAddresses(one, addresses, unknown)))
  const shown = there.filter(({ address }) => named.has(address)).map(one => showDeclaration(one, place))
  return { ...repository, shown }
}
