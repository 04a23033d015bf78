import type { WorldEvent, WorldFile, WorldPerson } from '../../schema/input/world-schema.ts'

const countries = ['DE', 'AT', 'CH', 'FR', 'US', 'GB', 'JP'] as const
const browsers = ['Firefox', 'Chrome', 'Safari'] as const
const names = ['checkout_paid', 'signed_up', '$pageview', '$pageview', '$pageview'] as const

const ada = {
  id: 1,
  email: 'ada@example.com',
  first_name: 'Ada',
  uuid: '01900000-0000-0000-0000-000000000101',
}
const grace = {
  ...{ id: 2, email: 'grace@example.com', first_name: 'Grace' },
  uuid: '01900000-0000-0000-0000-000000000102',
}

const roles = [
  { id: '01900000-0000-0000-0000-0000000000aa', name: 'support', feature_flags_access_level: 21 },
  { id: '01900000-0000-0000-0000-0000000000bb', name: 'growth', feature_flags_access_level: 37 },
] as const

/** One organization, one project with id 1, two roles and two users; nothing else. */
export const emptyWorld: WorldFile = {
  users: [ada, grace],
  organizations: [
    {
      id: '01900000-0000-0000-0000-000000000001',
      name: 'Example',
      roles,
      projects: [{ id: 1, name: 'Production' }],
    },
  ],
}

/**
 * The default content of the sandbox: enough people for meaningful percentages, events that create
 * definitions, and flags that somebody made by hand before anything was declared.
 */
export const sampleWorld: WorldFile = {
  users: [
    { ...ada, distinct_id: 'person-1', roles: ['growth'] },
    { ...grace, distinct_id: 'person-2', roles: ['support'] },
  ],
  organizations: [
    {
      id: '01900000-0000-0000-0000-000000000001',
      name: 'Example Shop',
      roles: [
        ...roles,
        { id: '01900000-0000-0000-0000-0000000000cc', name: 'beta-testers', feature_flags_access_level: 21 },
      ],
      projects: [
        {
          id: 1,
          name: 'Production',
          persons: samplePersons(200),
          events: sampleEvents(200, 600),
          event_definitions: [
            { name: 'checkout_paid', tags: ['payments'] },
            { name: 'signed_up' },
            { name: '$pageview' },
            { name: 'newsletter_opened' },
          ],
          feature_flags: [
            {
              key: 'dark-mode',
              name: 'Dark colours in the shop',
              created_at: '2024-01-15T09:30:00Z',
              filters: { groups: [{ properties: [], rollout_percentage: 25 }] },
              tags: ['design'],
            },
            {
              key: 'old-search',
              name: 'Search before the rewrite',
              created_at: '2023-11-02T14:00:00Z',
              deleted: true,
              filters: { groups: [{ properties: [], rollout_percentage: 100 }] },
            },
            {
              key: 'gift-wrapping',
              name: 'Offer gift wrapping at the checkout',
              created_at: '2024-02-01T11:15:00Z',
              created_by: 'grace@example.com',
              // Written by the product's own screen, which adds nulls and empty members.
              filters: {
                groups: [
                  {
                    variant: null,
                    properties: [
                      { key: 'country', type: 'person', value: ['DE', 'AT'], operator: 'exact' },
                      { key: 'plan', type: 'person', value: ['plus'], operator: 'exact' },
                    ],
                    rollout_percentage: 50,
                  },
                ],
                payloads: {},
                multivariate: null,
              },
              role_access: ['support'],
            },
          ],
        },
        {
          id: 2,
          name: 'Staging',
          persons: samplePersons(20),
          events: sampleEvents(20, 40),
          event_definitions: [{ name: 'checkout_paid' }, { name: 'signed_up' }, { name: '$pageview' }],
        },
      ],
      plugins: [
        {
          name: 'Session clock',
          plugin_type: 'source',
          description: 'Adds the length of the session to each event.',
          source: { 'index.ts': 'export function processEvent(event) {\n  return event\n}\n' },
          in_use: true,
        },
        {
          name: 'Country of an event',
          plugin_type: 'custom',
          description: 'Adds the country that an event came from.',
          url: 'https://plugins.example.com/geo',
          tag: '1.2.0',
        },
      ],
    },
  ],
}

/** Different people, the same ones each time. */
function samplePersons(count: number): readonly WorldPerson[] {
  return Array.from({ length: count }, (_, index) => {
    const number = index + 1
    return {
      distinct_ids: [`person-${number}`, ...(number % 10 === 0 ? [`device-${number}`] : [])],
      created_at: `2024-01-${String((index % 28) + 1).padStart(2, '0')}T08:00:00Z`,
      properties: {
        email: `person-${number}@example.${number % 4 === 0 ? 'org' : 'com'}`,
        country: countryOf(number),
        plan: number % 5 === 0 ? 'plus' : 'free',
        age: 18 + ((index * 7) % 60),
        ...(number % 3 === 0 ? { beta: true } : {}),
      },
    }
  })
}

/** The events of those people, the same each time. */
function sampleEvents(people: number, count: number): readonly WorldEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const event = names[index % names.length] ?? '$pageview'
    const number = ((index * 13) % people) + 1
    return {
      event,
      distinct_id: `person-${number}`,
      properties: {
        // As the plugin of the sample world adds it.
        country: countryOf(number),
        $browser: browsers[index % browsers.length] ?? 'Firefox',
        ...(event === 'checkout_paid' ? { amount: ((index * 17) % 200) + 5, currency: 'EUR' } : {}),
        ...(event === '$pageview' ? { $current_url: `https://shop.example.com/products/${index % 12}` } : {}),
      },
    }
  })
}

/** The country of a person, by number. */
function countryOf(number: number): string {
  return countries[((number - 1) * 3) % countries.length] ?? 'DE'
}
