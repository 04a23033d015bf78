/** The service in use: the interface as documented, or the public service of early 2024 or of autumn 2026. */
export const profiles = ['documented', 'posthog', 'posthog-2026'] as const

export type Profile = (typeof profiles)[number]

/** The values of the setting: one of them, or `auto`, which detects the service from its first answers. */
export const profileSettings = ['auto', ...profiles] as const

export type ProfileSetting = (typeof profileSettings)[number]

/** How the service is known: from a setting, from its answers, or as the earliest of several candidates. */
export const profileProofs = ['set', 'recognized', 'assumed'] as const

export type ProfileProof = (typeof profileProofs)[number]

/** A version of an SDK, and the oldest one with the same answers. */
export interface SdkVersion {
  readonly version: string
  readonly from: string
}

/** The versions of SDKs that a team uses, by their names. */
export type SdkVersions = Readonly<Record<string, readonly SdkVersion[]>>

/** The services that something may be written to: one, if it is known; otherwise all known ones. */
export type Services = readonly Profile[] & {
  /** The SDKs that evaluate beside them; absent if none are named. */
  readonly sdks?: SdkVersions | undefined
}

/** The services that settings allow. No setting, or `auto`, allows all of them. */
export function servicesOf(settings: readonly (string | undefined)[], sdks?: SdkVersions): Services {
  const named = profiles.filter(profile => settings.includes(profile))
  const areNamed = settings.length > 0 && settings.every(setting => named.some(name => name === setting))
  const found = areNamed ? named : profiles
  return sdks ? Object.assign([...found], { sdks }) : found
}

/** The service that a setting names; undefined if it leaves the service open. */
export function profileNamed(setting: string | undefined): Profile | undefined {
  return profiles.find(profile => profile === setting)
}

/** The default. */
export const defaultProfile: ProfileSetting = 'auto'

export function isProfileSetting(value: unknown): value is ProfileSetting {
  return profileSettings.some(setting => setting === value)
}

/** The values of the setting, in words: `"a", "b" or "c"`. */
export const profileWords = profileSettings
  .map(setting => `"${setting}"`)
  .join(', ')
  .replace(/, (?=[^,]*$)/, ' or ')

/** Evidence in a record about its service. */
export interface Sign {
  /** The request of the answer, such as `GET /api/projects/1/feature_flags?limit=1`. */
  readonly request: string
  readonly kind: string
  /** The member that only some services have. */
  readonly member: string
  /** Their behaviour, as a value of a behaviour in which services differ. */
  readonly behaviour: string
  readonly is: string
}

/** The rate limit in an answer. Gateways send it; the public service is not known to. */
export interface RateLimit {
  /** The number of requests in a window of time. */
  readonly limit?: number
  /** How many of these remain. */
  readonly remaining?: number
}

/** The most concurrent requests. */
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

/** The proxy variables, in capitals; those in small letters come first. */
export const proxyVariables = { https: 'HTTPS_PROXY', all: 'ALL_PROXY', except: 'NO_PROXY' } as const
