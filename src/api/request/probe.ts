import { pathParameters } from '../../model/endpoint.ts'
import type { Kind } from '../../model/kind.ts'
import { buildRequest, type Owner, type Request } from './request.ts'

/** An id that nothing has: those that count begin with 1, and no UUID looks so. */
const nothing = '0'

/** What a path can name that is there: everything else in it is about one object. */
const owners: ReadonlySet<string> = new Set(['project_id', 'parent_lookup_organization_id'])

/**
 * An operation on an object that cannot be, and with nothing to write: the service looks whether it lets the key in, and
 * then finds nothing to do it to [service-behaviour 8]. So whichever service answers, it leaves everything as it is; and
 * a client that only reads may send it. Operations on no object in particular, such as a create, are refused.
 */
export function buildProbe(kind: Kind, endpointName: string, owner: Owner): Request {
  const { path = '', method } = kind.endpoints[endpointName] ?? {}
  const own = pathParameters(path).filter(parameter => !owners.has(parameter))
  if (own.length === 0)
    throw new RangeError(`"${kind.name}.${endpointName}" is about no object, so it may do something`)
  const params = Object.fromEntries(own.map(parameter => [parameter, nothing]))
  const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} }
  return { ...buildRequest(kind, endpointName, { params, ...body }, owner), isReading: true }
}
