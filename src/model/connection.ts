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

/** What a record has shown of the service that it is from. */
export interface Sign {
  /** The request that it was the answer to, as in `GET /api/projects/1/feature_flags?limit=1`. */
  readonly request: string
  readonly kind: string
  /** The member that only some services have. */
  readonly member: string
  /** What those do, as a behaviour in which services differ has it. */
  readonly behaviour: string
  readonly is: string
}

/** What an answer says of how many requests are taken. Gateways say it; the public service is not known to. */
export interface ToldLimit {
  /** How many are taken in a window of time. */
  readonly limit?: number
  /** How many of these are left. */
  readonly remaining?: number
}

/** How many requests may be under way at once. */
export const parallelismRange = { from: 1, to: 64 } as const

export function isParallelism(number: number): boolean {
  const { from, to } = parallelismRange
  return Number.isInteger(number) && number >= from && number <= to
}

/** Each setting's environment variables: ours, then the public service's own spelling. `_FILE` names a file. */
export const variables = {
  apiKey: ['VEXIL_API_KEY', 'VEXIL_API_KEY_FILE', 'POSTHOG_API_KEY', 'POSTHOG_API_KEY_FILE'],
  baseUrl: ['VEXIL_BASE_URL', 'POSTHOG_HOST'],
  project: ['VEXIL_PROJECT_ID', 'POSTHOG_PROJECT_ID'],
  organization: ['VEXIL_ORGANIZATION_ID', 'POSTHOG_ORGANIZATION_ID'],
  profile: ['VEXIL_PROFILE'],
  parallelism: ['VEXIL_PARALLELISM'],
} as const

/** The variables that say how to get out of a network, in capitals; in small letters they come first. */
export const proxyVariables = { https: 'HTTPS_PROXY', all: 'ALL_PROXY', except: 'NO_PROXY' } as const
