/** Which service is spoken to: the interface as documented, or the public service's own ways. */
export const profiles = ['documented', 'posthog'] as const

export type Profile = (typeof profiles)[number]

export function isProfile(value: unknown): value is Profile {
  return profiles.some(profile => profile === value)
}
