import { profileProofs } from '../../model/connection/profile.ts'
import type { JsonObject } from '../../model/json/json.ts'
import type { Target } from '../target.ts'

export function targetToJson({ baseUrl, projectId, organizationId, profile }: Target): JsonObject {
  return {
    base_url: baseUrl,
    ...(projectId === undefined ? {} : { project_id: projectId }),
    ...(organizationId === undefined ? {} : { organization_id: organizationId }),
    profile,
  }
}

export function targetFromJson(json: JsonObject): Target {
  return {
    baseUrl: String(json.base_url),
    ...(json.project_id === undefined ? {} : { projectId: String(json.project_id) }),
    ...(json.organization_id === undefined ? {} : { organizationId: String(json.organization_id) }),
    profile: String(json.profile),
  }
}

/** The same for a plan, which says how it is known which service it is. */
export function planTargetToJson(target: Target): JsonObject {
  const { known } = target
  return { ...targetToJson(target), ...(known === undefined ? {} : { known }) }
}

export function planTargetFromJson(json: JsonObject): Target {
  const known = profileProofs.find(proof => proof === json.known)
  return { ...targetFromJson(json), ...(known === undefined ? {} : { known }) }
}
