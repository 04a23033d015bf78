import { Role } from 'vexil/cdktn'

export const support = Role.fromId('01900000-0000-0000-0000-0000000000aa', 'support')
export const growth = Role.fromId('01900000-0000-0000-0000-0000000000bb', 'growth')
