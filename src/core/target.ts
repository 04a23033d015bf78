import { withoutEndSlash } from '../api/base-url.ts'
import { type ProfileProof, profileProofs } from '../model/connection.ts'
import type { JsonObject } from '../model/json/json.ts'

/** The name of the embedded stand-in in a target: it listens on another port each time. */
export const sandboxUrl = 'sandbox:'

/** The place that a plan is for. A plan made for one target is never applied to another. */
export interface Target {
  readonly baseUrl: string
  readonly projectId?: string
  readonly organizationId?: string
  readonly profile: string
  /** The source of that knowledge; absent if it was not recorded. */
  readonly known?: ProfileProof
}

/** Whether a plan or a run is for the embedded stand-in. */
export function isSandbox({ baseUrl }: Target): boolean {
  return baseUrl === sandboxUrl
}

export function isSameTarget(left: Target, right: Target): boolean {
  return targetIdentity(left) === targetIdentity(right)
}

/** Equal for the same place and for no other; the profile is only the form of its API. */
export function targetIdentity({ baseUrl, projectId, organizationId }: Target): string {
  return JSON.stringify([withoutEndSlash(baseUrl), projectId ?? null, organizationId ?? null])
}

/** `http://127.0.0.1:8100, project 1`, for people. */
export function targetText({ baseUrl, projectId, organizationId }: Target): string {
  const place =
    projectId === undefined ? `organization ${organizationId ?? '(none)'}` : `project ${projectId}`
  return `${place}, ${baseUrl}`
}

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

/** The same for a plan, with the source of its profile. */
export function planTargetToJson(target: Target): JsonObject {
  const { known } = target
  return { ...targetToJson(target), ...(known === undefined ? {} : { known }) }
}

export function planTargetFromJson(json: JsonObject): Target {
  const known = profileProofs.find(proof => proof === json.known)
  return { ...targetFromJson(json), ...(known === undefined ? {} : { known }) }
}
