import { targetingField } from '../../model/kind.ts'
import { getAt, segmentsOf } from '../../model/text/pointer.ts'
import type { EditDocument } from '../../report/document.ts'
import type { ObjectDeclaration } from '../../yaml/declaration.ts'
import type { Environment } from '../../yaml/settings.ts'
import {
  type DeclarationChange,
  type DeclaredShare,
  declaredShares,
  notDeclaredFor,
  writtenIn,
  writtenOverrides,
} from '../../yaml/write/edit-declarations.ts'
import { assigned } from '../../yaml/write/edit-text.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { print } from '../host/output.ts'
import { resolveFlag } from '../plan/target-filter.ts'
import { openDeclared } from '../repository/repository.ts'
import { type EditableRepository, environmentOf, nextAfter, writeChanges } from './write-edit.ts'

/**
 * `vexil ramp FLAG --to 100`: writes the next step of a rollout into the declaration. `limits.rollout_step`
 * limits a widening. The service is not changed.
 */
export async function runRamp(
  host: Host,
  name: string,
  flags: Flags & { readonly to: string },
): Promise<ExitCode> {
  const to = percentageOf(flags.to)
  const { chdir, env } = flags
  const repository = await openDeclared(host, { chdir, env })
  const environment = environmentOf(repository, env)
  const declaration = flagNamed(repository, name)
  const share = shareOf(declaration, environment, flags.condition)
  const step = environment.policy.limits.rolloutStep
  const next = nextPercent(share.percent, to, step)
  const changes =
    next === share.percent
      ? []
      : [changeOf(repository, declaration, { environment, share, next, isShared: flags.shared === true })]
  const { document } = await writeChanges(host, repository, changes, flags)
  const ramp: EditDocument['ramp'] = {
    address: declaration.address,
    environment: environment.name ?? null,
    condition: share.name,
    before: share.percent,
    after: next,
    to,
    steps_left: stepsBetween(next, to, step),
  }
  await print(host, flags, {
    ...document,
    ramp,
    notes: getAt(writtenIn(declaration, environment.name), '/active') === false ? ['the flag is off'] : [],
    next: nextAfter(changes, { ...flags, env: environment.name }),
  })
  return exitCode.done
}

function percentageOf(text: string): number {
  const percent = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (percent >= 0 && percent <= 100) return percent
  throw new CommandError(`--to takes a percentage from 0 to 100, not "${text}"`, exitCode.usage)
}

function flagNamed({ declared }: EditableRepository, name: string): ObjectDeclaration {
  const flags = declared
    .flatMap(file => file.objects)
    .filter(({ kind }) => targetingField(kind) !== undefined)
  return resolveFlag(name, flags)
}

function shareOf(
  declaration: ObjectDeclaration,
  environment: Environment,
  condition: string | undefined,
): DeclaredShare {
  const shares = declaredShares(declaration, environment)
  const { address } = declaration
  const there = environment.name === undefined ? '' : ` for ${environment.name}`
  if (!shares) throw new CommandError(notDeclaredFor(declaration, environment.name), exitCode.usage)
  if (shares.length === 0)
    throw new CommandError(`"${address}" has no condition${there}; declare one first`, exitCode.usage)
  const listed = shares.map(({ name, percent }) => `${name} (${percent}%)`).join(', ')
  // Names of conditions are never numbers.
  const isMeant = (name: string, index: number) => [name, String(index + 1)].includes(condition ?? name)
  const [only, ...others] = shares.filter(({ name }, index) => isMeant(name, index))
  if (only && others.length === 0) return only
  throw new CommandError(
    condition === undefined
      ? `"${address}" has ${shares.length} conditions${there}; choose one with --condition: ${listed}`
      : `"${address}" has no condition "${condition}"${there}; there are: ${listed}`,
    exitCode.usage,
  )
}

/** The percentage of the next step. The limit applies only to a widening. */
function nextPercent(from: number, to: number, step: number | undefined): number {
  if (to <= from || step === undefined) return to
  if (step === 0)
    throw new CommandError('limits.rollout_step is 0: no plan may widen a condition', exitCode.refused)
  return Math.min(to, withoutNoise(from + step))
}

function stepsBetween(from: number, to: number, step: number | undefined): number {
  if (to <= from || step === undefined || step === 0) return 0
  return Math.ceil(withoutNoise((to - from) / step))
}

/** Rounds away floating point noise: 33.3 + 10.1 is 43.4. */
function withoutNoise(points: number): number {
  return Number(points.toFixed(6))
}

interface RampStep {
  readonly environment: Environment
  readonly share: DeclaredShare
  readonly next: number
  readonly isShared: boolean
}

/** Edits the shared value if there are no other environments or overrides. */
function changeOf(
  { settings }: EditableRepository,
  declaration: ObjectDeclaration,
  { environment: { name }, share, next, isShared }: RampStep,
): DeclarationChange {
  const path = segmentsOf(share.pointer)
  const wanted = assigned(writtenIn(declaration, name), path, next)
  const isOverridden =
    name !== undefined && getAt(writtenOverrides(declaration, name), share.pointer) !== undefined
  const isAlone = settings.environments.length < 2 && !isOverridden
  return {
    declaration,
    environment: name,
    // Assigning a member keeps the type.
    wanted: wanted as DeclarationChange['wanted'],
    into: isShared || isAlone ? 'shared' : 'environment',
  }
}
