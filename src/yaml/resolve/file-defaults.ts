import { pointerOf } from '../../model/json/pointer.ts'
import { hasTargeting } from '../../model/kind.ts'
import type { Problem } from '../../model/problem.ts'
import { tagMemberNames } from '../../model/tag-member.ts'
import type { DefaultPlace, FileDeclarations, GrantDeclaration, ObjectDeclaration } from '../declaration.ts'
import type { ParsedYaml } from '../parse/parse-yaml.ts'
import { quote } from '../parse/quote.ts'
import type { Finder } from '../read/find-files.ts'
import type { FileDefaults, Settings } from '../settings.ts'

/** What declarations of a file say where they do not say it themselves, and where in the settings that stands. */
export interface Defaults extends Omit<FileDefaults, 'files'> {
  readonly places: ReadonlyMap<string, DefaultPlace>
}

/** Which of the defaults of the settings are for a file: of each member the last one whose glob fits. */
export interface DefaultsOfFiles {
  of(file: string): Defaults | undefined
  /** Globs that fit none of the files that were read. */
  problems(read: readonly string[]): readonly Problem[]
}

export async function findDefaults(
  finder: Finder,
  { defaults = [] }: Settings,
  parsed: ParsedYaml | undefined,
): Promise<DefaultsOfFiles> {
  if (defaults.length === 0 || !parsed) return { of: () => undefined, problems: () => [] }
  const entries = await Promise.all(
    defaults.map(async ({ files: glob, ...said }, index) => {
      const at = (member: string) => pointerOf('defaults', index, member)
      const places = Object.keys(said)
        .map(name => (name === 'liveEdits' ? 'live_edits' : name))
        .map(name => [name, { parsed, pointer: at(name) }] as const)
      const { files } = await finder.find(glob)
      return {
        glob,
        said,
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
      const said: Omit<FileDefaults, 'files'> = Object.assign({}, ...fitting.map(entry => entry.said))
      return { ...said, places: new Map(fitting.flatMap(({ places }) => places)) }
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

/** The same declarations with defaults where they say nothing. What they say themselves wins, null too. */
export function withDefaults(declared: FileDeclarations, defaults: Defaults | undefined): FileDeclarations {
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

/** Limits to environments what is not limited by itself. */
function withPlaces<Declaration extends ObjectDeclaration | GrantDeclaration>(
  declaration: Declaration,
  { only }: Defaults,
): Declaration {
  if (only === undefined || declaration.only !== undefined) return declaration
  return { ...declaration, only: new Map(only.map((name, index) => [name, index])), isOnlyByDefault: true }
}
