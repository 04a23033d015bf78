/** Which service is spoken to: the interface as documented, or the public service of early 2024 or of autumn 2026. */
export const profiles = ['documented', 'posthog', 'posthog-2026'] as const

export type Profile = (typeof profiles)[number]

/** What a setting may say: one of them, or that the first answers are to tell. */
export const profileSettings = ['auto', ...profiles] as const

export type ProfileSetting = (typeof profileSettings)[number]

/** How it is known which service it is: a setting names it, its answers show it, or they leave several, of which it is the earliest. */
export const profileProofs = ['set', 'recognized', 'assumed'] as const

export type ProfileProof = (typeof profileProofs)[number]

/** A version of an SDK, and the oldest one that answers as it does. */
export interface SdkVersion {
  readonly version: string
  readonly from: string
}

/** The versions of SDKs that a team uses, by their names. */
export type SdkVersions = Readonly<Record<string, readonly SdkVersion[]>>

/** The services that something may be written to: one, where it is known which; else all that people meet. */
export type Services = readonly Profile[] & {
  /** The SDKs that evaluate beside them; absent where nobody says which. */
  readonly sdks?: SdkVersions | undefined
}

/** The services that settings leave open. One that says nothing, or `auto`, leaves all of them. */
export function servicesOf(settings: readonly (string | undefined)[], sdks?: SdkVersions): Services {
  const named = profiles.filter(profile => settings.includes(profile))
  const areNamed = settings.length > 0 && settings.every(setting => named.some(name => name === setting))
  const found = areNamed ? named : profiles
  return sdks ? Object.assign([...found], { sdks }) : found
}

/** The service that a setting names; undefined for one that leaves it open. */
export function profileNamed(setting: string | undefined): Profile | undefined {
  return profiles.find(profile => profile === setting)
}

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
