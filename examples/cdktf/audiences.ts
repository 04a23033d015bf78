import { When } from 'vexil/cdktn'

/** Who works here. They get everything first. */
export const staff = When.person('email').contains('@example.com')

/** Where a new thing starts. */
export const firstCountries = When.person('country').is('DE', 'AT')
