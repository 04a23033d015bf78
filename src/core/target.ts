import { withoutEndSlash } from '../api/base-url.ts'
import type { ProfileProof } from '../model/connection.ts'

/** The address of the embedded sandbox in a target, because its port differs each time. */
export const sandboxUrl = 'sandbox:'

/** The place that a plan is for. A plan made for one target is never applied to another. */
export interface Target {
  readonly baseUrl: string
  readonly projectId?: string
  readonly organizationId?: string
  readonly profile: string
  /** How the profile is known; absent if it was not recorded. */
  readonly known?: ProfileProof
}

export function isSandbox({ baseUrl }: Target): boolean {
  return baseUrl === sandboxUrl
}

export function isSameTarget(left: Target, right: Target): boolean {
  return targetIdentity(left) === targetIdentity(right)
}

/** Equal for the same place only. The profile does not belong to the place. */
export function targetIdentity({ baseUrl, projectId, organizationId }: Target): string {
  return JSON.stringify([withoutEndSlash(baseUrl), projectId ?? null, organizationId ?? null])
}

/** `http://127.0.0.1:8100, project 1`, for people. */
export function targetText({ baseUrl, projectId, organizationId }: Target): string {
  const place =
    projectId === undefined ? `organization ${organizationId ?? '(none)'}` : `project ${projectId}`
  return `${place}, ${baseUrl}`
}
