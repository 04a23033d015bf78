import type { Query } from '../model/endpoint.ts'
import type { Structure } from '../model/field.ts'

/** The two query parameters of every list. Default and maximum page size are not shown. */
export const paging = {
  limit:  { type: 'integer', doc: 'Number of results to return per page.' },
  offset: { type: 'integer', doc: 'The initial index from which to return the results.' },
} as const satisfies Query

/** The wrapper of every list. The values of `next` and `previous` without such a page are not shown. */
export const paginationEnvelope = {
  name: 'pagination_envelope',
  fields: {
    count:    { type: 'integer', access: 'read', doc: 'Total number of results.' },
    next:     { type: 'string',  access: 'read', format: 'url', doc: 'Link to the next page.' },
    previous: { type: 'string',  access: 'read', format: 'url', doc: 'Link to the previous page.' },
    results:  { type: 'list',    access: 'read', doc: 'Items of the listed resource.' },
  },
} as const satisfies Structure

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
