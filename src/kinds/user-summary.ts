import type { Structure } from '../model/field.ts'

/** The person behind a `created_by`. */
export const userSummary = {
  name: 'user_summary',
  fields: {
    id:                { type: 'integer', access: 'read', doc: 'The id of the user.' },
    uuid:              { type: 'string',  access: 'read', format: 'uuid', doc: 'The UUID of the user.' },
    distinct_id:       { type: 'string',  access: 'read', doc: 'What events of this user are recorded under.' },
    first_name:        { type: 'string',  access: 'read', doc: 'First name.' },
    email:             { type: 'string',  access: 'read', format: 'email', doc: 'E-mail address.' },
    is_email_verified: { type: 'boolean', access: 'read', doc: 'Whether the address was confirmed.' },
  },
} as const satisfies Structure
