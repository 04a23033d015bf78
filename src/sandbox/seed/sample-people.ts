import type { WorldEvent, WorldPerson } from './world-file.ts'

const countries = ['DE', 'AT', 'CH', 'FR', 'US', 'GB', 'JP'] as const
const browsers = ['Firefox', 'Chrome', 'Safari'] as const
const names = ['checkout_paid', 'signed_up', '$pageview', '$pageview', '$pageview'] as const

/** People that differ, the same ones each time. */
export function samplePersons(count: number): readonly WorldPerson[] {
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

/** What those people did, the same each time. */
export function sampleEvents(people: number, count: number): readonly WorldEvent[] {
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

/** Where a person is from, by number. */
function countryOf(number: number): string {
  return countries[((number - 1) * 3) % countries.length] ?? 'DE'
}
