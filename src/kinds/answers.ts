import type { Query } from '../model/endpoint.ts'
import type { Structure } from '../model/field.ts'

/** The two query parameters of every list. The document does not show default and maximum page size. */
export const paging = {
  limit:  { type: 'integer', doc: 'Number of results to return per page.' },
  offset: { type: 'integer', doc: 'The initial index from which to return the results.' },
} as const satisfies Query

/** The wrapper of every list. The document does not show `next` and `previous` of a missing page. */
export const paginationEnvelope = {
  name: 'pagination_envelope',
  fields: {
    count:    { type: 'integer', access: 'read', doc: 'Total number of results.' },
    next:     { type: 'string',  access: 'read', format: 'url', doc: 'Link to the next page.' },
    previous: { type: 'string',  access: 'read', format: 'url', doc: 'Link to the previous page.' },
    results:  { type: 'list',    access: 'read', doc: 'Items of the listed resource.' },
  },
} as const satisfies Structure

/** The user in a `created_by`. */
export const userSummary = {
  name: 'user_summary',
  fields: {
    id:                { type: 'integer', access: 'read', doc: 'The id of the user.' },
    uuid:              { type: 'string',  access: 'read', format: 'uuid', doc: 'The UUID of the user.' },
    distinct_id:       { type: 'string',  access: 'read', doc: 'The distinct id in events of this user.' },
    first_name:        { type: 'string',  access: 'read', doc: 'First name.' },
    email:             { type: 'string',  access: 'read', format: 'email', doc: 'E-mail address.' },
    is_email_verified: { type: 'boolean', access: 'read', doc: 'Whether the address was confirmed.' },
  },
} as const satisfies Structure
