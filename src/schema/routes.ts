import { type KindName, kinds } from '../kinds/index.ts'
import type { Endpoint, Method } from '../model/endpoint.ts'

export interface Route {
  readonly kind: KindName
  readonly endpoint: string
  readonly params: Readonly<Record<string, string>>
}

/** Every path of the interface, as segments. Literal paths come before templates that match the same path. */
const table = Object.values(kinds)
  .flatMap(kind =>
    Object.entries<Endpoint>(kind.endpoints).map(([endpoint, { method, path }]) => ({
      kind: kind.name,
      endpoint,
      method,
      segments: segmentsOf(path),
    })),
  )
  .sort((left, right) => literals(right.segments) - literals(left.segments))

/**
 * Finds the endpoint of a request. A trailing slash makes no difference. If only the method is wrong, returns
 * the allowed methods; if no path matches, undefined.
 */
export function matchRoute(
  method: string,
  pathname: string,
): Route | { readonly allowed: readonly Method[] } | undefined {
  const given = segmentsOf(pathname)
  const allowed: Method[] = []
  // A literal path wins over a template: `/feature_flags/activity` is never the flag "activity".
  let hidden: readonly string[] | undefined
  for (const row of table) {
    if (hidden && row.segments.join('/') !== hidden.join('/')) continue
    const params = matchSegments(row.segments, given)
    if (!params) continue
    if (row.method === method) return { kind: row.kind, endpoint: row.endpoint, params }
    allowed.push(row.method)
    hidden = row.segments
  }
  return allowed.length > 0 ? { allowed } : undefined
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter(segment => segment !== '')
}

function literals(segments: readonly string[]): number {
  return segments.filter(segment => !segment.startsWith('{')).length
}

function matchSegments(
  template: readonly string[],
  given: readonly string[],
): Record<string, string> | undefined {
  if (template.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, segment] of template.entries()) {
    const value = given[index] as string
    if (segment.startsWith('{')) params[segment.slice(1, -1)] = decodedSegment(value)
    else if (segment !== value) return undefined
  }
  return params
}

/** Decodes a path segment. A segment with invalid percent-encoding stays unchanged. */
export function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
