import { fillPath } from '../model/endpoint.ts'
import type { IdentifiedKind } from '../model/kind.ts'

interface Owner {
  readonly projectId?: string
  readonly organizationId?: string
}

/** `PATCH /api/projects/1/feature_flags/7`: what a journal says is about to be sent. */
export function requestLine(
  kind: IdentifiedKind,
  endpoint: string,
  params: Readonly<Record<string, string>>,
  { projectId = '', organizationId = '' }: Owner,
): string {
  const described = kind.endpoints[endpoint]
  if (!described) throw new RangeError(`${kind.name} has no endpoint "${endpoint}"`)
  const owner = { project_id: projectId, parent_lookup_organization_id: organizationId }
  return `${described.method} ${fillPath(described.path, { ...owner, ...params })}`
}
