/** The API profiles: the interface as documented, or the public service of early 2024 or of autumn 2026. */
export const profiles = ['documented', 'posthog', 'posthog-2026'] as const

export type Profile = (typeof profiles)[number]

/** The values of the setting: a profile, or `auto`, which detects the profile from the first answers. */
export const profileSettings = ['auto', ...profiles] as const

export type ProfileSetting = (typeof profileSettings)[number]

/** From a setting, from the answers, or the earliest of several candidates. */
export const profileProofs = ['set', 'recognized', 'assumed'] as const

export type ProfileProof = (typeof profileProofs)[number]

/** A version of an SDK, and the oldest version with the same results. */
export interface SdkVersion {
  readonly version: string
  readonly from: string
}

/** The SDK versions of a team, by SDK name. */
export type SdkVersions = Readonly<Record<string, readonly SdkVersion[]>>

/** The possible profiles of a service: one if it is known, otherwise all. */
export type Services = readonly Profile[] & {
  /** The SDKs that evaluate in addition to the service; absent if none are named. */
  readonly sdks?: SdkVersions | undefined
}

/** The possible profiles for some settings. No setting, or `auto`, allows all of them. */
export function servicesOf(settings: readonly (string | undefined)[], sdks?: SdkVersions): Services {
  const named = profiles.filter(profile => settings.includes(profile))
  const areNamed = settings.length > 0 && settings.every(setting => named.some(name => name === setting))
  const found = areNamed ? named : profiles
  return sdks ? Object.assign([...found], { sdks }) : found
}

/** The profile that a setting names; undefined if it names none. */
export function profileNamed(setting: string | undefined): Profile | undefined {
  return profiles.find(profile => profile === setting)
}

export const defaultProfile: ProfileSetting = 'auto'

export function isProfileSetting(value: unknown): value is ProfileSetting {
  return profileSettings.some(setting => setting === value)
}

/** The values of the setting as a phrase: `"a", "b" or "c"`. */
export const profileWords = profileSettings
  .map(setting => `"${setting}"`)
  .join(', ')
  .replace(/, (?=[^,]*$)/, ' or ')

/** Evidence in a record for the profile of its service. */
export interface Sign {
  /** The request of the answer, such as `GET /api/projects/1/feature_flags?limit=1`. */
  readonly request: string
  readonly kind: string
  /** The member that only some services have. */
  readonly member: string
  /** The value of the behaviour that these services share. */
  readonly behaviour: string
  readonly is: string
}

/** The rate limit in an answer. Gateways send it; the public service probably does not. */
export interface RateLimit {
  /** How many requests a time window allows. */
  readonly limit?: number
  /** How many requests remain in the window. */
  readonly remaining?: number
}

/** The allowed numbers of concurrent requests. */
export const parallelismRange = { from: 1, to: 64 } as const

export function isParallelism(number: number): boolean {
  const { from, to } = parallelismRange
  return Number.isInteger(number) && number >= from && number <= to
}

/** The changes of an environment that `notify` can report. */
export const notifiedStates = ['drift', 'conflict', 'failed'] as const

export type NotifiedState = (typeof notifiedStates)[number]

export const notificationFormats = ['slack', 'json'] as const

export type NotificationFormat = (typeof notificationFormats)[number]

/** Why a text is not the address of a store: a database of PostgreSQL. Undefined if it is one. */
export function storeFault(text: string): string | undefined {
  const { protocol } = URL.canParse(text) ? new URL(text) : {}
  const isStore = protocol === 'postgres:' || protocol === 'postgresql:'
  return isStore ? undefined : 'must be the address of a PostgreSQL database'
}

export const storeExample = 'postgres://user@host:5432/name'

/** First the name here, then the public service's name. `_FILE` contains a path. */
export const variables = {
  apiKey: ['VEXIL_API_KEY', 'VEXIL_API_KEY_FILE', 'POSTHOG_API_KEY', 'POSTHOG_API_KEY_FILE'],
  baseUrl: ['VEXIL_BASE_URL', 'POSTHOG_HOST'],
  project: ['VEXIL_PROJECT_ID', 'POSTHOG_PROJECT_ID'],
  organization: ['VEXIL_ORGANIZATION_ID', 'POSTHOG_ORGANIZATION_ID'],
  profile: ['VEXIL_PROFILE'],
  parallelism: ['VEXIL_PARALLELISM'],
} as const

/** The proxy variables in upper case. The lower-case names win over them. */
export const proxyVariables = { https: 'HTTPS_PROXY', all: 'ALL_PROXY', except: 'NO_PROXY' } as const
