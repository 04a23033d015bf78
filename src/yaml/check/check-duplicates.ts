import { type Desired, parentKey } from '../../core/desired.ts'
import type { Problem, Source } from '../../model/problem.ts'
import type { FileDeclarations, ObjectDeclaration } from '../declaration.ts'
import { type Placed, placeDesired } from '../resolve/resolve.ts'
import { environmentsOf, type Settings } from '../settings.ts'

/** Objects and grants that are declared twice for one environment, in whichever files and whichever way. */
export function checkDuplicates(files: readonly FileDeclarations[], settings: Settings): Problem[] {
  const mayRepeat = withoutUnique(files)
  const found = new Map<string, Problem>()
  for (const environment of environmentsOf(settings)) {
    const first = new Map<string, Placed<Desired>>()
    for (const placed of placeDesired(mayRepeat, environment, () => undefined)) {
      const { kind, identity } = placed.declared
      const name = `${kind}/${parentKey(placed.declared) ?? ''}/${identity}`
      const before = first.get(name)
      if (!before) first.set(name, placed)
      else found.set(inText(sourceOf(placed)), duplicate(placed, before))
    }
  }
  return [...found.values()]
}

/** Without the objects that no other declaration names, and that name no grants: nearly all. */
function withoutUnique(files: readonly FileDeclarations[]): FileDeclarations[] {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const { objects } of files)
    for (const { address } of objects) (seen.has(address) ? repeated : seen).add(address)
  return files.map(({ objects, grants }) => ({
    objects: objects.filter(object => repeated.has(object.address) || namesGrants(object)),
    grants,
  }))
}

function namesGrants({ base, environments }: ObjectDeclaration): boolean {
  if (base.roleAccess) return true
  for (const layer of environments.values()) if (layer.roleAccess) return true
  return false
}

function duplicate(placed: Placed<Desired>, before: Placed<Desired>): Problem {
  return {
    code: 'duplicate-declaration',
    severity: 'error',
    message: `this is also declared at ${inText(sourceOf(before))}`,
    hint: 'keep one of them, or limit each to other environments with "only"',
    source: sourceOf(placed),
    address: placed.declared.address,
  }
}

function sourceOf({ file, pointer, at }: Placed<Desired>): Source {
  return file.parsed.locate(pointer, at)
}

function inText({ file, line, column }: Source): string {
  return `${file}:${line}:${column}`
}
