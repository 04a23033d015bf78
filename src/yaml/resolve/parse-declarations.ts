import { pointerOf, segmentsOf } from '../../model/json/pointer.ts'
import { hasTargeting } from '../../model/kind.ts'
import type { Problem } from '../../model/problem.ts'
import { tagMemberNames } from '../../model/tag-member.ts'
import { quote } from '../check/problem-order.ts'
import { checkFile } from '../check/schema-problem.ts'
import {
  type DeclarationFile,
  type DefaultPlace,
  type FileDeclarations,
  type GrantDeclaration,
  type ObjectDeclaration,
  readAudiences,
  readDeclarations,
} from '../declaration.ts'
import type { ParsedYaml } from '../parse/parse-yaml.ts'
import type { Finder } from '../read/find-files.ts'
import type { FileDefaults, Settings } from '../settings.ts'
import { type FileFixtures, noFixtures, readFixtures } from '../tests/declared-tests.ts'
import { belongsTo } from './effective.ts'
import { failureProblem, interpolate, type Variables } from './interpolate.ts'
import { isMergedMember } from './short-layers.ts'

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
  // Replacing variables walks through everything, and few files use it. A backslash may hide the dollar sign.
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
    // A value that only holds anchors is not used itself; if it is used, the alias is found.
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

/** Returns whether the value at a place in a file affects the declarations for an environment. */
function concernsEnvironment(
  { objects, grants }: FileDeclarations,
  environment: string,
): (pointer: string) => boolean {
  const grantAt = new Map(grants.map(grant => [grant.pointer, grant]))
  const objectAt = new Map(objects.map(declaration => [declaration.base.pointer, declaration]))
  return pointer => {
    const [section = '', name = '', ...inside] = segmentsOf(pointer)
    if (inside.length === 0) return true
    const around = pointerOf(section, name)
    const grant = grantAt.get(around)
    if (grant) return belongsTo(grant, environment)
    const declaration = objectAt.get(around)
    return !declaration || isUsed(declaration, inside, environment)
  }
}

function isUsed(declaration: ObjectDeclaration, inside: readonly string[], environment: string): boolean {
  if (!belongsTo(declaration, environment)) return false
  const override = declaration.environments.get(environment)
  const [member, name] = inside
  if (member === 'environments') return name === environment
  if (override === undefined) return true
  // An override replaces a member whole, so the replaced value is never used; the short form is merged.
  const isReplaced =
    member !== undefined && member in override.members && !isMergedMember(declaration.kind, member)
  return !override.skip && !isReplaced
}

/** The defaults for declarations of a file, and their places in the settings. */
interface Defaults extends Omit<FileDefaults, 'files'> {
  readonly places: ReadonlyMap<string, DefaultPlace>
}

/** The defaults of the settings for a file: for each member, the last one whose glob matches. */
export interface DefaultsOfFiles {
  of(file: string): Defaults | undefined
  /** Globs that match none of the files that were read. */
  problems(read: readonly string[]): readonly Problem[]
}

export async function findDefaults(
  finder: Finder,
  { defaults = [] }: Settings,
  parsed: ParsedYaml | undefined,
): Promise<DefaultsOfFiles> {
  if (defaults.length === 0 || !parsed) return { of: () => undefined, problems: () => [] }
  const entries = await Promise.all(
    defaults.map(async ({ files: glob, ...given }, index) => {
      const at = (member: string) => pointerOf('defaults', index, member)
      const places = Object.keys(given)
        .map(name => (name === 'liveEdits' ? 'live_edits' : name))
        .map(name => [name, { parsed, pointer: at(name) }] as const)
      const { files } = await finder.find(glob)
      return {
        glob,
        given,
        places,
        source: parsed.locate(at('files')),
        files: new Set(files.map(({ name }) => name)),
      }
    }),
  )
  return {
    of: file => {
      const fitting = entries.filter(({ files }) => files.has(file))
      if (fitting.length === 0) return undefined
      const given: Omit<FileDefaults, 'files'> = Object.assign({}, ...fitting.map(entry => entry.given))
      return { ...given, places: new Map(fitting.flatMap(({ places }) => places)) }
    },
    problems: read =>
      entries
        .filter(({ files }) => !read.some(file => files.has(file)))
        .map(({ glob, source }) => ({
          code: 'unused-default',
          severity: 'warning',
          message: `${quote(glob)} matches no file of declarations`,
          hint: 'correct or remove it; a glob is relative to vexil.yaml',
          source,
        })),
  }
}

/** The same declarations with defaults for missing values. Declared values win, null too. */
function withDefaults(declared: FileDeclarations, defaults: Defaults | undefined): FileDeclarations {
  if (!defaults) return declared
  return {
    objects: declared.objects.map(one => withObjectDefaults(one, defaults)),
    grants: declared.grants.map(grant => withPlaces(grant, defaults)),
  }
}

function withObjectDefaults(declaration: ObjectDeclaration, defaults: Defaults): ObjectDeclaration {
  const { kind, base } = declaration
  const { protect, permanent, allow, liveEdits, tags, owner, expires, places } = defaults
  const hasTags = kind.lifecycle.ownedBy !== undefined
  const isFlag = hasTargeting(kind)
  const members = hasTags
    ? { ...(owner === undefined ? {} : { owner }), ...(expires === undefined ? {} : { expires }) }
    : {}
  return {
    ...withPlaces(declaration, defaults),
    base: {
      ...base,
      ...(protect === undefined || base.protect !== undefined ? {} : { protect }),
      ...(!isFlag || permanent === undefined || base.permanent !== undefined ? {} : { permanent }),
      ...(allow === undefined || base.allow !== undefined ? {} : { allow }),
      ...(liveEdits === undefined || base.liveEdits !== undefined ? {} : { liveEdits }),
      ...(Object.keys(members).length === 0 ? {} : { tagMembers: { ...members, ...base.tagMembers } }),
    },
    defaults: {
      places: without(places, [...(hasTags ? [] : ofTags), ...(isFlag ? [] : ofFlags)]),
      ...(hasTags && tags !== undefined ? { tags } : {}),
    },
  }
}

const ofTags = ['tags', ...tagMemberNames]
const ofFlags = ['permanent']

function without(places: Defaults['places'], names: readonly string[]): Defaults['places'] {
  return new Map([...places].filter(([name]) => !names.includes(name)))
}

/** Limits declarations to environments if they have no limits of their own. */
function withPlaces<Declaration extends ObjectDeclaration | GrantDeclaration>(
  declaration: Declaration,
  { only }: Defaults,
): Declaration {
  if (only === undefined || declaration.only !== undefined) return declaration
  return { ...declaration, only: new Map(only.map((name, index) => [name, index])), isOnlyByDefault: true }
}
