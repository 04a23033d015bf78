import { meantHint } from '../model/did-you-mean.ts'
import type { Problem } from '../model/problem.ts'
import type { FileDeclarations } from './declaration.ts'
import { type DeclarationFile, quoteWritten } from './declaration-file.ts'
import { belongsTo } from './effective.ts'
import { redact } from './interpolate.ts'
import { listNames } from './quote.ts'
import { resolveRole } from './roles.ts'
import { type Environment, environmentsOf, type Settings } from './settings.ts'

/** Roles that an environment in which they are granted does not know. */
export function checkRoles({ objects, grants }: FileDeclarations, settings: Settings): Problem[] {
  const environments = environmentsOf(settings)
  const nested = objects.flatMap(declaration =>
    [declaration.base, ...declaration.environments.values()].flatMap(layer => {
      const where = environments.filter(environment => isInForce(declaration, layer, environment))
      return (layer.roleAccess ?? []).flatMap((role, index) => {
        const place = { file: declaration.file, pointer: `${layer.pointer}/role_access/${index}` }
        return unknownRole(role, where, settings, declaration.address, place)
      })
    }),
  )
  const alone = grants.flatMap(({ file, kind, pointer, flag, role, ...limits }) => {
    const where = environments.filter(({ name }) => belongsTo(limits, name))
    const place = { file, pointer: `${pointer}/role` }
    return unknownRole(role, where, settings, `${kind.name}.${flag}:${role}`, place)
  })
  return [...nested, ...alone]
}

/** Whether the roles of a layer are those that an environment takes. */
function isInForce(
  declaration: FileDeclarations['objects'][number],
  layer: FileDeclarations['objects'][number]['base'],
  { name }: Environment,
): boolean {
  if (!belongsTo(declaration, name)) return false
  const override = name === undefined ? undefined : declaration.environments.get(name)
  if (layer !== declaration.base) return layer === override
  return override?.roleAccess === undefined && override?.skip !== true
}

function unknownRole(
  role: string,
  where: readonly Environment[],
  settings: Settings,
  address: string,
  { file, pointer }: { readonly file: DeclarationFile; readonly pointer: string },
): Problem[] {
  const without = where.filter(environment => !resolveRole(role, environment))
  const [first] = without
  if (!first) return []
  const names = Object.keys(first.roles)
  const listed = names.length === 0 ? 'vexil.yaml names no roles' : `there are: ${listNames(names, 'and')}`
  const isEverywhere = without.length === environmentsOf(settings).length
  const places = without.flatMap(({ name }) => (name === undefined || isEverywhere ? [] : [name]))
  return [
    {
      code: 'unknown-role',
      severity: 'error',
      message: `${quoteWritten(file, pointer)} is not a role${places.length > 0 ? ` of ${listNames(places, 'and')}` : ''}`,
      hint: meantHint(role, names, `${listed}; a UUID works too`),
      source: file.parsed.locate(pointer),
      address: redact(address, file.secrets),
    },
  ]
}
