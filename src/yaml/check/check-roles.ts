import { objectAddress } from '../../model/kind.ts'
import type { Problem } from '../../model/problem.ts'
import { Suggestions } from '../../model/text/did-you-mean.ts'
import { listSome } from '../../model/text/list-names.ts'
import type { FileDeclarations, Layer, ObjectDeclaration } from '../declaration.ts'
import { type DeclarationFile, quoteWritten } from '../declaration-file.ts'
import { quote } from '../parse/quote.ts'
import { belongsTo } from '../resolve/effective.ts'
import { redact } from '../resolve/interpolate.ts'
import { resolveRole } from '../resolve/roles.ts'
import { type Environment, environmentsOf, type Settings } from '../settings.ts'

/** Roles that an environment in which they are granted does not know. */
export function checkRoles(files: readonly FileDeclarations[], settings: Settings): Problem[] {
  const environments = environmentsOf(settings).map(withRoleNames)
  const nested = files
    .flatMap(({ objects }) => objects)
    .flatMap(declaration =>
      layersWithRoles(declaration).flatMap(layer => {
        const where = environments.filter(environment => isInForce(declaration, layer, environment))
        return (layer.roleAccess ?? []).flatMap(({ role, pointer, at }) => {
          const place = { file: declaration.file, pointer: `${layer.pointer}/role_access${pointer}`, at }
          return unknownRole(role, where, environments, declaration.address, place)
        })
      }),
    )
  const alone = files
    .flatMap(({ grants }) => grants)
    .flatMap(({ file, kind, pointer, flag, role, ...limits }) => {
      const where = environments.filter(({ name }) => belongsTo(limits, name))
      const place = { file, pointer: `${pointer}/role`, at: 'value' as const }
      return unknownRole(role, where, environments, objectAddress(kind.name, role, flag), place)
    })
  return [...nested, ...alone]
}

/** An environment with what is said of a role that it does not know, made once for all such roles. */
interface WithRoleNames extends Environment {
  readonly suggestions: Suggestions
  readonly listed: string
}

function withRoleNames(environment: Environment): WithRoleNames {
  const names = Object.keys(environment.roles)
  const listed = names.length === 0 ? 'vexil.yaml names no roles' : `there are: ${listSome(names, 'and')}`
  return { ...environment, suggestions: new Suggestions(names), listed }
}

function layersWithRoles({ base, environments }: ObjectDeclaration): Layer[] {
  if (environments.size === 0 && base.roleAccess === undefined) return []
  return [base, ...environments.values()].filter(({ roleAccess = [] }) => roleAccess.length > 0)
}

/** Whether the roles of a layer are those that an environment takes. */
function isInForce(declaration: ObjectDeclaration, layer: Layer, { name }: Environment): boolean {
  if (!belongsTo(declaration, name)) return false
  const override = name === undefined ? undefined : declaration.environments.get(name)
  if (layer !== declaration.base) return layer === override
  return override?.roleAccess === undefined && override?.skip !== true
}

function unknownRole(
  role: string,
  where: readonly WithRoleNames[],
  environments: readonly WithRoleNames[],
  address: string,
  {
    file,
    pointer,
    at,
  }: { readonly file: DeclarationFile; readonly pointer: string; readonly at: 'key' | 'value' },
): Problem[] {
  const without = where.filter(environment => !resolveRole(role, environment))
  const [first] = without
  if (!first) return []
  const isEverywhere = without.length === environments.length
  const places = without.flatMap(({ name }) => (name === undefined || isEverywhere ? [] : [name]))
  return [
    {
      code: 'unknown-role',
      severity: 'error',
      message: `${at === 'key' ? quote(role) : quoteWritten(file, pointer)} is not a role${places.length > 0 ? ` of ${listSome(places, 'and')}` : ''}`,
      hint: first.suggestions.hint(role, `${first.listed}; a UUID works too`),
      source: file.parsed.locate(pointer, at),
      address: redact(address, file.secrets),
    },
  ]
}
