export { stateFolder, writePrivately } from '../core/record/run-folder.ts'
