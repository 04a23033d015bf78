import type { TestPerson } from 'vexil/cdktn'

/** People whom tests of flags name. */
export const ada: TestPerson = {
  name: 'ada',
  distinctId: 'ada',
  properties: { email: 'ada@example.com', country: 'DE' },
}
export const grace: TestPerson = {
  name: 'grace',
  distinctId: 'grace',
  properties: { email: 'grace@example.org', country: 'US' },
}
