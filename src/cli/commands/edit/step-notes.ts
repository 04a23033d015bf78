import type { Desired } from '../../../core/desired.ts'
import { namesIn } from '../../../core/flag-links.ts'
import { declaredStepBlock } from '../../../core/plan/guards/declared-step.ts'
import { declarableKind } from '../../../kinds/index.ts'
import { targetingField } from '../../../model/kind.ts'
import { shellWord } from '../../../model/text/shell-word.ts'
import { isFlagId, visible } from '../../../targeting/index.ts'
import type { FileDeclarations } from '../../../yaml/declaration.ts'
import { placeDesired } from '../../../yaml/resolve/resolve.ts'
import type { Environment } from '../../../yaml/settings.ts'

/** What declares some flags, before and after an edit. */
interface Edited {
  readonly before: readonly FileDeclarations[]
  readonly after: readonly FileDeclarations[]
  /** Those that were edited. */
  readonly addresses: ReadonlySet<string>
}

/** A line for each edited flag and environment where the next plan would block the step, were all live as it was declared. */
export function stepNotes(edited: Edited, environments: readonly Environment[]): string[] {
  return environments.flatMap(environment => {
    const flagsIn = (files: readonly FileDeclarations[]) => desiredFlags(files, environment, edited.addresses)
    const known = new Map(flagsIn(edited.before).map(flag => [flag.address, flag]))
    return flagsIn(edited.after).flatMap(flag => {
      const before = known.get(flag.address)
      const block = before && declaredStepBlock(before, flag, environment.policy)
      if (!block) return []
      const { name } = environment
      const [where, option] = name === undefined ? ['', ''] : [` for ${name}`, ` --env ${shellWord(name)}`]
      const ramp = `vexil ramp ${shellWord(flag.identity)}${option} --to PERCENTAGE`
      return [
        `${flag.address}: the next plan${where} blocks this where it is live as it was declared (${block.rule}): ${block.reason}; \`${ramp}\` goes in steps`,
      ]
    })
  })
}

/** A line for each flag that edited ones depend on and that the environment does not declare. */
export function missingFlagNotes(
  { after, addresses }: Omit<Edited, 'before'>,
  environment: Environment,
): string[] {
  const all = new Set(after.flatMap(({ objects }) => objects.map(({ address }) => address)))
  const declared = desiredFlags(after, environment, all)
  const keys = new Set(declared.flatMap(({ ensure, identity }) => (ensure === 'absent' ? [] : [identity])))
  return declared.flatMap(({ kind, address, fields }) => {
    if (!addresses.has(address)) return []
    const missing = new Set(
      namesIn(declarableKind(kind), fields).filter(key => !isFlagId(key) && !keys.has(key)),
    )
    const where = environment.name === undefined ? '' : ` for ${environment.name}`
    return [...missing].map(
      key => `${address}: depends on the flag ${visible(key)}, which is not declared${where}: promote it too`,
    )
  })
}

function desiredFlags(
  files: readonly FileDeclarations[],
  environment: Environment,
  addresses: ReadonlySet<string>,
): Desired[] {
  const flags = files.map(({ objects }) => ({
    objects: objects.filter(
      ({ address, kind }) => addresses.has(address) && targetingField(kind) !== undefined,
    ),
    grants: [],
  }))
  // Its grants are placed with a flag, and widen nothing.
  return placeDesired(flags, environment, () => undefined)
    .map(({ declared }) => declared)
    .filter(({ address }) => addresses.has(address))
}
