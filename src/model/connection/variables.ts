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
