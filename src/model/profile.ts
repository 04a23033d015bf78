/** Which service is spoken to: the interface as documented, or the public service of early 2024 or of autumn 2026. */
export const profiles = ['documented', 'posthog', 'posthog-2026'] as const

export type Profile = (typeof profiles)[number]

export function isProfile(value: unknown): value is Profile {
  return profiles.some(profile => profile === value)
}

/** The profiles in words: `"a", "b" or "c"`. */
export const profileWords = profiles
  .map(profile => `"${profile}"`)
  .join(', ')
  .replace(/, (?=[^,]*$)/, ' or ')
