import type { PostHog } from 'posthog-node'

/** The price that a server shows to a company. */
export async function priceFor(posthog: PostHog, person: string, company: { name: string; size: string }) {
  const isTeam = await posthog.isFeatureEnabled('team_prices', person, {
    groups: { company: company.name },
    groupProperties: { company: { size: company.size } },
  })
  posthog.capture({ distinctId: person, event: 'price_seen', properties: { isTeam } })
  return isTeam ? 80 : 100
}
