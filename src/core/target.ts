import { withoutEndSlash } from '../api/settings.ts'
import type { ProfileProof } from '../model/connection/profile.ts'

/** What the embedded stand-in is called in a target: it listens on another port each time. */
export const sandboxUrl = 'sandbox:'

/** Where a plan is for. A plan made for one target is never applied to another. */
export interface Target {
  readonly baseUrl: string
  readonly projectId?: string
  readonly organizationId?: string
  readonly profile: string
  /** How that is known; absent where it was not written down. */
  readonly known?: ProfileProof
}

/** Whether a plan or a run is one of the embedded stand-in. */
export function isSandbox({ baseUrl }: Target): boolean {
  return baseUrl === sandboxUrl
}

export function isSameTarget(left: Target, right: Target): boolean {
  return targetIdentity(left) === targetIdentity(right)
}

/** Equal for the same place and for no other; the profile is a way to talk to it. */
export function targetIdentity({ baseUrl, projectId, organizationId }: Target): string {
  return JSON.stringify([withoutEndSlash(baseUrl), projectId ?? null, organizationId ?? null])
}

/** `http://127.0.0.1:8100, project 1`, for people. */
export function targetText({ baseUrl, projectId, organizationId }: Target): string {
  const place =
    projectId === undefined ? `organization ${organizationId ?? '(none)'}` : `project ${projectId}`
  return `${place}, ${baseUrl}`
}
