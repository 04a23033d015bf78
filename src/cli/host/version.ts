export { version } from '../../model/version.ts'
