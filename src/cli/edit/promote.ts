import { type JsonObject, pickMembers } from '../../model/text/json.ts'
import { counted } from '../../report/line-text.ts'
import type { ObjectDeclaration } from '../../yaml/declaration.ts'
import { unknownEnvironment } from '../../yaml/index.ts'
import {
  type DeclarationChange,
  notDeclaredFor,
  treatment,
  writtenIn,
  writtenOverrides,
} from '../../yaml/write/edit-declarations.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { print } from '../host/output.ts'
import { resolveAddresses } from '../plan/target-filter.ts'
import { openDeclared } from '../repository/repository.ts'
import { type EditableRepository, missingFlagNotes, nextAfter, writeChanges } from './write-edit.ts'

/**
 * `vexil promote NAME... --from A --to B`: copies declarations from environment A to B. B keeps its own
 * `protect`, `allow`, `live_edits`, `ignore` and `id`. The service is not changed.
 */
export async function runPromote(
  host: Host,
  names: readonly string[],
  flags: Flags & Required<Pick<Flags, 'from' | 'to'>>,
): Promise<ExitCode> {
  const { from, to, chdir } = flags
  const repository = await openDeclared(host, { chdir })
  requireEnvironments(repository, [from, to])
  const { promoted, notes } = promotedOf(repository, names, from)
  const changes = promoted.map((declaration): DeclarationChange => {
    const wanted = wantedIn(declaration, from, to)
    return flags.shared
      ? {
          declaration,
          environment: to,
          wanted,
          into: 'shared',
          others: new Map([[from, writtenIn(declaration, from)]]),
        }
      : { declaration, environment: to, wanted, into: 'environment' }
  })
  const { document, changes: outcomes, declared } = await writeChanges(host, repository, changes, flags)
  const done = outcomes.filter(({ written }) => written !== 'nothing')
  const same = outcomes.length - done.length
  const addresses = new Set(done.map(({ declaration }) => declaration.address))
  const { environments } = repository.settings
  await print(host, flags, {
    ...document,
    notes: [
      ...notes,
      ...outcomes.flatMap(({ declaration: { address }, note }) =>
        note === undefined ? [] : [`${address}: ${note}`],
      ),
      ...environments
        .filter(({ name }) => name === to)
        .flatMap(environment => missingFlagNotes(declared, addresses, environment)),
      ...(same > 0 ? [`${counted(same, 'object')} ${same === 1 ? 'is' : 'are'} already the same`] : []),
    ],
    next: nextAfter(done, { ...flags, env: to }),
  })
  return exitCode.done
}

function requireEnvironments({ settings }: EditableRepository, names: readonly string[]): void {
  const known = settings.environments.map(({ name }) => name)
  for (const name of names) {
    if (known.includes(name)) continue
    const { message, hint } = unknownEnvironment(name, known)
    throw new CommandError(hint === undefined ? message : `${message}; ${hint}`, exitCode.usage)
  }
  if (names[0] === names[1])
    throw new CommandError('--from and --to are the same environment', exitCode.usage)
}

interface Promoted {
  readonly promoted: readonly ObjectDeclaration[]
  readonly notes: readonly string[]
}

/**
 * The objects to promote. A named object must be declared in the environment; objects that only a glob
 * matches are skipped with a note.
 */
function promotedOf({ declared }: EditableRepository, names: readonly string[], from: string): Promoted {
  const objects = declared.flatMap(file => file.objects)
  const addresses = objects.map(({ address }) => address)
  const wanted = new Set(names.flatMap(name => resolveAddresses(name, addresses)))
  const meant = objects.filter(({ address }) => wanted.has(address))
  const missing = meant.filter(object => !isDeclaredIn(object, from))
  const named = missing.find(({ address, identity }) =>
    names.some(name => name === address || name === identity),
  )
  if (named) throw new CommandError(notDeclaredFor(named, from), exitCode.usage)
  if (meant.length > 0 && missing.length === meant.length)
    throw new CommandError(`none of these objects is declared for ${from}`, exitCode.usage)
  const keys = new Set(meant.map(({ identity }) => identity))
  const alone = declared.flatMap(({ grants }) => grants.filter(({ flag }) => keys.has(flag)))
  return {
    promoted: meant.filter(object => isDeclaredIn(object, from)),
    notes: [
      ...missing.map(({ address }) => `skipped: ${address} is not declared for ${from}`),
      ...(alone.length > 0
        ? [
            `${counted(alone.length, 'grant')} of these flags ${alone.length === 1 ? 'has its' : 'have their'} own declaration: not promoted`,
          ]
        : []),
    ],
  }
}

function isDeclaredIn(declaration: ObjectDeclaration, environment: string): boolean {
  const { only } = declaration
  return (only?.has(environment) ?? true) && writtenOverrides(declaration, environment).skip !== true
}

function wantedIn(declaration: ObjectDeclaration, from: string, to: string): JsonObject {
  const isOwn = (name: string) => treatment.has(name)
  return {
    ...pickMembers(writtenIn(declaration, from), (_, name) => !isOwn(name)),
    ...pickMembers(writtenIn(declaration, to), (_, name) => isOwn(name) && name !== 'skip'),
  }
}
