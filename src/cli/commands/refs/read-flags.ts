import { resolve } from 'node:path'
import type { RepositoryFlags } from '../../connection/repository-settings.ts'
import { CommandError } from '../../host/exit-code.ts'
import type { Host } from '../../host/host.ts'
import { refuseProblems } from '../../repository/refuse-problems.ts'
import { openDeclared, readsStack } from '../../repository/repository.ts'
import { type DeclaredFlag, declaredFlags, flagsOfStacks } from './declared-flags.ts'
import type { DeclaringFiles } from './search-references.ts'

/** Where the flags are declared that code asks for. */
export type CodeFlags = Pick<
  RepositoryFlags,
  'chdir' | 'stack' | 'app' | 'var' | 'provider' | 'engine' | 'planJson'
>

export interface FlagsToFind extends DeclaringFiles {
  readonly flags: readonly DeclaredFlag[]
}

/** The flags that files declare for any environment, or stacks in their place; shows every error and throws when there are any. */
export async function readFlags(host: Host, flags: CodeFlags): Promise<FlagsToFind> {
  if (readsStack(flags)) return readStackFlags(host, flags)
  const { declared, files, options } = await openDeclared(host, flags)
  return { options, flags: declaredFlags(declared), files }
}

/** What a stack looks up in the service has a stand-in here; no flag is declared by one. */
async function readStackFlags(host: Host, flags: CodeFlags): Promise<FlagsToFind> {
  const directory = resolve(host.directory, flags.chdir ?? '.')
  const { readStack } = await import('../../repository/stack-source.ts')
  const { declarations, lookUps, problems, texts } = await readStack(host, flags, { directory })
  refuseProblems(host, problems, { directory, texts })
  const { desired } = declarations
  const lookedUp = desired.find(({ identity }) => lookUps.some(each => each.standInIn(identity)))
  if (lookedUp) {
    const words =
      'the key of a flag comes from what the stack looks up in the service, which is not asked here'
    throw new CommandError(`${words}; read a plan of it with --plan-json`)
  }
  // The program that makes a flag names its key, and that is its declaration.
  const sources = desired.flatMap(({ source }) => (source ? [source.file] : []))
  const files = new Set([...texts.keys(), ...sources])
  return { options: { directory }, flags: flagsOfStacks(desired), files: [...files] }
}
