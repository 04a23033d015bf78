import { describe, expect, it } from 'vitest'
import { type KindName, kinds } from '../../src/kinds/index.ts'
import { knownScopes, scopeFor } from '../../src/kinds/key-scopes.ts'
import { profiles } from '../../src/model/connection.ts'
import { fillPath, pathParameters } from '../../src/model/endpoint.ts'
import type { Kind } from '../../src/model/kind.ts'
import { hasRoute } from '../../src/sandbox/http/app.ts'
import { behaviourOf } from '../../src/services/differences.ts'
import { openDoor, organization } from './door.ts'

const owners: Readonly<Record<string, string>> = {
  project_id: '1',
  parent_lookup_organization_id: organization.split('/').at(-1) ?? '',
}

/** Every operation that the service has, with the scope that it needs; on ids that nothing has. */
function operationsOf(profile: (typeof profiles)[number]) {
  return Object.values<Kind>(kinds).flatMap(kind =>
    Object.entries(kind.endpoints)
      .filter(([endpoint]) => hasRoute(behaviourOf(profile), { kind: kind.name as KindName, endpoint }))
      .map(([name, { method, path }]) => ({
        operation: `${kind.name}.${name}`,
        method,
        path: fillPath(
          path,
          Object.fromEntries(pathParameters(path).map(each => [each, owners[each] ?? '0'])),
        ),
        scope: scopeFor(kind, name, behaviourOf(profile)),
      })),
  )
}

describe.each(profiles)('a key with scopes of %s', profile => {
  const operations = operationsOf(profile)

  it.each(['*', ...knownScopes()])('lets %s in to what it is for, and to nothing else', async held => {
    const door = await openDoor({ profile, scopes: [held] })
    const [name] = held.split(':')
    const opened = held.endsWith(':write') ? [held, `${name}:read`] : [held]
    for (const { operation, method, path, scope } of operations) {
      const { status, body } = await door.ask(method, path, method === 'GET' ? undefined : {})
      const isLetIn = scope !== undefined && (held === '*' || opened.includes(scope))
      expect({ operation, isRefused: status === 403 }).toEqual({ operation, isRefused: !isLetIn })
      if (!isLetIn && scope !== undefined) expect(body.detail).toContain(`'${scope}'`)
    }
  })

  it('does not ask a key without scopes for any', async () => {
    const door = await openDoor({ profile })
    const refused = []
    for (const { operation, method, path } of operations) {
      const { status } = await door.ask(method, path, method === 'GET' ? undefined : {})
      if (status === 403) refused.push(operation)
    }
    expect(refused).toEqual([])
  })
})
