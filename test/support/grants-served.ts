import type { Profile, Quirks } from '../../src/sandbox/index.ts'

/** Grants are declared for `role_access`: where a profile has it no more, it is served beside what takes its place. */
export function grantsServed(profile: Profile): Partial<Quirks> {
  return profile === 'posthog-2026' ? { grants_route: 'both' } : {}
}
