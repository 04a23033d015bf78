import type { Problem } from '../../model/problem.ts'
import { readAudiences } from '../audience-declaration.ts'
import { checkFile } from '../check/check-file.ts'
import { type FileDeclarations, type ObjectDeclaration, readDeclarations } from '../declaration.ts'
import type { DeclarationFile } from '../declaration-file.ts'
import type { ParsedYaml } from '../parse/parse-yaml.ts'
import { type FileFixtures, noFixtures, readFixtures } from '../tests/test-declaration.ts'
import { type Defaults, withDefaults } from './file-defaults.ts'
import { failureProblem, interpolate, type Variables } from './interpolate.ts'
import { concernsEnvironment } from './other-environment.ts'

export interface TakenApart {
  readonly declared: FileDeclarations
  readonly audiences: readonly ObjectDeclaration[]
  readonly fixtures: FileFixtures
  readonly problems: readonly Problem[]
}

/** Everything about one file that does not need the others. Variables of other environments may be unset. */
export function parseDeclarations(
  parsed: ParsedYaml,
  {
    env,
    keyNames,
    defaults,
  }: {
    readonly env: Variables
    readonly keyNames: readonly string[]
    readonly defaults?: Defaults | undefined
  },
  chosen: string | undefined,
): TakenApart {
  if (parsed.value === undefined) {
    return {
      declared: { objects: [], grants: [] },
      audiences: [],
      fixtures: noFixtures,
      problems: parsed.problems,
    }
  }
  // Filling in walks through everything, and few files ask for it. A backslash may hide the dollar sign.
  const asks = parsed.text.includes('${') || parsed.text.includes('\\')
  const { value, failures, secrets } = asks
    ? interpolate(parsed.value, env, keyNames)
    : { value: parsed.value, failures: [], secrets: new Map<string, string>() }
  const unfilled = new Set(failures.map(({ pointer }) => pointer))
  const file: DeclarationFile = { parsed, value, secrets, unfilled }
  const [declared, audiences] = [withDefaults(readDeclarations(file), defaults), readAudiences(file)]
  const { objects, grants } = declared
  const concerns =
    chosen === undefined
      ? () => true
      : concernsEnvironment({ objects: [...objects, ...audiences], grants }, chosen)
  const unset = failures
    // What only holds anchors is not used itself; where it is, the alias is found.
    .filter(({ pointer }) => !pointer.startsWith('/x-'))
    .filter(({ pointer }) => concerns(pointer))
    .map(failure => failureProblem(failure, parsed))
  const violations = checkFile(file)
  return {
    declared,
    audiences,
    fixtures: readFixtures(file),
    problems: [...parsed.problems, ...unset, ...violations],
  }
}
