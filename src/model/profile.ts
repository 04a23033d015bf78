/** Which service is spoken to: the interface as documented, or the public service of early 2024 or of autumn 2026. */
export const profiles = ['documented', 'posthog', 'posthog-2026'] as const

export type Profile = (typeof profiles)[number]

/** What a setting may say: one of them, or that the first answers are to tell. */
export const profileSettings = ['auto', ...profiles] as const

export type ProfileSetting = (typeof profileSettings)[number]

/** What counts where nothing is said. */
export const defaultProfile: ProfileSetting = 'auto'

export function isProfileSetting(value: unknown): value is ProfileSetting {
  return profileSettings.some(setting => setting === value)
}

/** What a setting may say, in words: `"a", "b" or "c"`. */
export const profileWords = profileSettings
  .map(setting => `"${setting}"`)
  .join(', ')
  .replace(/, (?=[^,]*$)/, ' or ')
