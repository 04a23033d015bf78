import type { FeatureFlag } from '../generated/feature-flag/index.ts'
import type { TargetingConfig } from '../targeting/targeting-config.ts'

/** Replaces the whole targeting of the generated construct. */
export function setTargeting(resource: FeatureFlag, given: TargetingConfig): void {
  const { filters, release, variants, payload, groupTypeIndex, earlyExit } = given
  if (filters === undefined) resource.resetFilters()
  else resource.filters = filters
  if (release === undefined) resource.resetRelease()
  else resource.putRelease(release)
  if (variants === undefined) resource.resetVariants()
  else resource.putVariants(variants)
  if (payload === undefined) resource.resetPayload()
  else resource.payload = payload
  if (groupTypeIndex === undefined) resource.resetGroupTypeIndex()
  else resource.groupTypeIndex = groupTypeIndex
  if (earlyExit === undefined) resource.resetEarlyExit()
  else resource.earlyExit = earlyExit
}

/**
 * Refuses to continue if the generated construct has another targeting than it was given here: a value that
 * somebody set by hand, perhaps a reference, would be lost.
 */
export function requireAsGiven(resource: FeatureFlag, given: TargetingConfig = {}): void {
  const has: { readonly [Name in keyof TargetingConfig | 'rolloutPercentage']: unknown } = {
    filters: resource.filtersInput,
    release: resource.releaseInput,
    variants: resource.variantsInput,
    payload: resource.payloadInput,
    groupTypeIndex: resource.groupTypeIndexInput,
    earlyExit: resource.earlyExitInput,
    // Our constructs write it as a condition.
    rolloutPercentage: resource.rolloutPercentageInput,
  }
  const changed = Object.entries(has).find(([name, value]) => value !== Reflect.get(given, name))
  if (changed === undefined) return
  throw new Error(
    `"${changed[0]}" of the generated construct was set by hand, so nothing can be added to it; ` +
      'give it all conditions there: flag.resource.putRelease(...)',
  )
}
